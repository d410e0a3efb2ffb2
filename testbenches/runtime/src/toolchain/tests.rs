use warploom_requirements::met;

use super::*;
use crate::disassembly;
use crate::isa::{Instruction, decode};
use crate::kernels::KERNELS;
use crate::loader::lines::SourceLines;
use crate::loader::{LoadError, Program, signature};

fn can_compile() -> bool {
    met(&[("clang and ld.lld", available())])
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
        "kernel.rs: a kernel is an OpenCL C file (.cl), a C file (.c) or an assembler file (.s, or .S with the preprocessor)"
    );
    let error = compile(Path::new("/nowhere/kernel.c"), Debug::None).unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/kernel.c: No such file"), "{error}");
}

#[test]
fn assembler_of_insn_alone_and_a_name_like_an_option() {
    if !can_compile() {
        return;
    }
    let (_directory, path) = source("-x.s", ".globl _start\n_start:\n    .insn r 0x0B, 1, 0, x0, x0, x0\n");
    let (elf, _) = compile(&path, Debug::Lines).unwrap();
    assert_eq!(Program::from_elf("-x.s", &elf).unwrap().words, [0x0000_100b]);
    let (_directory, path) = source("wrong.s", "    .insn nonsense\n");
    let error = compile(&path, Debug::Lines).unwrap_err().to_string();
    assert!(error.contains("wrong.s:1:"), "the lines are those of the first try: {error}");
}

#[test]
fn warp_instructions_in_c() {
    if !can_compile() {
        return;
    }
    let c = "#include \"warploom.h\"
        void kernel(u32 *buffer, u32 *found, u32 limit) {
            u32 value = found[lane()];
            u32 total = warploom_cond_acc(buffer, value < limit, value);
            total += warploom_cond_acc_h((unsigned short *)(buffer + 32), value & 1, value);
            total += warploom_tree_traverse(value, value > 3, 5);
            found[lane()] = total + warploom_popc(warploom_ballot(value));
        }";
    let (_directory, path) = source("together.c", c);
    let (elf, messages) = compile(&path, Debug::None).unwrap();
    let program = Program::from_elf("together.c", &elf).unwrap_or_else(|error| panic!("{error}: {messages}"));
    let own = program.words.iter().map(|word| decode(*word)).filter(Instruction::needs_warp_instructions);
    let mut mnemonics: Vec<&str> = own.map(|instruction| instruction.mnemonic()).collect();
    mnemonics.sort_unstable();
    assert_eq!(mnemonics, ["cond_acc.h", "cond_acc.w", "cpop", "tree_traverse"]);
    assert!(program.first_warp_instruction.is_some() && program.first_float.is_none());
}

#[test]
fn a_source_that_is_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("folder.c");
    std::fs::create_dir(&path).unwrap();
    assert!(compile(&path, Debug::None).unwrap_err().to_string().contains("it is a directory"));
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

/// In a function of an ELF file: the stores of s0 to s11 to the stack that come before anything else names the register,
/// and the loads of them from the stack behind which there is only straight code to the return, which does not either.
fn saves_and_reloads(elf: &[u8], function: &str) -> Vec<String> {
    let listed = disassembly::listing("kernel.elf", elf, None).expect("a program");
    let start = listed.iter().position(|line| line.label.as_deref() == Some(function)).expect("the function");
    let rest = listed[start + 1..].iter().take_while(|line| line.label.is_none());
    let function: Vec<_> = [&listed[start]].into_iter().chain(rest).collect();
    let code: Vec<&str> = function.iter().map(|line| line.assembly.as_str()).collect();
    let words = |line: &str| -> Vec<String> {
        line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).map(String::from).collect()
    };
    let is = |line: &str, mnemonic: &str| match words(line).as_slice() {
        [first, register, .., base] if first == mnemonic && base == "sp" => {
            register.strip_prefix('s').and_then(|number| number.parse().ok()).filter(|number: &u32| *number < 12)
        }
        _ => None,
    };
    let names = |line: &str, register: u32| words(line).contains(&format!("s{register}"));
    let mut found = Vec::new();
    for (at, &line) in code.iter().enumerate() {
        let is_save = is(line, "sw").is_some_and(|register| !code[..at].iter().any(|line| names(line, register)));
        let to_return = code[at + 1..].split(|line| *line == "ret").next().unwrap_or_default();
        let is_straight = function[at + 1..][..to_return.len()].iter().all(|line| line.target.is_none());
        let is_unread = |register| is_straight && !to_return.iter().any(|line| names(line, register));
        let is_reload = is(line, "lw").is_some_and(is_unread);
        if is_save || is_reload {
            found.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    found
}

/// What a kernel has on its stack is its return address, its own variables and its spills.
#[test]
fn shipped_kernels_save_no_registers() {
    for kernel in KERNELS {
        let (name, elf) = (kernel.name(), kernel.binary().elf);
        assert_eq!(saves_and_reloads(elf, "kernel"), [""; 0], "{name}");
        // What makes that right: behind the call, the thread only ends.
        let listed = disassembly::listing(name, elf, None).unwrap();
        let entry = listed.iter().find(|line| line.label.as_deref() == Some("kernel")).unwrap().address;
        let call = listed.iter().position(|line| line.target == Some(entry)).unwrap();
        assert_eq!(listed[call + 1].assembly, "exit", "{name}");
        assert!(!listed[..call].iter().any(|line| saved_register(&line.assembly)), "{name}: the start code uses some");
    }
}

fn saved_register(line: &str) -> bool {
    let is_number = |word: &str| word.strip_prefix('s').is_some_and(|number| number.parse::<u32>().is_ok());
    line.split(|c: char| !c.is_ascii_alphanumeric()).any(is_number)
}

/// Twelve values and more that live over barriers and calls.
const HEAVY: &str = "
    uint v[14];
    for (int i = 0; i < 14; i++) v[i] = a[i];
    WAIT;
    for (int i = 0; i < 14; i++) v[i] ^= mix(v[(i + 1) % 14]);
    WAIT;
    for (int i = 0; i < 14; i++) a[i] = v[i];
";

#[test]
fn own_kernels_save_no_registers() {
    if !can_compile() {
        return;
    }
    let mix = "__attribute__((noinline)) uint mix(uint x) {\n    uint y = x * 3;\n    WAIT;\n    return x + y;\n}\n";
    let c = format!(
        "#include \"warploom.h\"\n#define WAIT barrier()\ntypedef u32 uint;\n{mix}\
         void kernel(uint *a, int n) {{ {HEAVY} }}\n"
    );
    let varying = c.replace("uint v[14];", "uint w[n], v[14]; w[0] = n; a[w[n - 1]] = w[0];");
    let deep = c.replace("uint v[14];", "volatile uint w[3000]; w[n] = n; uint v[14];");
    let never = c.replace("void kernel", "__attribute__((noreturn)) void kernel").replace("} }", "} for (;;) ; }");
    let cl = format!(
        "#define WAIT barrier(CLK_LOCAL_MEM_FENCE)\n{mix}\
         __kernel void add(__global uint *a) {{ {HEAVY} }}\n\
         __kernel __attribute__((noinline)) void called(__global uint *a) {{ {HEAVY} }}\n\
         __kernel void caller(__global uint *a) {{ {HEAVY} called(a); a[20] = v[13]; }}\n"
    );
    let of_c: &[(&str, bool)] = &[("kernel", false), ("mix", true)];
    let of_cl: &[(&str, bool)] = &[("add", false), ("called", true), ("caller", false)];
    let calls_itself = c.replace("WAIT;\n    for", "if (n > 0) kernel(a, n - 1);\n    for");
    for (name, text, expected) in [
        ("heavy.c", &c, of_c),
        ("varying.c", &varying, of_c),
        ("deep.c", &deep, of_c),
        ("never.c", &never, of_c),
        ("calls_itself.c", &calls_itself, &[("kernel", true)]),
        ("heavy.cl", &cl, of_cl),
    ] {
        let (_directory, path) = source(name, text);
        let [plain, with_lines] = [Debug::None, Debug::Lines].map(|debug| compile(&path, debug).unwrap().0);
        for (function, saves) in expected {
            let found = saves_and_reloads(&plain, function);
            assert_eq!(!found.is_empty(), *saves, "{name}, {function}: {found:?}");
        }
        let words = |elf: &[u8]| Program::from_elf(name, elf).map(|program| program.words);
        assert_eq!(words(&plain), words(&with_lines), "{name}: lines change the code");
    }
}

/// Segments of an ELF file in global memory; shared bytes.
fn places(elf: &[u8]) -> (Vec<(u32, u32)>, u32) {
    let program = Program::from_elf("k.c", elf).unwrap();
    (program.data.iter().map(|segment| (segment.address, segment.size)).collect(), program.shared_bytes)
}

#[test]
fn variables_without_a_value_are_global() {
    if !can_compile() {
        return;
    }
    let kernel = "void kernel(unsigned *a) { a[0] = atomic_add(&count, 1); barrier(); a[1] = count; }\n";
    let shared = "__attribute__((section(\".bss.shared\"))) unsigned s[4];\n";
    let of_shared = kernel.replace("barrier();", "s[a[2]] = 1; barrier(); a[3] = s[a[4]];");
    for (text, bytes) in [(kernel.to_string(), 0), (format!("{shared}{of_shared}"), 16)] {
        let (_directory, path) = source("k.c", &format!("#include \"warploom.h\"\nunsigned count;\n{text}"));
        let (elf, _) = compile(&path, Debug::None).unwrap();
        assert_eq!(places(&elf), (vec![(0x8000_0000, 4)], bytes), "{text}");
    }
    let elsewhere = "__attribute__((section(\"mine\"))) unsigned count = 1;\n";
    let (_directory, path) = source("k.c", &format!("#include \"warploom.h\"\n{elsewhere}{kernel}"));
    let (elf, _) = compile(&path, Debug::None).unwrap();
    assert_eq!(places(&elf), (vec![(0x8000_0000, 4)], 0));
}

#[test]
fn c_has_what_the_compiler_takes_for_granted() {
    if !can_compile() {
        return;
    }
    let compiled = |body: &str| {
        let text = format!("void kernel(int *a, long long *b) {{ {body} }}\n");
        let (_directory, path) = source("k.c", &text);
        compile(&path, Debug::None)
            .map(drop)
            .map_err(|error| error.to_string().replace(&path.display().to_string(), "k.c"))
    };
    assert_eq!(compiled("int t[64] = {0}; t[a[1]] = a[2]; a[0] = t[a[3]]; b[0] /= b[1];"), Ok(()));
    assert_eq!(compiled("*(float *)a = __builtin_sqrtf(*(float *)b) + 1;"), Ok(()));
    let double = compiled("*(double *)b += 1;").unwrap_err();
    assert_eq!(
        double,
        "k.c: there are floats of 32 bits only, no double and no half: `__adddf3` is needed in `kernel`"
    );
    let missing = compiled("extern int nobody(int); a[0] = nobody(1);").unwrap_err();
    assert_eq!(missing, "k.c: there is no function `nobody`, needed in `kernel`");
}

#[test]
fn a_source_in_c_without_a_kernel() {
    if !can_compile() {
        return;
    }
    for text in ["#include \"warploom.h\"\nvoid kernal(int *a) { a[0] = 1; }\n", "static void kernel(void) {}\n", "\n"]
    {
        let (_directory, path) = source("k.c", text);
        let error = compile(&path, Debug::None).map(drop).unwrap_err().to_string();
        assert_eq!(error.replace(&path.display().to_string(), "k.c"), format!("k.c: {}", missing::NO_KERNEL), "{text}");
    }
}

#[test]
fn names_that_are_taken() {
    if !can_compile() {
        return;
    }
    for name in ["_start", "memcpy"] {
        let (_directory, path) = source("k.cl", &format!("__kernel void {name}(__global int *a) {{ a[0] = 1; }}\n"));
        let error = compile(&path, Debug::None).map(drop).unwrap_err().to_string();
        assert!(error.contains(&format!("`{name}` is a function of what every kernel is linked with")), "{error}");
        assert!(!error.contains("ld.lld"), "{error}");
    }
}

#[test]
fn conversions_of_64_bits_in_c() {
    if !can_compile() {
        return;
    }
    let body = "*b = (long long)*f; b[1] = (unsigned long long)*f; f[1] = (float)b[2]; f[2] = (float)(unsigned long long)b[3];";
    let (_directory, path) = source("k.c", &format!("void kernel(float *f, long long *b) {{ {body} }}\n"));
    let (elf, _) = compile(&path, Debug::None).unwrap();
    Program::from_elf("k.c", &elf).unwrap();
}

/// A test cannot set a variable of its process: the name of the missing file is that of a machine without libclc.
#[test]
fn functions_of_libclc_that_are_missing() {
    if !can_compile() {
        return;
    }
    let text = "float turned(float x) { return x + native_cos(x); }\n\
                __kernel void k(__global float *a) {\n    float4 v = vload4(0, a);\n    v = exp(v);\n    vstore4(v, 0, a);\n    \
                a[5] = turned(a[6]);\n}\n";
    let (_directory, path) = source("k.cl", text);
    let mut job = Job::new(&path, Debug::Lines).unwrap();
    job.libclc = PathBuf::from("/nowhere/nvptx--.bc");
    let error = opencl::compile(&mut job).unwrap_err().to_string().replace(&path.display().to_string(), "k.cl");
    assert_eq!(
        error,
        "k.cl: there is no built-in function `native_cos`, needed in `turned`, line 1\n  \
         there is no built-in function `exp`, needed in `k`, line 4\n  \
         mathematical functions are of libclc, and there is no /nowhere/nvptx--.bc: `apt install libclc-14`, or name it in \
         $WARPLOOM_LIBCLC"
    );
}

#[test]
fn words_of_the_compiler_in_a_text() {
    if !can_compile() {
        return;
    }
    let text = "__constant char s[] = \"x call spir_func spir_kernel y\";\n__kernel void k(__global char *a) { a[0] = s[a[1]]; }\n";
    let (_directory, path) = source("k.cl", text);
    compile(&path, Debug::None).unwrap();
}
