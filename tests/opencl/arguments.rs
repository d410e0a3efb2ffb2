//! Arguments that are more, or other, than registers hold, and constant memory.
use super::{answers, can_compile, dump, dumps, words};

fn floats(bytes: &[u8]) -> Vec<f32> {
    words(bytes).into_iter().map(|word| f32::from_bits(word as u32)).collect()
}

#[test]
fn more_words_than_registers() {
    if !can_compile() {
        return;
    }
    // g lies around the stack pointer in the block.
    let run = "values.cl --kernel many --global 4 --local 2 --buffer out=zero:i32:56 --buffer j=iota:i32:2 --buffer k=local:i32:2 \
               --arg a=-1 --arg b=2 --arg c=3 --arg d=4 --arg e=5 --arg f=6 --arg g=-2 --arg h=8 --arg i=200 --arg l=0x100000007";
    let row = [-1, 2, 3, 4, 5, 6, -2, -1, 8, 200, 1, 1, 7, 1];
    assert_eq!(words(&dump(run, "out")), row.repeat(4));
}

#[test]
fn more_words_than_registers_in_c() {
    if !can_compile() {
        return;
    }
    let run = "many.c --grid 1 --block 4 --arg zero:i32:40 --arg 1 --arg 2 --arg 3 --arg 4 --arg 5 --arg 6 --arg 7 --arg 8 --arg 9 \
               --arg iota:i32:2 --arg 3";
    let mut expected = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1].repeat(3);
    expected.resize(40, 0);
    assert_eq!(words(&dump(run, "arg0")), expected);
}

#[test]
fn vectors_by_value() {
    if !can_compile() {
        return;
    }
    let list = (0..16).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let run = format!(
        "values.cl --kernel vectors --global 1 --buffer out=zero:f32:9 --arg v=1,2.5,-3,4 --arg c=-100,-20,3 --arg w=0.5,1e1 \
         --arg l=0x300000000,5 --arg n={list} --arg k=77"
    );
    assert_eq!(floats(&dump(&run, "out")), [1.5, 12.5, -2.5, 14.0, -117.0, 3.0, 5.0, 15.0, 77.0]);
}

/// `parts` of a = 1000, v = (1, 2, 3, 4), c = 7, list = (10, 20, 30): 48 bytes, with the vector at 16.
fn parts() -> Vec<u8> {
    let mut bytes = vec![0; 48];
    bytes[..4].copy_from_slice(&1000i32.to_le_bytes());
    for (at, value) in (16..).step_by(4).zip([1f32, 2.0, 3.0, 4.0]) {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    bytes[32] = 7;
    for (at, value) in (34..).step_by(2).zip([10i16, 20, 30]) {
        bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

#[test]
fn structures_by_value() {
    if !can_compile() {
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("parts.bin");
    std::fs::write(&file, parts()).expect("a file");
    // t is packed: -1 and 100000; e is 0.5.
    let run = format!(
        "values.cl --kernel structures --global 4 --buffer out=zero:f32:4 --arg p=file:{} --arg t=hex:ffa0860100 --arg e=hex:0000003f --arg k=1",
        file.display()
    );
    let [out, q] = dumps(&run, &[("q", vec![0; 48])], ["out", "q"]);
    let others = 1000.0 + 10.0 + 7.0 - 1.0 + 100_000.0 + 0.5;
    assert_eq!(
        floats(&out),
        [20.0 + others, 120.0 + others, 20.0 + others, 20.0 + others],
        "every work-item has its own"
    );
    let mut expected = parts();
    expected[34] += 100;
    assert_eq!(q, expected);
    let run = format!(
        "values.cl --kernel indexed --global 3 --buffer out=zero:i32:9 --arg p=file:{} --arg o=-1",
        file.display()
    );
    assert_eq!(words(&dump(&run, "out")), [1009, 20, 30, 10, 1019, 30, 10, 20, 1029]);
    let little = dump("values.cl --kernel little --global 2 --buffer out=zero:i32:2 --arg e=hex:07000000", "out");
    assert_eq!(words(&little), [7, 7]);
}

#[test]
fn kernels_with_vectors_call_each_other() {
    if !can_compile() {
        return;
    }
    let out = dump("values.cl --kernel caller --global 3 --buffer out=iota:i32:3 --arg v=10,200,3000,40000", "out");
    assert_eq!(words(&out), [3207, 3208, 3209]);
    let out =
        dump("values.cl --kernel callee --global 3 --buffer out=iota:i32:3 --arg v=10,200,3000,40000 --arg a=5", "out");
    assert_eq!(words(&out), [205, 206, 207]);
}

#[test]
fn constant_memory() {
    if !can_compile() {
        return;
    }
    let more: Vec<u8> = (0..8u32).flat_map(|i| [&[0u8][..], &(1000 * i).to_le_bytes()].concat()).collect();
    let run = "values.cl --kernel constants --global 8 --buffer out=zero:i32:8 --buffer given=iota:i32:8";
    let [out] = dumps(run, &[("more", more)], ["out"]);
    let expected: Vec<i32> = (0..8).map(|i| i * i + i + 2 * (1 << 20) + 97 + i + 3 + 1000 * i).collect();
    assert_eq!(words(&out), expected);
}

#[test]
fn what_does_not_fit_values() {
    if !can_compile() {
        return;
    }
    let vectors = |rest: &str| {
        let zeros = ["0"; 16].join(",");
        format!(
            "run values.cl --kernel vectors --global 1 --buffer out=zero:f32:9 --arg c=0,0,0 --arg w=0,0 --arg l=0,0 --arg n={zeros} --arg k=0 {rest}"
        )
    };
    let little = "run values.cl --kernel little --global 1 --buffer out=zero:f32:9";
    let lines = [
        vectors(""),
        vectors("--arg v=1"),
        vectors("--arg v=1,2,3"),
        vectors("--arg v=hex:00"),
        vectors("--buffer v=zero:f32:4"),
        vectors("--arg v=0,0,0,0").replace("c=0,0,0", "c=0,200,0"),
        vectors("--arg v=0,0,0,0").replace("w=0,0", "w=0,zero"),
        vectors("--arg v=0,0,0,0").replace("l=0,0", "l=0,0.5"),
        vectors("--arg v=0,0,0,0").replace("k=0 ", "k=0,0 "),
        little.into(),
        format!("{little} --arg e=5"),
        format!("{little} --arg e=hex:0001"),
        format!("{little} --arg e=file:syntax.cl"),
        format!("{little} --arg e=file:nowhere.bin"),
        format!("run many.c --arg hex:00 {}", "--arg 1 ".repeat(11)),
        format!("run many.c {}", "--arg 1 ".repeat(13)),
        "build too_many.cl".into(),
        "build too_many.c".into(),
    ];
    insta::assert_snapshot!("values", answers(&lines.iter().map(String::as_str).collect::<Vec<_>>()));
}
