//! What is no proof, or too much of one, is refused in words, within the memory that is given.

use longhaul_check::graph::{Graph, ReadOptions};
use longhaul_check::token::{BINARY_MAGIC, words};
use longhaul_check::{Limits, Verdict, check};

/// Two vertices and an edge.
fn edge() -> Graph {
    Graph::new(false, 2, [(0, 1, 1)])
}

/// The head of a proof about that, as far as the steps.
fn head() -> String {
    let digest = edge().digest();
    format!("longhaul-proof 1 graph 2 1 undirected {digest} path first all last all best 2 1 2 claim 1 ")
}

fn checked(proof: &[u8], memory: usize) -> Result<Verdict, String> {
    check(&edge(), proof, &Limits { memory, ..Limits::default() })
}

/// The compact form of a text.
fn compact(text: &str) -> Vec<u8> {
    let mut bytes = BINARY_MAGIC.to_vec();
    for token in text.split_whitespace().skip(1) {
        let mut value = match words().position(|word| word == token) {
            Some(number) => 2 * number as u128 + 1,
            None => {
                let number: i128 = token.parse().expect("a number");
                2 * if number < 0 { -2 * number - 1 } else { 2 * number } as u128
            }
        };
        while value >= 128 {
            bytes.push(value as u8 | 128);
            value >>= 7;
        }
        bytes.push(value as u8);
    }
    bytes
}

#[test]
fn a_deep_tree_of_cases_takes_no_more_than_its_depth() {
    for (cases, is_compact) in [(1_000_000, true), (100_000, false)] {
        let text = head() + &"case visit 1 ".repeat(cases) + &"close 1 0 ".repeat(cases + 1) + "end";
        let proof = if is_compact { compact(&text) } else { text.into_bytes() };
        let verdict = checked(&proof, 64 << 20).expect("a proof");
        assert_eq!((verdict.path, verdict.bound, verdict.steps), (Some(1), Some(1), 2 * cases as u64 + 1));
        assert!(checked(&proof, 1 << 20).unwrap_err().contains("beyond the memory limit"));
    }
}

#[test]
fn many_cuts_are_beyond_the_limit() {
    let text = head() + &"set 1 0 2 1 2 ".repeat(100_000) + "close 1 0 end";
    assert!(checked(text.as_bytes(), 64 << 20).is_ok());
    assert!(checked(text.as_bytes(), 1 << 20).unwrap_err().contains("beyond the memory limit"));
}

#[test]
fn a_sweep_keeps_to_its_memory() {
    // A grid, all of whose paths are within the purse.
    let (side, at) = (8, |x: u32, y: u32| 8 * x + y);
    let all = || (0..side).flat_map(|x| (0..side).map(move |y| (x, y)));
    let right = all().filter(|&(x, _)| x + 1 < side).map(|(x, y)| (at(x, y), at(x + 1, y), 1));
    let down = all().filter(|&(_, y)| y + 1 < side).map(|(x, y)| (at(x, y), at(x, y + 1), 1));
    let graph = Graph::new(false, 64, right.chain(down));
    let order: Vec<String> = (1..=64).map(|vertex| vertex.to_string()).collect();
    let digest = graph.digest();
    let text = format!("longhaul-proof 1 graph 64 112 undirected {digest} path first all last all best 0 claim 63 ")
        + &format!("sweep 1 0 64 {} end", order.join(" "));
    let limited = |memory: usize| check(&graph, text.as_bytes(), &Limits { memory, ..Limits::default() });
    assert_eq!(limited(256 << 20).expect("a proof").bound, Some(63));
    assert!(limited(1 << 20).unwrap_err().contains("beyond the memory limit"));
    let impatient = Limits { stop: &|| true, ..Limits::default() };
    assert!(check(&graph, text.as_bytes(), &impatient).unwrap_err().contains("stopped"));
    let modest = Limits { states: 1000, ..Limits::default() };
    assert!(check(&graph, text.as_bytes(), &modest).unwrap_err().contains("stopped"));
}

#[test]
fn what_is_learnt_keeps_to_the_memory_and_the_time() {
    let clauses = head() + "learn 0 0 1 edge 1 2 " + &"lemma 2 1 -1 0 ".repeat(200_000);
    let sides = head() + "learn 0 0 1 edge 1 2 " + &"side 0 1 1 ".repeat(100_000);
    for text in [clauses, sides] {
        assert!(checked(text.as_bytes(), 64 << 20).unwrap_err().contains("cut short"));
        assert!(checked(text.as_bytes(), 2 << 20).unwrap_err().contains("beyond the memory limit"));
        let impatient = Limits { stop: &|| true, ..Limits::default() };
        assert!(check(&edge(), text.as_bytes(), &impatient).unwrap_err().contains("stopped"));
    }
}

#[test]
fn what_is_announced_must_be_there() {
    let [question, path] = ["best", "claim"].map(|word| head().split(word).next().unwrap().to_owned());
    let huge = [
        question.clone() + "best 1000000000 1 2",
        path.clone() + "claim 9223372036854775807",
        head() + "set 1 0 9000000000000000000 1 2",
        head() + "blossom 1 1 1000000000",
        head() + "close 1 16000000 at 1",
        head() + "close 1 1000000000 at 1",
        head() + "sweep 1 0 2 1",
        head() + "root 1000000000 1 1",
        head() + "learn 0 0 1000000000 edge 1 2",
        head() + "learn 0 0 0 side 0 1000000000 1",
        head() + "learn 0 0 1 edge 1 2 lemma 1000000000 1",
        head() + "learn 0 0 1 edge 1 2 lemma 1 1 1000000000 at 1",
    ];
    for text in &huge {
        for proof in [text.as_bytes(), &compact(text)] {
            let why = checked(proof, 1 << 20).expect_err("it is cut short");
            let reasons = ["there is no", "cut short", "beyond 64 bits"];
            assert!(reasons.iter().any(|reason| why.contains(reason)), "{why}: {text}");
        }
    }
    for garbage in [&b""[..], b"\0", b"\0LHP", b"\0LHP\xff", b"longhaul-proof 99", b"\x7fELF", &[255; 99], &[0; 99]] {
        assert!(!checked(garbage, 1 << 20).unwrap_err().is_empty());
    }
    let long = head() + &"9".repeat(1 << 20);
    assert!(checked(long.as_bytes(), 1 << 20).unwrap_err().contains("neither a whole number"));
}

#[test]
fn what_is_cut_short_or_changed_is_refused_in_words() {
    let whole = head() + "set 1 0 2 1 2 case edge 1 2 reduce 2 1 at 1 1 close 1 1 cut 0 1 close 1 1 cut 0 1 end";
    assert!(checked(whole.as_bytes(), 1 << 20).is_ok());
    for proof in [whole.as_bytes().to_vec(), compact(&whole)] {
        // Without its last letter the last word is another.
        for length in 0..proof.len() {
            assert!(!checked(&proof[..length], 1 << 20).unwrap_err().is_empty());
        }
        let mut state = 1u32;
        for round in 0..20_000 {
            let mut garbage = proof.clone();
            for _ in 0..=round % 3 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (state >> 8) as usize % garbage.len();
                garbage[at] = (state >> 24) as u8;
            }
            // What is still a proof says no less.
            let bound = checked(&garbage, 1 << 20).map(|verdict| verdict.bound);
            assert!(bound.is_err() || bound.is_ok_and(|bound| bound.is_some_and(|bound| bound >= 1)));
        }
    }
}

#[test]
fn graphs_and_rows_keep_to_the_memory() {
    let read = |name: &str, text: &str, memory: usize| {
        Graph::read(name, text.as_bytes(), &ReadOptions { memory, ..ReadOptions::default() })
    };
    let many = "p edge 60000000 0\n";
    assert!(read("a.gr", many, 64 << 20).err().is_some_and(|why| why.contains("beyond the memory limit")));
    // Twenty thousand cards of one colour have two hundred million edges.
    let cards = (0..20_000).map(|number| format!("{number} red\n")).collect::<String>();
    assert!(read("a.deck", &cards, 64 << 20).err().is_some_and(|why| why.contains("beyond the memory limit")));
    let names = (0..20_000).map(|number| format!("{number} {}\n", number + 1)).collect::<String>();
    assert!(read("a.el", &names, 1 << 20).err().is_some_and(|why| why.contains("beyond the memory limit")));
    let graph = read("a.el", &names, 64 << 20).expect("a graph");
    let limited = |memory: usize| check(&graph, &b"longhaul-proof 1"[..], &Limits { memory, ..Limits::default() });
    assert!(limited(1 << 20).unwrap_err().contains("the graph is beyond the memory limit"));
    assert!(limited(64 << 20).unwrap_err().contains("cut short"));
}

#[test]
fn graphs_are_read_as_they_stand() {
    let read = |name: &str, text: &str| Graph::read(name, text.as_bytes(), &ReadOptions::default());
    let graph = read("a.gr", "c of three\np edge 3 3\ne 1 2\ne 3 2 5\ne 2 3 4\n").expect("a graph");
    assert_eq!((graph.n, &graph.edges[..]), (3, &[(0, 1, 1), (1, 2, 5)][..]));
    assert_eq!(read("a.el", "% none\nx y 7 # heavy\ny z\n").expect("a graph").edges, [(0, 1, 7), (1, 2, 1)]);
    assert_eq!(read("a.deck", "1 red\n--- b\n2 Red\n01 blue\n").expect("a deck").edges, [(0, 1, 1), (0, 2, 1)]);
    assert!(read("a", "p arc 2 1\na 2 1 -3\n").is_ok_and(|graph| graph.directed && graph.edges == [(1, 0, -3)]));
    for (name, text, why) in [
        ("a.gr", "e 1 2", "line 1: expected a header"),
        ("a.gr", "p edge 2 1\ne 1 3", "line 2: expected two nodes"),
        ("a.gr", "p edge 2 1\ne 1 2 x", "line 2: expected a whole number"),
        ("a.gr", "p edge 99999999999 0", "line 1: expected a number of nodes"),
        ("a.gr", "p edge 2 2\ne 1 2", "the header says 2 edges"),
        ("a.el", "a\n", "line 1: expected two names"),
        ("a.deck", "\n1\n", "line 2: expected a number and a colour"),
    ] {
        let told = read(name, text).err().expect("no graph");
        assert!(told.contains(why), "{told}");
    }
}
