//! The guide in `docs/`: its links lead somewhere, every page is in the table of contents, and every engine has a page.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use longhaul::Engine;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![docs()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// Where the links of a page lead within the repository, without what follows `#`.
fn links(page: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(page).unwrap();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let targets = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    targets.map(|target| page.parent().unwrap().join(target.split('#').next().unwrap())).collect()
}

#[test]
fn links_lead_somewhere() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let mut count = 0;
    for page in pages().into_iter().chain([readme]) {
        for target in links(&page) {
            assert!(target.exists(), "{}: {}", page.display(), target.display());
            count += 1;
        }
    }
    assert!(count > 30, "{count} links");
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let contents = docs().join("SUMMARY.md");
    let listed: BTreeSet<PathBuf> = links(&contents).into_iter().collect();
    for page in pages().into_iter().filter(|page| *page != contents) {
        assert!(listed.contains(&page), "{}", page.display());
    }
}

#[test]
fn every_engine_has_a_page_with_its_source_and_a_picture() {
    for (name, _) in Engine::ALL.iter().filter(|(name, _)| *name != "auto") {
        let page = docs().join("engines").join(format!("{}.md", name.trim_start_matches("plain-")));
        let text = std::fs::read_to_string(&page).expect(name);
        assert!(text.lines().next().unwrap().contains(name), "{name}");
        let parts = ["**Idea.**", "Source", "**Measured", "](../pictures/"];
        assert!(parts.iter().all(|part| text.contains(part)), "{name}");
    }
}
