//! What kernels print.
use super::{can_compile, warploom};

const RUN: &str = "run printf.cl --preset small --global 16 --buffer a=zero:i32:16";

#[test]
fn kernels_print() {
    if !can_compile() {
        return;
    }
    for mechanism in ["spe", "capri+slp", "dpe"] {
        let (status, stdout, stderr) = warploom(&format!("{RUN} -m {mechanism}"));
        assert_eq!((status, stderr.as_str()), (Some(0), ""));
        let (printed, report) = stdout.split_once("DONE  printf.cl").expect("a report behind it");
        let mut lines: Vec<&str> = printed.lines().collect();
        // Each thread's lines are whole; whose is first, nobody has promised.
        lines.sort_unstable();
        let expected = [
            "1,-2,3,5 5.000000,0.250000 1,2,255 1.000000,2.000000 100%",
            "gz ff 0x801000c0 1.234568e+04",
            "item 0 of f:  0.00 0",
            "item 12 of f:  6.00 103079215104",
            "item 15 of f:  7.50 128849018880",
            "item 3 of f:  1.50 25769803776",
            "item 6 of f:  3.00 51539607552",
            "item 9 of f:  4.50 77309411328",
        ];
        assert_eq!(lines, expected, "{report}");
    }
}

#[test]
fn beside_json_it_goes_to_the_standard_error() {
    if !can_compile() {
        return;
    }
    let (status, stdout, stderr) = warploom(&format!("{RUN} --json"));
    assert_eq!((status, stderr.lines().count()), (Some(0), 8), "{stderr}");
    assert!(stdout.starts_with('{'), "{stdout}");
}
