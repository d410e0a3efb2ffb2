//! How a source is compiled.
use std::path::{Path, PathBuf};

use super::{Debug, ToolchainError};

/// What a source is compiled with, besides what all of them are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// What goes into the ELF file besides code and data.
    pub debug: Debug,
    /// Macros: `NAME`, or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Directories of files that the source includes, besides its own.
    pub includes: Vec<PathBuf>,
    /// OpenCL's build options, as `clBuildProgram` takes them.
    pub cl_options: Option<String>,
    /// The kernel of an OpenCL file that matters: the others may be left out without a word.
    pub kernel: Option<String>,
    /// Of an OpenCL kernel, the number of the first work-item.
    pub offset: [u32; 3],
    /// Dimensions of its launch, if they are known.
    pub dimensions: Option<usize>,
}

impl From<Debug> for Options {
    fn from(debug: Debug) -> Self {
        Self { debug, ..Self::default() }
    }
}

/// Build options that change what the compiler does.
const CHANGING: &[&str] = &[
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-w",
    "-Werror",
];
/// Build options that ask for what there is anyway, or permit what is not made use of.
const FULFILLED: &[&str] = &[
    "-cl-single-precision-constant",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-denorms-are-zero",
    "-cl-opt-disable",
    "-cl-kernel-arg-info",
    "-cl-std=CL1.0",
    "-cl-std=CL1.1",
    "-cl-std=CL1.2",
];

impl Options {
    /// The compiler's flags for a source in this language.
    pub(super) fn flags(&self) -> Result<Vec<String>, ToolchainError> {
        let (mut defines, mut includes) = (self.defines.clone(), self.includes.clone());
        let mut flags = Vec::new();
        let mut words = self.cl_options.iter().flat_map(|text| text.split_whitespace());
        while let Some(word) = words.next() {
            let mut value = |joined: &str| {
                let value = if joined.is_empty() { words.next() } else { Some(joined) };
                value
                    .map(String::from)
                    .ok_or_else(|| ToolchainError::BadOption(format!("build option {word}: it needs a value")))
            };
            if let Some(joined) = word.strip_prefix("-D") {
                defines.push(value(joined)?);
            } else if let Some(joined) = word.strip_prefix("-I") {
                includes.push(value(joined)?.into());
            } else if CHANGING.contains(&word) {
                flags.push(word.to_string());
            } else if !FULFILLED.contains(&word) {
                return Err(ToolchainError::BadOption(unknown(word)));
            }
        }
        for define in defines {
            if !define.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic()) {
                return Err(ToolchainError::BadOption(format!("-D {define}: it is NAME or NAME=VALUE")));
            }
            flags.push(format!("-D{define}"));
        }
        for include in includes {
            flags.extend(include_flags(&include)?);
        }
        Ok(flags)
    }

    /// Those of the built-in functions of work-items.
    pub(super) fn of_work_items(&self) -> Vec<String> {
        let offset = self.offset.iter().zip(["X", "Y", "Z"]).filter(|(offset, _)| **offset != 0);
        let offset = offset.map(|(offset, axis)| format!("-DWARPLOOM_OFFSET_{axis}={offset}u"));
        offset.chain(self.dimensions.map(|dimensions| format!("-DWARPLOOM_DIMENSIONS={dimensions}"))).collect()
    }
}

fn unknown(word: &str) -> String {
    match word.strip_prefix("-cl-std=") {
        Some(version) => format!("build option {word}: there is OpenCL C 1.2, and no {version}"),
        None => format!(
            "there is no build option `{word}`; there are -D, -I, {}",
            [CHANGING, FULFILLED].concat().join(", ")
        ),
    }
}

/// The compiler runs elsewhere, and where the directory is does not get into the output.
fn include_flags(include: &Path) -> Result<[String; 2], ToolchainError> {
    let there = include.canonicalize().ok().filter(|path| path.is_dir());
    let path = there
        .ok_or_else(|| ToolchainError::BadOption(format!("-I {}: there is no such directory", include.display())))?;
    let name = include.file_name().unwrap_or_default().to_string_lossy();
    Ok([format!("-I{}", path.display()), format!("-fdebug-prefix-map={}={name}", path.display())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(text: &str) -> Result<Vec<String>, String> {
        let options = Options { cl_options: Some(text.into()), ..Options::default() };
        options.flags().map_err(|error| error.to_string())
    }

    #[test]
    fn build_options() {
        let expected = ["-cl-mad-enable", "-w", "-DN=4", "-DM"].map(String::from);
        assert_eq!(flags(" -D N=4  -cl-mad-enable -DM -w -cl-std=CL1.1 "), Ok(expected.to_vec()));
        for (text, problem) in [
            ("-cl-std=CL2.0", "build option -cl-std=CL2.0: there is OpenCL C 1.2, and no CL2.0"),
            ("-DN -D", "build option -D: it needs a value"),
            ("-D=4", "-D =4: it is NAME or NAME=VALUE"),
            ("-I /nowhere", "-I /nowhere: there is no such directory"),
        ] {
            assert_eq!(flags(text), Err(problem.to_string()));
        }
        assert!(
            flags("-O3").unwrap_err().starts_with("there is no build option `-O3`; there are -D, -I, -cl-mad-enable, ")
        );
    }

    #[test]
    fn only_what_is_asked_for_reaches_the_built_in_functions() {
        assert_eq!(Options::default().of_work_items(), [""; 0]);
        let options = Options { offset: [0, 7, 0], dimensions: Some(2), ..Options::default() };
        assert_eq!(options.of_work_items(), ["-DWARPLOOM_OFFSET_Y=7u", "-DWARPLOOM_DIMENSIONS=2"]);
    }
}
