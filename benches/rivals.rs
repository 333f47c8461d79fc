//! The instances on which longhaul and its rivals are compared, solved by `auto`: a row each with the answer, the time and
//! what the exact engines made.
//!
//! `cargo bench --bench rivals` runs all, `cargo bench --bench rivals -- maze` those whose name contains `maze`. States are
//! the search steps of all engines together; where the frontier program is at work they are its states, made after pruning;
//! peak states are those of its greatest layer, each of so many bytes with its value, and MB all that was held at once.
//! Reading the file is counted in. Every answer is asserted against `graphs/INDEX.tsv`: no path above the known bound, no
//! bound below the known path, and no other optimum than the known one. Times are printed, never asserted. The rivals
//! themselves run in `benches/peers/rivals.py`.

#[path = "../tests/all/corpus/mod.rs"]
mod corpus;

use std::time::{Duration, Instant};

use longhaul::io::{GraphFile, ReadOptions};
use longhaul::view::InputGraph;
use longhaul::{LongestPath, Solution};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};

/// What is not proved by then is printed with its gap.
const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "{:<26}{:>16}{:>10}{:>14}{:>8}{:>14}{:>9}{:>8}",
        "instance", "length", "seconds", "states", "M/s", "peak states", "B/state", "MB"
    );
    for row in corpus::table("INDEX.tsv") {
        let name = &row["file"];
        let is_wanted = wanted.is_empty() && name.starts_with("rivals/");
        if !is_wanted && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let began = Instant::now();
        let file = GraphFile::open(&corpus::path(name), &ReadOptions::default()).expect("the corpus is readable");
        let answer = if file.directed {
            solve(&file.graph, &file, threads)
        } else {
            solve(UndirectedAdaptor(&file.graph), &file, threads)
        };
        let elapsed = began.elapsed().as_secs_f64();

        let (length, bound) = (answer.length().expect("there is a path"), answer.upper_bound().expect("a bound"));
        let [lower, upper] = ["lower", "upper"].map(|column| row[column].parse::<i64>().ok());
        assert!(upper.is_none_or(|upper| length <= upper), "{name}: a path of {length}");
        assert!(lower.is_none_or(|lower| lower <= bound), "{name}: a bound of {bound}");
        if answer.is_optimal() && lower == upper {
            assert!(lower.is_none_or(|optimum| optimum == length), "{name}: {length} is said to be optimal");
        }
        let range = if length == bound { length.to_string() } else { format!("{length}..{bound}") };
        let stats = answer.stats();
        let speed = stats.steps as f64 / elapsed / 1e6;
        let megabytes = stats.peak_bytes as f64 / 1e6;
        println!(
            "{name:<26}{range:>16}{elapsed:>10.3}{:>14}{speed:>8.1}{:>14}{:>9}{megabytes:>8.1}",
            stats.steps, stats.peak_states, stats.state_bytes
        );
    }
}

fn solve<G>(graph: G, file: &GraphFile, threads: usize) -> Solution<NodeIndex, EdgeIndex>
where
    G: InputGraph<NodeId = NodeIndex, EdgeId = EdgeIndex, EdgeWeight = i64>,
{
    let mut question = LongestPath::new(graph).weights(|edge| *edge.weight()).threads(threads).time_limit(LIMIT);
    if let Some(from) = file.terminals.from {
        question = question.from(from);
    }
    if let Some(to) = file.terminals.to {
        question = question.to(to);
    }
    question.solve().expect("the question is sound")
}
