//! Commands that copy: between the application's memory and buffers, and maps.
use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::*;

use crate::call::{Call, State, created, status};
use crate::commands::Enqueued;
use crate::error::{Result, ensure};
use crate::memory::{Buffer, HostPointer, Map};
use crate::object::locked;
use crate::queue::Queue;

/// A buffer of the queue's context.
pub fn buffer_of(state: &mut State, queue: &Queue, buffer: cl_mem) -> Result<Arc<Buffer>> {
    let buffer = state.buffers.get(buffer)?;
    ensure(Arc::ptr_eq(&buffer.context, &queue.context), CL_INVALID_CONTEXT)?;
    Ok(buffer)
}

/// That a piece lies in a buffer, and is one.
fn check_piece(buffer: &Buffer, offset: usize, size: usize) -> Result<()> {
    let is_inside = offset.checked_add(size).is_some_and(|end| end <= buffer.size);
    ensure(size > 0 && is_inside, CL_INVALID_VALUE)
}

/// From a buffer.
pub unsafe extern "C" fn read(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocks: cl_bool,
    offset: usize,
    size: usize,
    to: *mut c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_READ_BUFFER, count, list, event) }?;
        let buffer = buffer_of(state, &enqueued.queue, buffer)?;
        check_piece(&buffer, offset, size)?;
        ensure(!to.is_null(), CL_INVALID_VALUE)?;
        buffer.permits(CL_MEM_HOST_WRITE_ONLY)?;
        let to = HostPointer(to.cast());
        enqueued.blocking(state, blocks, move |state| {
            let (from, to) = (buffer.bytes(state)?[offset..].as_ptr(), to);
            unsafe { from.copy_to(to.0, size) };
            Ok(None)
        })
    })
}

/// To a buffer.
pub unsafe extern "C" fn write(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocks: cl_bool,
    offset: usize,
    size: usize,
    from: *const c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_WRITE_BUFFER, count, list, event) }?;
        let buffer = buffer_of(state, &enqueued.queue, buffer)?;
        check_piece(&buffer, offset, size)?;
        ensure(!from.is_null(), CL_INVALID_VALUE)?;
        buffer.permits(CL_MEM_HOST_READ_ONLY)?;
        let from = HostPointer(from.cast_mut().cast());
        enqueued.blocking(state, blocks, move |state| {
            let (to, from) = (buffer.bytes(state)?[offset..].as_mut_ptr(), from);
            unsafe { from.0.copy_to(to, size) };
            Ok(None)
        })
    })
}

/// From a buffer to a buffer.
pub unsafe extern "C" fn copy(
    queue: cl_command_queue,
    from: cl_mem,
    to: cl_mem,
    from_offset: usize,
    to_offset: usize,
    size: usize,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_COPY_BUFFER, count, list, event) }?;
        let from = buffer_of(state, &enqueued.queue, from)?;
        let to = buffer_of(state, &enqueued.queue, to)?;
        check_piece(&from, from_offset, size)?;
        check_piece(&to, to_offset, size)?;
        let (first, second) = (from.address() as usize + from_offset, to.address() as usize + to_offset);
        ensure(first.abs_diff(second) >= size, CL_MEM_COPY_OVERLAP)?;
        enqueued.now(state, move |state| {
            let bytes = from.bytes(state)?[from_offset..][..size].to_vec();
            to.bytes(state)?[to_offset..][..size].copy_from_slice(&bytes);
            Ok(None)
        })
    })
}

/// A pattern, again and again.
pub unsafe extern "C" fn fill(
    queue: cl_command_queue,
    buffer: cl_mem,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_FILL_BUFFER, count, list, event) }?;
        let buffer = buffer_of(state, &enqueued.queue, buffer)?;
        check_piece(&buffer, offset, size)?;
        let is_size = pattern_size.is_power_of_two() && pattern_size <= 128;
        ensure(!pattern.is_null() && is_size, CL_INVALID_VALUE)?;
        ensure(offset.is_multiple_of(pattern_size) && size.is_multiple_of(pattern_size), CL_INVALID_VALUE)?;
        let pattern = unsafe { std::slice::from_raw_parts(pattern.cast::<u8>(), pattern_size) }.to_vec();
        enqueued.now(state, move |state| {
            let pieces = buffer.bytes(state)?[offset..][..size].chunks_exact_mut(pattern.len());
            pieces.for_each(|piece| piece.copy_from_slice(&pattern));
            Ok(None)
        })
    })
}

/// Shows the application a piece of a buffer.
pub unsafe extern "C" fn map(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocks: cl_bool,
    flags: cl_map_flags,
    offset: usize,
    size: usize,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
    code: *mut cl_int,
) -> *mut c_void {
    let call = |state: &mut Call| {
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_MAP_BUFFER, count, list, event) }?;
        let buffer = buffer_of(state, &enqueued.queue, buffer)?;
        check_piece(&buffer, offset, size)?;
        let (reads, invalidates) = (flags & CL_MAP_READ != 0, flags & CL_MAP_WRITE_INVALIDATE_REGION != 0);
        let writes = flags & CL_MAP_WRITE != 0 || invalidates;
        ensure(flags & !(CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) == 0, CL_INVALID_VALUE)?;
        ensure(!(invalidates && flags & (CL_MAP_READ | CL_MAP_WRITE) != 0), CL_INVALID_VALUE)?;
        buffer
            .permits(if reads { CL_MEM_HOST_WRITE_ONLY } else { 0 } | if writes { CL_MEM_HOST_READ_ONLY } else { 0 })?;
        let mut memory = buffer.host.is_none().then(|| vec![0_u128; size.div_ceil(16)]);
        let own = memory.as_mut().map(|memory| HostPointer(memory.as_mut_ptr().cast()));
        let host = || buffer.host.map(|host| host.plus(offset));
        let Some(pointer) = own.or_else(host) else { unreachable!("one of them there is") };
        locked(&buffer.maps).push(Map { pointer, offset, size, writes, memory });
        enqueued.blocking(state, blocks, move |state| {
            let (from, to) = (buffer.bytes(state)?[offset..].as_ptr(), pointer);
            unsafe { from.copy_to(to.0, size) };
            Ok(None)
        })?;
        Ok(pointer.0.cast())
    };
    unsafe { created(code, call) }
}

/// Takes it back, with what the application wrote there.
pub unsafe extern "C" fn unmap(
    queue: cl_command_queue,
    buffer: cl_mem,
    pointer: *mut c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_UNMAP_MEM_OBJECT, count, list, event) }?;
        let buffer = buffer_of(state, &enqueued.queue, buffer)?;
        let mut maps = locked(&buffer.maps);
        let place = maps.iter().position(|map| map.pointer == HostPointer(pointer.cast())).ok_or(CL_INVALID_VALUE)?;
        let map = maps.swap_remove(place);
        drop(maps);
        enqueued.now(state, move |state| {
            let Map { pointer, offset, size, writes, memory } = map;
            if writes {
                let to = buffer.bytes(state)?[offset..].as_mut_ptr();
                unsafe { pointer.0.copy_to(to, size) };
            }
            drop(memory);
            Ok(None)
        })
    })
}

/// There is one device: its memory is where they are already.
pub unsafe extern "C" fn migrate(
    queue: cl_command_queue,
    buffer_count: cl_uint,
    buffers: *const cl_mem,
    flags: cl_mem_migration_flags,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, count, list, event) }?;
        let handles = unsafe { crate::answer::listed(buffer_count, buffers, CL_INVALID_VALUE) }?;
        let known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        ensure(!handles.is_empty() && flags & !known == 0, CL_INVALID_VALUE)?;
        for handle in handles {
            buffer_of(state, &enqueued.queue, handle)?;
        }
        enqueued.now(state, |_| Ok(None))
    })
}
