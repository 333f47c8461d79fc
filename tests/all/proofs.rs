//! Proofs: every answer to a small question has one that the checker accepts, nothing false is ever accepted, and what is no
//! proof is refused in words.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use longhaul::io::{GraphFile, ReadOptions};
use longhaul::{LongestPath, LongestSequence, Status};
use longhaul_check::graph::{Graph, ReadOptions as CheckerOptions};
use longhaul_check::{Limits, Verdict};
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};
use rand::RngExt;

use crate::support::{Ends, Small, rng, shuffle};

/// What the checker reads of a small graph.
fn checker_graph(small: &Small) -> Graph {
    let edges = small.edges.iter().map(|&(a, b, weight)| (a as u32, b as u32, weight));
    Graph::new(small.directed, small.nodes, edges)
}

fn check(graph: &Graph, proof: &[u8]) -> Result<Verdict, String> {
    longhaul_check::check(graph, proof, &Limits::default())
}

/// The proof of an answer; prizes are by node, and none if there are none.
fn proof(small: &Small, ends: Ends, prizes: &[i64], readable: bool) -> Vec<u8> {
    let mut graph = DiGraph::<(), i64>::new();
    let nodes: Vec<NodeIndex> = (0..small.nodes).map(|_| graph.add_node(())).collect();
    for &(a, b, weight) in &small.edges {
        graph.add_edge(nodes[a], nodes[b], weight);
    }
    let mut proof = Vec::new();
    macro_rules! ask {
        ($graph:expr) => {{
            let mut question = LongestPath::new($graph).weights(|edge| *edge.weight()).proof(&mut proof);
            if !prizes.is_empty() {
                question = question.prizes(|node| prizes[node.index()]);
            }
            if readable {
                question = question.readable_proof();
            }
            if let Some(from) = ends.from {
                question = question.from(nodes[from]);
            }
            if let Some(to) = ends.to {
                question = question.to(nodes[to]);
            }
            if ends.closed {
                question = question.closed();
            }
            let solution = question.solve().expect("the question is sound");
            let witness = solution.witness().map(<[u8]>::to_vec);
            witness.unwrap_or_else(|why| panic!("{why}: {small:?} {ends:?}"))
        }};
    }
    let witness = if small.directed { ask!(&graph) } else { ask!(UndirectedAdaptor(&graph)) };
    assert_eq!(witness, proof);
    proof
}

fn assert_proved(small: &Small, ends: Ends) {
    assert_proved_with(small, ends, &[]);
}

fn assert_proved_with(small: &Small, ends: Ends, prizes: &[i64]) {
    let optimum = if prizes.is_empty() { small.longest(ends) } else { longest_with(small, prizes, ends) };
    let verdict = check(&checker_graph(small), &proof(small, ends, prizes, false));
    let verdict = verdict.unwrap_or_else(|why| panic!("{why}: {small:?} {ends:?}"));
    assert_eq!((verdict.path, verdict.bound), (optimum, optimum), "{small:?} {ends:?}");
}

/// Every graph of so many nodes, one of those that differ in the names of nodes alone: the first in the order of `Small::every`.
fn kinds(nodes: usize, directed: bool) -> impl Iterator<Item = Small> {
    let complete = Small::every(nodes, directed).last().expect("there is one without edges");
    let numbers: HashMap<(usize, usize), usize> =
        complete.edges.iter().zip(0..).map(|(&(a, b, _), number)| ((a, b), number)).collect();
    let renamed = |names: Vec<usize>| -> Vec<usize> {
        let pairs = complete.edges.iter().map(|&(a, b, _)| (names[a], names[b]));
        pairs.map(|(a, b)| numbers[&if directed || a < b { (a, b) } else { (b, a) }]).collect()
    };
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for name in 0..nodes {
        let with = |order: &Vec<usize>, at: usize| [&order[..at], &[name], &order[at..]].concat();
        orders = orders.iter().flat_map(|order| (0..=order.len()).map(move |at| with(order, at))).collect();
    }
    let places: Vec<Vec<usize>> = orders.into_iter().map(renamed).collect();
    Small::every(nodes, directed).zip(0u64..).filter_map(move |(small, mask)| {
        let bits = || (0..64).filter(|bit| mask >> bit & 1 == 1);
        let is_first = places.iter().all(|places| bits().map(|bit| 1u64 << places[bit]).sum::<u64>() >= mask);
        is_first.then_some(small)
    })
}

/// Every kind of graph of so many nodes with all ends: as it is, with random weights, and with random prizes. Of many one in
/// `rarity`, or all with `LONGHAUL_ALL_PROOFS`.
fn every_graph_has_proofs(nodes: usize, directed: bool, rarity: usize) {
    let rarity = if std::env::var_os("LONGHAUL_ALL_PROOFS").is_some() { 1 } else { rarity };
    let mut rng = rng(nodes as u64);
    let cases = kinds(nodes, directed).flat_map(|small| Ends::all(nodes).map(move |ends| (small.clone(), ends)));
    for (mut small, ends) in cases.step_by(rarity) {
        assert_proved(&small, ends);
        let prizes: Vec<i64> = (0..nodes).map(|_| rng.random_range(-4..=6)).collect();
        assert_proved_with(&small, ends, &prizes);
        small.edges.iter_mut().for_each(|edge| edge.2 = rng.random_range(-3..=7));
        assert_proved(&small, ends);
    }
}

#[test]
fn every_undirected_graph_has_proofs() {
    (1..=6).zip([1, 1, 1, 1, 2, 7]).for_each(|(nodes, rarity)| every_graph_has_proofs(nodes, false, rarity));
}

#[test]
fn every_directed_graph_has_proofs() {
    (1..=4).zip([1, 1, 1, 5]).for_each(|(nodes, rarity)| every_graph_has_proofs(nodes, true, rarity));
}

#[test]
fn random_weighted_graphs_have_proofs() {
    let mut rng = rng(22);
    for round in 0..150 {
        let (nodes, directed) = (rng.random_range(1..=8), round % 2 == 0);
        let edges = rng.random_range(0..=3 * nodes);
        let small = Small::random(&mut rng, nodes, edges, directed, (-4, 9));
        for ends in Ends::sample(&mut rng, nodes) {
            assert_proved(&small, ends);
        }
    }
}

/// The greatest length and prizes of what is asked for, by every sequence.
fn longest_with(small: &Small, prizes: &[i64], ends: Ends) -> Option<i64> {
    // Every arc earns the prize of the node it leads to, and the first node its own.
    let arcs = small.edges.iter().flat_map(|&(a, b, weight)| {
        let back = (!small.directed).then(|| (b, a, weight + prizes[a]));
        std::iter::once((a, b, weight + prizes[b])).chain(back)
    });
    if ends.closed {
        // Twice round, or each edge with half of both prizes, doubled: a cycle of two nodes is none without directions.
        let doubled = small.edges.iter().map(|&(a, b, weight)| (a, b, 2 * weight + prizes[a] + prizes[b]));
        return Small { edges: doubled.collect(), ..small.clone() }.longest(ends).map(|twice| twice / 2);
    }
    let arcs = Small { directed: true, edges: arcs.collect(), ..small.clone() };
    let starts = (0..small.nodes).filter(|&start| ends.from.is_none_or(|from| from == start));
    let from = |start| Some(arcs.longest(Ends { from: Some(start), ..ends })? + prizes[start]);
    starts.filter_map(from).max()
}

#[test]
fn prizes_of_nodes_have_proofs() {
    let mut rng = rng(23);
    for round in 0..120 {
        let (nodes, directed) = (rng.random_range(1..=7), round % 2 == 0);
        let edges = rng.random_range(0..=3 * nodes);
        let small = Small::random(&mut rng, nodes, edges, directed, (-2, 5));
        let prizes: Vec<i64> = (0..nodes).map(|_| rng.random_range(-4..=6)).collect();
        for ends in Ends::sample(&mut rng, nodes) {
            assert_proved_with(&small, ends, &prizes);
        }
    }
}

/// The line graph of a random multigraph with loops and parallel edges.
fn line_graph(rng: &mut impl rand::Rng, cards: usize) -> Small {
    let nodes = rng.random_range(2..=cards.max(2));
    let ends: Vec<[usize; 2]> = (0..cards).map(|_| [rng.random_range(0..nodes), rng.random_range(0..nodes)]).collect();
    let pairs = (0..cards).flat_map(|b| (0..b).map(move |a| (a, b)));
    let edges = pairs.filter(|&(a, b)| ends[a].iter().any(|end| ends[b].contains(end))).map(|(a, b)| (a, b, 1));
    Small { nodes: cards, directed: false, edges: edges.collect() }
}

#[test]
fn line_graphs_have_proofs_about_their_roots() {
    let mut rng = rng(24);
    let mut by_root = 0;
    for _ in 0..150 {
        let cards = rng.random_range(1..=9);
        let small = line_graph(&mut rng, cards);
        assert_proved(&small, Ends::FREE);
        by_root += usize::from(String::from_utf8(proof(&small, Ends::FREE, &[], true)).unwrap().contains("\nroot "));
    }
    assert!(by_root > 10, "{by_root} of them");
}

/// Edges and triangles, each hung on a node of those before: a part for each.
#[test]
fn many_blocks_are_folded_one_by_one() {
    let mut rng = rng(26);
    for (size, largest) in [(400, 2), (400, 3), (2500, 2), (2500, 3)] {
        let (mut nodes, mut edges) = (1usize, Vec::new());
        while nodes < size {
            let holder = rng.random_range(nodes.saturating_sub(30)..nodes);
            edges.push((holder, nodes, rng.random_range(1..4)));
            if rng.random_range(2..=largest) == 3 {
                edges.push((nodes, nodes + 1, rng.random_range(1..4)));
                edges.push((holder, nodes + 1, rng.random_range(1..4)));
                nodes += 1;
            }
            nodes += 1;
        }
        let small = Small { nodes, directed: false, edges };
        for ends in [Ends::FREE, Ends { from: Some(nodes / 2), ..Ends::FREE }] {
            let verdict = check(&checker_graph(&small), &proof(&small, ends, &[], false)).unwrap();
            assert!(verdict.bound.is_some() && verdict.path == verdict.bound, "{:?} {:?}", verdict.path, verdict.bound);
        }
    }
}

#[test]
fn a_hand_has_a_proof_about_its_deck() {
    let cards = [(1, 1), (1, 2), (2, 2), (3, 3), (3, 1), (4, 4)];
    let table = UnGraph::<(), ()>::from_edges(cards.map(|(number, colour)| (number - 1, 3 + colour)));
    let mut proof = Vec::new();
    let solution = LongestSequence::new(&table).proof(&mut proof).solve().unwrap();
    let text: String = cards.iter().map(|(number, colour)| format!("{number} {colour}\n")).collect();
    let deck = Graph::read("a.deck", text.as_bytes(), &CheckerOptions::default()).unwrap();
    assert_eq!(check(&deck, &proof).unwrap().bound, solution.length());
}

/// A random cubic graph, one of whose nodes is Petersen's graph without a node: a cycle through everything would make one of
/// Petersen's graph, which has none.
fn with_petersen(rng: &mut impl rand::Rng, cubic: usize) -> Small {
    let pairs = loop {
        let mut places: Vec<usize> = (0..3 * cubic).map(|place| place / 3).collect();
        shuffle(rng, &mut places);
        let mut pairs: Vec<(usize, usize)> =
            places.chunks(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        if pairs.len() == 3 * cubic / 2 && pairs.iter().all(|(a, b)| a < b) {
            break pairs;
        }
    };
    // The last node is the one; nodes 1, 4 and 5 of Petersen's graph are neighbours of its node 0, which is missing.
    let last = cubic - 1;
    let mut joints = [1, 4, 5].into_iter();
    let name = |node: usize| last + node - 1;
    let joined = |(a, b)| (a, if b == last { name(joints.next().expect("three neighbours")) } else { b });
    let mut edges: Vec<(usize, usize)> = pairs.into_iter().map(joined).collect();
    let petersen = (0..5).flat_map(|at| [(at, (at + 1) % 5), (at, at + 5), (at + 5, 5 + (at + 2) % 5)]);
    edges.extend(petersen.filter(|&(a, b)| a != 0 && b != 0).map(|(a, b)| (name(a), name(b))));
    Small { nodes: last + 9, directed: false, edges: edges.into_iter().map(|(a, b)| (a, b, 1)).collect() }
}

/// The checker in Python as a program that reads two files, run again and again by one interpreter: to start one takes
/// longer than most checks do.
struct PythonChecker {
    interpreter: Child,
    says: BufReader<ChildStdout>,
}

impl PythonChecker {
    /// Runs the program for every line that it is sent, and tells how it ended.
    const AGAIN_AND_AGAIN: &str = r#"
import sys
del sys.argv[0]
program = compile(open(sys.argv[0]).read(), sys.argv[0], "exec")
for _ in sys.stdin:
    try:
        exec(program, {"__name__": "__main__"})
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    print("status", status, flush=True)
"#;

    fn new(graph: &Path, proof: &Path) -> Self {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("checker/check.py");
        let mut python = Command::new("python3");
        python.args(["-c", Self::AGAIN_AND_AGAIN]).args([&program, graph, proof]);
        let interpreter = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut interpreter = interpreter.expect("python3, as for the tests of the package");
        let says = BufReader::new(interpreter.stdout.take().expect("it was asked for"));
        PythonChecker { interpreter, says }
    }

    /// The exit code and what was printed.
    fn check(&mut self) -> (i32, String) {
        writeln!(self.interpreter.stdin.as_mut().expect("it was asked for")).unwrap();
        let mut said = String::new();
        for line in self.says.by_ref().lines() {
            let line = line.unwrap();
            if let Some(status) = line.strip_prefix("status ") {
                return (status.parse().unwrap(), said);
            }
            said = said + &line + "\n";
        }
        panic!("the checker broke down: {said}")
    }
}

impl Drop for PythonChecker {
    fn drop(&mut self) {
        drop(self.interpreter.stdin.take());
        let _ = self.interpreter.wait();
    }
}

/// The checker in Python says what the other one says, but for sweeps, which it does not know.
#[test]
fn the_python_checker_agrees() {
    let folder = std::env::temp_dir().join(format!("longhaul-proofs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [graph_file, proof_file] = ["graph.gr", "proof.lhp"].map(|name| folder.join(name));
    let mut checker = PythonChecker::new(&graph_file, &proof_file);
    let mut asked = |proof: &[u8]| {
        std::fs::write(&proof_file, proof).unwrap();
        checker.check()
    };
    let mut rng = rng(26);
    let (mut agreed, mut refused) = (0, 0);
    for round in 0..26 {
        let cards = rng.random_range(2..=9);
        let small = line_graph(&mut rng, cards);
        let edges = small.edges.iter().map(|(a, b, _)| format!("e {} {}\n", a + 1, b + 1)).collect::<String>();
        std::fs::write(&graph_file, format!("p edge {cards} {}\n{edges}", small.edges.len())).unwrap();
        let proof = proof(&small, Ends::FREE, &[], round % 2 == 0);
        let longest = small.longest(Ends::FREE).expect("a node");
        match asked(&proof) {
            (0, said) => assert_eq!(said.trim(), format!("VERIFIED optimal {longest}")),
            (3, _) => continue,
            (code, said) => panic!("{code} {said}: {small:?}"),
        }
        agreed += 1;
        if round % 2 == 0 && longest > 0 {
            // Without its path, so that only the steps can fail; a claim that is one less.
            let text = String::from_utf8(proof).unwrap();
            let (head, rest) = text.split_once("best").unwrap();
            let (_, steps) = rest.split_once(&format!("claim {longest}")).unwrap();
            let (code, said) = asked(format!("{head}best 0\nclaim {}{steps}", longest - 1).as_bytes());
            assert_eq!((code, &said[..]), (1, ""), "{small:?}");
            refused += 1;
        }
    }
    // A triangle with an edge that hangs on it, which is folded away: at its worth, at less, and where it does not hang.
    let edges = "e 1 2\ne 2 3\ne 1 3\ne 3 4\n";
    std::fs::write(&graph_file, format!("p edge 4 4\n{edges}")).unwrap();
    let graph = Graph::read("graph.gr", &std::fs::read(&graph_file).unwrap(), &CheckerOptions::default()).unwrap();
    for (holder, tail, is_proof) in [(3, 1, true), (3, 0, false), (2, 1, false)] {
        let text = format!("longhaul-proof 1 graph 4 4 undirected {} path first all last all best 0 ", graph.digest())
            + &format!("claim 3 part {holder} 1 4 close 1 0 {tail} close 1 0 ")
            + "set 1 0 3 1 2 3 close 1 1 cut 0 1 end";
        assert_eq!(check(&graph, text.as_bytes()).is_ok(), is_proof, "{text}");
        assert_eq!(asked(text.as_bytes()).0 == 0, is_proof, "{text}");
    }
    // What is learnt, and what becomes of it when it is changed.
    let small = with_petersen(&mut rng, 100);
    let edges = small.edges.iter().map(|(a, b, _)| format!("e {} {}\n", a + 1, b + 1)).collect::<String>();
    std::fs::write(&graph_file, format!("p edge {} {}\n{edges}", small.nodes, small.edges.len())).unwrap();
    let graph = checker_graph(&small);
    let text = String::from_utf8(proof(&small, Ends { closed: true, ..Ends::FREE }, &[], true)).unwrap();
    assert!(text.contains("\nlearn "), "{text}");
    let mut accepted = 0;
    for round in 0..60 {
        let text = if round == 0 { text.clone() } else { mutated(&mut rng, &text) };
        let says = check(&graph, text.as_bytes());
        assert_eq!(asked(text.as_bytes()).0 == 0, says.is_ok(), "{says:?}");
        // No cycle visits all.
        assert!(
            says.as_ref().is_ok_and(|says| says.bound >= Some(small.nodes as i64 - 1)) || says.is_err(),
            "{says:?}"
        );
        accepted += usize::from(says.is_ok());
    }
    assert!((2..50).contains(&accepted), "{accepted} accepted");
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(agreed > 10 && refused > 5, "{agreed} agreed, {refused} refused");
}

/// What a proof in words asks, as the mutations left it: answered by trying every sequence.
pub(crate) fn brute_force(small: &Small, text: &str) -> Option<i64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let find = |word: &str| words.iter().position(|&other| other == word);
    let mut of_nodes = vec![0; small.nodes];
    if let Some(at) = find("prizes") {
        let count: usize = words[at + 1].parse().unwrap();
        for pair in words[at + 2..].chunks(2).take(count) {
            of_nodes[pair[0].parse::<usize>().unwrap() - 1] = pair[1].parse().unwrap();
        }
    }
    if let Some(cycle) = find("cycle") {
        let through: usize = words[cycle + 1].parse().unwrap();
        return longest_with(small, &of_nodes, Ends { from: through.checked_sub(1), to: None, closed: true });
    }
    let prizes = |word: &str| -> Vec<Option<i64>> {
        let at = find(word).unwrap() + 1;
        if words[at] == "all" {
            return vec![Some(0); small.nodes];
        }
        let mut prizes = vec![None; small.nodes];
        let count: usize = words[at + 1].parse().unwrap();
        for pair in words[at + 2..].chunks(2).take(count) {
            prizes[pair[0].parse::<usize>().unwrap() - 1] = Some(pair[1].parse().unwrap());
        }
        prizes
    };
    let (first, last) = (prizes("first"), prizes("last"));
    let pairs = (0..small.nodes).flat_map(|from| (0..small.nodes).map(move |to| (from, to)));
    let value = |(from, to)| {
        let between = longest_with(small, &of_nodes, Ends { from: Some(from), to: Some(to), closed: false })?;
        Some(between + first[from]? + last[to]?)
    };
    pairs.filter_map(value).max()
}

/// One of the changes that someone might try, or a disk.
fn mutated(rng: &mut impl rand::Rng, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = rng.random_range(1..lines.len());
    match rng.random_range(0..5) {
        0 => drop(lines.remove(line)),
        1 => {
            let other = rng.random_range(1..lines.len());
            lines.swap(line, other);
        }
        // One less is claimed.
        2 => {
            for line in lines.iter_mut().filter(|line| line.starts_with("claim")) {
                let bound: Option<i64> = line[6..].parse().ok();
                *line = bound.map_or("claim 0".to_owned(), |bound| format!("claim {}", bound - 1));
            }
            lines.retain(|line| !line.starts_with("best"));
            let claim = lines.iter().position(|line| line.starts_with("claim")).unwrap_or(1);
            lines.insert(claim, "best 0".to_owned());
        }
        _ => {
            let words: Vec<&str> = lines[line].split(' ').collect();
            let numbers: Vec<usize> = (0..words.len()).filter(|&at| words[at].parse::<i64>().is_ok()).collect();
            if !numbers.is_empty() {
                let at = numbers[rng.random_range(0..numbers.len())];
                let number: i64 = words[at].parse().unwrap();
                let changed = match rng.random_range(0..3) {
                    0 => number.wrapping_add(rng.random_range(-2..=2)),
                    1 => number.wrapping_neg(),
                    _ => rng.random_range(-3..=12),
                }
                .to_string();
                let words: Vec<&str> =
                    words.iter().enumerate().map(|(place, &word)| if place == at { &changed } else { word }).collect();
                lines[line] = words.join(" ");
            }
        }
    }
    lines.join("\n")
}

/// `LONGHAUL_MUTATIONS` proofs; `tools/proofs.py` says how to try ten thousand.
#[test]
fn no_mutation_proves_what_is_false() {
    let count = std::env::var("LONGHAUL_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    let mut rng = rng(7);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..count {
        let (nodes, directed) = (rng.random_range(2..=7), round % 3 == 0);
        let edges = rng.random_range(1..=3 * nodes);
        let mut small = Small::random(&mut rng, nodes, edges, directed, if round % 2 == 0 { (1, 1) } else { (-2, 6) });
        let mut ends = Ends::sample(&mut rng, nodes)[round % 6];
        let mut prizes = Vec::new();
        match round % 5 {
            0 => prizes = (0..nodes).map(|_| rng.random_range(-3..=4)).collect(),
            1 => (small, ends) = (line_graph(&mut rng, nodes), Ends::FREE),
            _ => {}
        }
        let text = String::from_utf8(proof(&small, ends, &prizes, true)).unwrap();
        let graph = checker_graph(&small);
        for _ in 0..10 {
            let text = mutated(&mut rng, &text);
            match check(&graph, text.as_bytes()) {
                Err(why) => {
                    assert!(!why.is_empty());
                    refused += 1;
                }
                Ok(verdict) => {
                    accepted += 1;
                    let optimum = brute_force(&small, &text);
                    assert!(optimum <= verdict.bound, "{verdict}, and {optimum:?} is the truth: {small:?}\n{text}");
                    assert!(verdict.path <= optimum, "{verdict}, and {optimum:?} is the truth: {small:?}\n{text}");
                }
            }
        }
        // Another graph: one edge more, heavier by one, or the same with its nodes renamed.
        let mut other = small.clone();
        match round % 3 {
            0 => other.edges.push((0, nodes - 1, 7)),
            1 if !other.edges.is_empty() => other.edges[0].2 += 1,
            _ => {
                let mut names: Vec<usize> = (0..nodes).collect();
                shuffle(&mut rng, &mut names);
                other.edges.iter_mut().for_each(|edge| (edge.0, edge.1) = (names[edge.0], names[edge.1]));
            }
        }
        let (graph, other_graph) = (checker_graph(&small), checker_graph(&other));
        if graph.edges != other_graph.edges {
            let why = check(&other_graph, text.as_bytes()).expect_err("a proof about another graph");
            assert!(why.contains("another graph"), "{why}");
            // Even with its digest forged it proves nothing false.
            let forged = text.replacen(&graph.digest().to_string(), &other_graph.digest().to_string(), 1);
            if let Ok(verdict) = check(&other_graph, forged.as_bytes()) {
                let optimum = brute_force(&other, &forged);
                assert!(optimum <= verdict.bound && verdict.path <= optimum, "{verdict}: {other:?}\n{forged}");
            }
        }
    }
    assert!(accepted > 0 && refused > accepted, "{accepted} accepted, {refused} refused");
}

#[test]
fn what_is_no_proof_is_refused() {
    let small = Small::glued(&mut rng(3), 9, false, (1, 5));
    let graph = checker_graph(&small);
    let ends = Ends { from: Some(0), ..Ends::FREE };
    let (text, bytes) = (proof(&small, ends, &[], true), proof(&small, ends, &[], false));
    for whole in [&text, &bytes] {
        assert!(check(&graph, whole).is_ok());
        for length in 0..whole.trim_ascii_end().len() {
            assert!(check(&graph, &whole[..length]).is_err(), "cut short after {length}");
        }
    }
    let mut rng = rng(4);
    for _ in 0..2000 {
        let mut garbage = bytes.clone();
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..garbage.len());
            garbage[at] = rng.random();
        }
        if let Ok(verdict) = check(&graph, &garbage) {
            assert!(verdict.bound.is_some(), "there is a path");
        }
    }
    // As much as anyone may announce: nothing is taken for it.
    for huge in ["best 1000000000", "best 0 claim 5 set 1 0 9000000000000000000", "best 0 claim 5 close 1 16000000"] {
        let text = String::from_utf8(text.clone()).unwrap();
        let head = text.split("best").next().unwrap();
        let why = check(&graph, format!("{head} {huge} 1 1 1").as_bytes()).expect_err("announced too much");
        assert!(why.contains("there is no number") || why.contains("where a word"), "{why}");
    }
    assert!(check(&graph, &[255; 4096]).unwrap_err().contains("no proof"));
}

/// What takes longer than a second, to find or to prove: `tools/proofs.py` has them all.
const DEAR: &[&str] = &[
    "rivals/maze50.gr",
    "rivals/maze60.gr",
    "rivals/maze75.gr",
    "rivals/planar800.gr",
    "rivals/planar1200.gr",
    "rivals/road35.gr",
    "rivals/road50.gr",
];

#[test]
fn the_corpus_has_proofs() {
    for row in crate::corpus::table("INDEX.tsv") {
        let name = &row["file"];
        if row["format"].ends_with("-table") || row["format"] == *"game" || DEAR.contains(&name) {
            continue;
        }
        let path = crate::corpus::path(name);
        let file = GraphFile::open(&path, &ReadOptions::default()).unwrap();
        let graph = Graph::read(name, &std::fs::read(&path).unwrap(), &CheckerOptions::default()).unwrap();
        let end = |column: &str| row[column].parse::<usize>().ok().map(|node| NodeIndex::new(node - 1));
        macro_rules! ask {
            ($graph:expr) => {{
                let mut question = LongestPath::new($graph).weights(|edge| *edge.weight()).proof(std::io::sink());
                if let Some(from) = end("from") {
                    question = question.from(from);
                }
                if let Some(to) = end("to") {
                    question = question.to(to);
                }
                question.time_limit(Duration::from_secs(120)).solve().unwrap()
            }};
        }
        let solution = if file.directed { ask!(&file.graph) } else { ask!(UndirectedAdaptor(&file.graph)) };
        assert_eq!(solution.status(), Status::Optimal, "{name}");
        let proof = solution.witness().unwrap_or_else(|why| panic!("{name}: {why}"));
        let verdict = check(&graph, proof).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!((verdict.path, verdict.bound), (solution.length(), solution.length()), "{name}");
    }
}
