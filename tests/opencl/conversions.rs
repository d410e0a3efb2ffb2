//! Conversions between floats and integers, among integers, and to floats of 16 bits.
use super::floats::{bytes_of, floats};
use super::{can_compile, dumps, warploom};

fn longs(bytes: &[u8]) -> Vec<i64> {
    bytes.chunks_exact(8).map(|long| i64::from_le_bytes(long.try_into().expect("eight bytes"))).collect()
}

/// OpenCL's rounding modes, the first of which is that of a conversion that names none.
const TO_INTEGER: [fn(f64) -> f64; 5] = [f64::trunc, f64::round_ties_even, f64::trunc, f64::ceil, f64::floor];

/// They are thousands of functions: compiled once.
#[test]
fn all_conversions() {
    if !can_compile() {
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let elf = directory.path().join("conversions.elf").display().to_string();
    let (status, stdout, stderr) = warploom(&format!("build floats/conversions.cl -o {elf}"));
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "{stdout}");
    floats_to_integers(&elf);
    integers_to_floats(&elf);
    integers_that_saturate(&elf);
}

const VALUES: [f32; 32] = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.5,
    -1.5,
    2.5,
    -2.5,
    0.25,
    -0.75,
    126.5,
    127.5,
    -128.5,
    -129.0,
    255.5,
    256.0,
    65_535.5,
    -70_000.0,
    8_388_607.5,
    16_777_216.0,
    2_147_483_520.0,
    2_147_483_648.0,
    -2_147_483_648.0,
    -2_147_483_904.0,
    4_294_967_296.0,
    9.2e18,
    -9.3e18,
    1.9e19,
    1e30,
    f32::NEG_INFINITY,
    f32::NAN,
    1e-40,
];

fn floats_to_integers(elf: &str) {
    let saturated = |kernel: &str, per_value: usize| {
        let line = format!(
            "{elf} --kernel {kernel} --global {} --local 16 --buffer out=zero:i64:{}",
            VALUES.len(),
            per_value * VALUES.len()
        );
        let [out] = dumps(&line, &[("a", bytes_of(&VALUES))], ["out"]);
        longs(&out)
    };
    let [small, wide] = [saturated("to_integers", 25), saturated("to_wide_integers", 20)];
    for (i, value) in VALUES.iter().enumerate() {
        for (mode, round) in TO_INTEGER.iter().enumerate() {
            let rounded = round(f64::from(*value));
            let plain = |bits: i32| rounded.abs() < 2f64.powi(bits - 1);
            let (small, wide) = (&small[25 * i + mode..], &wide[20 * i + mode..]);
            // What does not fit, OpenCL leaves open.
            if plain(32) {
                assert_eq!(small[0], rounded as i64, "convert_int({value:e}), mode {mode}");
            }
            if plain(64) {
                assert_eq!(small[5], rounded as i64, "convert_long({value:e}), mode {mode}");
            }
            // `as` saturates, and makes 0 of NaN.
            let expected = [
                ("char", small[10], i64::from(rounded as i8)),
                ("ushort", small[15], i64::from(rounded as u16)),
                ("int", small[20], i64::from(rounded as i32)),
                ("uint", wide[0], i64::from(rounded as u32)),
                ("long", wide[5], rounded as i64),
                ("ulong", wide[10], rounded as u64 as i64),
                ("uchar", wide[15], i64::from(rounded as u8)),
            ];
            for (name, result, expected) in expected {
                assert_eq!(result, expected, "convert_{name}_sat({value:e}), mode {mode}");
            }
        }
    }
}

const INTEGERS: [i64; 24] = [
    0,
    1,
    -1,
    200,
    -200,
    40_000,
    -70_000,
    16_777_217,
    -16_777_219,
    33_554_433,
    2_147_483_647,
    -2_147_483_648,
    4_294_967_295,
    0x1_0000_0001,
    0x1_0000_0100,
    0x1_0000_0180,
    -0x1_0000_0101,
    0x00FF_FFFF_8000_0000,
    0x00FF_FFFF_8000_0001,
    0x7FFF_FFFF_FFFF_FFFF,
    0x7FFF_FFC0_0000_0000,
    -0x7FFF_FFFF_FFFF_FFFF,
    i64::MIN,
    -0x123_4567_89AB_CDEF,
];

/// The floats next to a number: below and above, and the nearest; all the same if it is one.
fn neighbours(number: i128) -> (f32, f32, f32) {
    let nearest = number as f32;
    let (low, high) = match (nearest as i128).cmp(&number) {
        std::cmp::Ordering::Less => (nearest, nearest.next_up()),
        std::cmp::Ordering::Equal => (nearest, nearest),
        std::cmp::Ordering::Greater => (nearest.next_down(), nearest),
    };
    (low, high, nearest)
}

fn bytes_of_longs(values: &[i64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn integers_to_floats(elf: &str) {
    let count = INTEGERS.len();
    let line = format!("{elf} --kernel to_floats --global {count} --local 8 --buffer out=zero:f32:{}", 20 * count);
    let [out] = dumps(&line, &[("a", bytes_of_longs(&INTEGERS))], ["out"]);
    for (&value, results) in INTEGERS.iter().zip(floats(&out).chunks(20)) {
        let as_types =
            [i128::from(value), i128::from(value as u64), i128::from(value as i32), i128::from(value as u32)];
        for (number, results) in as_types.into_iter().zip(results.chunks(5)) {
            let (low, high, nearest) = neighbours(number);
            let to_zero = if number < 0 { high } else { low };
            assert_eq!(results, [nearest, nearest, to_zero, high, low], "convert_float({number}), all modes");
        }
    }
}

fn integers_that_saturate(elf: &str) {
    let count = INTEGERS.len();
    let line = format!("{elf} --kernel among_integers --global {count} --local 8 --buffer out=zero:i64:{}", 10 * count);
    let [out] = dumps(&line, &[("a", bytes_of_longs(&INTEGERS))], ["out"]);
    for (&value, results) in INTEGERS.iter().zip(longs(&out).chunks(10)) {
        let (int, ulong) = (value as i32, value as u64);
        let expected = [
            value.clamp(-128, 127),
            value.clamp(0, 255),
            value.clamp(-32_768, 32_767),
            i64::from(int.clamp(0, 65_535)),
            value.clamp(i32::MIN.into(), i32::MAX.into()),
            value.clamp(0, u32::MAX.into()),
            value.max(0),
            ulong.min(i64::MAX as u64) as i64,
            ulong.min(i32::MAX as u64) as i64,
            i64::from(int.clamp(-128, 127)),
        ];
        assert_eq!(results, expected, "{value}");
    }
}

/// The value of a float of 16 bits.
fn half_value(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f64::from(bits & 0x3FF));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

fn shorts(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|half| u16::from_le_bytes(half.try_into().expect("two bytes"))).collect()
}

#[test]
fn halves() {
    if !can_compile() {
        return;
    }
    // Every 29th, all exponents and signs.
    let all: Vec<u16> = (0..=u16::MAX).step_by(29).take(2256).collect();
    let given = all.iter().flat_map(|half| half.to_le_bytes()).collect();
    let line = format!("floats/halves.cl --kernel back --global {} --local 16", all.len());
    let [back] = dumps(&line, &[("all", given)], ["all"]);
    for (half, back) in all.iter().zip(shorts(&back)) {
        let is_nan = half & 0x7FFF > 0x7C00;
        assert!(*half == back || (is_nan && back & 0x7FFF > 0x7C00), "{half:#x} and back is {back:#x}");
    }

    let values: [f32; 24] = [
        0.0,
        -0.0,
        1.0,
        1.0009766,
        1.0004883,
        1.0014649,
        1.0004884,
        -1.0004882,
        65504.0,
        65519.9,
        65520.0,
        70000.0,
        -1e30,
        1e-8,
        -1e-8,
        2.9802322e-8,
        2.9802326e-8,
        6.1e-5,
        -6.1035156e-5,
        8.940697e-8,
        1e-40,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    let line = format!(
        "floats/halves.cl --kernel halves --global {0} --local 8 --buffer out=zero:u16:{1} --buffer three=zero:u16:12",
        values.len(),
        5 * values.len()
    );
    let [out, three] = dumps(&line, &[("a", bytes_of(&values))], ["out", "three"]);
    for (&value, results) in values.iter().zip(shorts(&out).chunks(5)) {
        for (mode, &result) in results.iter().enumerate() {
            let expected = rounded_half(value, mode);
            let same = result == expected || (value.is_nan() && half_value(result).is_nan());
            assert!(same, "vstore_half({value:e}), mode {mode}, is {result:#x}, not {expected:#x}");
        }
    }
    let three: Vec<f64> = shorts(&three).into_iter().map(half_value).collect();
    assert_eq!(three, [5.0, 7.0, 9.0, 1.0, 2.0, 3.0, 0.0, 0.0, 4.0, 5.0, 6.0, 0.0]);
}

/// Among all halves, the one that a mode chooses: nearest, nearest, to zero, up, down.
fn rounded_half(value: f32, mode: usize) -> u16 {
    if value.is_nan() {
        return 0x7E00;
    }
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = f64::from(value.abs());
    let low = (0..=0x7C00u16).rev().find(|&half| half_value(half) <= magnitude).expect("0 is one");
    if half_value(low) == magnitude {
        return sign | low;
    }
    // Infinity stands for the number that would be next.
    let next = if low == 0x7BFF { 65536.0 } else { half_value(low + 1) };
    let middle = (half_value(low) + next) / 2.0;
    let up = match mode {
        0 | 1 => magnitude > middle || (magnitude == middle && low % 2 == 1),
        2 => false,
        3 => sign == 0,
        _ => sign != 0,
    };
    sign | (low + u16::from(up))
}
