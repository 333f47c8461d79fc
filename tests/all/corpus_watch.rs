//! Every instance of the corpus under watch: at every moment of a run its optimum lies between path and bound.

use std::time::Duration;

use crate::support::Ends;
use crate::support::ask::{Answer, Options, ask};
use longhaul::Engine;
use longhaul::io::{Format, GraphFile, ReadOptions};

/// What takes seconds or more, or is not known to be settled by anyone: watched for a moment only.
const DEAR: &[&str] = &[
    "elpp/prc-f-25_1.gr",
    "elpp/rand-100.gr",
    "elpp/rand-200.gr",
    "real/lesmis.gr",
    "rivals/dgnp300.gr",
    "rivals/gnp120.gr",
    "rivals/gnp300.gr",
    "rivals/maze40.gr",
    "rivals/maze50.gr",
    "rivals/maze60.gr",
    "rivals/maze75.gr",
    "rivals/planar1200.gr",
    "rivals/planar800.gr",
    "rivals/road25.gr",
    "rivals/road35.gr",
    "rivals/road50.gr",
    "rivals/uno400.gr",
    "theory/er_digraph_500.gr",
    "theory/sparse_gnm_300.gr",
];

const A_MOMENT: Duration = Duration::from_millis(50);

/// Far more than any instance needs that is expected to be settled.
const AMPLE: Duration = Duration::from_secs(120);

/// An instance of the corpus, with what is known of its optimum.
struct Instance {
    name: String,
    file: GraphFile,
    lower: Option<i64>,
    upper: Option<i64>,
}

impl Instance {
    /// All of the corpus but the tables of small graphs and the games.
    fn all() -> impl Iterator<Item = Instance> {
        crate::corpus::table("INDEX.tsv").into_iter().filter(|row| row["format"].parse::<Format>().is_ok()).map(|row| {
            Instance {
                name: row["file"].to_owned(),
                file: GraphFile::open(&crate::corpus::path(&row["file"]), &ReadOptions::default()).unwrap(),
                lower: row["lower"].parse().ok(),
                upper: row["upper"].parse().ok(),
            }
        })
    }

    fn optimum(&self) -> Option<i64> {
        self.lower.filter(|_| self.lower == self.upper)
    }

    /// Solves it under watch.
    fn watch(&self, engine: Engine, time_limit: Duration) -> Answer {
        let terminals = self.file.terminals;
        let ends = Ends {
            from: terminals.from.map(|end| end.index()),
            to: terminals.to.map(|end| end.index()),
            closed: false,
        };
        let options =
            Options { known_optimum: self.optimum(), time_limit: Some(time_limit), ..Options::engine(engine) };
        println!("{} by {engine}", self.name);
        let answer = ask(&self.file.graph, self.file.directed, ends, &options).unwrap();
        answer.assert_honest(self.lower, self.upper);
        assert!(answer.upper_bound().is_some(), "{} has a path", self.name);
        answer
    }
}

#[test]
fn auto_settles_what_it_can_and_never_errs() {
    for instance in Instance::all() {
        if DEAR.contains(&instance.name.as_str()) {
            instance.watch(Engine::Auto, A_MOMENT);
            continue;
        }
        let answer = instance.watch(Engine::Auto, AMPLE);
        assert!(answer.solution.is_optimal(), "{}: {}", instance.name, answer.stop());
        if let Some(optimum) = instance.optimum() {
            assert_eq!(answer.length(), Some(optimum), "{}", instance.name);
        }
    }
}

#[test]
fn the_list_of_dear_instances_is_of_the_corpus() {
    let names: Vec<String> = Instance::all().map(|instance| instance.name).collect();
    assert!(DEAR.iter().all(|dear| names.iter().any(|name| name == dear)));
}

#[test]
fn no_engine_errs_on_the_small_ones() {
    for instance in Instance::all().filter(|instance| instance.file.graph.node_count() <= 40) {
        for (_, engine) in Engine::ALL {
            // It knows no weights, and says so.
            if engine == Engine::Sieve && instance.file.weighted {
                continue;
            }
            instance.watch(engine, A_MOMENT / 5);
        }
    }
}
