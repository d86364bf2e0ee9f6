//! The contained worker of the target `judged`.

fn main() -> std::process::ExitCode {
    shfence_oracle::worker::main()
}
