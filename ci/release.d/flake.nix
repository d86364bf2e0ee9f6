{
  description = "Decides whether a coding agent may run a shell line without asking";

  inputs = {
    nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
    source = {
      url = "@REPOSITORY@/releases/download/v@VERSION@/shfence-@VERSION@.tar.gz";
      flake = false;
    };
  };

  outputs = { self, nixpkgs, source }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ];
      each = nixpkgs.lib.genAttrs systems;
    in {
      packages = each (system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in {
          default = pkgs.rustPlatform.buildRustPackage {
            pname = "shfence";
            version = "@VERSION@";
            src = source;
            cargoLock.lockFile = "${source}/Cargo.lock";
            buildAndTestSubdir = "guard";
            doCheck = false; # the tests need shells and tools of the machine
            nativeBuildInputs = [ pkgs.installShellFiles ];
            postInstall = ''
              installShellCompletion --cmd shfence \
                --bash <($out/bin/shfence completions bash) \
                --zsh <($out/bin/shfence completions zsh) \
                --fish <($out/bin/shfence completions fish)
              $out/bin/shfence man > shfence.1
              installManPage shfence.1
            '';
          };
        });
    };
}
