//! What stands in the system of every case, outside its tree, for lines to go astray to.

/// Files of the oracle's own system that no honest line has a reason to touch, each with what it
/// holds. They are the same on every machine, and, but for `/etc`, all that stands in
/// their directories.
pub const DECOYS: [(&str, &str); 4] = [
    ("/etc/decoy-secret", "decoy:etc\n"),
    ("/home/other/.ssh/id_rsa", "decoy:key\n"),
    ("/opt/decoy/secret", "decoy:opt\n"),
    ("/srv/decoy.txt", "decoy:srv\n"),
];
