//! Floats in OpenCL C beside mathematics: relations, geometry, memory, the instructions that functions become, and small programs.
use std::cmp::Ordering;

use super::floats::{SPECIAL, bytes_of, floats, has_mathematics};
use super::{answers, can_compile, dump, dumps, warploom, words};

#[test]
fn relations() {
    if !can_compile() {
        return;
    }
    let pairs: Vec<(f32, f32)> =
        SPECIAL[..16].iter().flat_map(|&x| SPECIAL[..12].iter().map(move |&y| (x, y))).collect();
    let (a, b): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    let count = pairs.len();
    let line = format!(
        "floats/relations.cl --global {count} --local 16 --buffer out=zero:i32:{} --buffer chosen=zero:f32:{}",
        3 * count,
        4 * count
    );
    let [out, chosen] = dumps(&line, &[("a", bytes_of(&a)), ("b", bytes_of(&b))], ["out", "chosen"]);
    let (out, chosen) = (words(&out), floats(&chosen));
    for (i, (x, y)) in pairs.into_iter().enumerate() {
        let relations = [
            x == y,
            x != y,
            x > y,
            x >= y,
            x < y,
            x <= y,
            matches!(x.partial_cmp(&y), Some(Ordering::Less | Ordering::Greater)),
            !x.is_nan() && !y.is_nan(),
            x.is_nan() || y.is_nan(),
            x.is_finite(),
            x.is_infinite(),
            x.is_nan(),
            x.is_normal(),
            x.is_sign_negative(),
        ];
        let bits: i32 = relations.iter().zip(0..).map(|(&holds, bit)| i32::from(holds) << bit).sum();
        let [scalar, vector, summary] = out[3 * i..][..3] else { unreachable!("three") };
        assert_eq!((scalar, vector), (bits, bits), "{x:e} and {y:e}");
        let some_nan = i32::from(x.is_nan() || y.is_nan());
        let all_finite = i32::from(x.is_finite() && y.is_finite());
        assert_eq!(summary & 3, some_nan | all_finite << 1, "{x:e} and {y:e}");
        assert_eq!(summary >> 2, i32::from(!x.is_nan()), "{x:e} and {y:e}");
        let expected = [if x < y { y } else { x }, if y < x { x } else { y }, x.copysign(y), y.copysign(x)];
        let same =
            chosen[4 * i..].iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()));
        assert!(same, "{x:e} and {y:e}: {:?}, not {expected:?}", &chosen[4 * i..][..4]);
    }
}

#[test]
fn geometry_and_common_functions() {
    if !can_compile() {
        return;
    }
    let out = dump("floats/geometry.cl --global 1 --buffer in=iota:f32:16 --buffer out=zero:f32:48", "out");
    let expected: [f32; 34] = [
        9.0,
        3.0,
        -5.0,
        9.0,
        3.0,
        -5.0,
        0.0,
        25.0,
        0.0,
        5.0,
        8f32.sqrt(),
        5.0,
        5.0,
        5.0,
        0.6,
        -0.8,
        0.6,
        -0.8,
        -1.0,
        7.0,
        0.5,
        1.0,
        2.0,
        1.25,
        1.25,
        1.0,
        0.0,
        0.15625,
        2f32.to_degrees(),
        9f32.to_radians(),
        3.0 + 3.0 + 7.0,
        7f32.sqrt() + 6.0 + 1.0 + 9.0,
        0.5 + 3.0 + 2.0 + 4.0 + 27.0,
        0.0,
    ];
    for (i, (result, expected)) in floats(&out).into_iter().zip(expected).enumerate() {
        assert!((result - expected).abs() <= expected.abs() * 5e-7, "{i}: {result}, not {expected}");
    }
}

#[test]
fn copies_of_a_work_group() {
    if !can_compile() {
        return;
    }
    let line = "floats/copies.cl --global 16 --buffer a=iota:f32:32 --buffer b=zero:f32:32 --buffer c=zero:f32:32 --buffer last=zero:f32:1";
    let [b, c, last] = dumps(line, &[], ["b", "c", "last"]);
    let turned: Vec<f32> = (0..16).rev().flat_map(|i| [i as f32, (i + 16) as f32]).collect();
    assert_eq!(floats(&b), turned);
    let row = |group: f32, l: f32| {
        let turned = |i: f32| 16.0 * group + 15.0 - i;
        [16.0 * group + 4.0 * l + 3.0, turned(2.0 * l), 16.0 * group + 4.0 * l, turned(2.0 * l + 1.0)]
    };
    let expected: Vec<f32> =
        [0.0, 1.0].into_iter().flat_map(|g| [0.0, 1.0, 2.0, 3.0].map(|l| row(g, l))).flatten().collect();
    assert_eq!(floats(&c), expected);
    assert!([0.0, 16.0].contains(&floats(&last)[0]));
}

#[test]
fn sums_in_local_memory() {
    if !can_compile() || !has_mathematics() {
        return;
    }
    let values: Vec<f32> = (0..32u16).map(|i| f32::from(i * 37 % 32) - 12.0).collect();
    let line = "floats/sum.cl --global 32 --local 16 --buffer out=zero:f32:8 --buffer part=local:f32:64";
    let [out] = dumps(line, &[("a", bytes_of(&values))], ["out"]);
    for (group, result) in values.chunks(16).zip(floats(&out).chunks(4)) {
        let of = |f: fn(f32, f32) -> f32| group.iter().copied().reduce(f).expect("some");
        assert_eq!(result[..3], [of(|a, b| a + b), of(f32::min), of(f32::max)]);
        let length = group.iter().map(|x| x * x).sum::<f32>().sqrt();
        assert!((result[3] - length).abs() < length * 1e-6, "{} instead of {length}", result[3]);
    }
}

/// The distribution of the normal distribution, by Simpson's rule: Rust has no erf.
fn normal(x: f64) -> f64 {
    let density = |t: f64| (-t * t / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let (steps, width) = (1000, x / 1000.0);
    let weight = |k: i32| {
        if k == 0 || k == steps {
            1.0
        } else if k % 2 == 1 {
            4.0
        } else {
            2.0
        }
    };
    0.5 + (0..=steps).map(|k| weight(k) * density(f64::from(k) * width)).sum::<f64>() * width / 3.0
}

#[test]
fn black_scholes() {
    if !has_mathematics() {
        return;
    }
    let [price, strike, years]: [Vec<f32>; 3] = [
        (0..32).map(|i| 20.0 + i as f32 * 2.5).collect(),
        (0..32).map(|i| 90.0 - i as f32 * 1.5).collect(),
        (0..32).map(|i| 0.25 + (i % 7) as f32).collect(),
    ];
    let line = "floats/black_scholes.cl --global 32 --local 16 --buffer call_put=zero:f32:64 --arg rate=0.02 --arg volatility=0.3";
    let given = [("price", bytes_of(&price)), ("strike", bytes_of(&strike)), ("years", bytes_of(&years))];
    let [out] = dumps(line, &given, ["call_put"]);
    for (i, result) in floats(&out).chunks(2).enumerate() {
        let (s, x, t) = (f64::from(price[i]), f64::from(strike[i]), f64::from(years[i]));
        let deviation = 0.3 * t.sqrt();
        let d1 = ((s / x).ln() + (0.02 + 0.045) * t) / deviation;
        let present = x * (-0.02 * t).exp();
        let call = s * normal(d1) - present * normal(d1 - deviation);
        let far = |result: f32, expected: f64| (f64::from(result) - expected).abs() > 3e-5;
        assert!(!far(result[0], call) && !far(result[1], call - s + present), "{i}: {result:?}, not {call}");
    }
}

#[test]
fn bodies_attract_each_other() {
    if !can_compile() {
        return;
    }
    let of_body = |i: usize, part: usize| ((i * 7 + part * 3) % 11) as f32 * 0.25 + 0.5;
    let bodies: Vec<[f32; 4]> = (0..16).map(|i| [0, 1, 2, 3].map(|part| of_body(i, part))).collect();
    let line =
        "floats/bodies.cl --global 16 --buffer to=zero:f32:64 --buffer speed=zero:f32:64 --arg n=16 --arg time=0.5";
    let [to, speed] = dumps(line, &[("from", bytes_of(&bodies.concat()))], ["to", "speed"]);
    let (to, speed) = (floats(&to), floats(&speed));
    for (i, own) in bodies.iter().enumerate() {
        let mut force = [0.0; 3];
        for other in &bodies {
            let way = [0, 1, 2].map(|k| f64::from(other[k]) - f64::from(own[k]));
            let square = way.iter().map(|x| x * x).sum::<f64>() + f64::from(0.01f32);
            (0..3).for_each(|k| force[k] += way[k] * f64::from(other[3]) / square.powf(1.5));
        }
        for k in 0..3 {
            let (expected, near) = (force[k] * 0.5, |x: f32, y: f64| (f64::from(x) - y).abs() < 1e-3 + y.abs() * 1e-5);
            assert!(near(speed[4 * i + k], expected), "{i}: {}, not {expected}", speed[4 * i + k]);
            assert!(near(to[4 * i + k], f64::from(own[k]) + expected * 0.5));
        }
        assert_eq!(to[4 * i + 3], own[3]);
    }
}

#[test]
fn mandelbrot() {
    if !has_mathematics() {
        return;
    }
    let out = dump(
        "floats/mandelbrot.cl --global 16,8 --local 8,2 --arg zoom=2.5 --arg most=24 --buffer out=zero:f32:128",
        "out",
    );
    for (i, result) in floats(&out).into_iter().enumerate() {
        let c = [((i % 16) as f32 / 16.0 - 0.7) * 2.5, ((i / 16) as f32 / 8.0 - 0.5) * 2.5].map(f64::from);
        let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
        while x * x + y * y < 16.0 && steps < 24 {
            (x, y) = (x * x - y * y + c[0], 2.0 * x * y + c[1]);
            steps += 1;
        }
        let expected = if steps < 24 { f64::from(steps) - x.hypot(y).log2().log2() } else { -1.0 };
        assert!((f64::from(result) - expected).abs() < 2e-3, "point {i}: {result}, not {expected}");
    }
}

/// The instructions of a kernel in a listing, without those that load and store.
fn instructions<'a>(listing: &'a str, kernel: &str) -> Vec<&'a str> {
    let code =
        listing.split(&format!("\nk_{kernel}:\n")).nth(1).expect("the kernel").split("\n\n").next().expect("its code");
    // Address, word, mnemonic; a line of the source has neither.
    let mnemonic = |line: &'a str| {
        let mut words = line.trim_start_matches('>').split_whitespace().skip(1);
        words.next().filter(|word| word.len() == 8 && u32::from_str_radix(word, 16).is_ok()).and(words.next())
    };
    code.lines().filter_map(mnemonic).filter(|name| !["flw", "fsw", "ret"].contains(name)).collect()
}

#[test]
fn functions_that_are_instructions() {
    if !can_compile() {
        return;
    }
    let (status, listing, stderr) = warploom("disasm floats/instructions.cl");
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    for (kernel, expected) in [
        ("sqrt", "fsqrt.s"),
        ("fma", "fmadd.s"),
        ("mad", "fmadd.s"),
        ("fabs", "fabs.s"),
        ("copysign", "fsgnj.s"),
        ("fmin", "fmin.s"),
        ("fmax", "fmax.s"),
        ("clamp", "fmax.s fmin.s"),
        ("contracted", "fmadd.s"),
        ("divide", "fdiv.s"),
    ] {
        assert_eq!(instructions(&listing, kernel).join(" "), expected, "{kernel}");
    }
    for (kernel, among) in [("floor", "fcvt.w.s"), ("rint", "fcvt.w.s"), ("isnan", "feq.s")] {
        let code = instructions(&listing, kernel);
        assert!(code.len() < 12 && code.contains(&among), "{kernel}: {code:?}");
    }
}

#[test]
fn what_floats_cannot() {
    if can_compile() {
        insta::assert_snapshot!("floats", answers(&["build floats/refused.cl"]));
    }
}
