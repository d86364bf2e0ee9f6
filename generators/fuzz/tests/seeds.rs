//! The committed seeds, replayed without a fuzzer.

use std::path::Path;

fn replay(target: &str, property: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let entries = std::fs::read_dir(&folder).expect("the seeds of the target");
    let mut count = 0;
    for entry in entries {
        let file = entry.expect("a readable folder").path();
        property(&std::fs::read(&file).expect("a readable seed"));
        count += 1;
    }
    assert!(count >= 5, "{target} has {count} seeds");
}

#[test]
fn decide() {
    replay("decide", shfence_fuzz::decide);
}

#[test]
fn reading_agrees() {
    replay("reading_agrees", shfence_fuzz::reading_agrees);
}

#[test]
fn hook_payload() {
    replay("hook_payload", shfence_fuzz::hook_payload);
}

#[test]
fn growth() {
    replay("growth", shfence_fuzz::growth);
}

/// It needs shells, and the rights to contain them.
#[cfg(feature = "judged")]
#[test]
fn judged() {
    let worker = Path::new(env!("CARGO_BIN_EXE_judged_worker"));
    let ran = std::cell::Cell::new(0);
    replay("judged", |bytes| ran.set(ran.get() + i32::from(shfence_fuzz::judged(bytes, worker))));
    assert!(ran.get() >= 2, "shells ran {} seeds", ran.get());
}
