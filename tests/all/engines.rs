//! Engines by name and with options: what is asked for is what answers, and no option changes what is true.

use longhaul::adapters::families::xor9;
use longhaul::engines::{
    Auto, Backtracking, BranchAndBound, BranchAndCut, ColorCoding, Conflict, EngineConfig, Frontier, LocalSearch,
    Sieve, Signature, Trail,
};
use longhaul::{Engine, LongestPath, LongestSequence, Reduction, Status, Stop};
use petgraph::graph::{DiGraph, UnGraph};
use petgraph::visit::UndirectedAdaptor;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// A grid of so many rows and columns.
fn grid(rows: u32, columns: u32) -> UnGraph<(), ()> {
    let right = (0..rows * columns).filter(|at| at % columns + 1 < columns).map(|at| (at, at + 1));
    let down = (0..(rows - 1) * columns).map(|at| (at, at + columns));
    UnGraph::from_edges(right.chain(down))
}

#[test]
fn engines_and_their_options_have_one_name() {
    for (name, engine) in Engine::ALL {
        assert_eq!((engine.name(), name.parse()), (name, Ok(engine)));
        assert_eq!(EngineConfig::from(engine).engine(), engine);
    }
    assert_eq!(EngineConfig::default(), Auto::default().into());
}

#[test]
fn statistics_tell_the_engine_that_was_asked_for() {
    let graph = grid(3, 3);
    for (name, engine) in Engine::ALL {
        let solution = LongestPath::new(&graph).engine(engine).solve().unwrap();
        let stats = solution.stats();
        match engine {
            Engine::Auto => assert!(!stats.method.is_empty()),
            // Walks may settle a number of vertices before the engine is asked for it.
            Engine::ColorCoding | Engine::PlainColorCoding | Engine::Sieve => {
                assert!([engine, Engine::Auto].contains(&stats.engine), "{name}: {}", stats.engine);
            }
            _ => assert_eq!((stats.engine, stats.method), (engine, name)),
        }
    }
    let line = LongestSequence::new(&graph).solve().unwrap();
    assert_eq!((line.stats().engine, line.stats().method), (Engine::Trail, "trail"));
}

#[test]
fn every_row_of_progress_tells_its_engine() {
    let graph = grid(5, 5);
    let mut rows = Vec::new();
    let question = LongestPath::new(&graph).on_progress(|row| rows.push((row.engine, row.method)));
    let solution = question.solve().unwrap();
    assert!(rows.contains(&(solution.stats().engine, solution.stats().method)));
    assert!(rows.iter().all(|(engine, method)| engine.name() == *method || *engine == Engine::Auto));
}

#[test]
fn options_leave_the_answer_alone() {
    let graph = grid(4, 5);
    let configs: Vec<EngineConfig> = vec![
        Reduction::ALL.iter().fold(Auto::default(), |auto, &reduction| auto.without(reduction)).into(),
        Backtracking::default().into(),
        BranchAndBound::default().steps(u64::MAX / 2).into(),
        BranchAndCut::default().into(),
        Conflict::default().choose_first(false).decisions_between_looks(0).lookahead(false).into(),
        Conflict::default().rule_out_short_cycles(false).short_reasons(false).parity(false).minimise(false).into(),
        Frontier::default().small_search(0).into(),
        Frontier::default().small_search(0).small_relaxation(0).into(),
        Signature::default().into(),
    ];
    for config in configs {
        let solution = LongestPath::new(&graph).engine(config.clone()).solve().unwrap();
        assert_eq!((solution.length(), solution.status()), (Some(19), Status::Optimal), "{config:?}");
        assert!(!solution.stats().decisions.is_empty(), "{config:?}");
    }
    // Depth-first bags are as long as paths from the root.
    let tree = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (1, 4), (4, 5)]);
    let bags = Signature::default().depth_first_bags();
    assert_eq!(LongestPath::new(&tree).engine(bags).solve().unwrap().length(), Some(4));
    // The line graph of the grid, by its root.
    let root = grid(3, 4);
    let line = longhaul::line_graph::line_graph(&root, 1 << 20).unwrap();
    for config in [Trail::default().beam_width(1), Trail::default().signatures(1)] {
        let solution = LongestPath::new(&line).engine(config).solve().unwrap();
        assert_eq!((solution.length(), solution.is_optimal()), (Some(16), true));
    }
}

/// Among gadgets hardly anything is learnt, so lookahead takes over where it may.
#[test]
fn lookahead_leaves_the_answer_alone() {
    for seed in 0..3 {
        let file = xor9(48, &mut Pcg64Mcg::seed_from_u64(seed)).unwrap();
        let solve = |lookahead: bool, threads: usize| {
            let question = LongestPath::new(UndirectedAdaptor(&file.graph)).threads(threads);
            let solution = question.engine(Conflict::default().lookahead(lookahead)).solve().unwrap();
            (solution.status(), solution.length())
        };
        let learnt = solve(false, 1);
        assert_eq!(learnt.0, Status::Optimal);
        assert_eq!([solve(true, 1), solve(true, 2)], [learnt; 2], "seed {seed}");
    }
}

#[test]
fn options_say_how_far_to_go() {
    let graph = grid(7, 7);
    let weighted = DiGraph::<(), i64>::from_edges((0..240u32).map(|at| {
        let (source, step) = (at % 40, at / 40);
        (source, (source * (step + 2) + 7 * step + 1) % 40, i64::from(at * at % 97))
    }));
    let asked = |steps| {
        let question = LongestPath::new(&weighted).weights(|edge| *edge.weight());
        question.engine(BranchAndBound::default().steps(steps)).solve().unwrap()
    };
    assert_eq!(asked(1).stop(), Stop::Exhausted);
    assert!(asked(20_000).stats().steps > asked(1).stats().steps);
    let steps = |effort| {
        let config = LocalSearch::default().effort_per_vertex(effort);
        // A corner of the other colour: no path visits all.
        let solution = LongestPath::new(&graph).from(1.into()).engine(config).solve().unwrap();
        assert_eq!(solution.stop(), Stop::Exhausted);
        solution.stats().steps
    };
    assert!(steps(20_000) > 2 * steps(1_000));
    let sure = |failure: f64| {
        let config = ColorCoding::default().failure_probability(failure);
        LongestPath::new(&grid(3, 3)).engine(config).solve().unwrap().stats().steps
    };
    assert!(sure(1e-6) >= sure(0.5));
}

/// An engine that has nothing to say says so, and there is a bound that needs no search.
#[test]
fn engines_say_why_they_do_not_apply() {
    let large = UnGraph::<(), ()>::from_edges((0..200).map(|at| (at, at + 1)));
    let square = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 0)]);
    let arcs = DiGraph::<(), ()>::from_edges([(0, 1), (1, 2)]);
    let said = [
        (LongestPath::new(&large).engine(Engine::BranchAndBound).solve(), "no more than 128 vertices", 200),
        (LongestPath::new(&square).closed().engine(Engine::Signature).solve(), "cycles have no first jump", 4),
        (LongestPath::new(&square).weights(|_| 2).engine(Engine::Trail).solve(), "edges do not all weigh 1", 6),
    ];
    for (solution, why, upper) in said {
        let solution = solution.unwrap();
        assert_eq!((solution.stop(), solution.upper_bound()), (Stop::Exhausted, Some(upper)), "{why}");
        assert!(solution.stats().decisions.iter().any(|decision| decision.contains(why)), "{:?}", solution.stats());
    }
    let directed = LongestPath::new(&arcs).engine(Engine::Trail).solve().unwrap();
    assert!(directed.stats().decisions.iter().any(|decision| decision.contains("edges have a direction")));
}

#[test]
fn without_its_feature_highs_is_refused() {
    let graph = grid(2, 2);
    let asked = LongestPath::new(&graph).engine(BranchAndCut::default().linear_solver(longhaul::LinearSolver::Highs));
    let answered = asked.solve().map(|solution| solution.length());
    if cfg!(feature = "highs") {
        assert_eq!(answered, Ok(Some(3)));
    } else {
        let error = answered.unwrap_err();
        assert_eq!(error.kind(), longhaul::ErrorKind::Contradiction);
        assert!(error.to_string().contains("built without HiGHS"));
    }
    assert_eq!(Sieve::default(), Sieve::default().failure_probability(1e-3));
}
