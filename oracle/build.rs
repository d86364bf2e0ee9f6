//! Builds the two small programs that the oracle carries inside it and shows to shells: the library
//! that makes a shell warm, and the probe. Neither may have anything of a library in it, so neither
//! can be a package's target.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Options for both: no unwinding, no start-up files and no library of C, nothing left to look up.
const COMMON: &[&str] = &[
    "--edition=2024",
    "-Cpanic=abort",
    "-Copt-level=s",
    "-Cstrip=symbols",
    "-Cforce-unwind-tables=no",
    "-Clink-arg=-nostartfiles",
    "-Clink-arg=-nostdlib",
    "-Clink-arg=-Wl,--build-id=none",
];

/// A library without any undefined name: it must depend on no C library, whichever the shell has.
/// It is mapped in as few pieces as can be, since every fork of a shell copies them.
const LIBRARY: &[&str] = &[
    "--crate-type=cdylib",
    "-Clink-arg=-Wl,--no-undefined",
    "-Clink-arg=-Wl,-z,norelro,-z,noseparate-code,--no-rosegment",
];

/// A program at a fixed address: nothing to relocate, and as few pages as can be.
const PROGRAM: &[&str] = &[
    "--crate-type=bin",
    "-Crelocation-model=static",
    "-Ctarget-feature=+crt-static",
    "-Clink-arg=-static",
    "-Clink-arg=-no-pie",
    "-Clink-arg=-Wl,-z,norelro,-z,noseparate-code,--no-rosegment",
];

fn main() {
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64") {
        // Their system calls are those of x86_64. Without them shells are executed, and there are
        // no probes.
        let folder = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
        for name in ["preload.so", "probe"] {
            fs::write(folder.join(name), "").expect("the output folder can be written");
        }
        return;
    }
    for module in ["acting", "pieces"] {
        println!("cargo::rerun-if-changed=src/system/warm/{module}.rs");
    }
    build("src/system/warm/preload.rs", "preload.so", LIBRARY);
    build("src/system/warm/probe.rs", "probe", PROGRAM);
}

fn build(source: &str, name: &str, options: &[&str]) {
    println!("cargo::rerun-if-changed={source}");
    let variable = |name: &str| env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"));
    let file = PathBuf::from(variable("OUT_DIR")).join(name);
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(COMMON).args(options).arg("--target").arg(variable("TARGET"));
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    let status = rustc.arg(source).arg("-o").arg(&file).status();
    let status = status.unwrap_or_else(|error| panic!("{rustc:?} cannot be started: {error}"));
    assert!(status.success(), "{source} cannot be built: {rustc:?} failed");
}
