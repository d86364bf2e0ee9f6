//! Builds the two small programs that the oracle carries inside it and shows to shells: the library
//! that makes a shell warm, and the probe. Neither may have anything of a library in it, so neither
//! can be a package's target. And it says which guard is linked: its version and its sources.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
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

/// What the guard is made of, seen from this package.
const GUARD: [&str; 3] = ["../guard/Cargo.toml", "../guard/src", "../guard/verbs"];

fn main() {
    name_guard();
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

/// Sets `GUARD_VERSION` to `VERSION+HASH`. The hash is of the guard's sources, so that two runs say
/// the same only if they were of one guard: a commit is too much, since it changes with all else,
/// and too little, since what is built need not be committed.
fn name_guard() {
    let mut hash = Fnv::default();
    for path in GUARD {
        println!("cargo::rerun-if-changed={path}");
        hash.add_all(Path::new(path));
    }
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets CARGO_PKG_VERSION");
    println!("cargo::rustc-env=GUARD_VERSION={version}+{:08x}", hash.0 >> 32);
}

/// The hash of Fowler, Noll and Vo, 1a: it need only tell apart what nobody made alike on purpose.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// A file with its name, or a folder with all that is below it.
    fn add_all(&mut self, path: &Path) {
        let unread = |error| panic!("{}: {error}", path.display());
        if !path.is_dir() {
            self.add(path.to_string_lossy().as_bytes());
            self.add(&fs::read(path).unwrap_or_else(unread));
            return;
        }
        let entries =
            fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut below: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        below.sort();
        below.iter().for_each(|path| self.add_all(path));
    }
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
