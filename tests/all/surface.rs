//! What callers lean on beside the answers: errors they can match, builders they can send and print, and the graph library.

use longhaul::adapters::dobble::LargestDeck;
use longhaul::adapters::uno::{Card, Deck, fill_in, longest_sequence, longest_sequence_with_wild};
use longhaul::clique::MaximumClique;
use longhaul::{
    Answer, Error, ErrorKind, KPath, KPathSolution, Limits, LongestPath, LongestSequence, LongestTrail, PathCounts,
    Paths, Progress, Solution, Stats, Status, Stop, k_path,
};
// Not the one of this test's own dependencies: what longhaul hands on is enough to ask.
use longhaul::petgraph::graph::{DiGraph, EdgeIndex, NodeIndex, UnGraph};

/// Every kind of error has a request that meets it, and can be matched.
#[test]
fn errors_have_kinds() {
    let graph = UnGraph::<(), i64>::from_edges([(0, 1, 1), (1, 2, 1), (2, 0, 1)]);
    let kind = |result: Result<Solution<NodeIndex, EdgeIndex>, Error>| result.unwrap_err().kind();
    let question = || LongestPath::new(&graph);
    assert_eq!(kind(question().weights(|_| i64::MAX / 2).solve()), ErrorKind::WeightsTooLarge);
    assert_eq!(kind(question().from(9.into()).solve()), ErrorKind::NotInGraph);
    assert_eq!(kind(question().use_edges([EdgeIndex::new(9)]).solve()), ErrorKind::NotInGraph);
    assert_eq!(kind(question().closed().to(0.into()).solve()), ErrorKind::Contradiction);
    assert_eq!(kind(question().threads(0).solve()), ErrorKind::Contradiction);
    assert_eq!(kind(question().at_least(0).solve()), ErrorKind::Contradiction);
    assert_eq!(kind(question().proof(Full).solve()), ErrorKind::ProofUnwritten);
    let star = UnGraph::<(), ()>::from_edges((1..2000).map(|leaf| (0, leaf)));
    let line = LongestSequence::new(&star).engine(longhaul::Engine::Frontier).memory_limit(1 << 20).solve();
    assert_eq!(line.unwrap_err().kind(), ErrorKind::LineGraphTooLarge);
}

/// A disk that is full.
struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _bytes: &[u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("full"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A question is asked on one thread and answered on another.
#[test]
fn builders_go_to_other_threads() {
    let graph = UnGraph::<(), i64>::from_edges([(0, 1, 5), (1, 2, 1), (2, 0, 2)]);
    let (mut rows, mut proof) = (Vec::new(), Vec::new());
    let path =
        LongestPath::new(&graph).weights(|edge| *edge.weight()).prizes(|_| 0).on_progress(|row| rows.push(row.clone()));
    let sequence = LongestSequence::new(&graph).proof(&mut proof);
    let (trail, nodes) = (LongestTrail::new(&graph).on_progress(|_| ()), k_path(&graph, 2));
    std::thread::scope(|scope| {
        let path = scope.spawn(|| path.solve().unwrap().length());
        let sequence = scope.spawn(|| sequence.solve().unwrap().length());
        let trail = scope.spawn(|| trail.solve().unwrap().length());
        let nodes = scope.spawn(|| nodes.solve().unwrap().length());
        assert_eq!(path.join().unwrap(), Some(7));
        assert_eq!((sequence.join().unwrap(), trail.join().unwrap()), (Some(2), Some(3)));
        assert_eq!(nodes.join().unwrap(), Some(1));
    });
    assert!(!rows.is_empty() && !proof.is_empty());
}

/// Whoever knows what all answers tell can read any of them.
#[test]
fn answers_tell_alike() {
    fn told<T>(answer: &Answer<T>) -> (Status, Option<i64>, Option<i64>, Stop) {
        assert_eq!(answer.best().is_some(), answer.worth().is_some());
        (answer.status(), answer.worth(), answer.upper_bound(), answer.stop())
    }
    let best = |worth| (Status::Optimal, Some(worth), Some(worth), Stop::Finished);
    let graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 0), (2, 3)]);
    assert_eq!(told(LongestPath::new(&graph).solve().unwrap().answer()), best(3));
    let none = LongestPath::new(&graph).from(0.into()).visit([3.into()]).closed().solve().unwrap();
    assert_eq!(told(none.answer()), (Status::Infeasible, None, None, Stop::Finished));
    assert_eq!(told(MaximumClique::new(&graph).solve().unwrap().answer()), best(3));
    assert_eq!(told(LargestDeck::new(2, 3).solve().unwrap().answer()), best(3));
    // Any path of so many nodes will do, so none is the best of them.
    let nodes = k_path(&graph, 3).solve().unwrap();
    assert_eq!((nodes.status(), nodes.answer().worth(), nodes.stop()), (Status::Feasible, Some(2), Stop::Finished));

    let cards = [(1, 1), (2, 2), (2, 1), (5, 5)].map(|(number, colour)| Card { number, colour });
    let (deck, limits) = (Deck::new(cards.to_vec()), Limits::default());
    assert_eq!(told(longest_sequence(&deck, None).unwrap().answer()), best(3));
    assert_eq!(told(longest_sequence_with_wild(&deck, 1, None, &limits).unwrap().answer()), best(5));
    assert_eq!(told(fill_in(&deck, &limits).unwrap().answer()), best(-1));

    let stats = Stats::default();
    let open = Answer::new(Some(("three", 3)), Some(5), Stop::TimeLimit, stats);
    let more = open.map(str::len).worth_more(10);
    assert_eq!((more.best(), told(&more)), (Some(&5), (Status::Feasible, Some(13), Some(15), Stop::TimeLimit)));
}

/// Questions and answers print, whatever graph they are about.
#[test]
fn questions_and_answers_print() {
    fn told<T: std::fmt::Debug + Send>(thing: T) -> String {
        format!("{thing:?}")
    }
    type Graph<'g> = &'g DiGraph<(), ()>;
    fn prints<T: std::fmt::Debug + Send>() {}
    prints::<LongestPath<'_, Graph<'_>>>();
    prints::<LongestSequence<'_, Graph<'_>>>();
    prints::<LongestTrail<'_, Graph<'_>>>();
    prints::<KPath<'_, Graph<'_>>>();
    prints::<Paths<'_, Graph<'_>>>();
    prints::<KPathSolution<NodeIndex, EdgeIndex>>();
    prints::<(PathCounts, Progress, Stats, Limits, Error)>();
    let graph = DiGraph::<(), ()>::from_edges([(0, 1)]);
    let question = LongestPath::new(&graph).seed(77);
    assert!(told(question).contains("seed: 77"));
    assert!(told(k_path(&graph, 2)).contains("k: 2"));
    assert!(told(LongestPath::new(&graph).all().unwrap()).starts_with("Paths"));
    assert!(told(LongestPath::new(&graph).solve().unwrap()).contains("length: 1"));
}
