use super::*;
use crate::loader::lines::SourceLines;
use crate::loader::{LoadError, Program, signature};

/// Whether there are compilers to test with. They may be missing unless `WARPLOOM_REQUIRE_TOOLS=1`.
fn can_compile() -> bool {
    let required = std::env::var_os("WARPLOOM_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(available() || !required, "clang and ld.lld are required");
    if !available() {
        eprintln!("skipped: no clang or ld.lld");
    }
    available()
}

/// A directory with one source file.
fn source(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("a file in it");
    (directory, path)
}

#[test]
fn only_c_and_assembler() {
    let error = compile(Path::new("kernel.rs"), Debug::None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel.rs: a kernel is an OpenCL C file (.cl), a C file (.c) or an assembler file (.s)"
    );
    let error = compile(Path::new("/nowhere/kernel.c"), Debug::None).unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/kernel.c: No such file"), "{error}");
}

#[test]
fn lines_of_c_and_assembler() {
    if !can_compile() {
        return;
    }
    let c = "#include \"warploom.h\"\nvoid kernel(int *a) {\n    a[tid_x()] = 1;\n    barrier();\n}\n";
    let s = "    .globl _start\n_start:\n    nop\n    nop\n    .insn r 0x0B, 1, 0, x0, x0, x0\n";
    for (name, text, expected) in [("one.c", c, vec![3, 4, 5]), ("two.s", s, vec![3, 4])] {
        let (_directory, path) = source(name, text);
        let (elf, _) = compile(&path, Debug::Lines).unwrap();
        let lines = SourceLines::from_elf(&elf);
        let found: Vec<u32> =
            (0..400).filter_map(|pc| lines.line(pc)).filter(|line| line.0 == name).map(|l| l.1).collect();
        let mut distinct = found.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.iter().filter(|line| expected.contains(line)).count(), expected.len(), "{distinct:?}");
        let (_directory, path) = source(name, text);
        assert!(compile(&path, Debug::Lines).unwrap().0 == elf, "{name}: the bytes depend on the directory");
        assert!(SourceLines::from_elf(&compile(&path, Debug::None).unwrap().0).is_empty());
    }
    assert!(SourceLines::from_elf(b"no ELF").is_empty());
}

#[test]
fn kernels_and_their_parameters() {
    if !can_compile() {
        return;
    }
    let text = "__kernel void one(__global const int4 *a, __constant uchar *b, __local short *c, ulong d) {}\n\
                __kernel __attribute__((reqd_work_group_size(8, 4, 1))) void two(void) {\n\
                    __local int x[3];\n    x[get_local_id(0)] = 1;\n}\n";
    let (_directory, path) = source("kernels.cl", text);
    let (elf, messages) = compile(&path, Debug::None).unwrap();
    assert_eq!(messages, "");
    let kernels = signature::kernels(&elf);
    let [one, two] = kernels.as_slice() else { panic!("{kernels:?}") };
    let parameters = one.parameters.iter().map(|p| format!("{:?} {} {}", p.space, p.type_name, p.name));
    assert_eq!(
        parameters.collect::<Vec<_>>(),
        ["Global int4* a", "Constant uchar* b", "Local short* c", "Private ulong d"]
    );
    let sizes = one.parameters.iter().map(|p| (p.element().map(|element| element.bytes), p.words()));
    assert_eq!(sizes.collect::<Vec<_>>(), [(Some(4), 1), (Some(1), 1), (Some(2), 1), (None, 2)]);
    assert_eq!((one.work_group, two.work_group), (None, Some([8, 4, 1])));
    let shared = |kernel| Program::from_elf_kernel("kernels.elf", &elf, kernel).map(|program| program.shared_bytes);
    assert_eq!((shared("one"), shared("two")), (Ok(0), Ok(12)));
    assert!(matches!(shared("three"), Err(LoadError::NoKernel { .. })));
}
