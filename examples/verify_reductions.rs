//! Do the reductions hold? Each is solved on both sides by engines that know nothing of each other, and every solution is
//! carried over, there and back.
//!
//! ```text
//! cargo run --release --example verify_reductions
//! ```
//!
//! A row for each cubic graph of the corpus on up to 12 nodes, and for the one on 16 without a Hamiltonian path; then a row
//! for each reduction on a whole family of small instances. What the sources claim and does not hold is listed with the
//! smallest counterexample found. The exit code is 1 if anything disagrees that should not, or the other way round.

#[path = "../tests/all/corpus/mod.rs"]
mod corpus;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use longhaul::Engine;
use longhaul::adapters::cubic::named;
use longhaul::adapters::reductions::{
    CubicToSolitaire, CycleToPath, FixedToFreeEnds, FreeToFixedEnds, GeographyToMatching, HamiltonianCycle,
    HamiltonianPath, LongPath, PathToCooperative, PathToCycle, PathToEqualHands, PathToLongPath, Reduction, Solitaire,
    SolitaireToEqualHands, SolitaireToLongPath, Then, Uncooperative, UncooperativeToGeography, UndirectedToDirected,
    Verdict, Verifier, solvers,
};
use longhaul::adapters::uno::cooperative::PlayRule;
use longhaul::adapters::uno::{Card, Deck};
use longhaul::io::decode_graph6;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn main() -> ExitCode {
    let began = Instant::now();
    let graphs = small_graphs();
    let paths = || graphs.iter().cloned().map(HamiltonianPath::free);
    let mut table = Table::default();

    table.begin("Theorem 4: Hamiltonian path of a cubic graph → UNO-1");
    let auto = || solvers::solitaire(Engine::Auto);
    let theorem_4 = Verifier::new(&CubicToSolitaire, solvers::cubic_hamiltonian_path(), auto());
    for row in corpus::table("cubic/connected_up_to_12.tsv") {
        table.row(&row["graph6"], &theorem_4, HamiltonianPath::free(decoded(&row["graph6"])));
    }
    let three_bridges = named("three-bridges").expect("a name of the list");
    table.row("three bridges (16 nodes)", &theorem_4, HamiltonianPath::free(three_bridges));

    table.begin("UNO for two");
    let cooperative = solvers::cooperative;
    let reduction = PathToCooperative { rule: PlayRule::StrictAlternation };
    table.holds("Theorem 1, strict", &Verifier::new(&reduction, backtracking(), cooperative()), paths());
    let decks = || random_decks(200, 7).map(Solitaire::all);
    let mended = Verifier::new(&SolitaireToEqualHands, auto(), cooperative());
    table.holds("UNO-1 → equal hands, skips", &mended, decks());
    let whole_way = Then(CubicToSolitaire, SolitaireToEqualHands);
    let cubic = ["tetrahedron", "utility", "cube", "wagner"].map(|name| named(name).expect("a name of the list"));
    let verifier = Verifier::new(&whole_way, solvers::cubic_hamiltonian_path(), cooperative());
    table.holds("cubic → equal hands, skips", &verifier, cubic.map(HamiltonianPath::free));
    let both = Then(UncooperativeToGeography, GeographyToMatching);
    let verifier = Verifier::new(&both, solvers::uncooperative_by_play(), solvers::missed_node());
    table.holds("Theorems 6, 7: uncooperative", &verifier, random_games(400));

    table.begin("paths and cycles");
    let frontier = || solvers::long_path(Engine::Frontier);
    table.holds("path → longest path", &Verifier::new(&PathToLongPath, backtracking(), frontier()), paths());
    let cycles = || solvers::hamiltonian_cycle(Engine::Backtracking);
    let by_frontier = || solvers::hamiltonian_path(Engine::Frontier);
    let closed = graphs.iter().cloned().map(|graph| HamiltonianCycle { graph });
    table.holds("cycle → path", &Verifier::new(&CycleToPath, cycles(), by_frontier()), closed);
    table.holds("path → cycle", &Verifier::new(&PathToCycle, by_frontier(), cycles()), paths());
    let plain = || solvers::long_path(Engine::Backtracking);
    let free = || long_paths(&graphs, false);
    table.holds("free → fixed ends", &Verifier::new(&FreeToFixedEnds, plain(), frontier()), free());
    let fixed = long_paths(&graphs, true);
    table.holds("fixed → free ends", &Verifier::new(&FixedToFreeEnds, plain(), frontier()), fixed);
    let directed = Verifier::new(&UndirectedToDirected, plain(), solvers::long_path(Engine::Frontier));
    table.holds("undirected → directed", &directed, free());
    let by_hand = solvers::solitaire(Engine::Backtracking);
    table.holds("UNO-1 → longest path", &Verifier::new(&SolitaireToLongPath, by_hand, frontier()), decks());

    table.begin("claimed, and not so");
    let reduction = PathToCooperative { rule: PlayRule::ForcedSkip };
    table.fails("Theorem 1, skips", &Verifier::new(&reduction, backtracking(), cooperative()), paths());
    for (name, rule) in [("strict", PlayRule::StrictAlternation), ("skips", PlayRule::ForcedSkip)] {
        let reduction = PathToEqualHands { rule };
        let verifier = Verifier::new(&reduction, backtracking(), cooperative());
        table.fails(&format!("Corollary 2, {name}"), &verifier, with_starts(&graphs));
    }

    println!("\n{} disagreements that should not be; {:.1} s", table.wrong, began.elapsed().as_secs_f64());
    if table.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Prints the rows, and counts what is not as it should be.
#[derive(Default)]
struct Table {
    wrong: usize,
}

impl Table {
    fn begin(&self, title: &str) {
        println!("\n{title}\n  {:<30} {:>9} {:>9} {:>7} {:>9} {:>9}", "", "source", "target", "carried", "s", "s");
    }

    /// One instance.
    fn row<R: Reduction>(&mut self, name: &str, verifier: &Verifier<'_, R>, source: R::Source) {
        match verifier.verify(&source) {
            Verdict::Agreed(report) => {
                let answer = if report.answer { "yes" } else { "no" };
                Self::print(name, [answer; 2], report.carried, [report.source_time, report.target_time]);
            }
            other => self.complain(name, &other),
        }
    }

    /// Many instances: how many say yes, of how many.
    fn holds<R: Reduction>(
        &mut self,
        name: &str,
        verifier: &Verifier<'_, R>,
        sources: impl IntoIterator<Item = R::Source>,
    ) {
        let (mut yes, mut all, mut carried, mut times) = (0, 0, 0, [Duration::ZERO; 2]);
        for source in sources {
            match verifier.verify(&source) {
                Verdict::Agreed(report) => {
                    yes += usize::from(report.answer);
                    all += 1;
                    carried += report.carried;
                    times[0] += report.source_time;
                    times[1] += report.target_time;
                }
                Verdict::Refused(_) => {}
                other => self.complain(name, &other),
            }
        }
        let answers = format!("{yes}/{all}");
        Self::print(name, [&answers; 2], carried, times);
    }

    /// A claim that does not hold, with its smallest counterexample.
    fn fails<R: Reduction>(
        &mut self,
        name: &str,
        verifier: &Verifier<'_, R>,
        sources: impl IntoIterator<Item = R::Source>,
    ) {
        match verifier.counterexample(sources, |clash| clash.answers_differ()) {
            Some(found) => println!("  {name}: {found}"),
            None => {
                println!("  {name}: no counterexample was found, and there should be one");
                self.wrong += 1;
            }
        }
    }

    fn print(name: &str, answers: [&str; 2], carried: usize, times: [Duration; 2]) {
        let [source, target] = answers;
        let [first, second] = times.map(|time| time.as_secs_f64());
        println!("  {name:<30} {source:>9} {target:>9} {carried:>7} {first:>9.4} {second:>9.4}");
    }

    fn complain<S: std::fmt::Display>(&mut self, name: &str, verdict: &Verdict<S>) {
        self.wrong += 1;
        match verdict {
            Verdict::Disagreed(disagreement) => println!("  {name}: {disagreement}"),
            Verdict::Refused(refused) => println!("  {name}: {refused}"),
            Verdict::Unsettled(reason) => println!("  {name}: not settled: {reason}"),
            Verdict::Agreed(_) => println!("  {name}: agreed"),
        }
    }
}

fn backtracking() -> impl Fn(&HamiltonianPath) -> longhaul::adapters::reductions::Answer<Vec<NodeIndex>> {
    solvers::hamiltonian_path(Engine::Backtracking)
}

/// All connected graphs on four to six nodes, those on four with their nodes told apart.
fn small_graphs() -> Vec<UnGraph<(), ()>> {
    let pairs: [(u32, u32); 6] = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];
    let on_four = (0..1u32 << pairs.len()).map(|mask| {
        let drawn = (0..).zip(pairs).filter(|(bit, _)| mask >> bit & 1 == 1);
        let mut graph = UnGraph::new_undirected();
        (0..4).for_each(|_| _ = graph.add_node(()));
        graph.extend_with_edges(drawn.map(|(_, pair)| pair));
        graph
    });
    let mut graphs: Vec<_> = on_four.filter(|graph| petgraph::algo::connected_components(graph) == 1).collect();
    for name in ["connected_n5", "connected_n6"] {
        let rows = corpus::table(&format!("small/{name}.tsv"));
        graphs.extend(rows.iter().map(|row| decoded(&row["graph6"])));
    }
    graphs
}

fn decoded(graph6: &str) -> UnGraph<(), ()> {
    let (directed, _) = decode_graph6(graph6).expect("graph6 in the corpus");
    let mut graph = UnGraph::new_undirected();
    directed.node_indices().for_each(|_| _ = graph.add_node(()));
    directed.edge_references().for_each(|edge| _ = graph.add_edge(edge.source(), edge.target(), ()));
    graph
}

fn with_starts(graphs: &[UnGraph<(), ()>]) -> impl Iterator<Item = HamiltonianPath> {
    graphs.iter().flat_map(|graph| {
        graph.node_indices().map(|from| HamiltonianPath { graph: graph.clone(), from: Some(from), to: None })
    })
}

/// The longest path by brute force, and one more than that: random weights, and ends if asked for.
fn long_paths(graphs: &[UnGraph<(), ()>], fixed: bool) -> impl Iterator<Item = LongPath> {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    graphs.iter().flat_map(move |graph| {
        let graph = graph.map(|_, ()| (), |_, ()| rng.random_range(-3..=9i64));
        let mut end = || fixed.then(|| NodeIndex::new(rng.random_range(0..graph.node_count())));
        let (from, to) = (end(), end());
        let question = longhaul::LongestPath::new(&graph).weights(|edge| *edge.weight());
        let question = from.into_iter().fold(question, longhaul::LongestPath::from);
        let question = to.into_iter().fold(question, longhaul::LongestPath::to);
        let solution = question.engine(Engine::PlainBacktracking).solve().expect("a question that can be asked");
        let best = solution.length().unwrap_or(0);
        [best, best + 1].map(|at_least| LongPath { graph: graph.clone(), from, to, at_least })
    })
}

fn random_deck(rng: &mut Pcg64Mcg, most: usize) -> Deck {
    let cards = rng.random_range(1..=most);
    let mut value = || rng.random_range(1..=4);
    Deck::new((0..cards).map(|_| Card { number: value(), colour: value() }).collect())
}

fn random_decks(count: usize, most: usize) -> impl Iterator<Item = Deck> {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    (0..count).map(move |_| random_deck(&mut rng, most))
}

fn random_games(count: usize) -> impl Iterator<Item = Uncooperative> {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    (0..count).map(move |_| Uncooperative { hands: [random_deck(&mut rng, 6), random_deck(&mut rng, 6)] })
}
