//! Constructs that rust-hdl's macro drops silently: found in the text, absent from `hdl/src`.
use std::fs;
use std::path::{Path, PathBuf};

use warploom_sim::lint::lint_source;

fn rust_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn every_module_is_clean() {
    let mut files = vec![];
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/src"), &mut files);
    assert!(files.len() > 10);
    for file in files {
        let findings = lint_source(&fs::read_to_string(&file).unwrap()).unwrap();
        assert!(findings.is_empty(), "{}: {}", file.display(), findings[0]);
    }
}

fn findings(update: &str) -> Vec<String> {
    let text = format!("impl Logic for X {{\n#[hdl_gen]\nfn update(&mut self) {{\n{update}\n}}\n}}");
    lint_source(&text).unwrap().iter().map(ToString::to_string).collect()
}

#[track_caller]
fn finds(update: &str, expected: &str) {
    let found = findings(update);
    assert!(found.len() == 1 && found[0].contains(expected), "{found:?}");
}

#[test]
fn silent_losses_are_found() {
    finds("for i in 0..=7 { self.x[i].next = self.y[i].val(); }", "line 4: `..=`");
    finds("match self.k.val().index() { 0 if self.g.val() => {} _ => {} }", "guard");
    finds("match self.k.val().index() { 0 | 1 => {} _ => {} }", "or-pattern");
    finds("self.x.next = bits_reversed(self.y.val());", "bits_reversed");
    finds("self.x.next = bit_cast_to(self.y.val(), self.z.val().index());", "cannot depend on a signal");
    finds("for i in 0..self.n.val().index() { self.x[i].next = self.y[i].val(); }", "a loop bound");
    finds("self.x.next = self.y.val().get_bit(self.k.val().index() + 1);", "arithmetic on .index()");
    finds("self.x.next = bit_cast_to(self.k.val().index(), 4);", "cast .val()");
}

#[test]
fn ordinary_code_is_not() {
    assert_eq!(
        findings("for i in 0..self.n.len() { self.x[i].next = bit_cast_to(self.y.val() >> 3, self._w); }"),
        [""; 0]
    );
    assert_eq!(findings("self.x.next = self.y.val().get_bit(self.k.val().index());"), [""; 0]);
    let elsewhere = "fn f(x: u8) { for i in 0..=7 { match i { 0 | 1 if x > 2 => {} _ => {} } } }";
    assert_eq!(lint_source(elsewhere).unwrap(), []);
}
