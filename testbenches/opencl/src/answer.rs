//! What is written to where a caller wants it: answers of queries, lists, handles.
use std::ffi::c_void;

use opencl_sys::{CL_INVALID_VALUE, cl_int, cl_uint};

use crate::error::{Result, ensure};

/// Where the answer of a `clGet...Info` goes.
pub struct Place {
    /// Bytes that there is room for.
    pub size: usize,
    /// Where; nowhere, if null.
    pub value: *mut c_void,
    /// Where its size goes; nowhere, if null.
    pub size_ret: *mut usize,
}

impl Place {
    /// Writes the answer.
    ///
    /// # Safety
    /// The pointers are null, or lead to so much room.
    pub unsafe fn fill(&self, answer: Answer) -> Result<()> {
        let Answer(bytes) = answer;
        if !self.value.is_null() {
            ensure(self.size >= bytes.len(), CL_INVALID_VALUE)?;
            unsafe { self.value.cast::<u8>().copy_from(bytes.as_ptr(), bytes.len()) };
        }
        unsafe { write(self.size_ret, bytes.len()) };
        Ok(())
    }
}

/// The bytes of an answer.
pub struct Answer(Vec<u8>);

impl Answer {
    /// A truth value.
    pub fn truth(value: bool) -> Self {
        u32::from(value).into()
    }

    /// Nothing.
    pub fn empty() -> Self {
        Self(Vec::new())
    }

    /// Numbers, or handles, one behind the other.
    pub fn list<T: Into<Self>>(values: impl IntoIterator<Item = T>) -> Self {
        Self(values.into_iter().flat_map(|value| value.into().0).collect())
    }
}

macro_rules! numbers {
    ($($kind:ty),*) => {
        $(impl From<$kind> for Answer {
            fn from(value: $kind) -> Self {
                Self(value.to_ne_bytes().to_vec())
            }
        })*
    };
}
numbers!(u32, i32, u64, usize, isize);

impl From<&str> for Answer {
    fn from(text: &str) -> Self {
        Self([text.as_bytes(), &[0]].concat())
    }
}

impl From<*mut c_void> for Answer {
    fn from(handle: *mut c_void) -> Self {
        (handle as usize).into()
    }
}

/// Writes to where the caller wants it, if it does.
///
/// # Safety
/// The pointer is null, or leads to a place for it.
pub unsafe fn write<T>(place: *mut T, value: T) {
    if !place.is_null() {
        unsafe { place.write(value) };
    }
}

/// Writes handles, as many as there is room for, and how many there are.
///
/// # Safety
/// The pointers are null, or lead to so much room.
pub unsafe fn list(
    entries: cl_uint,
    places: *mut *mut c_void,
    count: *mut cl_uint,
    handles: &[*mut c_void],
) -> Result<()> {
    ensure(places.is_null() == (entries == 0), CL_INVALID_VALUE)?;
    ensure(!places.is_null() || !count.is_null(), CL_INVALID_VALUE)?;
    for (index, handle) in handles.iter().take(entries as usize).enumerate() {
        unsafe { places.add(index).write(*handle) };
    }
    unsafe { write(count, handles.len() as cl_uint) };
    Ok(())
}

/// Sizes or handles that a caller lists.
///
/// # Safety
/// The pointer is null, or leads to so many.
pub unsafe fn listed<T: Copy>(count: cl_uint, list: *const T, code: cl_int) -> Result<Vec<T>> {
    ensure(list.is_null() == (count == 0), code)?;
    Ok((0..count as usize).map(|index| unsafe { list.add(index).read_unaligned() }).collect())
}
