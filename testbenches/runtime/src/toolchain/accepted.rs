//! What the front end refuses a file for, though only some of its kernels have it: it is accepted, and then nobody has what it needs,
//! which is a matter of the kernels that need it.
use super::{Job, ToolchainError};

/// What a file is compiled with after all.
#[derive(Default)]
pub(super) struct Accepted {
    /// Numbers of type `double`.
    doubles: bool,
    /// Functions that are called and nowhere declared.
    functions: Vec<String>,
    /// What the front end says without the functions.
    refused: Option<ToolchainError>,
}

/// Its types can be named then. It is not announced: a program that asks takes floats.
const DOUBLES: &str = "cl_khr_fp64";
/// What a function's name begins with that the source calls and does not declare.
pub(super) const UNDECLARED: &str = "warploom_undeclared_";
/// What stands before and behind the name of one in a message.
const MESSAGE: (&str, &str) = ("implicit declaration of function '", "' is invalid in OpenCL");

impl Accepted {
    /// The compiler's flags.
    pub fn flags(&self, job: &Job) -> Result<Vec<String>, ToolchainError> {
        let mut flags = Vec::new();
        if self.doubles {
            flags.extend(["-Xclang".to_string(), format!("-cl-ext=+{DOUBLES}"), format!("-U{DOUBLES}")]);
        }
        if !self.functions.is_empty() {
            // Whatever their arguments are.
            let declared =
                |name: &String| format!("int {UNDECLARED}{name}(void);\n#define {name}(...) {UNDECLARED}{name}()\n");
            job.write("undeclared.h", &self.functions.iter().map(declared).collect::<String>())?;
            flags.extend(["-include".into(), job.path("undeclared.h").display().to_string()]);
        }
        Ok(flags)
    }

    /// Compiles until the front end refuses nothing that is known here.
    pub fn retried<T>(
        &mut self,
        mut compile: impl FnMut(&Self) -> Result<T, ToolchainError>,
    ) -> Result<T, ToolchainError> {
        loop {
            match compile(self) {
                Err(ToolchainError::Failed { tool, source_file, messages }) => {
                    let learned = self.learn(&messages);
                    let error = ToolchainError::Failed { tool, source_file, messages };
                    match learned {
                        Learned::Doubles => {}
                        Learned::Functions => self.refused = Some(error),
                        // With the functions it may be wrong for their sake.
                        Learned::Nothing => return Err(self.refused.take().unwrap_or(error)),
                    }
                }
                compiled => return compiled,
            }
        }
    }

    fn learn(&mut self, messages: &str) -> Learned {
        if !self.doubles && messages.contains(&format!("requires {DOUBLES}")) {
            self.doubles = true;
            return Learned::Doubles;
        }
        let mut functions: Vec<String> = messages
            .split(MESSAGE.0)
            .skip(1)
            .filter_map(|rest| rest.split_once(MESSAGE.1))
            .map(|(name, _)| name.to_string())
            .collect();
        functions.sort_unstable();
        functions.dedup();
        if functions.is_empty() || !self.functions.is_empty() {
            return Learned::Nothing;
        }
        self.functions = functions;
        Learned::Functions
    }
}

enum Learned {
    Nothing,
    Doubles,
    Functions,
}
