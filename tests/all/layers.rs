//! The layers of the crate: no `use` goes upwards, no files import each other in circles, no room holds most of the lines, and
//! no function more than a page.
//!
//! The wall that matters most: nothing in the core imports `adapters`, and the certificate checks answers with nothing of
//! the rooms it checks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The floors of the house, from the ground up. A layer may import those of the floors above it in this table, and none
/// beside it. `""` is the crate's root, its public face. A name stands for the modules within it, but for those that have
/// a place of their own.
const FLOORS: &[&[&str]] = &[
    &["error", "named", "rounds", "rows", "scan", "sets", "terms", "top_two"],
    &["engine"],
    &["solution"],
    &["disk", "looks"],
    &["limits"],
    &["view"],
    &["certificate", "decompose", "explore", "line_graph", "lp"],
    // Another question of the core, with nothing of the search for paths.
    &["clique"],
    // What the stages share: the uniform problem, a run and its limits.
    &["instance"],
    // Linear programs cut down to what is meant, whatever that is.
    &["branching"],
    // What proofs are made of.
    &["proof"],
    // Stages that know the uniform problem and no engine.
    &["reduce"],
    &["bound"],
    // What engines have in common.
    &["engines::auto", "engines::door", "engines::orders"],
    // Engines, none of which knows another; only branch and cut makes paths of fractional solutions by local search.
    &[
        "engines::branch_and_bound",
        "engines::color_coding",
        "engines::conflict",
        "engines::euler",
        "engines::frontier",
        "engines::growing",
        "engines::local_search",
        "engines::sieve",
        "engines::sweep",
        "engines::trail",
    ],
    // The programs as printed; color coding shares how labels are drawn.
    &["engines::branch_and_cut", "engines::reference"],
    &["engines"],
    &["options"],
    &["strategy"],
    &["problem"],
    &["solver"],
    &["structure"],
    &["pieces"],
    &["io"],
    &["render"],
    &[""],
    // Other worlds.
    &["adapters"],
];

/// The floors of the command line, whose files are a crate of their own.
const COMMAND_FLOORS: &[&[&str]] = &[
    &["allocator", "process", "tell"],
    // Options that commands share, and what went wrong.
    &["failure", "options"],
    &["output"],
    // From options to graphs and to nodes; from answers to text.
    &["object"],
    &["answer", "input", "watch", "write"],
    &["claims", "demands", "listing", "picture", "proof"],
    &["claimed", "judged", "proved"],
    // A command a room. `check` hands games on.
    &[
        "bench", "clique", "convert", "dobble", "game", "generate", "info", "reduce", "rummy", "shell", "solve",
        "trail", "uno",
    ],
    &["check"],
    // The list of all commands.
    &["commands"],
    &["unread"],
    &[""],
];

/// Layers that see less than what lies above them in the table.
const WALLS: &[(&str, &[&str])] = &[
    ("certificate", &["view::InputGraph"]),
    ("lp", &[]),
    // Fractional solutions are guesses, which local search makes paths.
    (
        "engines::branch_and_cut",
        &[
            "branching",
            "certificate",
            "decompose::chains",
            "engines::door",
            "engines::local_search",
            "instance",
            "limits",
            "lp",
            "proof",
            "solution",
            "view",
        ],
    ),
    ("branching", &["instance", "lp", "rows", "solution"]),
    ("clique", &["certificate", "engine", "error", "limits", "sets", "solution", "view"]),
    ("io", &["line_graph", "named", "solution::Stop"]),
    // They use what any caller could use, and the parts of scans.
    (
        "adapters",
        &[
            "",
            "certificate",
            "clique",
            "decompose",
            "explore",
            "io",
            "limits",
            "line_graph",
            "named",
            "scan",
            "solution",
            "view",
        ],
    ),
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

/// A crate: where its files are, and its table.
struct House {
    folder: &'static str,
    floors: &'static [&'static [&'static str]],
    walls: &'static [(&'static str, &'static [&'static str])],
}

const LIBRARY: House = House { folder: "src", floors: FLOORS, walls: WALLS };
const COMMAND_LINE: House = House { folder: "src/bin/longhaul", floors: COMMAND_FLOORS, walls: &[] };
const HOUSES: [House; 2] = [LIBRARY, COMMAND_LINE];

impl House {
    /// The innermost layer that a module or item belongs to.
    fn layer(&self, path: &[String]) -> &'static str {
        let layers = self.floors.iter().copied().flatten().copied().filter(|name| begins(path, name));
        layers.max_by_key(|name| name.len()).expect("everything belongs to the root")
    }

    /// The place of a layer's floor in the table.
    fn floor(&self, layer: &str) -> usize {
        self.floors.iter().position(|floor| floor.contains(&layer)).expect("a layer of the table")
    }

    /// Whether a layer may import `path`.
    fn may_import(&self, from: &str, path: &[String]) -> bool {
        let to = self.layer(path);
        let below = self.floor(to) < self.floor(from);
        match self.walls.iter().find(|(name, _)| *name == from) {
            _ if from == to => true,
            Some((_, seen)) => {
                below && seen.iter().any(|entry| begins(path, entry) && self.layer(&segments(entry)) == to)
            }
            None => below,
        }
    }
}

fn segments(path: &str) -> ItemPath {
    path.split("::").map(str::to_owned).collect()
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

/// The modules of a crate with their texts; tests see what they like and are left out.
fn modules(house: &House) -> Vec<(ItemPath, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(house.folder);
    let mut found = Vec::new();
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            let module = path.strip_prefix(&source).unwrap().with_extension("");
            let mut module: ItemPath = module.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if path.is_dir() {
                // The command line is a crate of its own.
                if module != ["bin"] {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
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
    for house in HOUSES {
        let mut met = BTreeSet::new();
        let mut wrong = Vec::new();
        for (module, text) in modules(&house) {
            let from = house.layer(&module);
            met.insert(from);
            let imports = imports(&module, &text);
            let forbidden = imports.iter().filter(|path| !house.may_import(from, path));
            wrong.extend(forbidden.map(|path| format!("{} imports {}", module.join("::"), path.join("::"))));
        }
        assert!(wrong.is_empty(), "{}: against the table of layers: {wrong:#?}", house.folder);
        let empty: Vec<_> = house.floors.iter().copied().flatten().filter(|name| !met.contains(*name)).collect();
        assert!(empty.is_empty(), "{}: layers without a file: {empty:?}", house.folder);
    }
}

#[test]
fn every_room_is_in_the_table() {
    for house in HOUSES {
        for (module, _) in modules(&house).iter().filter(|(module, _)| !module.is_empty()) {
            assert_ne!(house.layer(module), "", "{}: {}", house.folder, module.join("::"));
        }
    }
}

/// A folder's `mod.rs` is its face: it may name its files, and they may use what it defines. All else that leads back to
/// where it came from is a circle.
#[test]
fn no_files_import_each_other_in_circles() {
    for house in HOUSES {
        let circles = circles(&modules(&house));
        assert!(circles.is_empty(), "{}: files in circles: {circles:#?}", house.folder);
    }
}

/// What files in circles import of each other.
fn circles(modules: &[(ItemPath, String)]) -> Vec<String> {
    let names: BTreeSet<&ItemPath> = modules.iter().map(|(module, _)| module).collect();
    let file_of = |path: &ItemPath| (0..=path.len()).rev().map(|n| path[..n].to_vec()).find(|at| names.contains(at));
    let mut imported: BTreeMap<ItemPath, BTreeSet<ItemPath>> = BTreeMap::new();
    for (module, text) in modules {
        let files = imports(module, text).iter().filter_map(file_of).filter(|file| file != module).collect();
        imported.insert(module.clone(), files);
    }
    // What imports nothing that is left is in no circle.
    while let Some(file) = imported.iter().find(|(_, files)| files.is_empty()).map(|(file, _)| file.clone()) {
        imported.remove(&file);
        imported.values_mut().for_each(|files| {
            files.remove(&file);
        });
    }
    // Nor is what nothing that is left imports.
    while let Some(file) = imported.keys().find(|file| !imported.values().any(|files| files.contains(*file))).cloned() {
        imported.remove(&file);
    }
    imported
        .iter()
        .map(|(file, files)| {
            let files: Vec<String> = files.iter().map(|file| file.join("::")).collect();
            format!("{} imports {}", file.join("::"), files.join(", "))
        })
        .collect()
}

/// Of a hundred lines no room may have more.
const MOST_OF_A_HUNDRED: usize = 40;

#[test]
fn no_room_is_half_of_the_house() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (module, text) in modules(&LIBRARY) {
        let room = module.first().cloned().unwrap_or_default();
        *lines.entry(room).or_default() += text.lines().count();
    }
    let all: usize = lines.values().sum();
    lines.retain(|_, lines| *lines * 100 > MOST_OF_A_HUNDRED * all);
    assert!(lines.is_empty(), "of {all} lines: {lines:?}");
}

/// A function fits on a page: from its `fn` to its last brace, in lines.
const LONGEST_FUNCTION: usize = 80;

#[test]
fn functions_fit_on_a_page() {
    for house in HOUSES {
        let mut long = Vec::new();
        for (module, text) in modules(&house) {
            let functions = functions(&text).into_iter().filter(|&(_, lines)| lines > LONGEST_FUNCTION);
            long.extend(functions.map(|(name, lines)| format!("{}::{name}: {lines} lines", module.join("::"))));
        }
        assert!(long.is_empty(), "{}: {long:#?}", house.folder);
    }
}

/// The functions of a file, as rustfmt writes them, with their lines.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        let Some((before, after)) = code.split_once("fn ") else { continue };
        let is_head = before.is_empty() || before.starts_with("pub") || before == "const ";
        // Where the head is over, a body follows, or it is one of a trait, or all in one line.
        let head = lines[at..].iter().position(|line| line.ends_with(['{', ';', '}']));
        let Some(body) = head.map(|head| at + head).filter(|&body| is_head && lines[body].ends_with('{')) else {
            continue;
        };
        let last = format!("{indent}}}");
        let end = lines[body..].iter().position(|line| **line == last).expect("the body ends") + body;
        let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        found.push((name.to_owned(), end - at + 1));
    }
    found
}

#[test]
fn the_scan_sees_what_it_should() {
    let module = ["engines", "frontier", "path"].map(str::to_owned);
    let text = "//! use crate::io;\nuse std::fmt;\npub(in crate::engines) use super::{kernel, super::{Piece, run::{Budget, \
                Run}}};\nuse crate::{adapters::uno::Card, view::{self, Arc}};\nfn f() { crate::solver::solve() }\n\
                #[cfg(test)]\nmod tests {\n    use crate::reduce;\n}";
    let found: Vec<String> = imports(&module, text).iter().map(|path| path.join("::")).collect();
    let expected = [
        "adapters::uno::Card",
        "engines::Piece",
        "engines::frontier::kernel",
        "engines::run::Budget",
        "engines::run::Run",
        "solver::solve",
        "view",
        "view::Arc",
    ];
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, expected);
    assert!(!LIBRARY.may_import("engines::frontier", &segments("adapters::uno::Card")));
    assert!(!LIBRARY.may_import("engines::frontier", &segments("engines::trail::solve")));
    assert!(!LIBRARY.may_import("engines::frontier", &segments("strategy::solve")));
    assert!(LIBRARY.may_import("engines::frontier", &segments("instance::run::Run")));
    assert!(!LIBRARY.may_import("certificate", &segments("view::CsrGraph")));
    assert!(!COMMAND_LINE.may_import("options", &segments("solve::run")));
    let file = |name: &str, text: &str| (segments(name), text.to_owned());
    let round = [file("a", "use crate::b::x;"), file("b", "use super::a;"), file("c", "use crate::a;")];
    assert_eq!(circles(&round), ["a imports b", "b imports a"]);
    let text = "impl A {\n    pub(crate) const fn a(\n        b: u8,\n    ) -> u8 {\n        b\n    }\n\n    fn none();\n}\n\nfn z() {\n}";
    assert_eq!(functions(text), [("a".to_owned(), 5), ("z".to_owned(), 2)]);
}
