//! Programs: from source, by clang, or from an ELF file of before.
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::iter;
use std::path::{Component, Path};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use opencl_sys::*;
use warploom_runtime::loader;
use warploom_runtime::loader::KernelSignature;
use warploom_runtime::loader::signature;
use warploom_runtime::toolchain::{self, Debug, Options, ToolchainError};
use warploom_sim::cache::Cache;

use crate::answer::{Answer, Place, listed, write};
use crate::call::{Call, created, later, references, status};
use crate::context::Context;
use crate::device;
use crate::error::{Error, Result, ensure};
use crate::object::{DEVICE, Handle, Object, locked};

/// Files of a source: the program itself, and others that it may include, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Source {
    text: String,
    headers: Vec<(String, String)>,
}

impl Source {
    /// Adds a file that it may include: in a directory of its own, where it replaces none of the user's.
    fn add(&mut self, name: String, text: String) -> Result<()> {
        let is_inside = Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || name.is_empty() || name.ends_with('/') {
            let reason = format!("header `{name}`: it needs a name, and one that does not lead to another directory");
            return Err(Error::new(CL_INVALID_VALUE, reason));
        }
        match self.headers.iter().find(|(other, _)| *other == name) {
            Some((_, other)) if *other != text => {
                Err(Error::new(CL_INVALID_VALUE, format!("there are two headers `{name}`")))
            }
            Some(_) => Ok(()),
            None => {
                self.headers.push((name, text));
                Ok(())
            }
        }
    }

    /// What its own file is called, which no header is.
    fn name(&self) -> String {
        let is_taken = |name: &String| self.headers.iter().any(|(other, _)| other == name);
        let names = iter::successors(Some("program.cl".to_string()), |name| Some(format!("_{name}")));
        names.into_iter().find(|name| !is_taken(name)).expect("they are without end")
    }
}

/// What a source is compiled for, besides its options: what the launch does not tell the hardware.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Number of the first work-item.
    pub offset: [u32; 3],
    /// Dimensions of the launch, if the kernel may ask.
    pub dimensions: Option<usize>,
}

/// An ELF file, and its kernels as they were loaded.
struct Binary {
    elf: Vec<u8>,
    kernels: Vec<KernelSignature>,
    loaded: Mutex<HashMap<String, Arc<loader::Program>>>,
}

impl Binary {
    fn new(elf: Vec<u8>) -> Self {
        Self { kernels: signature::kernels(&elf), elf, loaded: Mutex::default() }
    }
}

#[derive(Default)]
struct Build {
    status: Option<cl_build_status>,
    kind: cl_program_binary_type,
    options: String,
    log: String,
    source: Source,
    binary: Option<Arc<Binary>>,
    variants: HashMap<Variant, Arc<Binary>>,
}

/// See the [module documentation](self).
pub struct Program {
    handle: Handle,
    /// Whose it is.
    pub context: Arc<Context>,
    /// As the application gave it.
    text: Option<String>,
    build: Mutex<Build>,
    /// Kernels that there are of it.
    pub kernels: AtomicUsize,
}

impl Object for Program {
    const INVALID: cl_int = CL_INVALID_PROGRAM;

    fn handle(&self) -> Handle {
        self.handle
    }
}

type Notify = unsafe extern "C" fn(cl_program, *mut c_void);

impl Program {
    fn new(context: Arc<Context>, text: Option<String>, build: Build) -> Arc<Self> {
        let (handle, build) = (Handle::new(), Mutex::new(build));
        Arc::new(Self { handle, context, text, build, kernels: AtomicUsize::new(0) })
    }

    /// Its kernels, if it has been built.
    pub fn signatures(&self) -> Option<Vec<KernelSignature>> {
        let build = locked(&self.build);
        build.binary.as_ref().filter(|_| build.status == Some(CL_BUILD_SUCCESS)).map(|binary| binary.kernels.clone())
    }

    /// Whether a kernel of it may ask for the dimensions of its launch.
    pub fn asks_for_dimensions(&self) -> bool {
        locked(&self.build).source.text.contains("get_work_dim")
    }

    /// A kernel as it is loaded for such a launch: compiled anew, if there has been none before.
    pub fn load(&self, kernel: &str, variant: Variant) -> Result<Arc<loader::Program>> {
        let mut build = locked(&self.build);
        let base = build.binary.clone().ok_or(CL_INVALID_PROGRAM_EXECUTABLE)?;
        let binary = if variant == Variant::default() {
            base
        } else if let Some(binary) = build.variants.get(&variant) {
            binary.clone()
        } else {
            let Some(_) = &self.text else {
                let reason = "the offset of work-items is compiled in, and this program was created from a binary";
                return Err(Error::new(CL_INVALID_GLOBAL_OFFSET, reason));
            };
            let (elf, _) = compile(&build.source, &build.options, variant)
                .map_err(|error| Error::new(CL_OUT_OF_RESOURCES, error))?;
            let binary = Arc::new(Binary::new(elf));
            build.variants.insert(variant, binary.clone());
            binary
        };
        let mut loaded = locked(&binary.loaded);
        if let Some(program) = loaded.get(kernel) {
            return Ok(program.clone());
        }
        let program = loader::Program::from_elf_kernel(kernel, &binary.elf, kernel)
            .map_err(|error| Error::new(CL_OUT_OF_RESOURCES, error))?;
        let program = Arc::new(program);
        loaded.insert(kernel.to_string(), program.clone());
        Ok(program)
    }

    /// Compiles the source.
    fn build(&self, source: Source, options: String) -> Result<()> {
        let mut build = locked(&self.build);
        let compiled = compile(&source, &options, Variant::default());
        *build = Build { options, source, ..Build::default() };
        match compiled {
            Ok((elf, log)) => {
                build.binary = Some(Arc::new(Binary::new(elf)));
                (build.status, build.kind, build.log) =
                    (Some(CL_BUILD_SUCCESS), CL_PROGRAM_BINARY_TYPE_EXECUTABLE, log);
                Ok(())
            }
            Err(error) => {
                (build.status, build.log) = (Some(CL_BUILD_ERROR), error.to_string());
                Err(of_toolchain(error, CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS))
            }
        }
    }
}

fn of_toolchain(error: ToolchainError, failure: cl_int, options: cl_int) -> Error {
    match error {
        ToolchainError::BadOption(_) => options.into(),
        // The application need not show its log.
        ToolchainError::NoTool { .. } | ToolchainError::Io { .. } | ToolchainError::Cache(_) => {
            Error::new(CL_COMPILER_NOT_AVAILABLE, error)
        }
        _ => failure.into(),
    }
}

/// The ELF file, and what the compiler had to say.
fn compile(source: &Source, options: &str, variant: Variant) -> std::result::Result<(Vec<u8>, String), ToolchainError> {
    let io = |path: &Path, error: std::io::Error| ToolchainError::Io { path: path.into(), reason: error.to_string() };
    // In the cache, so that what an application leaves that is killed is removed by the next one.
    let cache = Cache::open(None)?;
    let directory = cache.work().map_err(|error| io(cache.path(), error))?;
    let main = directory.path().join(source.name());
    std::fs::write(&main, &source.text).map_err(|error| io(&main, error))?;
    for (name, text) in &source.headers {
        let path = directory.path().join(name);
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
        written.map_err(|error| io(&path, error))?;
    }
    let options = Options {
        debug: Debug::Lines,
        cl_options: Some(options.to_string()),
        // Sources include what lies where the application runs.
        includes: std::env::current_dir().into_iter().collect(),
        offset: variant.offset,
        dimensions: variant.dimensions,
        ..Options::default()
    };
    toolchain::compile(&main, options)
}

unsafe fn text_of(text: *const c_char) -> String {
    if text.is_null() { String::new() } else { unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned() }
}

/// From source.
pub unsafe extern "C" fn create_of_source(
    context: cl_context,
    count: cl_uint,
    strings: *mut *const c_char,
    lengths: *const usize,
    code: *mut cl_int,
) -> cl_program {
    let call = |state: &mut Call| {
        let context = state.contexts.get(context)?;
        let strings = unsafe { listed(count, strings.cast_const(), CL_INVALID_VALUE) }?;
        ensure(!strings.is_empty() && strings.iter().all(|string| !string.is_null()), CL_INVALID_VALUE)?;
        let mut bytes = Vec::new();
        for (index, &string) in strings.iter().enumerate() {
            let length = if lengths.is_null() { 0 } else { unsafe { lengths.add(index).read() } };
            bytes.extend(match length {
                0 => unsafe { CStr::from_ptr(string) }.to_bytes(),
                length => unsafe { std::slice::from_raw_parts(string.cast::<u8>(), length) },
            });
        }
        // Files are often given with the zero at their end.
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let source = Source { text: text.clone(), headers: Vec::new() };
        Ok(state.programs.add(&Program::new(context, Some(text), Build { source, ..Build::default() })))
    };
    unsafe { created(code, call) }
}

/// From an ELF file that was built before.
pub unsafe extern "C" fn create_of_binary(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    lengths: *const usize,
    binaries: *mut *const u8,
    binary_status: *mut cl_int,
    code: *mut cl_int,
) -> cl_program {
    let call = |state: &mut Call| {
        let context = state.contexts.get(context)?;
        let devices = unsafe { listed(count, devices, CL_INVALID_VALUE) }?;
        devices.iter().try_for_each(|device| device::check(*device))?;
        ensure(devices.len() == 1 && !lengths.is_null() && !binaries.is_null(), CL_INVALID_VALUE)?;
        let (length, binary) = unsafe { (lengths.read(), binaries.read()) };
        let is_there = length > 0 && !binary.is_null();
        unsafe { write(binary_status, if is_there { CL_SUCCESS } else { CL_INVALID_VALUE }) };
        ensure(is_there, CL_INVALID_VALUE)?;
        let binary = Binary::new(unsafe { std::slice::from_raw_parts(binary, length) }.to_vec());
        let is_right = !binary.kernels.is_empty();
        unsafe { write(binary_status, if is_right { CL_SUCCESS } else { CL_INVALID_BINARY }) };
        ensure(is_right, CL_INVALID_BINARY)?;
        let binary = Some(Arc::new(binary));
        let build = Build { binary, kind: CL_PROGRAM_BINARY_TYPE_EXECUTABLE, ..Build::default() };
        Ok(state.programs.add(&Program::new(context, None, build)))
    };
    unsafe { created(code, call) }
}

/// Kernels of the device's own: there are none.
pub unsafe extern "C" fn create_of_built_in_kernels(
    context: cl_context,
    _count: cl_uint,
    _devices: *const cl_device_id,
    _names: *const c_char,
    code: *mut cl_int,
) -> cl_program {
    unsafe { created(code, |state| state.contexts.get(context).and(Err(CL_INVALID_VALUE.into()))) }
}

/// Checks what all that compile and link are given.
unsafe fn check_devices(
    count: cl_uint,
    devices: *const cl_device_id,
    notify: Option<Notify>,
    user_data: *mut c_void,
) -> Result<()> {
    let devices = unsafe { listed(count, devices, CL_INVALID_VALUE) }?;
    devices.into_iter().try_for_each(device::check)?;
    ensure(notify.is_some() || user_data.is_null(), CL_INVALID_VALUE)
}

/// Tells the application that the program is built, or is not.
fn tell(program: &Arc<Program>, notify: Option<Notify>, user_data: *mut c_void) {
    if let Some(notify) = notify {
        let (program, user_data) = (program.clone(), user_data as usize);
        later(move || unsafe { notify(program.handle.pointer(), user_data as *mut c_void) });
    }
}

/// Compiles and links.
pub unsafe extern "C" fn build(
    program: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    notify: Option<Notify>,
    user_data: *mut c_void,
) -> cl_int {
    status(|state| {
        let program = state.programs.get(program)?;
        unsafe { check_devices(count, devices, notify, user_data) }?;
        ensure(program.kernels.load(Ordering::Relaxed) == 0, CL_INVALID_OPERATION)?;
        let options = unsafe { text_of(options) };
        let built = match &program.text {
            Some(text) => program.build(Source { text: text.clone(), headers: Vec::new() }, options),
            None => {
                let mut build = locked(&program.build);
                (build.status, build.options) = (Some(CL_BUILD_SUCCESS), options);
                Ok(())
            }
        };
        tell(&program, notify, user_data);
        built
    })
}

/// Compiles what is linked later: the errors are told here, the code is made then.
pub unsafe extern "C" fn compile_only(
    program: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    header_count: cl_uint,
    headers: *const cl_program,
    names: *mut *const c_char,
    notify: Option<Notify>,
    user_data: *mut c_void,
) -> cl_int {
    status(|state| {
        let program = state.programs.get(program)?;
        unsafe { check_devices(count, devices, notify, user_data) }?;
        let headers = unsafe { listed(header_count, headers, CL_INVALID_VALUE) }?;
        let names = unsafe { listed(header_count, names.cast_const(), CL_INVALID_VALUE) }?;
        ensure(program.kernels.load(Ordering::Relaxed) == 0, CL_INVALID_OPERATION)?;
        let text = program.text.clone().ok_or(CL_INVALID_OPERATION)?;
        let headers = state.programs.all(&headers)?.into_iter().zip(names);
        let mut source = Source { text, headers: Vec::new() };
        for (header, name) in headers {
            source.add(unsafe { text_of(name) }, header.text.clone().ok_or(CL_INVALID_PROGRAM)?)?;
        }
        let options = unsafe { text_of(options) };
        let compiled = compile(&source, &options, Variant::default());
        let mut build = locked(&program.build);
        *build = Build { options, source, status: Some(CL_BUILD_ERROR), ..Build::default() };
        let result = match compiled {
            Ok((_, log)) => {
                build.log = log;
                Ok(())
            }
            // What another program may have.
            Err(ToolchainError::Unsupported { .. }) => Ok(()),
            Err(error) => {
                build.log = error.to_string();
                Err(of_toolchain(error, CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS))
            }
        };
        if result.is_ok() {
            (build.status, build.kind) = (Some(CL_BUILD_SUCCESS), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
        }
        drop(build);
        tell(&program, notify, user_data);
        result
    })
}

/// Programs that were compiled, as one: it is their sources that are joined, so all of them were compiled with the same options.
fn joined(programs: &[Arc<Program>]) -> Result<(Source, String)> {
    let mut source = Source::default();
    let mut options = None;
    for (index, program) in programs.iter().enumerate() {
        let build = locked(&program.build);
        let is_compiled = build.status == Some(CL_BUILD_SUCCESS) && build.kind != CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
        ensure(is_compiled, CL_INVALID_OPERATION)?;
        if options.get_or_insert_with(|| build.options.clone()) != &build.options {
            let reason =
                "clLinkProgram: the programs were compiled with different options, and their sources are linked as one";
            return Err(Error::new(CL_LINK_PROGRAM_FAILURE, reason));
        }
        let name = format!("program{index}.cl");
        source.text += &format!("#include \"{name}\"\n");
        let headers = build.source.headers.iter().cloned();
        for (name, text) in iter::once((name, build.source.text.clone())).chain(headers) {
            source.add(name, text).map_err(|error| Error { code: CL_LINK_PROGRAM_FAILURE, ..error })?;
        }
    }
    Ok((source, options.unwrap_or_default()))
}

/// Links programs to a new one.
pub unsafe extern "C" fn link(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    program_count: cl_uint,
    programs: *const cl_program,
    notify: Option<Notify>,
    user_data: *mut c_void,
    code: *mut cl_int,
) -> cl_program {
    let call = |state: &mut Call| {
        let context = state.contexts.get(context)?;
        unsafe { check_devices(count, devices, notify, user_data) }?;
        let handles = unsafe { listed(program_count, programs, CL_INVALID_VALUE) }?;
        ensure(!handles.is_empty(), CL_INVALID_VALUE)?;
        let programs = state.programs.all(&handles)?;
        let (source, compiled_with) = joined(&programs)?;
        let options = unsafe { text_of(options) };
        let is_library = options.split_whitespace().any(|word| word == "-create-library");
        let own = options.split_whitespace().filter(|word| !["-create-library", "-enable-link-options"].contains(word));
        let options = iter::once(compiled_with.as_str()).chain(own).collect::<Vec<_>>().join(" ");
        let text = Some(source.text.clone());
        let program = Program::new(context, text, Build::default());
        let built = if is_library {
            let (status, kind) = (Some(CL_BUILD_SUCCESS), CL_PROGRAM_BINARY_TYPE_LIBRARY);
            *locked(&program.build) = Build { status, kind, options: compiled_with, source, ..Build::default() };
            Ok(())
        } else {
            program.build(source, options)
        };
        tell(&program, notify, user_data);
        built.map_err(|error| match error.code {
            CL_BUILD_PROGRAM_FAILURE => {
                let log = locked(&program.build).log.clone();
                Error::new(CL_LINK_PROGRAM_FAILURE, log)
            }
            CL_INVALID_BUILD_OPTIONS => CL_INVALID_LINKER_OPTIONS.into(),
            _ => error,
        })?;
        Ok(state.programs.add(&program))
    };
    unsafe { created(code, call) }
}

/// What it is.
pub unsafe extern "C" fn info(
    program: cl_program,
    name: cl_program_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|state| {
        let program = state.programs.get(program)?;
        let place = Place { size, value, size_ret };
        let signatures = || program.signatures().ok_or(CL_INVALID_PROGRAM_EXECUTABLE);
        let build = || locked(&program.build).binary.clone();
        let answer = match name {
            CL_PROGRAM_REFERENCE_COUNT => state.programs.references(&program).into(),
            CL_PROGRAM_CONTEXT => program.context.handle().pointer().into(),
            CL_PROGRAM_NUM_DEVICES => 1_u32.into(),
            CL_PROGRAM_DEVICES => DEVICE.handle().into(),
            CL_PROGRAM_SOURCE => program.text.as_deref().unwrap_or_default().into(),
            CL_PROGRAM_BINARY_SIZES => build().map_or(0, |binary| binary.elf.len()).into(),
            CL_PROGRAM_BINARIES => return unsafe { binaries(&place, build().as_deref()) },
            CL_PROGRAM_NUM_KERNELS => signatures()?.len().into(),
            CL_PROGRAM_KERNEL_NAMES => {
                let names: Vec<String> = signatures()?.into_iter().map(|kernel| kernel.name).collect();
                names.join(";").as_str().into()
            }
            _ => return Err(CL_INVALID_VALUE.into()),
        };
        unsafe { place.fill(answer) }
    })
}

/// Writes the binary to where the first of the caller's pointers leads.
unsafe fn binaries(place: &Place, binary: Option<&Binary>) -> Result<()> {
    let pointers = place.value.cast::<*mut u8>();
    if !pointers.is_null() {
        ensure(place.size >= size_of::<*mut u8>(), CL_INVALID_VALUE)?;
        let to = unsafe { pointers.read() };
        if let Some(binary) = binary.filter(|_| !to.is_null()) {
            unsafe { to.copy_from(binary.elf.as_ptr(), binary.elf.len()) };
        }
    }
    unsafe { write(place.size_ret, size_of::<*mut u8>()) };
    Ok(())
}

/// How its build went.
pub unsafe extern "C" fn build_info(
    program: cl_program,
    device: cl_device_id,
    name: cl_program_build_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|state| {
        let program = state.programs.get(program)?;
        device::check(device)?;
        let build = locked(&program.build);
        let answer: Answer = match name {
            CL_PROGRAM_BUILD_STATUS => build.status.unwrap_or(CL_BUILD_NONE).into(),
            CL_PROGRAM_BUILD_OPTIONS => build.options.as_str().into(),
            CL_PROGRAM_BUILD_LOG => build.log.as_str().into(),
            CL_PROGRAM_BINARY_TYPE => build.kind.into(),
            _ => return Err(CL_INVALID_VALUE.into()),
        };
        unsafe { Place { size, value, size_ret }.fill(answer) }
    })
}

references!(programs);
