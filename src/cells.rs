//! Cell libraries by name: the Liberty files of a directory of the user, `$WARPLOOM_CELLS`.
use std::path::{Path, PathBuf};

use crate::suggest::nearest;

/// The variable that names the directory.
pub const VARIABLE: &str = "WARPLOOM_CELLS";

/// The directory, if there is to be one.
pub fn directory() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Names of the libraries in it, in order: their files without `.lib`.
///
/// # Errors
/// If it cannot be read.
pub fn names(directory: &Path) -> Result<Vec<String>, String> {
    let unreadable = |error| format!("{}, which {VARIABLE} names: {error}", directory.display());
    let mut names = vec![];
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        names.extend(stem.filter(|_| path.extension().is_some_and(|end| end == "lib")).map(str::to_string));
    }
    names.sort();
    Ok(names)
}

/// The file that `--liberty` means: a path, or the name of a library.
///
/// # Errors
/// If it is a name, and no library there has it.
pub fn file(text: &str) -> Result<PathBuf, String> {
    file_in(text, directory().as_deref())
}

fn file_in(text: &str, directory: Option<&Path>) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_name = path.file_name() == Some(path.as_os_str()) && path.extension().is_none() && !path.exists();
    let Some(directory) = directory.filter(|_| is_name) else { return Ok(path) };
    let names = names(directory)?;
    if names.iter().any(|name| name == text) {
        return Ok(directory.join(text).with_extension("lib"));
    }
    let there = nearest(text, names.iter().map(String::as_str));
    Err(format!("there is no file {text}, nor a library of this name in {}{there}", directory.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_a_library_and_a_path_is_a_path() {
        let directory = tempfile::tempdir().unwrap();
        for file in ["fast.lib", "slow.lib", "slow.lef", "read.me"] {
            std::fs::write(directory.path().join(file), "").unwrap();
        }
        assert_eq!(names(directory.path()).unwrap(), ["fast", "slow"]);
        let find = |text: &str| file_in(text, Some(directory.path()));
        assert_eq!(find("slow"), Ok(directory.path().join("slow.lib")));
        for path in ["slow.lib", "./slow", "there/slow"] {
            assert_eq!(find(path), Ok(PathBuf::from(path)), "it is a path");
        }
        let said = find("fats").unwrap_err();
        assert!(said.starts_with("there is no file fats") && said.ends_with("did you mean fast?"), "{said}");
        assert_eq!(file_in("slow", None), Ok(PathBuf::from("slow")), "there are no names");
        let said = file_in("slow", Some(&directory.path().join("nowhere"))).unwrap_err();
        assert!(said.contains("nowhere, which WARPLOOM_CELLS names"), "{said}");
    }
}
