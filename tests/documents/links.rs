//! Every relative link in the documentation leads to a file.
use std::fs;
use std::path::{Path, PathBuf};

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

#[test]
fn links_lead_to_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = vec![root.join("README.md")];
    pages(&root.join("docs"), &mut all);
    pages(&root.join("examples"), &mut all);
    assert!(all.len() > 100, "{} pages", all.len());
    let mut broken = Vec::new();
    for page in &all {
        let text = fs::read_to_string(page).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
        for link in links.filter(|link| !link.starts_with("http")) {
            let file = link.split('#').next().unwrap();
            if !file.is_empty() && !page.parent().unwrap().join(file).exists() {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
