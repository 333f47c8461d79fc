//! What the frontier program takes of the memory and of its speed, and what disk is worth where memory is scarce.
//!
//! `cargo bench --features full --bench memory` takes the instances below, `-- road35` those whose names contain one of the words;
//! `--threads=N` as many threads, 2 unless told. First come seconds with all the memory it wants, millions of states made a second
//! (signatures of a relaxation are states too), the bytes of an exact state with its value, and what part of the machine's speed of
//! copying that is, if each is written once and read once: what a thread copies from one large buffer to another in a second, times
//! the threads. Then the most memory that it held, and what a quarter of that is enough for, without disk and with: seconds, and the
//! bound where it is not proved.
//!
//! Every answer is asserted: optimal with all memory and, with a quarter, no longer, of no lower a bound, and held in that.

#[path = "../tests/all/corpus/mod.rs"]
mod corpus;

use std::error::Error;
use std::time::Instant;

use longhaul::adapters::families;
use longhaul::io::{GraphFile, ReadOptions};
use longhaul::{Engine, Limits, LongestPath, Solution};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

const CORPUS: [&str; 4] = ["rivals/planar800", "rivals/maze60", "rivals/maze75", "rivals/road35"];
/// Streets of so many blocks each way, made by this seed.
const STREETS: [(usize, u64); 2] = [(12, 1), (14, 1)];

const MEMORY: usize = 12 << 30;
const DISK: u64 = 16 << 30;
/// Then it has one part in so many of what it held.
const PART: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut wanted, mut threads) = (Vec::new(), 2);
    for argument in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        match argument.split_once('=') {
            Some(("--threads", count)) => threads = count.parse()?,
            _ if argument.starts_with("--") => return Err(format!("no option of this bench: {argument}").into()),
            _ => wanted.push(argument),
        }
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let copied = copied_in_a_second() * threads as f64;
    println!("{threads} threads copy {:.1} GB/s", copied / 1e9);
    println!(
        "{:<18}{:>7}{:>9}{:>7}{:>7}{:>8}{:>8}{:>9}{:>20}{:>20}",
        "instance", "length", "seconds", "M/s", "bytes", "copying", "MB", "MB then", "without disk", "with"
    );
    for row in corpus::table("INDEX.tsv") {
        let name = &row["file"];
        if CORPUS.iter().any(|part| name.contains(part)) && is_wanted(name) {
            let file = GraphFile::open(&corpus::path(name), &ReadOptions::default())?;
            look_at(name, &file, Some(row["lower"].parse()?), threads, copied);
        }
    }
    for (side, seed) in STREETS {
        let name = format!("streets {side}x{side}");
        if is_wanted(&name) {
            let file = families::streets(side, side, 0.1, 0.3, &mut Pcg64Mcg::seed_from_u64(seed))?;
            look_at(&name, &file, None, threads, copied);
        }
    }
    Ok(())
}

/// Prints the row of an instance, whose optimum may be known.
fn look_at(name: &str, file: &GraphFile, optimum: Option<i64>, threads: usize, copied: f64) {
    let (seconds, all) = solve(file, Limits { memory: MEMORY, threads, ..Limits::default() });
    assert!(all.is_optimal(), "{name} is not settled");
    assert!(optimum.is_none_or(|optimum| all.length() == Some(optimum)), "{name}: {:?}", all.length());
    let stats = all.stats();
    let rate = stats.steps as f64 / seconds;
    let memory = stats.peak_bytes / PART;
    let [without, with] = [0, DISK].map(|disk| {
        let (seconds, part) = solve(file, Limits { memory, disk, threads, ..Limits::default() });
        assert!(part.length() <= all.length() && part.upper_bound() >= all.length(), "{name} with {memory} bytes");
        assert!(part.stats().peak_bytes <= memory, "{name}: {} of {memory} bytes", part.stats().peak_bytes);
        match part.upper_bound().filter(|_| !part.is_optimal()) {
            Some(bound) => format!("{seconds:.2} s, ..{bound}"),
            None => format!("{seconds:.2} s"),
        }
    });
    println!(
        "{name:<18}{:>7}{seconds:>9.2}{:>7.1}{:>7}{:>7.1}%{:>8.0}{:>9.1}{without:>20}{with:>20}",
        all.length().unwrap_or_default(),
        rate / 1e6,
        stats.state_bytes,
        100.0 * rate * stats.state_bytes as f64 / copied,
        stats.peak_bytes as f64 / 1e6,
        memory as f64 / 1e6,
    );
}

/// Seconds, and the answer.
fn solve(file: &GraphFile, limits: Limits) -> (f64, Solution<NodeIndex, EdgeIndex>) {
    let began = Instant::now();
    let (from, to) = (file.terminals.from, file.terminals.to);
    macro_rules! asked {
        ($graph:expr) => {{
            let question = LongestPath::new($graph).weights(|edge| *edge.weight()).engine(Engine::Frontier);
            let mut question = question.limits(limits);
            if let Some(from) = from {
                question = question.from(from);
            }
            if let Some(to) = to {
                question = question.to(to);
            }
            question.solve().expect("the question is sound")
        }};
    }
    let answer = if file.directed { asked!(&file.graph) } else { asked!(UndirectedAdaptor(&file.graph)) };
    (began.elapsed().as_secs_f64(), answer)
}

/// Bytes that one thread copies between buffers far larger than the caches, the best of some tries.
fn copied_in_a_second() -> f64 {
    const BYTES: usize = 1 << 28;
    const TRIES: usize = 5;
    let from = vec![1u8; BYTES];
    let mut to = vec![0u8; BYTES];
    let seconds = (0..TRIES).map(|_| {
        let began = Instant::now();
        to.copy_from_slice(std::hint::black_box(&from));
        std::hint::black_box(&to);
        began.elapsed().as_secs_f64()
    });
    BYTES as f64 / seconds.fold(f64::INFINITY, f64::min)
}
