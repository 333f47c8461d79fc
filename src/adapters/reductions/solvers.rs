//! Solvers of the problems, for both sides of a reduction: those of longhaul by name, the search for cubic graphs, and plain
//! exhaustive play for the games.
//!
//! Each gives a function from an instance to its [`Answer`], as a [`Verifier`](super::Verifier) takes it.

use petgraph::graph::{Graph, NodeIndex, UnGraph};
use petgraph::{EdgeType, visit::NodeFiltered};

use super::{
    Answer, Cooperative, Geography, HamiltonianCycle, HamiltonianPath, LongPath, MissedNode, Missing, Pairing,
    Solitaire, Uncooperative,
};
use crate::Limits;
use crate::adapters::cubic::{Cubic, Hamilton, Verdict};
use crate::adapters::uno::Game;
use crate::adapters::uno::cooperative;
use crate::{Engine, LongestPath, Solution};

/// Hamiltonian paths by an engine for longest ones.
pub fn hamiltonian_path(engine: Engine) -> impl Fn(&HamiltonianPath) -> Answer<Vec<NodeIndex>> {
    move |problem| {
        let question = with_ends(LongestPath::new(&problem.graph), [problem.from, problem.to]);
        settle(question.engine(engine).solve(), problem.graph.node_count() as i64 - 1)
    }
}

/// Hamiltonian paths of cubic graphs by their own search; nothing is known of other graphs.
pub fn cubic_hamiltonian_path() -> impl Fn(&HamiltonianPath) -> Answer<Vec<NodeIndex>> {
    |problem| {
        let cubic = match Cubic::new(&problem.graph) {
            Ok(cubic) => cubic,
            Err(flaw) => return Answer::Unknown(flaw.to_string()),
        };
        let question = problem.from.into_iter().fold(Hamilton::of(&cubic), Hamilton::from);
        match problem.to.into_iter().fold(question, Hamilton::to).path() {
            Verdict::Found(path) => Answer::Yes(path),
            Verdict::Impossible => Answer::No,
            Verdict::Open(stop) => Answer::Unknown(stop.to_string()),
        }
    }
}

/// Hamiltonian cycles by an engine for longest ones.
pub fn hamiltonian_cycle(engine: Engine) -> impl Fn(&HamiltonianCycle) -> Answer<Vec<NodeIndex>> {
    move |problem| {
        let question = LongestPath::new(&problem.graph).closed().engine(engine);
        settle(question.solve(), problem.graph.node_count().max(1) as i64)
    }
}

/// Long paths by an engine for longest ones.
pub fn long_path<Ty: EdgeType>(engine: Engine) -> impl Fn(&LongPath<Ty>) -> Answer<Vec<NodeIndex>> {
    move |problem| {
        let question = LongestPath::new(&problem.graph).weights(|edge| *edge.weight());
        settle(with_ends(question, [problem.from, problem.to]).engine(engine).solve(), problem.at_least)
    }
}

/// One player's UNO by an engine for longest paths, on the graph of matches.
pub fn solitaire(engine: Engine) -> impl Fn(&Solitaire) -> Answer<Vec<usize>> {
    move |problem| {
        if problem.at_least == 0 {
            return Answer::Yes(Vec::new());
        }
        let matches = match Game::new(problem.deck.clone()).match_graph(Limits::default().memory) {
            Ok(matches) => matches,
            Err(error) => return Answer::Unknown(error.to_string()),
        };
        let solution = LongestPath::new(&matches).engine(engine).solve();
        match settle(solution, problem.at_least as i64 - 1) {
            Answer::Yes(path) => Answer::Yes(path.iter().map(|node| node.index() + 1).collect()),
            Answer::No => Answer::No,
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }
}

/// Cooperative UNO by [`cooperative::win`].
pub fn cooperative() -> impl Fn(&Cooperative) -> Answer<Vec<cooperative::Turn>> {
    |problem| match cooperative::win(&problem.hands, problem.rule, &Limits::default()) {
        Ok(answer) => match answer.verdict {
            cooperative::Verdict::Win(play) => Answer::Yes(play),
            cooperative::Verdict::NoWin => Answer::No,
            cooperative::Verdict::Unknown(stop) => Answer::Unknown(stop.to_string()),
        },
        Err(error) => Answer::Unknown(error.to_string()),
    }
}

/// Uncooperative UNO by playing all games, with nothing known of matchings. For a dozen cards or so.
pub fn uncooperative_by_play() -> impl Fn(&Uncooperative) -> Answer<Pairing<usize>> {
    |problem| {
        let [one, two] = problem.hands.each_ref().map(|hand| hand.cards());
        let mut graph = UnGraph::new_undirected();
        (0..one.len() + two.len()).for_each(|_| _ = graph.add_node(()));
        for (at, card) in one.iter().enumerate() {
            for (to, _) in two.iter().enumerate().filter(|(_, other)| card.matches(**other)) {
                graph.add_edge(NodeIndex::new(at), NodeIndex::new(one.len() + to), ());
            }
        }
        let openings = (0..one.len()).map(NodeIndex::new).collect();
        match geography_by_play()(&Geography { graph, openings }) {
            Answer::Yes(pairing) => {
                let answers = pairing.answers.iter();
                let positions = answers.map(|(theirs, ours)| (theirs.index() - one.len() + 1, ours.index() + 1));
                Answer::Yes(Pairing { opening: pairing.opening.index() + 1, answers: positions.collect() })
            }
            Answer::No => Answer::No,
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }
}

/// Geography by playing all games, with nothing known of matchings; the pairing by trying all. For up to 64 nodes, and a
/// dozen or so in reasonable time.
pub fn geography_by_play() -> impl Fn(&Geography) -> Answer<Pairing<NodeIndex>> {
    |problem| {
        let n = problem.graph.node_count();
        if n > 64 {
            return Answer::Unknown(format!("{n} nodes are too many for playing all games"));
        }
        let opening =
            problem.openings.iter().find(|opening| !mover_wins(&problem.graph, **opening, 1 << opening.index()));
        let Some(&opening) = opening else {
            return Answer::No;
        };
        let mut pairing = Pairing { opening, answers: Vec::new() };
        match pair_up(&problem.graph, &mut pairing) {
            true => Answer::Yes(pairing),
            false => Answer::Unknown("an opening wins, but by no pairing".to_owned()),
        }
    }
}

/// Whether the player who has to move the token from this node wins, where the visited nodes are set in `visited`.
fn mover_wins(graph: &UnGraph<(), ()>, token: NodeIndex, visited: u64) -> bool {
    // As deep as the game is long: 64 moves at most.
    let free = graph.neighbors(token).filter(|next| visited >> next.index() & 1 == 0);
    free.into_iter().any(|next| !mover_wins(graph, next, visited | 1 << next.index()))
}

/// Answers all that the opponent can do, if there is a way.
fn pair_up(graph: &UnGraph<(), ()>, pairing: &mut Pairing<NodeIndex>) -> bool {
    let answered = |pairing: &Pairing<NodeIndex>, node| pairing.answers.iter().any(|&(theirs, _)| theirs == node);
    let ours = std::iter::once(pairing.opening).chain(pairing.answers.iter().map(|&(_, ours)| ours));
    let Some(theirs) = ours.flat_map(|at| graph.neighbors(at)).find(|&next| !answered(pairing, next)) else {
        return true;
    };
    for answer in graph.neighbors(theirs) {
        if answer != pairing.opening && pairing.answers.iter().all(|&(_, ours)| ours != answer) {
            pairing.answers.push((theirs, answer));
            if pair_up(graph, pairing) {
                return true;
            }
            pairing.answers.pop();
        }
    }
    false
}

/// A node that some maximum matching misses: one whose removal leaves the maximum as it is. By petgraph's matchings.
pub fn missed_node() -> impl Fn(&MissedNode) -> Answer<Missing> {
    |problem| {
        let most = petgraph::algo::maximum_matching(&problem.graph).len();
        for &node in &problem.side {
            let rest = NodeFiltered::from_fn(&problem.graph, |other| other != node);
            let matching = petgraph::algo::maximum_matching(&rest);
            if matching.len() == most {
                return Answer::Yes(Missing { node, matching: matching.edges().collect() });
            }
        }
        Answer::No
    }
}

fn with_ends<'a, W, Ty: EdgeType>(
    question: LongestPath<'a, &'a Graph<(), W, Ty>>,
    [from, to]: [Option<NodeIndex>; 2],
) -> LongestPath<'a, &'a Graph<(), W, Ty>> {
    let question = from.into_iter().fold(question, LongestPath::from);
    to.into_iter().fold(question, LongestPath::to)
}

/// Whether the longest is long enough.
fn settle<E>(solution: Result<Solution<NodeIndex, E>, crate::Error>, at_least: i64) -> Answer<Vec<NodeIndex>> {
    match solution {
        Err(error) => Answer::Unknown(error.to_string()),
        Ok(solution) if solution.length().is_some_and(|length| length >= at_least) => {
            Answer::Yes(solution.path().unwrap_or_default().to_vec())
        }
        Ok(solution) if solution.upper_bound().is_none_or(|upper| upper < at_least) => Answer::No,
        Ok(solution) => Answer::Unknown(solution.stop().to_string()),
    }
}
