//! Commands that copy a box of a buffer that holds rows and slices.
use std::ffi::c_void;

use opencl_sys::*;

use crate::call::status;
use crate::commands::Enqueued;
use crate::error::{Result, ensure};
use crate::memory::HostPointer;
use crate::transfers::buffer_of;

/// A box: bytes of a row, rows, slices.
type Region = [usize; 3];

/// Where a box lies: its first byte, and bytes from row to row and from slice to slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    first: usize,
    row: usize,
    slice: usize,
}

impl Place {
    /// Of what the application says. Zero as a pitch means that there is nothing between rows, or slices.
    fn new(origin: [usize; 3], [width, rows, _]: Region, row: usize, slice: usize) -> Result<Self> {
        let row = if row == 0 { width } else { row };
        ensure(row >= width, CL_INVALID_VALUE)?;
        let dense = row.checked_mul(rows).ok_or(CL_INVALID_VALUE)?;
        let slice = if slice == 0 { dense } else { slice };
        ensure(slice >= dense && slice.is_multiple_of(row), CL_INVALID_VALUE)?;
        let first = || origin[2].checked_mul(slice)?.checked_add(origin[1].checked_mul(row)?)?.checked_add(origin[0]);
        Ok(Self { first: first().ok_or(CL_INVALID_VALUE)?, row, slice })
    }

    /// First byte behind the box.
    fn end(self, [width, rows, slices]: Region) -> Option<usize> {
        let last = (slices - 1).checked_mul(self.slice)?.checked_add((rows - 1).checked_mul(self.row)?)?;
        last.checked_add(self.first)?.checked_add(width)
    }

    /// First bytes of its rows.
    fn rows(self, [_, rows, slices]: Region) -> impl Iterator<Item = usize> {
        (0..slices).flat_map(move |z| (0..rows).map(move |y| self.first + z * self.slice + y * self.row))
    }
}

/// Three sizes of the application.
unsafe fn three(sizes: *const usize) -> Result<[usize; 3]> {
    ensure(!sizes.is_null(), CL_INVALID_VALUE)?;
    Ok(unsafe { sizes.cast::<[usize; 3]>().read_unaligned() })
}

unsafe fn region_of(sizes: *const usize) -> Result<Region> {
    let region = unsafe { three(sizes) }?;
    ensure(!region.contains(&0), CL_INVALID_VALUE)?;
    Ok(region)
}

/// That the box lies in a buffer of so many bytes.
fn check(place: Place, region: Region, size: usize) -> Result<()> {
    ensure(place.end(region).is_some_and(|end| end <= size), CL_INVALID_VALUE)
}

/// From a buffer.
pub unsafe extern "C" fn read(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocks: cl_bool,
    buffer_origin: *const usize,
    host_origin: *const usize,
    region: *const usize,
    buffer_row: usize,
    buffer_slice: usize,
    host_row: usize,
    host_slice: usize,
    to: *mut c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_READ_BUFFER_RECT, count, list, event) }?;
        let buffer = buffer_of(state, &enqueued.queue, buffer)?;
        let region = unsafe { region_of(region) }?;
        let place = Place::new(unsafe { three(buffer_origin) }?, region, buffer_row, buffer_slice)?;
        let host = Place::new(unsafe { three(host_origin) }?, region, host_row, host_slice)?;
        check(place, region, buffer.size)?;
        ensure(!to.is_null(), CL_INVALID_VALUE)?;
        buffer.permits(CL_MEM_HOST_WRITE_ONLY)?;
        let to = HostPointer(to.cast());
        enqueued.blocking(state, blocks, move |state| {
            let bytes = buffer.bytes(state)?;
            for (from, to) in place.rows(region).zip(host.rows(region).map(|row| to.plus(row))) {
                unsafe { bytes[from..].as_ptr().copy_to(to.0, region[0]) };
            }
            Ok(None)
        })
    })
}

/// To a buffer.
pub unsafe extern "C" fn write(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocks: cl_bool,
    buffer_origin: *const usize,
    host_origin: *const usize,
    region: *const usize,
    buffer_row: usize,
    buffer_slice: usize,
    host_row: usize,
    host_slice: usize,
    from: *const c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_WRITE_BUFFER_RECT, count, list, event) }?;
        let buffer = buffer_of(state, &enqueued.queue, buffer)?;
        let region = unsafe { region_of(region) }?;
        let place = Place::new(unsafe { three(buffer_origin) }?, region, buffer_row, buffer_slice)?;
        let host = Place::new(unsafe { three(host_origin) }?, region, host_row, host_slice)?;
        check(place, region, buffer.size)?;
        ensure(!from.is_null(), CL_INVALID_VALUE)?;
        buffer.permits(CL_MEM_HOST_READ_ONLY)?;
        let from = HostPointer(from.cast_mut().cast());
        enqueued.blocking(state, blocks, move |state| {
            let bytes = buffer.bytes(state)?;
            for (to, from) in place.rows(region).zip(host.rows(region).map(|row| from.plus(row))) {
                unsafe { from.0.copy_to(bytes[to..].as_mut_ptr(), region[0]) };
            }
            Ok(None)
        })
    })
}

/// From a buffer to a buffer.
pub unsafe extern "C" fn copy(
    queue: cl_command_queue,
    from: cl_mem,
    to: cl_mem,
    from_origin: *const usize,
    to_origin: *const usize,
    region: *const usize,
    from_row: usize,
    from_slice: usize,
    to_row: usize,
    to_slice: usize,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_COPY_BUFFER_RECT, count, list, event) }?;
        let from = buffer_of(state, &enqueued.queue, from)?;
        let to = buffer_of(state, &enqueued.queue, to)?;
        let region = unsafe { region_of(region) }?;
        let source = Place::new(unsafe { three(from_origin) }?, region, from_row, from_slice)?;
        let target = Place::new(unsafe { three(to_origin) }?, region, to_row, to_slice)?;
        check(source, region, from.size)?;
        check(target, region, to.size)?;
        let origin = from.address().min(to.address()) as usize;
        let shifted = |place: Place, address: u32| Place { first: place.first + address as usize - origin, ..place };
        let overlap = overlaps(shifted(source, from.address()), shifted(target, to.address()), region);
        ensure(!overlap, CL_MEM_COPY_OVERLAP)?;
        enqueued.now(state, move |state| {
            let bytes = from.bytes(state)?;
            let rows: Vec<Vec<u8>> = source.rows(region).map(|row| bytes[row..][..region[0]].to_vec()).collect();
            let bytes = to.bytes(state)?;
            target.rows(region).zip(rows).for_each(|(row, from)| bytes[row..][..region[0]].copy_from_slice(&from));
            Ok(None)
        })
    })
}

/// Whether a byte is in both boxes.
fn overlaps(first: Place, second: Place, region: Region) -> bool {
    let mut rows: Vec<usize> = first.rows(region).collect();
    rows.sort_unstable();
    second.rows(region).any(|row| {
        let next = rows.partition_point(|other| *other < row);
        let near = [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|index| rows.get(index));
        near.into_iter().any(|other| other.abs_diff(row) < region[0])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes() {
        let region = [3, 2, 2];
        let place = Place::new([1, 1, 0], region, 8, 0).unwrap();
        assert_eq!(place, Place { first: 9, row: 8, slice: 16 });
        assert_eq!(place.rows(region).collect::<Vec<_>>(), [9, 17, 25, 33]);
        assert_eq!(place.end(region), Some(36));
        assert_eq!(Place::new([0; 3], region, 0, 0).unwrap(), Place { first: 0, row: 3, slice: 6 });
        for (row, slice) in [(2, 0), (4, 7), (4, 9)] {
            assert!(Place::new([0; 3], region, row, slice).is_err(), "{row} {slice}");
        }
        assert!(Place::new([0, usize::MAX, 0], region, 8, 0).is_err());
        let beside = |first| Place { first, ..place };
        assert_eq!(
            [9, 12, 6, 10, 15].map(|first| overlaps(place, beside(first), region)),
            [true, false, false, true, true]
        );
    }
}
