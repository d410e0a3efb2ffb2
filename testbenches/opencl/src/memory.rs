//! Buffers and parts of them.
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use opencl_sys::*;

use crate::allocator::{ALIGNMENT, Region};
use crate::answer::Place;
use crate::call::{Call, State, created, later, references, status};
use crate::context::Context;
use crate::device;
use crate::error::{Error, Result, ensure};
use crate::machine::Machine;
use crate::object::{Handle, Object, locked};

/// A place in the application's memory. It keeps it there, as OpenCL asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostPointer(pub *mut u8);

// SAFETY: an address; who goes there answers for it.
unsafe impl Send for HostPointer {}
// SAFETY: as above.
unsafe impl Sync for HostPointer {}

impl HostPointer {
    /// So many bytes further.
    pub fn plus(self, bytes: usize) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

/// Where a buffer lies.
enum Storage {
    Own(Region),
    Part { parent: Arc<Buffer>, origin: usize },
}

/// What the application has mapped.
pub struct Map {
    /// As the application has it.
    pub pointer: HostPointer,
    /// What it shows.
    pub offset: usize,
    /// Bytes.
    pub size: usize,
    /// Whether it is written back.
    pub writes: bool,
    /// Memory for it; none where the application gave the buffer its own.
    pub memory: Option<Vec<u128>>,
}

type Destructor = unsafe extern "C" fn(cl_mem, *mut c_void);

/// See the [module documentation](self).
pub struct Buffer {
    handle: Handle,
    /// Whose it is.
    pub context: Arc<Context>,
    flags: cl_mem_flags,
    /// Bytes.
    pub size: usize,
    storage: Storage,
    /// The application's memory, with `CL_MEM_USE_HOST_PTR`.
    pub host: Option<HostPointer>,
    /// Maps that are not yet unmapped.
    pub maps: Mutex<Vec<Map>>,
    destructors: Mutex<Vec<(Destructor, usize)>>,
}

impl Object for Buffer {
    const INVALID: cl_int = CL_INVALID_MEM_OBJECT;

    fn handle(&self) -> Handle {
        self.handle
    }
}

impl Buffer {
    /// Its first address.
    pub fn address(&self) -> u32 {
        match &self.storage {
            Storage::Own(region) => region.address,
            Storage::Part { parent, origin } => parent.address() + *origin as u32,
        }
    }

    /// Its bytes in global memory.
    pub fn bytes<'a>(&self, state: &'a mut State) -> Result<&'a mut [u8]> {
        Ok(state.gpu()?.bytes(self.address(), self.size))
    }

    /// That the host may do this with it.
    pub fn permits(&self, forbidden: cl_mem_flags) -> Result<()> {
        ensure(self.flags & (forbidden | CL_MEM_HOST_NO_ACCESS) == 0, CL_INVALID_OPERATION)
    }

    fn parent(&self) -> Option<(&Arc<Buffer>, usize)> {
        match &self.storage {
            Storage::Own(_) => None,
            Storage::Part { parent, origin } => Some((parent, *origin)),
        }
    }

    /// Its first byte, counted from that of the buffer it is a part of.
    pub fn origin(&self) -> usize {
        self.parent().map_or(0, |(_, origin)| origin)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let handle = self.handle;
        for (destructor, user_data) in locked(&self.destructors).drain(..).rev() {
            later(move || unsafe { destructor(handle.pointer(), user_data as *mut c_void) });
        }
    }
}

/// At most one of them may be asked for.
const ACCESS: cl_mem_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
/// As above, for the host.
const OF_HOST: cl_mem_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
const WITH_POINTER: cl_mem_flags = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;

fn check_flags(flags: cl_mem_flags) -> Result<()> {
    let at_most_one = |of: cl_mem_flags| (flags & of).count_ones() <= 1;
    let known = ACCESS | OF_HOST | WITH_POINTER | CL_MEM_ALLOC_HOST_PTR;
    let excluded = flags & CL_MEM_USE_HOST_PTR != 0 && flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
    ensure(flags & !known == 0 && at_most_one(ACCESS) && at_most_one(OF_HOST) && !excluded, CL_INVALID_VALUE)
}

/// A buffer; zeros, if it is not given other contents.
pub unsafe extern "C" fn create(
    context: cl_context,
    flags: cl_mem_flags,
    size: usize,
    host: *mut c_void,
    code: *mut cl_int,
) -> cl_mem {
    let call = |state: &mut Call| {
        let context = state.contexts.get(context)?;
        check_flags(flags)?;
        ensure(size > 0 && size as u64 <= device::most_bytes(Machine::of_environment()?), CL_INVALID_BUFFER_SIZE)?;
        ensure(host.is_null() == (flags & WITH_POINTER == 0), CL_INVALID_HOST_PTR)?;
        let full = || {
            let reason = format!(
                "no room for a buffer of {size} bytes in global memory; WARPLOOM_MEMORY=BYTES says how large that is"
            );
            Error::new(CL_MEM_OBJECT_ALLOCATION_FAILURE, reason)
        };
        let region = Region::new(&state.gpu()?.allocator, size).ok_or_else(full)?;
        let flags = if flags & ACCESS == 0 { flags | CL_MEM_READ_WRITE } else { flags };
        let host = Some(HostPointer(host.cast())).filter(|host| !host.0.is_null());
        let buffer = Buffer {
            handle: Handle::new(),
            context,
            flags,
            size,
            storage: Storage::Own(region),
            host: host.filter(|_| flags & CL_MEM_USE_HOST_PTR != 0),
            maps: Mutex::default(),
            destructors: Mutex::default(),
        };
        let bytes = buffer.bytes(state)?;
        match host {
            Some(HostPointer(host)) => unsafe { host.copy_to(bytes.as_mut_ptr(), size) },
            None => bytes.fill(0),
        }
        Ok(state.buffers.add(&Arc::new(buffer)))
    };
    unsafe { created(code, call) }
}

/// A part of a buffer.
pub unsafe extern "C" fn create_part(
    parent: cl_mem,
    flags: cl_mem_flags,
    kind: cl_buffer_create_type,
    info: *const c_void,
    code: *mut cl_int,
) -> cl_mem {
    let call = |state: &mut Call| {
        let parent = state.buffers.get(parent)?;
        ensure(parent.parent().is_none(), CL_INVALID_MEM_OBJECT)?;
        check_flags(flags)?;
        let (of, not) = (parent.flags, |flags: cl_mem_flags, others: cl_mem_flags| flags & others == 0);
        let widens = !not(of, CL_MEM_WRITE_ONLY) && !not(flags, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)
            || !not(of, CL_MEM_READ_ONLY) && !not(flags, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)
            || !not(of, CL_MEM_HOST_WRITE_ONLY) && !not(flags, CL_MEM_HOST_READ_ONLY)
            || !not(of, CL_MEM_HOST_READ_ONLY) && !not(flags, CL_MEM_HOST_WRITE_ONLY)
            || !not(of, CL_MEM_HOST_NO_ACCESS) && !not(flags, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY);
        ensure(!widens && not(flags, WITH_POINTER | CL_MEM_ALLOC_HOST_PTR), CL_INVALID_VALUE)?;
        ensure(kind == CL_BUFFER_CREATE_TYPE_REGION && !info.is_null(), CL_INVALID_VALUE)?;
        let cl_buffer_region { origin, size } = unsafe { info.cast::<cl_buffer_region>().read() };
        ensure(size > 0, CL_INVALID_BUFFER_SIZE)?;
        ensure(origin.checked_add(size).is_some_and(|end| end <= parent.size), CL_INVALID_VALUE)?;
        ensure(origin.is_multiple_of(ALIGNMENT as usize), CL_MISALIGNED_SUB_BUFFER_OFFSET)?;
        let inherited = |of: cl_mem_flags| if flags & of == 0 { parent.flags & of } else { flags & of };
        let pointers = parent.flags & (WITH_POINTER | CL_MEM_ALLOC_HOST_PTR);
        let buffer = Buffer {
            handle: Handle::new(),
            context: parent.context.clone(),
            flags: inherited(ACCESS) | inherited(OF_HOST) | pointers,
            size,
            host: parent.host.map(|host| host.plus(origin)),
            storage: Storage::Part { parent, origin },
            maps: Mutex::default(),
            destructors: Mutex::default(),
        };
        Ok(state.buffers.add(&Arc::new(buffer)))
    };
    unsafe { created(code, call) }
}

/// What it is.
pub unsafe extern "C" fn info(
    buffer: cl_mem,
    name: cl_mem_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|state| {
        let buffer = state.buffers.get(buffer)?;
        let null = std::ptr::null_mut::<c_void>();
        let answer = match name {
            CL_MEM_TYPE => CL_MEM_OBJECT_BUFFER.into(),
            CL_MEM_FLAGS => buffer.flags.into(),
            CL_MEM_SIZE => buffer.size.into(),
            CL_MEM_HOST_PTR => buffer.host.map_or(null, |host| host.0.cast()).into(),
            CL_MEM_MAP_COUNT => (locked(&buffer.maps).len() as u32).into(),
            CL_MEM_REFERENCE_COUNT => state.buffers.references(&buffer).into(),
            CL_MEM_CONTEXT => buffer.context.handle().pointer().into(),
            CL_MEM_ASSOCIATED_MEMOBJECT => buffer.parent().map_or(null, |(parent, _)| parent.handle().pointer()).into(),
            CL_MEM_OFFSET => buffer.origin().into(),
            _ => return Err(CL_INVALID_VALUE.into()),
        };
        unsafe { Place { size, value, size_ret }.fill(answer) }
    })
}

/// Has a function called when the buffer is no more.
pub unsafe extern "C" fn set_destructor(buffer: cl_mem, notify: Option<Destructor>, user_data: *mut c_void) -> cl_int {
    status(|state| {
        let buffer = state.buffers.get(buffer)?;
        let Some(notify) = notify else { return Err(CL_INVALID_VALUE.into()) };
        locked(&buffer.destructors).push((notify, user_data as usize));
        Ok(())
    })
}

references!(buffers);
