//! Who may write.
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::CacheError;

/// Mode bits with which others may write.
const OTHERS: u32 = 0o022;

fn user() -> u32 {
    // SAFETY: it has no conditions and always succeeds.
    unsafe { libc::geteuid() }
}

/// Sees that a directory is the user's own, and that nobody else may write there.
pub fn check(directory: &Path) -> Result<(), CacheError> {
    check_for(directory, user())
}

fn check_for(directory: &Path, user: u32) -> Result<(), CacheError> {
    let io = |error: std::io::Error| CacheError::Io { directory: directory.into(), reason: error.to_string() };
    let (at, behind) = (fs::symlink_metadata(directory).map_err(io)?, fs::metadata(directory).map_err(io)?);
    let refuse = |problem: String, remedy: String| {
        Err(CacheError::Unsafe { directory: directory.to_path_buf(), problem, remedy })
    };
    let elsewhere = || "set WARPLOOM_CACHE to a directory of your own".to_string();
    if at.is_symlink() && ![user, 0].contains(&at.uid()) {
        return refuse(format!("is a link that another user has made (uid {})", at.uid()), elsewhere());
    }
    if behind.uid() != user {
        return refuse(format!("belongs to another user (uid {})", behind.uid()), elsewhere());
    }
    if behind.mode() & OTHERS != 0 {
        let mode = behind.mode() & 0o7777;
        let remedy = format!("remove it, if others have written there, or run: chmod go-w {}", directory.display());
        return refuse(format!("may be written by others (mode {mode:o})"), remedy);
    }
    Ok(())
}

/// Whether it is a file that nobody else can have written.
pub fn is_own_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| is_own(&metadata, user()))
}

fn is_own(metadata: &Metadata, user: u32) -> bool {
    metadata.is_file() && metadata.uid() == user && metadata.mode() & OTHERS == 0
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_directory_of_ones_own() {
        let directory = tempfile::tempdir().unwrap();
        check(directory.path()).unwrap();
        for mode in [0o777, 0o1777, 0o770, 0o702] {
            fs::set_permissions(directory.path(), Permissions::from_mode(mode)).unwrap();
            let said = check(directory.path()).unwrap_err().to_string();
            assert!(said.contains("written by others") && said.contains("chmod go-w"), "{said}");
        }
        fs::set_permissions(directory.path(), Permissions::from_mode(0o755)).unwrap();
        check(directory.path()).unwrap();
        let other = user() + 1;
        let said = check_for(directory.path(), other).unwrap_err().to_string();
        assert!(said.contains("another user") && said.contains("WARPLOOM_CACHE"), "{said}");
    }

    #[test]
    fn a_link_is_as_good_as_who_has_made_it() {
        let directory = tempfile::tempdir().unwrap();
        let (real, link) = (directory.path().join("real"), directory.path().join("link"));
        fs::create_dir(&real).unwrap();
        symlink(&real, &link).unwrap();
        check(&link).unwrap();
        // Root may chown: only there another user's link can be made.
        if std::os::unix::fs::lchown(&link, Some(user() + 1), None).is_ok() {
            assert!(check(&link).unwrap_err().to_string().contains("a link that another user has made"));
        }
    }

    #[test]
    fn a_file_of_ones_own() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "").unwrap();
        symlink(&file, &link).unwrap();
        assert_eq!([&file, &link, &directory.path().into()].map(|path| is_own_file(path)), [true, false, false]);
        assert!(!is_own(&fs::metadata(&file).unwrap(), user() + 1));
        fs::set_permissions(&file, Permissions::from_mode(0o666)).unwrap();
        assert!(!is_own_file(&file));
    }
}
