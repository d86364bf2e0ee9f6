class Shfence < Formula
  desc "Decides whether a coding agent may run a shell line without asking"
  homepage "@REPOSITORY@"
  url "@REPOSITORY@/releases/download/v@VERSION@/shfence-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "guard")
    generate_completions_from_executable(bin/"shfence", "completions")
    (man1/"shfence.1").write Utils.safe_popen_read(bin/"shfence", "man")
  end

  test do
    check = "#{bin}/shfence check --root #{testpath} --"
    assert_match "allow", shell_output("#{check} ls")
    assert_match "ask", shell_output("#{check} cat /etc/passwd", 1)
  end
end
