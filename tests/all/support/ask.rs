//! Asks the library, and holds every row of its progress against what must be true of all of them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use longhaul::engines::{Auto, ColorCoding, EngineConfig, Sieve};
use longhaul::{Engine, Error, LongestPath, Progress, Reduction, Solution, Status, Stop};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, UndirectedAdaptor};

use super::{Ends, Small};

/// The options of a question, none of them given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) engine: Engine,
    pub(crate) without: Vec<Reduction>,
    pub(crate) known_optimum: Option<i64>,
    pub(crate) time_limit: Option<Duration>,
    pub(crate) memory_limit: Option<usize>,
    #[cfg(feature = "disk")]
    pub(crate) disk_limit: u64,
    pub(crate) threads: Option<usize>,
    pub(crate) seed: u64,
    pub(crate) gap: u64,
    pub(crate) failure_probability: Option<f64>,
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
}

impl Options {
    pub(crate) fn engine(engine: Engine) -> Self {
        Options { engine, ..Options::default() }
    }

    /// The engine with the options that only it knows.
    fn config(&self) -> EngineConfig {
        let failure = self.failure_probability;
        match (self.engine, failure) {
            (Engine::Auto, None) => {
                self.without.iter().fold(Auto::default(), |auto, &reduction| auto.without(reduction)).into()
            }
            (Engine::ColorCoding, Some(failure)) => ColorCoding::default().failure_probability(failure).into(),
            (Engine::PlainColorCoding, Some(failure)) => {
                ColorCoding::default().plain().failure_probability(failure).into()
            }
            (Engine::Sieve, Some(failure)) => Sieve::default().failure_probability(failure).into(),
            (engine, _) => engine.into(),
        }
    }
}

/// An answer, with the rows of progress that led to it.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) solution: Solution<NodeIndex, EdgeIndex>,
    pub(crate) rows: Vec<Progress>,
}

impl Answer {
    pub(crate) fn length(&self) -> Option<i64> {
        self.solution.length()
    }

    pub(crate) fn upper_bound(&self) -> Option<i64> {
        self.solution.upper_bound()
    }

    pub(crate) fn status(&self) -> Status {
        self.solution.status()
    }

    pub(crate) fn stop(&self) -> Stop {
        self.solution.stop()
    }

    /// Every row and the answer allow for an optimum between these two, and none goes back on what another said.
    pub(crate) fn assert_honest(&self, lower: Option<i64>, upper: Option<i64>) {
        let (mut incumbent, mut bound) = (None, i64::MAX);
        let settled = self.upper_bound().is_none();
        let last = (self.length(), Some(self.upper_bound().unwrap_or(i64::MIN)));
        let rows = self.rows.iter().map(|row| {
            // A row without a bound comes before there is one, or with the proof that there is no path.
            let none_is_proved = settled && row.incumbent.is_none();
            (row.incumbent, row.upper_bound.or(none_is_proved.then_some(i64::MIN)))
        });
        for (length, upper_bound) in rows.chain([last]) {
            let upper_bound = upper_bound.unwrap_or(i64::MAX);
            assert!(length >= incumbent, "from {incumbent:?} back to {length:?}");
            assert!(upper_bound <= bound || upper_bound == i64::MAX, "from {bound} up to {upper_bound}");
            assert!(bound == i64::MAX || upper_bound != i64::MAX, "the bound {bound} was forgotten");
            assert!(length.is_none_or(|length| length <= upper_bound), "{length:?} above its bound {upper_bound}");
            assert!(upper.is_none_or(|upper| length <= Some(upper)), "{length:?} above {upper:?}");
            assert!(lower.is_none_or(|lower| lower <= upper_bound), "the bound {upper_bound} below {lower:?}");
            (incumbent, bound) = (length, upper_bound);
        }
        let stop = self.stop();
        let settled = matches!(self.status(), Status::Optimal | Status::Infeasible);
        assert_eq!(settled, stop == Stop::Finished, "{} and {stop}", self.status());
    }
}

/// Asks about a graph whose arcs are edges unless `directed`.
pub(crate) fn ask(graph: &DiGraph<(), i64>, directed: bool, ends: Ends, options: &Options) -> Result<Answer, Error> {
    let mut rows = Vec::new();
    macro_rules! answer {
        ($graph:expr) => {{
            let mut question = LongestPath::new($graph)
                .weights(|edge| *edge.weight())
                .engine(options.config())
                .seed(options.seed)
                .gap(options.gap)
                .threads(options.threads.unwrap_or(1))
                .on_progress(|row| rows.push(row.clone()));
            if let Some(from) = ends.from {
                question = question.from(NodeIndex::new(from));
            }
            if let Some(to) = ends.to {
                question = question.to(NodeIndex::new(to));
            }
            if ends.closed {
                question = question.closed();
            }
            if let Some(optimum) = options.known_optimum {
                question = question.known_optimum(optimum);
            }
            if let Some(limit) = options.time_limit {
                question = question.time_limit(limit);
            }
            if let Some(bytes) = options.memory_limit {
                question = question.memory_limit(bytes);
            }
            #[cfg(feature = "disk")]
            {
                question = question.disk_limit(options.disk_limit);
            }
            if let Some(flag) = &options.interrupt {
                question = question.interrupt(flag.clone());
            }
            question.solve()?
        }};
    }
    let solution = if directed { answer!(graph) } else { answer!(UndirectedAdaptor(graph)) };
    Ok(Answer { solution, rows })
}

impl Small {
    pub(crate) fn to_graph(&self) -> DiGraph<(), i64> {
        let mut graph = DiGraph::new();
        for _ in 0..self.nodes {
            graph.add_node(());
        }
        for &(a, b, weight) in &self.edges {
            graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), weight);
        }
        graph
    }

    pub(crate) fn from_graph(graph: &DiGraph<(), i64>, directed: bool) -> Small {
        let edges = graph.edge_references().map(|edge| (edge.source().index(), edge.target().index(), *edge.weight()));
        Small { nodes: graph.node_count(), directed, edges: edges.collect() }
    }

    /// The library's answer, which must be honest and, where the engine is exact and nothing stops it, the brute force's.
    pub(crate) fn assert_answered(&self, expected: Option<i64>, ends: Ends, options: &Options) {
        let options = Options { known_optimum: expected, ..options.clone() };
        let answer = ask(&self.to_graph(), self.directed, ends, &options).unwrap();
        answer.assert_honest(expected, expected);
        assert_eq!(answer.length(), expected, "{self:?} {ends:?} {options:?}");
        assert_eq!(answer.upper_bound(), expected, "{self:?} {ends:?} {options:?}");
    }
}

/// Whether an engine always settles the question, given time and memory.
pub(crate) fn is_exact(engine: Engine, ends: Ends) -> bool {
    match engine {
        Engine::LocalSearch | Engine::Trail | Engine::ColorCoding | Engine::PlainColorCoding | Engine::Sieve => false,
        Engine::Signature => !ends.closed,
        _ => true,
    }
}
