//! libclc, which has OpenCL's mathematical functions as LLVM's bitcode: where it is, and what a kernel that needs it is told.
use std::path::{Path, PathBuf};

/// Names another file.
const VARIABLE: &str = "WARPLOOM_LIBCLC";

/// Of all its targets the one whose functions are plain LLVM and whose private memory is everybody's: the same file in all of
/// Debian's versions.
const FILE: &str = "/usr/lib/clc/nvptx--.bc";

/// How to get it on Debian and Ubuntu.
pub const PACKAGE: &str = "libclc-14";

/// What comes before the name of a function that kernels/floats.cl takes from it.
pub(super) const PREFIX: &str = "libclc_";

/// Its bitcode, whether or not it is there.
pub fn path() -> PathBuf {
    std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map_or_else(|| FILE.into(), PathBuf::from)
}

/// Whether it is there.
pub fn available() -> bool {
    path().is_file()
}

/// What to do where this file is missing.
pub(super) fn how_to_get(file: &Path) -> String {
    format!(
        "mathematical functions are of libclc, and there is no {}: `apt install {PACKAGE}`, or name it in ${VARIABLE}",
        file.display()
    )
}
