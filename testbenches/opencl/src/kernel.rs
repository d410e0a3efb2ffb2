//! Kernels and their arguments.
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use opencl_sys::*;
use warploom_runtime::loader::KernelSignature;
use warploom_runtime::loader::SHARED_BASE;
use warploom_runtime::loader::signature::{Parameter, Space};

use crate::answer::{Answer, Place, write};
use crate::call::{Call, created, references, status};
use crate::device;
use crate::error::{Error, Result, ensure};
use crate::machine::Machine;
use crate::memory::Buffer;
use crate::object::{Handle, Object, locked};
use crate::program::{Program, Variant};

/// Where `__local` buffers begin: at multiples of this.
const LOCAL_ALIGNMENT: u64 = 16;

/// What a parameter is given.
#[derive(Clone)]
pub enum Argument {
    /// A value.
    Bytes(Vec<u8>),
    /// A buffer, or none: a null pointer.
    Buffer(Option<Arc<Buffer>>),
    /// So many bytes of shared memory.
    Local(u32),
}

/// See the [module documentation](self).
pub struct Kernel {
    handle: Handle,
    /// Whose it is.
    pub program: Arc<Program>,
    /// Name and parameters.
    pub signature: KernelSignature,
    arguments: Mutex<Vec<Option<Argument>>>,
}

impl Object for Kernel {
    const INVALID: cl_int = CL_INVALID_KERNEL;

    fn handle(&self) -> Handle {
        self.handle
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.kernels.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The arguments of a launch.
pub struct Bound {
    /// Words.
    pub words: Vec<u32>,
    /// Shared memory of a work-group, that of the program included.
    pub shared_bytes: u64,
    /// They are to be there until the launch has ended.
    pub buffers: Vec<Arc<Buffer>>,
}

impl Kernel {
    fn new(program: &Arc<Program>, signature: KernelSignature) -> Arc<Self> {
        program.kernels.fetch_add(1, Ordering::Relaxed);
        let arguments = Mutex::new(vec![None; signature.parameters.len()]);
        Arc::new(Self { handle: Handle::new(), program: program.clone(), signature, arguments })
    }

    fn parameter(&self, index: cl_uint, code: cl_int) -> Result<&Parameter> {
        self.signature.parameters.get(index as usize).ok_or_else(|| code.into())
    }

    /// The arguments as they are now, for a program that places so much shared memory.
    pub fn bind(&self, own_bytes: u32) -> Result<Bound> {
        let arguments = locked(&self.arguments);
        let mut bound = Bound { words: Vec::new(), shared_bytes: own_bytes.into(), buffers: Vec::new() };
        for argument in arguments.iter() {
            match argument.as_ref().ok_or(CL_INVALID_KERNEL_ARGS)? {
                Argument::Bytes(bytes) => bound.words.extend(words(bytes)),
                Argument::Buffer(None) => bound.words.push(0),
                Argument::Buffer(Some(buffer)) => {
                    bound.words.push(buffer.address());
                    bound.buffers.push(buffer.clone());
                }
                Argument::Local(bytes) => {
                    let place = bound.shared_bytes.next_multiple_of(LOCAL_ALIGNMENT);
                    // Of a place that does not fit, no launch comes.
                    bound.words.push(SHARED_BASE.wrapping_add(place as u32));
                    bound.shared_bytes = place + u64::from(*bytes);
                }
            }
        }
        bound.shared_bytes = bound.shared_bytes.next_multiple_of(4);
        Ok(bound)
    }

    fn local_bytes(&self) -> Result<u64> {
        let own = self.program.load(&self.signature.name, Variant::default())?.shared_bytes;
        let arguments = locked(&self.arguments);
        Ok(arguments.iter().flatten().fold(own.into(), |place: u64, argument| match argument {
            Argument::Local(bytes) => place.next_multiple_of(LOCAL_ALIGNMENT) + u64::from(*bytes),
            _ => place,
        }))
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks(4).map(|bytes| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(word)
    })
}

/// A kernel, by its name.
pub unsafe extern "C" fn create(program: cl_program, name: *const c_char, code: *mut cl_int) -> cl_kernel {
    let call = |state: &mut Call| {
        let program = state.programs.get(program)?;
        let signatures = program.signatures().ok_or(CL_INVALID_PROGRAM_EXECUTABLE)?;
        ensure(!name.is_null(), CL_INVALID_VALUE)?;
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
        let signature = signatures.into_iter().find(|kernel| kernel.name == name).ok_or(CL_INVALID_KERNEL_NAME)?;
        Ok(state.kernels.add(&Kernel::new(&program, signature)))
    };
    unsafe { created(code, call) }
}

/// All of a program.
pub unsafe extern "C" fn create_all(
    program: cl_program,
    entries: cl_uint,
    kernels: *mut cl_kernel,
    count: *mut cl_uint,
) -> cl_int {
    status(|state| {
        let program = state.programs.get(program)?;
        let signatures = program.signatures().ok_or(CL_INVALID_PROGRAM_EXECUTABLE)?;
        ensure(kernels.is_null() || entries as usize >= signatures.len(), CL_INVALID_VALUE)?;
        unsafe { write(count, signatures.len() as cl_uint) };
        if !kernels.is_null() {
            for (index, signature) in signatures.into_iter().enumerate() {
                let handle = state.kernels.add(&Kernel::new(&program, signature));
                unsafe { kernels.add(index).write(handle) };
            }
        }
        Ok(())
    })
}

/// Gives a parameter its value, for the launches from now on.
pub unsafe extern "C" fn set_argument(kernel: cl_kernel, index: cl_uint, size: usize, value: *const c_void) -> cl_int {
    status(|state| {
        let kernel = state.kernels.get(kernel)?;
        let parameter = kernel.parameter(index, CL_INVALID_ARG_INDEX)?;
        let argument = match parameter.space {
            Space::Local => {
                ensure(value.is_null(), CL_INVALID_ARG_VALUE)?;
                ensure(size > 0 && size <= u32::MAX as usize / 2, CL_INVALID_ARG_SIZE)?;
                Argument::Local(size as u32)
            }
            Space::Private => {
                ensure(!value.is_null(), CL_INVALID_ARG_VALUE)?;
                ensure(size == parameter.bytes(), CL_INVALID_ARG_SIZE)?;
                Argument::Bytes(unsafe { std::slice::from_raw_parts(value.cast::<u8>(), size) }.to_vec())
            }
            Space::Global | Space::Constant => {
                ensure(size == size_of::<cl_mem>(), CL_INVALID_ARG_SIZE)?;
                let handle = if value.is_null() {
                    std::ptr::null_mut()
                } else {
                    unsafe { value.cast::<cl_mem>().read_unaligned() }
                };
                let buffer = if handle.is_null() { None } else { Some(state.buffers.get(handle)?) };
                let is_of_context =
                    buffer.as_ref().is_none_or(|buffer| Arc::ptr_eq(&buffer.context, &kernel.program.context));
                ensure(is_of_context, CL_INVALID_MEM_OBJECT)?;
                Argument::Buffer(buffer)
            }
        };
        locked(&kernel.arguments)[index as usize] = Some(argument);
        Ok(())
    })
}

/// What it is.
pub unsafe extern "C" fn info(
    kernel: cl_kernel,
    name: cl_kernel_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|state| {
        let kernel = state.kernels.get(kernel)?;
        let answer = match name {
            CL_KERNEL_FUNCTION_NAME => kernel.signature.name.as_str().into(),
            CL_KERNEL_NUM_ARGS => (kernel.signature.parameters.len() as u32).into(),
            CL_KERNEL_REFERENCE_COUNT => state.kernels.references(&kernel).into(),
            CL_KERNEL_CONTEXT => kernel.program.context.handle().pointer().into(),
            CL_KERNEL_PROGRAM => kernel.program.handle().pointer().into(),
            CL_KERNEL_ATTRIBUTES => {
                let size = kernel.signature.work_group;
                size.map_or(String::new(), |[x, y, z]| format!("reqd_work_group_size({x},{y},{z})")).as_str().into()
            }
            _ => return Err(CL_INVALID_VALUE.into()),
        };
        unsafe { Place { size, value, size_ret }.fill(answer) }
    })
}

/// What a parameter is.
pub unsafe extern "C" fn argument_info(
    kernel: cl_kernel,
    index: cl_uint,
    name: cl_kernel_arg_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|state| {
        let kernel = state.kernels.get(kernel)?;
        let parameter = kernel.parameter(index, CL_INVALID_ARG_INDEX)?;
        let answer: Answer = match name {
            CL_KERNEL_ARG_ADDRESS_QUALIFIER => match parameter.space {
                Space::Private => CL_KERNEL_ARG_ADDRESS_PRIVATE.into(),
                Space::Global => CL_KERNEL_ARG_ADDRESS_GLOBAL.into(),
                Space::Constant => CL_KERNEL_ARG_ADDRESS_CONSTANT.into(),
                Space::Local => CL_KERNEL_ARG_ADDRESS_LOCAL.into(),
            },
            CL_KERNEL_ARG_ACCESS_QUALIFIER => CL_KERNEL_ARG_ACCESS_NONE.into(),
            CL_KERNEL_ARG_TYPE_NAME => parameter.type_name.as_str().into(),
            // What else the source says of a pointer, a file does not keep.
            CL_KERNEL_ARG_TYPE_QUALIFIER if parameter.space == Space::Private => CL_KERNEL_ARG_TYPE_NONE.into(),
            CL_KERNEL_ARG_TYPE_QUALIFIER if parameter.space == Space::Constant => CL_KERNEL_ARG_TYPE_CONST.into(),
            CL_KERNEL_ARG_TYPE_QUALIFIER => return Err(CL_KERNEL_ARG_INFO_NOT_AVAILABLE.into()),
            CL_KERNEL_ARG_NAME => parameter.name.as_str().into(),
            _ => return Err(CL_INVALID_VALUE.into()),
        };
        unsafe { Place { size, value, size_ret }.fill(answer) }
    })
}

/// What launches of it may be like.
pub unsafe extern "C" fn work_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    name: cl_kernel_work_group_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|state| {
        let kernel = state.kernels.get(kernel)?;
        if !device.is_null() {
            device::check(device)?;
        }
        let core = &Machine::of_environment()?.setting.core;
        let answer = match name {
            CL_KERNEL_WORK_GROUP_SIZE => device::most_work_items(core).into(),
            CL_KERNEL_COMPILE_WORK_GROUP_SIZE => {
                Answer::list(kernel.signature.work_group.unwrap_or_default().map(|size| size as usize))
            }
            CL_KERNEL_LOCAL_MEM_SIZE => kernel.local_bytes()?.into(),
            CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => core.lanes.into(),
            // Every thread has so much; how much of it a kernel takes is not known.
            CL_KERNEL_PRIVATE_MEM_SIZE => (core.private_bytes as u64).into(),
            _ => return Err(Error::from(CL_INVALID_VALUE)),
        };
        unsafe { Place { size, value, size_ret }.fill(answer) }
    })
}

references!(kernels);
