//! Fuzzing: random requests of every kind, in a form that runs on any toolchain.
//!
//! A target is an ordinary test. It draws cases from a fixed seed, so that a check never depends on luck, holds each answer
//! against a brute force or against what must be true of all answers, and shrinks what fails before it prints it. Three
//! variables make it search further:
//!
//! | variable | meaning |
//! |---|---|
//! | `FUZZ_CASES` | cases from each seed, instead of the target's own number |
//! | `FUZZ_SEED` | the first seed; 1 if it is not set |
//! | `FUZZ_SECONDS` | one seed after the other until this time is over; one seed if it is not set |
//!
//! `tools/fuzz.sh SECONDS` runs every target for so long, one after the other. What was found once stays: texts as files in
//! `tests/fuzz_corpus/TARGET`, which every run reads first and begins its changes from, requests as tests of their own.

mod engines;
mod games;
mod proofs;
mod readers;
mod reductions;
mod sequences;
mod stress;
mod views;

use std::fmt::Debug;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

use crate::support::{Ends, Small};

/// Tries a target: `cases` random cases, or as many as the variables say. Panics with the smallest case that fails.
fn fuzz<S: Strategy>(cases: u32, strategy: &S, target: impl Fn(S::Value))
where
    S::Value: Debug,
{
    let asked = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a whole number"));
    let cases = asked("FUZZ_CASES").map_or(cases, |cases| u32::try_from(cases).expect("fewer cases"));
    let until = Instant::now() + Duration::from_secs(asked("FUZZ_SECONDS").unwrap_or(0));
    let mut seed = asked("FUZZ_SEED").unwrap_or(1);
    loop {
        let config = Config {
            cases,
            rng_seed: RngSeed::Fixed(seed),
            failure_persistence: None,
            max_shrink_iters: 4096,
            max_shrink_time: 60_000,
            ..Config::default()
        };
        let tried = TestRunner::new(config).run(strategy, |case| {
            target(case);
            Ok(())
        });
        match tried {
            Ok(()) => {}
            Err(TestError::Fail(reason, case)) => panic!("with seed {seed}: {reason}\n{case:#?}"),
            Err(TestError::Abort(reason)) => panic!("with seed {seed}: {reason}"),
        }
        if Instant::now() >= until {
            return;
        }
        seed += 1;
    }
}

/// The files of a target's corpus, by name.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "fuzz_corpus", target].iter().collect();
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let path = entry.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("a file that can be read"))
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} holds something to begin from", folder.display());
    files
}

/// One change to a text.
#[derive(Clone, Debug)]
enum Change {
    Byte(u16, u8),
    Insert(u16, &'static str),
    Delete(u16, u8),
    /// A piece of the text, once more elsewhere.
    Copy(u16, u8, u16),
}

/// What has meant something special to somebody.
const TOKENS: [&str; 40] = [
    "0",
    "-1",
    "1",
    "2",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "1e308",
    "1e-9",
    "0.5",
    "NaN",
    "inf",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\0",
    "\"",
    "'",
    "\\",
    "&",
    "&lt;",
    "<",
    ">",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ";",
    ",",
    "#",
    "%",
    "é",
    "\u{feff}",
    "--",
    "~",
    ":",
];

/// A file of a corpus, perhaps with changes. Printed as a literal that can be copied into a test.
struct ChangedText {
    name: String,
    bytes: Vec<u8>,
    is_changed: bool,
}

impl Debug for ChangedText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: b\"{}\"", self.name, self.bytes.escape_ascii())
    }
}

/// One of the files with a few changes, or with none.
fn changed_texts(files: Vec<(String, Vec<u8>)>) -> impl Strategy<Value = ChangedText> {
    (prop::sample::select(files), changes()).prop_map(|((name, text), changes)| {
        let bytes = changed(&text, &changes);
        ChangedText { name, is_changed: bytes != text, bytes }
    })
}

/// A few changes to any text.
fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        (any::<u16>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (any::<u16>(), prop::sample::select(&TOKENS[..])).prop_map(|(at, token)| Change::Insert(at, token)),
        (any::<u16>(), 1u8..).prop_map(|(at, length)| Change::Delete(at, length)),
        (any::<u16>(), 1u8.., any::<u16>()).prop_map(|(at, length, to)| Change::Copy(at, length, to)),
    ];
    prop::collection::vec(change, 0..6)
}

/// The text with its changes.
fn changed(text: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut text = text.to_vec();
    for change in changes {
        let place = |at: u16| usize::from(at) % (text.len() + 1);
        let range = |at: u16, length: u8| place(at)..(place(at) + usize::from(length)).min(text.len());
        match *change {
            Change::Byte(at, byte) => {
                let at = place(at);
                if let Some(old) = text.get_mut(at) {
                    *old = byte;
                }
            }
            Change::Insert(at, token) => drop(text.splice(place(at)..place(at), token.bytes()).count()),
            Change::Delete(at, length) => drop(text.drain(range(at, length)).count()),
            Change::Copy(at, length, to) => {
                let piece = text[range(at, length)].to_vec();
                let to = place(to);
                text.splice(to..to, piece).count();
            }
        }
    }
    text
}

/// Small multigraphs, loops and parallel edges included, with edges between random nodes.
fn graphs(
    most_nodes: usize,
    most_edges: usize,
    weight: impl Strategy<Value = i64> + Clone,
) -> impl Strategy<Value = Small> {
    (1..=most_nodes, any::<bool>()).prop_flat_map(move |(nodes, directed)| {
        let edge = (0..nodes, 0..nodes, weight.clone());
        prop::collection::vec(edge, 0..=most_edges).prop_map(move |edges| Small { nodes, directed, edges })
    })
}

/// Ends of any kind, at nodes that are counted around.
fn ends() -> impl Strategy<Value = Ends> {
    let node = || prop::option::of(0usize..64);
    (node(), node(), prop::bool::weighted(0.25)).prop_map(|(from, to, closed)| Ends {
        from,
        to: to.filter(|_| !closed),
        closed,
    })
}

/// The same ends in a graph of so many nodes.
fn ends_among(ends: Ends, nodes: usize) -> Ends {
    Ends { from: ends.from.map(|node| node % nodes), to: ends.to.map(|node| node % nodes), closed: ends.closed }
}

/// The length of the longest path or cycle, by dynamic programming over all sets of nodes (M. Held, R. M. Karp, *A dynamic
/// programming approach to sequencing problems*, Journal of the SIAM 10, 1962, DOI 10.1137/0110015); `None` if there is none.
fn longest_by_sets(small: &Small, ends: Ends) -> Option<i64> {
    let n = small.nodes;
    let mut step = vec![None; n * n];
    for &(a, b, weight) in small.edges.iter().filter(|(a, b, _)| a != b) {
        step[a * n + b] = step[a * n + b].max(Some(weight));
        if !small.directed {
            step[b * n + a] = step[b * n + a].max(Some(weight));
        }
    }
    // Of a cycle the lowest node is its first.
    let mut best = None;
    for start in (0..n).filter(|&start| ends.closed || ends.from.is_none_or(|from| from == start)) {
        let mut longest = vec![None; n << n];
        longest[(1usize << start) * n + start] = Some(0i64);
        for set in 0..1usize << n {
            for last in (0..n).filter(|&last| set >> last & 1 == 1) {
                let Some(length) = longest[set * n + last] else { continue };
                if ends.closed {
                    let enough = set.count_ones() >= if small.directed { 2 } else { 3 };
                    let through = ends.from.is_none_or(|from| set >> from & 1 == 1);
                    if let (Some(back), true) = (step[last * n + start], enough && through) {
                        best = best.max(Some(length + back));
                    }
                } else if ends.to.is_none_or(|to| to == last) {
                    best = best.max(Some(length));
                }
                let first = if ends.closed { start + 1 } else { 0 };
                for next in (first..n).filter(|&next| set >> next & 1 == 0) {
                    if let Some(weight) = step[last * n + next] {
                        let grown = &mut longest[(set | 1 << next) * n + next];
                        *grown = (*grown).max(Some(length + weight));
                    }
                }
            }
        }
    }
    best
}
