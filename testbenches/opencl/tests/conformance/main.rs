//! Every function of OpenCL 1.2, called through the ICD loader.
use std::collections::BTreeSet;
use std::path::Path;

#[path = "../common/mod.rs"]
mod common;

use common::{Host, can_run, passed};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Where the list is for the user.
const PAGE: &str = "../../docs/reference/opencl.md";

const HEAD: &str = "# OpenCL 1.2, function by function

What each function returns, called as it should be (no words in the second column) and as it should not. The list is what
`testbenches/opencl/tests/conformance` prints, a host in C that calls the library through the system's ICD loader; a test compares them, and looks that no
function of OpenCL 1.2 is missing. `CL_INVALID_OPERATION` for all that has to do with images and samplers: the device has none, and says so.
Of what came with extensions or after OpenCL 1.2 there is `clCreateCommandQueueWithProperties`; the other functions return this code, too.

| function | called with | returns |
|---|---|---|
";

#[test]
fn every_function_returns_what_it_should() {
    if !can_run() {
        return;
    }
    let host = Host::new("conformance/conformance.c");
    let printed = passed(&host.run(&[("WARPLOOM_PRESET", "small")]));
    let page = format!("{HEAD}{printed}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if std::env::var_os("WARPLOOM_WRITE").is_some_and(|value| value == "1") {
        std::fs::write(&path, &page).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(page == expected, "{} is not what the host prints:\n{page}", path.display());
}

#[test]
fn no_call_does_harm() {
    if !can_run() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let precious = directory.path().join("precious.h");
    std::fs::write(&precious, "precious").unwrap();
    let host = Host::new("conformance/misuse.c");
    let output = host.run_in(
        Path::new("applications"),
        &[precious.to_str().unwrap().to_string()],
        &[("WARPLOOM_PRESET", "small")],
    );
    assert_eq!(passed(&output), "PASS: 0 wrong\n");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious");
}

#[test]
fn no_function_is_missing() {
    if !can_run() {
        return;
    }
    let header = std::fs::read_to_string("/usr/include/CL/cl.h").unwrap();
    let of_1_2 = header.split("extern CL_API_ENTRY").skip(1).filter_map(|declaration| {
        let (declaration, _) = declaration.split_once(';')?;
        let is_old = declaration.contains("VERSION_1_");
        let mut words = declaration.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|_| is_old);
        words
            .find(|word| word.starts_with("cl") && word.as_bytes().get(2).is_some_and(u8::is_ascii_uppercase))
            .map(str::to_string)
    });
    let of_1_2: BTreeSet<String> = of_1_2.collect();
    assert!(of_1_2.len() > 85, "{of_1_2:?}");
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE)).unwrap();
    let missing: Vec<_> = of_1_2.iter().filter(|name| !page.contains(&format!("| `{name}` |"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn what_is_wrong_with_the_environment_is_said() {
    if !can_run() {
        return;
    }
    let host = Host::new("applications/nn.c");
    for (name, value, reason) in [
        ("WARPLOOM_MECHANISM", "capry", "WARPLOOM_MECHANISM=capry: there is no mechanism `capry`"),
        ("WARPLOOM_PRESET", "maxwell", "WARPLOOM_PRESET=maxwell: there is no such preset; there are capri, "),
        ("WARPLOOM_MEMORY", "12", "WARPLOOM_MEMORY=12: it is a number of bytes, 1048576 to 2147483648"),
        ("WARPLOOM_SETTING", "/nowhere", "WARPLOOM_SETTING=/nowhere: "),
    ] {
        let output = host.run(&[(name, value)]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(&format!("warploom: {reason}")), "{said}");
        assert!(said.contains("clGetPlatformIDs") && said.contains("-1001"), "{said}");
    }
}

#[test]
fn clinfo_shows_the_platform() {
    let mut clinfo = std::process::Command::new("clinfo");
    let output = clinfo.env("OCL_ICD_VENDORS", common::library()).env("WARPLOOM_PRESET", "small").output();
    if !warploom_requirements::met(&[("clinfo", output.is_ok())]) {
        return;
    }
    let printed = passed(&output.unwrap());
    for line in [
        "  Platform Name                                   warploom",
        "  Device Name                                     warploom small spe",
        "  Preferred work group size multiple (kernel)     8",
        "  Local memory size                               16384 (16KiB)",
    ] {
        assert!(printed.lines().any(|other| other == line), "{line}\n{printed}");
    }
}

/// Any handle there has ever been, of any kind and alive or not, with sizes that fit or not: the host comes to its end.
#[test]
fn no_sequence_of_calls_crashes() {
    if !can_run() {
        return;
    }
    let host = Host::new("conformance/sequence.c");
    let numbers = prop::collection::vec(0_u32..10_000, 0..3000);
    // More than these: PROPTEST_CASES says how many.
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { Config::default().cases } else { 24 };
    // A sequence that waits for ever takes as long as a host may, and so does every shorter one that does: one is tried.
    let config = Config { cases, failure_persistence: None, max_shrink_time: 60_000, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let result = runner.run(&numbers, |numbers| {
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        let output = host.run_with(&numbers, &[("WARPLOOM_PRESET", "small")]);
        let said = String::from_utf8_lossy(&output.stderr);
        prop_assert!(output.status.success() && !said.contains("panicked"), "{}: {said}", output.status);
        Ok(())
    });
    result.unwrap();
}
