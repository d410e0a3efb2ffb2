//! Codes of OpenCL, with what they do not say.
use opencl_sys::cl_int;

/// Why a call did not do what it should.
#[derive(Debug)]
pub struct Error {
    /// As OpenCL has it.
    pub code: cl_int,
    /// For the user of the application, if the code does not say it.
    pub reason: Option<String>,
}

/// Of a call.
pub type Result<T> = std::result::Result<T, Error>;

impl From<cl_int> for Error {
    fn from(code: cl_int) -> Self {
        Self { code, reason: None }
    }
}

impl Error {
    /// With a reason.
    pub fn new(code: cl_int, reason: impl ToString) -> Self {
        Self { code, reason: Some(reason.to_string()) }
    }

    /// Tells the user the reason; the application gets the code.
    pub fn tell(self) -> cl_int {
        if let Some(reason) = self.reason {
            eprintln!("warploom: {reason}");
        }
        self.code
    }
}

/// That something holds, else this code.
pub fn ensure(holds: bool, code: cl_int) -> Result<()> {
    if holds { Ok(()) } else { Err(code.into()) }
}
