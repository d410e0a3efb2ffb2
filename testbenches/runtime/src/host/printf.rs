//! What kernels in OpenCL C have printed: `kernels/printf.c` leaves formats and arguments, and here they become text.
use std::ffi::CString;

use super::GlobalMemory;
use crate::loader::Program;

/// The variable with the buffer: a word that counts, and words.
const VARIABLE: &str = "warploom_printf";

/// Takes what the launches since the last call have printed; nothing, if the program does not print.
pub fn take_printed(memory: &mut GlobalMemory, program: &Program) -> String {
    let Some(&(address, size)) = program.variables.get(VARIABLE) else { return String::new() };
    let capacity = size / 4 - 1;
    let used = memory.words(address, 1)[0];
    memory.write_words(address, &[0]);
    let mut words = memory.words(address + 4, used.min(capacity) as usize).into_iter();
    let mut text = String::new();
    while let Some(format) = words.next().filter(|format| *format != 0) {
        text += &formatted(&string(memory, format), &mut words, memory);
    }
    if used > capacity {
        text += &format!("[printf: no room for what comes after {capacity} words]\n");
    }
    text
}

/// The bytes up to a zero.
fn string(memory: &GlobalMemory, address: u32) -> Vec<u8> {
    let byte = |at: u32| memory.slice(at, 1).map(|bytes| bytes[0]).filter(|byte| *byte != 0);
    (address..).map_while(byte).collect()
}

/// A conversion of a format: `%-8.3v4hlf`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Conversion {
    /// `-8.3`.
    layout: String,
    elements: usize,
    /// Bytes of an element.
    bytes: usize,
    letter: u8,
}

impl Conversion {
    /// From what stands behind the `%`; the bytes that it takes.
    fn new(text: &[u8]) -> (Self, usize) {
        let mut at = 0;
        let run = |at: &mut usize, is: fn(&u8) -> bool| {
            let start = *at;
            *at += text[start..].iter().take_while(|byte| is(byte)).count();
            String::from_utf8_lossy(&text[start..*at]).into_owned()
        };
        let layout = run(&mut at, |byte| b"-+ #.0123456789".contains(byte));
        let elements = if text.get(at) == Some(&b'v') {
            at += 1;
            run(&mut at, u8::is_ascii_digit).parse().unwrap_or(0)
        } else {
            1
        };
        let length = run(&mut at, |byte| b"hl".contains(byte));
        let letter = text.get(at).copied().unwrap_or(0);
        let bytes = match length.as_str() {
            "hh" => 1,
            "h" => 2,
            // There is no double.
            "l" if !b"aAeEfFgG".contains(&letter) => 8,
            _ => 4,
        };
        (Self { layout, elements, bytes, letter }, at + usize::from(letter != 0))
    }

    /// Words of its argument.
    fn words(&self) -> usize {
        let bytes = if self.elements == 1 { self.bytes.max(4) } else { self.bytes };
        (if self.elements == 3 { 4 } else { self.elements } * bytes).div_ceil(4)
    }

    fn text(&self, bytes: &[u8], memory: &GlobalMemory) -> String {
        let width = if self.elements == 1 { self.bytes.max(4) } else { self.bytes };
        let elements = bytes.chunks_exact(width).take(self.elements).map(|element| self.element(element, memory));
        elements.collect::<Vec<_>>().join(",")
    }

    fn element(&self, bytes: &[u8], memory: &GlobalMemory) -> String {
        let mut raw = [0; 8];
        raw[..bytes.len()].copy_from_slice(bytes);
        let shift = 64 - 8 * self.bytes as u32;
        let unsigned = u64::from_le_bytes(raw) << shift >> shift;
        let signed = (unsigned << shift) as i64 >> shift;
        let layout = &self.layout;
        match self.letter {
            b'd' | b'i' => c_text(&format!("%{layout}lld"), |buffer, size, format| unsafe {
                libc::snprintf(buffer, size, format, signed)
            }),
            b'u' | b'o' | b'x' | b'X' => {
                c_text(&format!("%{layout}ll{}", char::from(self.letter)), |buffer, size, format| unsafe {
                    libc::snprintf(buffer, size, format, unsigned)
                })
            }
            b'c' => c_text(&format!("%{layout}c"), |buffer, size, format| unsafe {
                libc::snprintf(buffer, size, format, unsigned as libc::c_int)
            }),
            b'p' => c_text(&format!("%{layout}p"), |buffer, size, format| unsafe {
                libc::snprintf(buffer, size, format, unsigned as usize as *const u8)
            }),
            b's' => {
                let string = CString::new(string(memory, unsigned as u32)).unwrap_or_default();
                c_text(&format!("%{layout}s"), |buffer, size, format| unsafe {
                    libc::snprintf(buffer, size, format, string.as_ptr())
                })
            }
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
                let value = f64::from(f32::from_bits(unsigned as u32));
                c_text(&format!("%{layout}{}", char::from(self.letter)), |buffer, size, format| unsafe {
                    libc::snprintf(buffer, size, format, value)
                })
            }
            letter => format!("%{layout}{}", char::from(letter)),
        }
    }
}

/// What C's own `snprintf` makes of one value.
fn c_text(format: &str, print: impl Fn(*mut libc::c_char, usize, *const libc::c_char) -> libc::c_int) -> String {
    let format = CString::new(format).expect("a conversion has no zero in it");
    let mut buffer = vec![0_u8; 512];
    let length = print(buffer.as_mut_ptr().cast(), buffer.len(), format.as_ptr());
    buffer.truncate(usize::try_from(length).unwrap_or(0).min(buffer.len() - 1));
    String::from_utf8_lossy(&buffer).into_owned()
}

/// A format with its arguments, which are taken from `words`.
fn formatted(format: &[u8], words: &mut impl Iterator<Item = u32>, memory: &GlobalMemory) -> String {
    let mut text = Vec::new();
    let mut rest = format;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match (byte, behind.first()) {
            (b'%', Some(b'%')) => {
                text.push(b'%');
                rest = &behind[1..];
            }
            (b'%', _) => {
                let (conversion, length) = Conversion::new(behind);
                let bytes: Vec<u8> = words.take(conversion.words()).flat_map(u32::to_le_bytes).collect();
                text.extend(conversion.text(&bytes, memory).into_bytes());
                rest = &behind[length..];
            }
            _ => text.push(byte),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let mut memory = GlobalMemory::new(64);
        memory.write_words(crate::loader::GLOBAL_BASE, &[u32::from_le_bytes(*b"abc\0")]);
        let text = |format: &str, words: &[u32]| formatted(format.as_bytes(), &mut words.iter().copied(), &memory);
        let (half, string) = (0.5_f32.to_bits(), crate::loader::GLOBAL_BASE);
        assert_eq!(text("100%% of %d\n", &[!0]), "100% of -1\n");
        assert_eq!(text("%5.2f|%-6s|%c|%08x", &[half, string, 65, 0xBEEF]), " 0.50|abc   |A|0000beef");
        assert_eq!(text("%ld %lu", &[!0, !0, 1, 1]), "-1 4294967297");
        assert_eq!(
            text("%v4d %v2hlf %v3hhu", &[1, 2, 3, 4, half, half, 0xFF_02_01]),
            "1,2,3,4 0.500000,0.500000 1,2,255"
        );
        assert_eq!(text("%hhd %hu", &[0x1FF, 0x1_0001]), "-1 1");
        assert_eq!(text("%lf %le", &[half, half]), "0.500000 5.000000e-01");
        assert_eq!(text("unfinished %-5", &[]), "unfinished ");
    }
}
