//! The layers of the crate, and that no `use` crosses them the wrong way.
//!
//! The wall that matters most: nothing in the core imports `adapters`, and the certificate checks answers with nothing of
//! the rooms it checks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each layer with what it may import besides itself. An entry stands for the layer of that name without the layers within
/// it, or for a single item of a layer; `""` is the crate's root, which is its public face.
const LAYERS: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("solution", &[]),
    ("limits", &["solution"]),
    ("view", &["error"]),
    ("certificate", &["view::InputGraph"]),
    ("line_graph", &["view"]),
    ("decompose", &["view"]),
    // What the stages share: the uniform problem, a run and its limits.
    ("search", &["limits::Observer", "problem::Options", "solution", "view"]),
    // Stages that know the uniform problem and no engine.
    ("reduce", &["search::Ends", "search::NOT_AN_END", "search::Piece", "view"]),
    ("bound", &["certificate", "reduce", "search", "view"]),
    // Engines, none of which knows another.
    ("search::backtracking", &["search", "solution"]),
    ("search::branch_and_bound", &["search", "solution"]),
    // Fractional solutions are guesses, which local search makes paths.
    ("search::branch_and_cut", &["certificate", "search", "search::local_search", "search::lp", "solution"]),
    ("search::frontier", &["search", "solution", "view"]),
    // Paths of k vertices: what walks allow, the two engines for it, and the chooser among them.
    ("search::walks", &["search", "solution", "view"]),
    ("search::color_coding", &["search", "search::walks", "solution"]),
    ("search::sieve", &["search", "search::walks", "solution"]),
    (
        "search::k_path",
        &["problem::Engine", "search", "search::color_coding", "search::sieve", "search::walks", "solution", "view"],
    ),
    ("search::local_search", &["search", "solution", "view"]),
    // What engines build on.
    ("search::lp", &[]),
    ("search::signature", &["decompose", "search", "solution"]),
    ("search::trail", &["decompose", "search", "search::lp", "solution", "view"]),
    (
        "search::strategy",
        &[
            "bound",
            "decompose",
            "line_graph",
            "problem::Engine",
            "problem::LinearSolver",
            "problem::Options",
            "reduce",
            "search",
            "search::backtracking",
            "search::branch_and_bound",
            "search::branch_and_cut",
            "search::frontier",
            "search::k_path",
            "search::local_search",
            "search::lp",
            "search::signature",
            "search::trail",
            "solution",
            "view",
        ],
    ),
    (
        "problem",
        &["error", "limits", "reduce::Reduction", "reduce::Reductions", "solution", "solver", "view::InputGraph"],
    ),
    (
        "solver",
        &[
            "certificate",
            "error",
            "line_graph",
            "problem",
            "search",
            "search::k_path",
            "search::strategy",
            "search::trail",
            "solution",
            "view",
        ],
    ),
    (
        "k_path",
        &[
            "certificate",
            "error",
            "limits",
            "problem",
            "search",
            "search::k_path",
            "search::walks",
            "solution",
            "solver",
            "view",
        ],
    ),
    (
        "structure",
        &[
            "bound",
            "certificate",
            "decompose",
            "error",
            "line_graph",
            "reduce",
            "search::Budget",
            "search::branch_and_cut",
            "solver",
            "view",
        ],
    ),
    ("io", &["line_graph"]),
    // Other worlds: they use what any caller could use.
    ("adapters", &["", "certificate", "decompose", "io", "limits", "line_graph", "view"]),
    ("", &[]),
];

/// An import as a path from the crate's root.
type ItemPath = Vec<String>;

/// Whether `path` leads to or into `prefix`.
fn begins(path: &[String], prefix: &str) -> bool {
    let mut segments = path.iter();
    prefix
        .split("::")
        .filter(|segment| !segment.is_empty())
        .all(|segment| segments.next().is_some_and(|s| s == segment))
}

/// The innermost layer that a module or item belongs to.
fn layer(path: &[String]) -> &'static str {
    let layers = LAYERS.iter().map(|(name, _)| *name).filter(|name| begins(path, name));
    layers.max_by_key(|name| name.len()).expect("everything belongs to the root")
}

/// The entry by which a layer may import `path`, if there is one.
fn permission(from: &str, path: &[String]) -> Option<&'static str> {
    let (_, allowed) = LAYERS.iter().find(|(name, _)| *name == from).expect("a layer of the table");
    allowed.iter().copied().find(|entry| {
        let segments: ItemPath = entry.split("::").map(str::to_owned).collect();
        begins(path, entry) && layer(path) == layer(&segments)
    })
}

/// The code of a file without comments and without the tests at its end.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().expect("a part before");
    code.lines().map(|line| line.split("//").next().expect("a part before")).collect::<Vec<_>>().join("\n")
}

/// Every path in the code that leads out of the module it stands in, braces of imports taken apart.
fn imports(module: &[String], text: &str) -> BTreeSet<ItemPath> {
    let code = code(text);
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("use ") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let tree: String = code[at + 4..].split(';').next().expect("a part before").split_whitespace().collect();
        expand("", &tree, &mut |path| found.extend(resolve(module, path)));
    }
    // Paths written out where they are used.
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let end = code[at..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(0);
            let is_whole = !code[at..at + end].ends_with("::");
            if is_whole && !code[..at].ends_with(':') && !code[..at].ends_with("in ") {
                found.extend(resolve(module, &code[at..at + end]));
            }
        }
    }
    found
}

/// Takes `a::{b, c::{d, e}}` apart.
fn expand(prefix: &str, tree: &str, found: &mut dyn FnMut(&str)) {
    let Some(open) = tree.find('{') else {
        return found(&format!("{prefix}{tree}"));
    };
    let (prefix, mut rest) = (format!("{prefix}{}", &tree[..open]), &tree[open + 1..]);
    let (mut depth, mut begin) = (0, 0);
    while let Some(at) = rest[begin..].find(['{', '}', ',']).map(|at| begin + at) {
        match &rest[at..=at] {
            "{" => depth += 1,
            "}" if depth > 0 => depth -= 1,
            separator if depth == 0 => {
                if at > 0 {
                    expand(&prefix, &rest[..at], found);
                }
                if separator == "}" {
                    return;
                }
                (rest, begin) = (&rest[at + 1..], 0);
                continue;
            }
            _ => {}
        }
        begin = at + 1;
    }
}

/// The path from the crate's root; nothing for other crates and for the module's own parts.
fn resolve(module: &[String], path: &str) -> Option<ItemPath> {
    let mut segments = path.split("::").filter(|segment| !segment.is_empty()).peekable();
    let mut whole = match segments.next()? {
        "crate" => Vec::new(),
        "super" => module[..module.len() - 1].to_vec(),
        _ => return None,
    };
    while segments.next_if_eq(&"super").is_some() {
        whole.pop();
    }
    whole.extend(segments.filter(|&segment| segment != "self").map(str::to_owned));
    Some(whole)
}

/// The modules of the library with their texts; tests see what they like and are left out.
fn modules() -> Vec<(ItemPath, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            let module = path.strip_prefix(&source).unwrap().with_extension("");
            let mut module: ItemPath = module.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if path.is_dir() {
                if module != ["bin"] {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
                    module.pop();
                }
                if !module.iter().any(|part| part == "tests") {
                    found.push((module, std::fs::read_to_string(&path).unwrap()));
                }
            }
        }
    }
    found
}

#[test]
fn imports_keep_to_their_layers() {
    let mut used = BTreeSet::new();
    let mut met = BTreeSet::new();
    let mut wrong = Vec::new();
    for (module, text) in modules() {
        let from = layer(&module);
        met.insert(from);
        for path in imports(&module, &text) {
            match permission(from, &path) {
                _ if layer(&path) == from => {}
                Some(entry) => {
                    used.insert((from, entry));
                }
                None => wrong.push(format!("{} imports {}", module.join("::"), path.join("::"))),
            }
        }
    }
    assert!(wrong.is_empty(), "against the table of layers: {wrong:#?}");
    let stale = LAYERS.iter().flat_map(|(name, allowed)| allowed.iter().map(move |&entry| (*name, entry)));
    let stale: Vec<_> = stale.filter(|entry| !used.contains(entry)).collect();
    assert!(stale.is_empty(), "the table allows what nobody needs: {stale:?}");
    assert!(LAYERS.iter().all(|(name, _)| met.contains(name)), "the table has a layer without a file");
}

#[test]
fn every_room_is_in_the_table() {
    for (module, _) in modules().iter().filter(|(module, _)| !module.is_empty()) {
        assert_ne!(layer(module), "", "{}", module.join("::"));
    }
}

#[test]
fn the_scan_sees_what_it_should() {
    let module = ["search", "frontier", "path"].map(str::to_owned);
    let text = "//! use crate::io;\nuse std::fmt;\npub(in crate::search) use super::{kernel, super::{Piece, run::{Budget, \
                Run}}};\nuse crate::{adapters::uno::Card, view::{self, Arc}};\nfn f() { crate::solver::solve() }\n\
                #[cfg(test)]\nmod tests {\n    use crate::reduce;\n}";
    let found: Vec<String> = imports(&module, text).iter().map(|path| path.join("::")).collect();
    let expected = [
        "adapters::uno::Card",
        "search::Piece",
        "search::frontier::kernel",
        "search::run::Budget",
        "search::run::Run",
        "solver::solve",
        "view",
        "view::Arc",
    ];
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, expected);
    let segments = |path: &str| path.split("::").map(str::to_owned).collect::<ItemPath>();
    assert_eq!(permission("search::frontier", &segments("adapters::uno::Card")), None);
    assert_eq!(permission("search::frontier", &segments("search::strategy::solve")), None);
    assert_eq!(permission("search::frontier", &segments("search::run::Run")), Some("search"));
    assert_eq!(permission("certificate", &segments("view::CsrGraph")), None);
}
