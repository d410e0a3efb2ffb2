//! Programs that nobody here wrote: macros, includes, build options; files of which not all is for this core; offsets.
use super::{answers, can_compile, dump, dumps, warploom, words};

#[test]
fn macros_includes_and_build_options() {
    if !can_compile() {
        return;
    }
    let run = "options.cl --global 1 --buffer out=zero:i32:5";
    assert_eq!(words(&dump(&format!("{run} -D NUMBER=7"), "out")), [11, 7, 0, 0, 0]);
    let all = dump(
        &format!("{run} -DNUMBER=-7 -DFLAG --define WITH_MORE -I include/deep --cl-options -cl-fast-relaxed-math"),
        "out",
    );
    assert_eq!(words(&all), [11, -7, 1, 1, 42]);
    let c = dump("macros.c --grid 1 --block 1 --arg zero:i32:1 -D NUMBER=31 -I include", "arg0");
    assert_eq!(words(&c), [42]);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let elf = directory.path().join("options.elf");
    let (status, stdout, stderr) =
        warploom(&format!("build options.cl -DNUMBER=5 --cl-options -DFLAG=6 -o {}", elf.display()));
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "{stdout}");
    let built = dump(&format!("{} --global 1 --buffer out=zero:i32:5", elf.display()), "out");
    assert_eq!(words(&built), [11, 5, 6, 0, 0]);
    let listed = |value: &str| warploom(&format!("disasm options.cl -D NUMBER={value}")).1;
    assert!(listed("77").contains("77") && !listed("78").contains(" 77"));
    insta::assert_snapshot!(
        "options",
        answers(&[
            "build options.cl",
            "build options.cl -D NUMBER=1 --cl-options -cl-std=CL2.0",
            "build options.cl -D NUMBER=1 --cl-options -cl-fast-math",
            "run options.cl -D 1=2 --global 1",
            "disasm options.cl -D NUMBER=1 -I nowhere",
            "build macros.c --cl-options -DNUMBER=1",
            "run macros.c --offset 1 --global 1",
            "run offset.cl --offset 0,4294967290 --global 1,6 --buffer out=zero:u32:14",
            "run vecadd -D NUMBER=1",
            "disasm vecadd -D NUMBER=1",
            "run rhu_4_1 --cl-options -w",
            &format!("run {} --offset 1 --global 1", "../../testbenches/runtime/kernels/vecadd.elf"),
        ])
    );
}

/// What differs is the program, and so the results of two builds are not taken for one another.
#[test]
fn a_checkpoint_is_of_its_macros() {
    if !can_compile() {
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("run.checkpoint");
    let run =
        format!("run options.cl --preset tiny --global 1 --buffer out=zero:i32:5 --checkpoint {}", file.display());
    let (status, _, stderr) = warploom(&format!("{run} -D NUMBER=7 --max-cycles 5"));
    assert_ne!(status, Some(0), "{stderr}");
    let (status, stdout, stderr) = warploom(&format!("run --restore {}", file.display()));
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.starts_with("DONE"), "{stdout}");
    let (status, _, stderr) = warploom(&format!("run --restore {} -D NUMBER=8", file.display()));
    assert_eq!(status, Some(2));
    assert!(stderr.contains("--define NUMBER=8: ") && stderr.contains("is a run with --define NUMBER=7"), "{stderr}");
}

#[test]
fn the_kernels_that_can_run_do() {
    if !can_compile() {
        return;
    }
    let run = |kernel: &str| format!("partly.cl --kernel {kernel} --global 4");
    let good = dump(&format!("{} --buffer a=iota:f32:4 --arg k=9", run("good")), "a");
    assert_eq!(words(&good), [3f32, 3.5, 4.0, 4.5].map(|x| x.to_bits() as i32));
    // A double that is only moved is no number.
    let points: Vec<u8> = (0..64).collect();
    let [to] = dumps(&run("moved"), &[("from", points.clone()), ("to", vec![0; 64])], ["to"]);
    assert_eq!(to, points);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let elf = directory.path().join("partly.elf");
    let (status, stdout, warnings) = warploom(&format!("build partly.cl -o {}", elf.display()));
    assert_eq!(status, Some(0), "{stdout}");
    insta::assert_snapshot!("left_out", warnings);
    let good = dump(&format!("{} --kernel good --global 4 --buffer a=iota:f32:4 --arg k=9", elf.display()), "a");
    assert_eq!(words(&good), [3f32, 3.5, 4.0, 4.5].map(|x| x.to_bits() as i32));
    let others = ["precise", "valued", "pictured", "extended", "wide", "god"];
    let others = others.map(|kernel| format!("run {}", run(kernel)));
    insta::assert_snapshot!("chosen", answers(&others.each_ref().map(String::as_str)));
}

#[test]
fn the_only_kernel_that_can_run_needs_no_name() {
    if !can_compile() {
        return;
    }
    let (status, stdout, stderr) = warploom("run one.cl --preset tiny --global 4 --buffer a=iota:f32:4");
    assert_eq!(status, Some(0), "{stdout}");
    assert!(stdout.starts_with("DONE"), "{stdout}");
    assert!(stderr.starts_with("warning: left out: kernel `bad`: there are floats of 32 bits only"), "{stderr}");
    assert_eq!(warploom("run one.cl --kernel only --preset tiny --global 4 --buffer a=iota:f32:4").2, "");
}

#[test]
fn the_first_work_item_and_the_dimensions() {
    if !can_compile() {
        return;
    }
    let plain = dump("offset.cl --global 2 --buffer out=zero:u32:14", "out");
    assert_eq!(words(&plain), [[0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 1]].concat());
    let flat = dump("offset.cl --global 2,1 --offset 5 --buffer out=zero:u32:14", "out");
    assert_eq!(words(&flat), [[5, 0, 0, 5, 0, 0, 2], [6, 0, 0, 5, 0, 0, 2]].concat());
    let deep = dump("offset.cl --global 1,2,1 --offset 5,16,7 --buffer out=zero:u32:14", "out");
    assert_eq!(words(&deep), [[5, 16, 7, 5, 16, 7, 3], [5, 17, 7, 5, 16, 7, 3]].concat());
}

#[test]
fn mechanisms_are_compared_with_a_kernel_of_ones_own() {
    if !can_compile() {
        return;
    }
    let results = tempfile::tempdir().expect("a temporary directory");
    let compare = |line: &str| {
        warploom(&format!("compare {line} --preset tiny --mechanisms spe,tbc --cache {}", results.path().display()))
    };
    let vecadd =
        "vecadd.cl --global 32 --buffer a=iota:i32:32 --buffer b=random:i32:32 --buffer c=zero:i32:32 --arg n=32";
    let (status, stdout, stderr) = compare(vecadd);
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "{stdout}");
    assert!(stdout.contains("vecadd.cl") && !stdout.contains("is not what is left"), "{stdout}");
    let (_, again, stderr) = compare(vecadd);
    assert_eq!((again, stderr.contains("2 of 2 results were there")), (stdout, true), "{stderr}");
    let (_, _, stderr) = compare(&vecadd.replace("n=32", "n=31"));
    assert_eq!(stderr, "", "another argument is another run");

    let order = "order.cl --global 32 --buffer out=zero:i32:32 --buffer next=zero:i32:1 --arg n=16";
    let (status, stdout, _) = compare(order);
    assert_eq!(status, Some(1), "{stdout}");
    let sentence = "order.cl: what is left in `out` under tbc is not what is left under spe";
    assert!(stdout.contains(sentence) && !stdout.contains("`next`"), "{stdout}");
    let (status, _, stderr) = compare(&format!("{order} --json"));
    assert_eq!((status, stderr.contains(sentence)), (Some(1), true), "{stderr}");
    let (status, _, stderr) = compare("order.cl --global 32 --buffer out=zero:i32:32 --arg n=1");
    assert_eq!(status, Some(2));
    assert!(stderr.contains("`order` needs --buffer next="), "{stderr}");
}

#[test]
fn paths_have_colons_and_equals_signs() {
    if !can_compile() {
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let inside = directory.path().join("a:b=c");
    std::fs::create_dir(&inside).expect("a directory");
    let source = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/opencl/vecadd.cl")).expect("the source");
    std::fs::write(inside.join("v:e=c.cl"), source).expect("a file");
    std::fs::write(inside.join("one:i32:two"), [7u8; 32]).expect("a file");
    let here = inside.display();
    let line = format!(
        "{here}/v:e=c.cl --global 8 --buffer a=file:{here}/one:i32:two --buffer b=file:{here}/one:i32:two:i32 --buffer c=zero:i32:8 \
         --arg n=8 --dump c={here}/out:put"
    );
    let (status, _, stderr) = warploom(&format!("run {line} --preset tiny"));
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert_eq!(std::fs::read(inside.join("out:put")).expect("a dump"), [14u8; 32]);
}
