//! Floats in OpenCL C: built-in functions against what OpenCL 1.2 says of them and Rust's functions of f64, and kernels that use them.
use warploom_requirements::met;
use warploom_runtime::toolchain::libclc;

use super::{can_compile, dumps};

/// Whether the functions can be compiled that are libclc's.
pub(super) fn has_mathematics() -> bool {
    can_compile() && met(&[("libclc-14", libclc::available())])
}

pub(super) fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub(super) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

const SMALLEST: f32 = f32::from_bits(1);

/// What functions treat in ways of their own.
pub(super) const SPECIAL: [f32; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    SMALLEST,
    -SMALLEST,
    f32::MIN_POSITIVE,
    -3e-39,
    f32::MAX,
    f32::MIN,
    0.5,
    -0.5,
    1.5,
    -2.5,
    3.0,
    1.000_000_1,
    0.999_999_94,
    8_388_607.5,
    -16_777_215.0,
    1e10,
    -100.25,
];

/// Numbers of every magnitude and of small ones, the same in every run.
fn arguments(count: usize) -> Vec<f32> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32
    };
    let mut number = |i: usize| match i % 4 {
        0 => f32::from_bits(random()),
        1 => (f64::from(random()) / 2f64.powi(32) * 200.0 - 100.0) as f32,
        2 => (f64::from(random()) / 2f64.powi(31) - 1.0) as f32,
        _ => (f64::from(random()) / 2f64.powi(31) - 1.0) as f32 * 2f32.powi((i % 60) as i32 - 40),
    };
    SPECIAL.iter().copied().chain((SPECIAL.len()..count).map(&mut number)).collect()
}

/// How far a result is from what it should be, in units in the last place of a float there.
fn error(result: f32, expected: f64) -> f64 {
    if expected.is_nan() || result.is_nan() {
        return if expected.is_nan() && result.is_nan() { 0.0 } else { f64::INFINITY };
    }
    let rounded = expected as f32;
    if rounded.is_infinite() || expected == 0.0 {
        // The sign of a zero counts.
        let is_it = result.to_bits() == rounded.to_bits();
        let is_next = expected.is_finite() && result.abs() == f32::MAX && result.signum() == rounded.signum();
        return if is_it || is_next { 0.0 } else { f64::INFINITY };
    }
    if result.is_infinite() {
        return if expected.abs() > f64::from(f32::MAX) * (1.0 - 1e-6) && result.signum() == rounded.signum() {
            1.0
        } else {
            f64::INFINITY
        };
    }
    let exponent = ((expected.abs().to_bits() >> 52) as i32 - 1023).max(-126);
    (f64::from(result) - expected).abs() / 2f64.powi(exponent - 23)
}

/// That a row of results is within a bound of units, for every column of arguments.
#[track_caller]
fn check(name: &str, bound: f64, results: &[f32], expected: impl Fn(usize) -> (String, f64)) {
    let mut worst = 0.0;
    for (column, &result) in results.iter().enumerate() {
        let (call, expected) = expected(column);
        let units = error(result, expected);
        assert!(units <= bound, "{name}{call} is {result:e}, not {expected:e}: {units} units, {bound} are allowed");
        worst = f64::max(worst, units);
    }
    println!("{name}: {worst:.2} units of {bound}");
}

type Function1 = (&'static str, f64, fn(f64) -> f64);
type Function2 = (&'static str, f64, fn(f64, f64) -> f64);

#[track_caller]
fn check_1(run: &str, functions: &[Function1], values: &[f32]) {
    let (columns, rows) = (values.len(), functions.len());
    let line = format!("{run} --global {columns},{rows} --local 16,1 --buffer out=zero:f32:{}", columns * rows);
    let [out] = dumps(&line, &[("a", bytes_of(values))], ["out"]);
    for ((name, bound, function), results) in functions.iter().zip(floats(&out).chunks(columns)) {
        check(name, *bound, results, |i| (format!("({:e})", values[i]), function(f64::from(values[i]))));
    }
}

#[test]
fn exponentials() {
    if !has_mathematics() {
        return;
    }
    let functions: [Function1; 18] = [
        ("exp", 3.0, f64::exp),
        ("exp2", 3.0, f64::exp2),
        ("exp10", 3.0, |x| 10f64.powf(x)),
        ("expm1", 3.0, f64::exp_m1),
        ("log", 3.0, f64::ln),
        ("log2", 3.0, f64::log2),
        ("log10", 3.0, f64::log10),
        ("log1p", 2.0, f64::ln_1p),
        ("sinh", 4.0, f64::sinh),
        ("cosh", 4.0, f64::cosh),
        ("tanh", 5.0, f64::tanh),
        ("asinh", 4.0, f64::asinh),
        ("acosh", 4.0, f64::acosh),
        ("atanh", 5.0, f64::atanh),
        ("cbrt", 2.0, f64::cbrt),
        ("rsqrt", 2.0, |x| 1.0 / x.sqrt()),
        ("native_exp", 3.0, f64::exp),
        ("half_log2", 3.0, f64::log2),
    ];
    check_1("floats/exponentials.cl", &functions, &arguments(144));
}

/// The fraction of a circle, exactly.
fn of_circle(x: f64, function: fn(f64) -> f64) -> f64 {
    function((x % 2.0) * std::f64::consts::PI)
}

fn sinpi(x: f64) -> f64 {
    if x % 1.0 == 0.0 { 0f64.copysign(x) } else { of_circle(x, f64::sin) }
}

fn cospi(x: f64) -> f64 {
    if x.abs() % 1.0 == 0.5 { 0.0 } else { of_circle(x, f64::cos) }
}

/// At odd integers it is zero with the other sign.
fn tanpi(x: f64) -> f64 {
    if x.abs() % 2.0 == 1.0 { 0f64.copysign(-x) } else { sinpi(x) / cospi(x) }
}

#[test]
fn angles() {
    if !has_mathematics() {
        return;
    }
    use std::f64::consts::PI;
    let functions: [Function1; 14] = [
        ("sin", 4.0, f64::sin),
        ("cos", 4.0, f64::cos),
        ("tan", 5.0, f64::tan),
        ("asin", 4.0, f64::asin),
        ("acos", 4.0, f64::acos),
        ("atan", 5.0, f64::atan),
        ("sinpi", 4.0, sinpi),
        ("cospi", 4.0, cospi),
        ("tanpi", 6.0, tanpi),
        ("asinpi", 5.0, |x| x.asin() / PI),
        ("acospi", 5.0, |x| x.acos() / PI),
        ("atanpi", 5.0, |x| x.atan() / PI),
        ("sincos", 4.0, f64::sin),
        ("sincos' second", 4.0, f64::cos),
    ];
    check_1("floats/angles.cl", &functions, &arguments(144));
}

/// Every special number with every other, and numbers of all sizes.
fn pairs() -> (Vec<f32>, Vec<f32>) {
    let special = SPECIAL.iter().flat_map(|&x| SPECIAL.map(|y| (x, y)));
    let others = arguments(256);
    let others: Vec<_> = others[SPECIAL.len()..].chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let positive = others.iter().map(|&(x, y)| (x.abs(), y % 50.0));
    special.chain(others.iter().copied()).chain(positive).take(800).unzip()
}

fn integer(y: f64) -> i32 {
    if y.is_nan() { -1000 } else { y.clamp(-1000.0, 1000.0) as i32 }
}

fn powr(x: f64, y: f64) -> f64 {
    let undefined =
        x < 0.0 || y.is_nan() || ((x == 0.0 || x.is_infinite()) && y == 0.0) || (x == 1.0 && y.is_infinite());
    if undefined || x.is_nan() { f64::NAN } else { x.abs().powf(y) }
}

fn rootn(x: f64, n: i32) -> f64 {
    let is_odd = n % 2 != 0;
    match n {
        0 => f64::NAN,
        _ if x < 0.0 && !is_odd => f64::NAN,
        _ => x.abs().powf(1.0 / f64::from(n)) * if is_odd { 1f64.copysign(x) } else { 1.0 },
    }
}

#[test]
fn powers() {
    if !has_mathematics() {
        return;
    }
    let functions: [Function2; 9] = [
        ("pow", 16.0, f64::powf),
        ("powr", 16.0, powr),
        ("pown", 16.0, |x, y| x.powf(f64::from(integer(y)))),
        ("rootn", 16.0, |x, y| rootn(x, integer(y))),
        ("hypot", 4.0, f64::hypot),
        ("atan2", 6.0, f64::atan2),
        ("atan2pi", 6.0, |x, y| x.atan2(y) / std::f64::consts::PI),
        ("division", 2.5, |x, y| x / y),
        ("native_divide", 2.5, |x, y| x / y),
    ];
    let (a, b) = pairs();
    let (columns, rows) = (a.len(), functions.len());
    let line =
        format!("floats/powers.cl --global {columns},{rows} --local 16,1 --buffer out=zero:f32:{}", columns * rows);
    let [out] = dumps(&line, &[("a", bytes_of(&a)), ("b", bytes_of(&b))], ["out"]);
    for ((name, bound, function), results) in functions.iter().zip(floats(&out).chunks(columns)) {
        let expected = |i: usize| (format!("({:e}, {:e})", a[i], b[i]), function(f64::from(a[i]), f64::from(b[i])));
        check(name, *bound, results, expected);
    }
}

/// Results that are floats: of the functions that are exact, on a pair of arguments.
fn exact_results(x: f32, y: f32) -> [f32; 30] {
    let (wide_x, wide_y) = (f64::from(x), f64::from(y));
    let rest = remainder(wide_x, wide_y);
    let quotient = quotient(wide_x, wide_y, rest);
    let (part, exponent) = parts(x);
    let truncated = if x.is_infinite() { 0f32.copysign(x) } else { (x - x.trunc()).copysign(x) };
    let fraction = if x == 0.0 || x.is_infinite() { 0f32.copysign(x) } else { (x - x.floor()).min(0.999_999_94) };
    let by = if y.is_nan() { -400 } else { y.clamp(-400.0, 400.0) as i32 };
    let magnitude = |of_larger: bool| match x.abs().partial_cmp(&y.abs()) {
        Some(std::cmp::Ordering::Greater) => {
            if of_larger {
                x
            } else {
                y
            }
        }
        Some(std::cmp::Ordering::Less) => {
            if of_larger {
                y
            } else {
                x
            }
        }
        _ => {
            if of_larger {
                x.max(y)
            } else {
                x.min(y)
            }
        }
    };
    let logarithm = match x.abs() {
        0.0 => f32::NEG_INFINITY,
        f32::INFINITY => f32::INFINITY,
        _ if x.is_nan() => x,
        _ => (exponent - 1) as f32,
    };
    [
        (wide_x % wide_y) as f32,
        rest as f32,
        rest as f32,
        quotient as f32,
        next_after(x, y),
        if x.is_nan() || y.is_nan() {
            f32::NAN
        } else if x > y {
            x - y
        } else {
            0.0
        },
        x.max(y),
        x.min(y),
        magnitude(true),
        magnitude(false),
        x.copysign(y),
        x.abs(),
        x.mul_add(y, -y),
        x.sqrt(),
        x.floor(),
        x.ceil(),
        x.trunc(),
        x.round_ties_even(),
        x.round(),
        truncated,
        x.trunc(),
        if x.is_nan() { x } else { fraction },
        x.floor(),
        part,
        exponent as f32,
        (wide_x * 2f64.powi(by)) as f32,
        logarithm,
        match logarithm {
            _ if x == 0.0 => i32::MIN as f32,
            _ if !x.is_finite() => i32::MAX as f32,
            finite => finite,
        },
        if x.is_nan() {
            0.0
        } else if x == 0.0 {
            x
        } else {
            x.signum()
        },
        if y < x { 0.0 } else { 1.0 },
    ]
}

/// IEEE 754's remainder of floats: f64 has no room for the quotient, but % is exact.
fn remainder(x: f64, y: f64) -> f64 {
    if y.is_infinite() && x.is_finite() {
        return x;
    }
    let (divisor, rest) = (y.abs(), x % (2.0 * y));
    let nearest = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| (rest - k * divisor, k));
    let smaller = |a: (f64, f64), b: (f64, f64)| match a.0.abs().partial_cmp(&b.0.abs()) {
        Some(std::cmp::Ordering::Less) => a,
        Some(std::cmp::Ordering::Equal) if a.1 % 2.0 == 0.0 => a,
        _ => b,
    };
    let found = nearest.into_iter().reduce(smaller).expect("some").0;
    if found == 0.0 { found.copysign(x) } else { found }
}

/// The last seven bits of the quotient that belongs to a remainder.
fn quotient(x: f64, y: f64, rest: f64) -> i32 {
    if rest.is_nan() || y.is_infinite() {
        return 0;
    }
    (((x % (128.0 * y) - rest) / y).round() % 128.0) as i32
}

fn parts(x: f32) -> (f32, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let exponent = ((f64::from(x).to_bits() >> 52 & 0x7FF) as i32) - 1022;
    ((f64::from(x) * 2f64.powi(-exponent)) as f32, exponent)
}

fn next_after(x: f32, y: f32) -> f32 {
    match x.partial_cmp(&y) {
        None => f32::NAN,
        Some(std::cmp::Ordering::Equal) => y,
        Some(std::cmp::Ordering::Less) => x.next_up(),
        Some(std::cmp::Ordering::Greater) => x.next_down(),
    }
}

#[test]
fn exact_functions() {
    if !can_compile() {
        return;
    }
    const NAMES: [&str; 30] = [
        "fmod",
        "remainder",
        "remquo",
        "remquo's quotient",
        "nextafter",
        "fdim",
        "fmax",
        "fmin",
        "maxmag",
        "minmag",
        "copysign",
        "fabs",
        "fma",
        "sqrt",
        "floor",
        "ceil",
        "trunc",
        "rint",
        "round",
        "modf",
        "modf's integer",
        "fract",
        "fract's integer",
        "frexp",
        "frexp's exponent",
        "ldexp",
        "logb",
        "ilogb",
        "sign",
        "step",
    ];
    let (a, b) = pairs();
    let columns = a.len();
    let line = format!("floats/exact.cl --global {columns} --local 16 --buffer out=zero:f32:{}", columns * NAMES.len());
    let [out] = dumps(&line, &[("a", bytes_of(&a)), ("b", bytes_of(&b))], ["out"]);
    let out = floats(&out);
    for column in 0..columns {
        let (x, y) = (a[column], b[column]);
        for ((name, expected), row) in NAMES.iter().zip(exact_results(x, y)).zip(0..) {
            let result = out[row * columns + column];
            // Which zero is the larger one is left open.
            let zeros = ["fmax", "fmin", "maxmag", "minmag"].contains(name) && result == 0.0 && expected == 0.0;
            let same = result.to_bits() == expected.to_bits() || (result.is_nan() && expected.is_nan()) || zeros;
            assert!(same, "{name}({x:e}, {y:e}) is {result:e}, not {expected:e}");
        }
    }
}

const ROWS: usize = 32;

#[test]
fn special_functions() {
    if !has_mathematics() {
        return;
    }
    // Arguments, and erf, erfc, tgamma and lgamma of them, to more digits than a float has.
    let table: [(f32, [f64; 4]); ROWS] = [
        (0.0, [0.0, 1.0, f64::INFINITY, f64::INFINITY]),
        (-0.0, [-0.0, 1.0, f64::NEG_INFINITY, f64::INFINITY]),
        (f32::INFINITY, [1.0, 0.0, f64::INFINITY, f64::INFINITY]),
        (f32::NEG_INFINITY, [-1.0, 2.0, f64::NAN, f64::INFINITY]),
        (f32::NAN, [f64::NAN, f64::NAN, f64::NAN, f64::NAN]),
        (0.5, [0.5204998778130465, 0.4795001221869535, 1.772453850905516, 0.5723649429247001]),
        (-0.5, [-0.5204998778130465, 1.5204998778130465, -3.544907701811032, 1.2655121234846454]),
        (1.0, [0.8427007929497149, 0.15729920705028513, 1.0, 0.0]),
        (2.0, [0.9953222650189527, 0.004677734981047266, 1.0, 0.0]),
        (-1.5, [-0.9661051464753108, 1.9661051464753108, 2.363271801207355, 0.860047015376481]),
        (3.25, [0.9999956972205363, 4.302779463675122e-06, 2.5492569667185294, 0.9358019311087253]),
        (8.0, [1.0, 1.1224297172982926e-29, 5040.0, 8.525161361065415]),
        (9.75, [1.0, 2.9857008328005782e-43, 207358.59989024868, 12.242204940050762]),
        (-3.0, [-0.9999779095030014, 1.9999779095030015, f64::NAN, f64::INFINITY]),
        (1e-20, [1.1283791312869893e-20, 1.0, 1.0000000317344784e+20, 46.051701891615394]),
        (-1e-20, [-1.1283791312869893e-20, 1.0, -1.0000000317344784e+20, 46.051701891615394]),
        (10.5, [1.0, 7.035928090177523e-50, 1133278.3889487856, 13.940625219403763]),
        (20.3, [1.0, 2.9854107652139055e-181, 2.9724543040495354e+17, 40.23333455746166]),
        (34.9, [1.0, 0.0, 2.0722708441888365e+38, 88.22687856593569]),
        (35.5, [1.0, 0.0, 1.7403941995805607e+39, 90.35493026581838]),
        (-20.7, [-1.0, 2.0, -1.9040496042386056e-19, -43.105133778210735]),
        (-34.5, [-1.0, 2.0, -1.805104070300237e-39, -89.21020037996898]),
        (-36.2, [-1.0, 2.0, -6.993500357263032e-42, -94.76359270842768]),
        (-45.5, [-1.0, 2.0, 3.882748142001218e-57, -129.89080711371923]),
        (100.5, [1.0, 0.0, 9.320963104082716e+156, 361.4355404677776]),
        (0.001, [0.0011283788445643173, 0.9988716211554357, 999.4237249871933, 6.907178837859066]),
        (-0.3, [-0.32862677175271543, 1.3286267717527154, -4.3268509998205005, 1.4648400256649878]),
        (4.75, [0.9999999999815149, 1.8485047721485312e-11, 16.58620653922594, 2.8085714185757364]),
        (7.99, [1.0, 1.318680149718325e-29, 4939.459271842532, 8.505011145049691]),
        (1e-40, [1.128373085257589e-40, 1.0, 1.0000053899175752e+40, 92.10340910966488]),
        (-1e-40, [-1.128373085257589e-40, 1.0, -1.0000053899175752e+40, 92.10340910966488]),
        (1.4616, [0.9612672091674992, 0.038732790832500856, 0.8856031948551363, -0.12148629003421686]),
    ];
    let values = table.map(|row| row.0);
    let line = format!("floats/special.cl --global {ROWS} --local 16 --buffer out=zero:f32:{}", 6 * ROWS);
    let [out] = dumps(&line, &[("a", bytes_of(&values))], ["out"]);
    let rows: Vec<Vec<f32>> = floats(&out).chunks(ROWS).map(<[f32]>::to_vec).collect();
    // OpenCL does not say how far lgamma may be off: as others have it.
    for (name, bound, row, of) in [
        ("erf", 16.0, 0, 0),
        ("erfc", 16.0, 1, 1),
        ("tgamma", 16.0, 2, 2),
        ("lgamma", 16.0, 3, 3),
        ("lgamma_r", 16.0, 4, 3),
    ] {
        check(name, bound, &rows[row], |i| (format!("({:e})", values[i]), table[i].1[of]));
    }
    for (i, sign) in rows[5].iter().enumerate() {
        let gamma = table[i].1[2];
        if !gamma.is_nan() && values[i] != 0.0 {
            assert_eq!(*sign, gamma.signum() as f32, "the sign of lgamma_r({:e})", values[i]);
        }
    }
}
