//! Names of fixtures.

use super::Complaint;

/// Where the fixtures stand, a folder for each area.
pub const FOLDER: &str = "corpus/regressions/";

/// A fixture is `AREA/AREA.FEATURE.DETAIL.toml`, each part of `[a-z0-9_-]`: so that a name says
/// what it is about, wherever it is printed, and a folder lists what belongs together.
pub fn check_name(file: &str) -> Option<Complaint> {
    let name = file.strip_prefix(FOLDER)?;
    let complaint = || Some(Complaint::of(file, "is not named AREA/AREA.FEATURE.DETAIL.toml"));
    let Some((folder, name)) = name.split_once('/') else { return complaint() };
    let Some(name) = name.strip_suffix(".toml") else { return complaint() };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    let parts: Vec<&str> = name.split('.').collect();
    let well_formed = parts.len() == 3
        && parts[0] == folder
        && parts.iter().all(|part| !part.is_empty() && part.chars().all(plain));
    if well_formed { None } else { complaint() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_names_in_their_folder_pass() {
        let passes = |name: &str| check_name(&format!("{FOLDER}{name}")).is_none();
        assert!(passes("cd_group/cd_group.failed_cd.semicolon.toml"));
        assert!(!passes("cd_group/links.failed_cd.semicolon.toml"));
        assert!(!passes("cd_group/cd_group.semicolon.toml"));
        assert!(!passes("cd_group/cd_group.a.b.c.toml"));
        assert!(!passes("cd_group/cd_group..b.toml"));
        assert!(!passes("cd_group/cd_group.A.b.toml"));
        assert!(!passes("cd_group/more/cd_group.a.b.toml"));
        assert!(!passes("cd_group.a.b.toml"));
        assert!(!passes("cd_group/notes.txt"));
        assert!(check_name("corpus/Cargo.toml").is_none());
    }
}
