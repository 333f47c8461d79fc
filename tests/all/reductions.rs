//! Reductions: what holds is verified on all small instances, what fails is found to.

use longhaul::Engine;
use longhaul::adapters::cubic::named;
use longhaul::adapters::reductions::{
    Answer, Clash, Cooperative, CubicToSolitaire, CycleToPath, FixedToFreeEnds, FreeToFixedEnds, Geography,
    GeographyToMatching, HamiltonianCycle, HamiltonianPath, LongPath, MissedNode, Missing, Pairing, PathToCooperative,
    PathToCycle, PathToEqualHands, PathToLongPath, Problem, Reduction, Solitaire, SolitaireToEqualHands,
    SolitaireToLongPath, SourceSolution, TargetSolution, Then, Uncooperative, UncooperativeToGeography,
    UndirectedToDirected, Verdict, Verifier, solvers,
};
use longhaul::adapters::uno::cooperative::PlayRule;
use longhaul::adapters::uno::{Card, Deck};
use longhaul::io::decode_graph6;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn decoded(word: &str) -> UnGraph<(), ()> {
    let directed = decode_graph6(word).unwrap().0;
    let mut graph = UnGraph::new_undirected();
    directed.node_indices().for_each(|_| _ = graph.add_node(()));
    directed.edge_references().for_each(|edge| _ = graph.add_edge(edge.source(), edge.target(), ()));
    graph
}

fn graph_of(nodes: usize, edges: &[(u32, u32)]) -> UnGraph<(), ()> {
    let mut graph = UnGraph::new_undirected();
    (0..nodes).for_each(|_| _ = graph.add_node(()));
    graph.extend_with_edges(edges);
    graph
}

/// Every graph on so many nodes, nodes told apart.
fn labelled(nodes: usize) -> impl Iterator<Item = UnGraph<(), ()>> {
    let pairs: Vec<(u32, u32)> = (0..nodes as u32).flat_map(|two| (0..two).map(move |one| (one, two))).collect();
    (0..1u32 << pairs.len()).map(move |mask| {
        let drawn = pairs.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
        graph_of(nodes, &drawn.map(|(_, &pair)| pair).collect::<Vec<_>>())
    })
}

/// All connected graphs on up to six nodes; those on five and six up to isomorphism.
fn connected_up_to_six() -> Vec<UnGraph<(), ()>> {
    let connected = |graph: &UnGraph<(), ()>| petgraph::algo::connected_components(graph) == 1;
    let tables = ["connected_n5", "connected_n6"].map(|name| crate::corpus::table(&format!("small/{name}.tsv")));
    let listed = tables.iter().flatten().map(|row| decoded(&row["graph6"]));
    (1..=4).flat_map(labelled).filter(connected).chain(listed).collect()
}

/// With each beginning.
fn with_starts(graphs: Vec<UnGraph<(), ()>>) -> impl Iterator<Item = HamiltonianPath> {
    graphs.into_iter().flat_map(|graph| {
        let starts: Vec<NodeIndex> = graph.node_indices().collect();
        starts.into_iter().map(move |from| HamiltonianPath { graph: graph.clone(), from: Some(from), to: None })
    })
}

/// The reduction holds on all of these, none is refused, and both answers come up: how many yes and no.
fn assert_holds<R: Reduction>(
    verifier: &Verifier<'_, R>,
    sources: impl IntoIterator<Item = R::Source>,
) -> (usize, usize) {
    let (mut yes, mut no) = (0, 0);
    for source in sources {
        match verifier.verify(&source) {
            Verdict::Agreed(report) => {
                assert_eq!(report.carried, if report.answer { 4 } else { 0 });
                if report.answer { yes += 1 } else { no += 1 }
            }
            Verdict::Disagreed(disagreement) => panic!("{disagreement}"),
            Verdict::Refused(refused) => panic!("{source}: {refused}"),
            Verdict::Unsettled(reason) => panic!("{source}: {reason}"),
        }
    }
    (yes, no)
}

fn paths_by_backtracking() -> impl Fn(&HamiltonianPath) -> Answer<Vec<NodeIndex>> {
    solvers::hamiltonian_path(Engine::Backtracking)
}

#[test]
fn theorem_4_holds_for_all_cubic_graphs_on_up_to_twelve_nodes() {
    let graphs = crate::corpus::table("cubic/connected_up_to_12.tsv");
    let sources = graphs.iter().map(|row| HamiltonianPath::free(decoded(&row["graph6"])));
    let verifier =
        Verifier::new(&CubicToSolitaire, solvers::cubic_hamiltonian_path(), solvers::solitaire(Engine::Auto));
    assert_eq!(assert_holds(&verifier, sources), (112, 0));
    let again = graphs.iter().take(27).map(|row| HamiltonianPath::free(decoded(&row["graph6"])));
    let verifier = Verifier::new(&CubicToSolitaire, paths_by_backtracking(), solvers::solitaire(Engine::Frontier));
    assert_eq!(assert_holds(&verifier, again), (27, 0));
}

#[test]
fn theorem_4_holds_where_there_is_no_path() {
    let source = HamiltonianPath::free(named("three-bridges").unwrap());
    let verifier =
        Verifier::new(&CubicToSolitaire, solvers::cubic_hamiltonian_path(), solvers::solitaire(Engine::Frontier));
    assert_eq!(assert_holds(&verifier, [source.clone()]), (0, 1));
    // Its longest sequence: 33 of 48 cards.
    let all = CubicToSolitaire.reduce(&source).unwrap();
    assert_eq!(all.at_least, 48);
    for (at_least, expected) in [(33, true), (34, false)] {
        let some = Solitaire { at_least, ..all.clone() };
        for engine in [Engine::Auto, Engine::Frontier] {
            assert_eq!(matches!(solvers::solitaire(engine)(&some), Answer::Yes(_)), expected);
        }
    }
    // Two tetrahedra side by side.
    let k4 = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let two: Vec<_> = k4.into_iter().chain(k4.map(|(one, other)| (one + 4, other + 4))).collect();
    assert_eq!(assert_holds(&verifier, [HamiltonianPath::free(graph_of(8, &two))]), (0, 1));
}

/// Whatever full play there is, scattered nodes included, leads back to a path.
#[test]
fn every_full_play_of_a_small_cubic_graph_leads_back() {
    fn plays(deck: &[Card], play: &mut Vec<usize>, found: &mut impl FnMut(&Vec<usize>)) {
        if play.len() == deck.len() {
            return found(play);
        }
        for position in 1..=deck.len() {
            let fits = play.last().is_none_or(|&last: &usize| deck[last - 1].matches(deck[position - 1]));
            if fits && !play.contains(&position) {
                play.push(position);
                plays(deck, play, found);
                play.pop();
            }
        }
    }
    for (name, expected_scattered) in [("tetrahedron", true), ("utility", true)] {
        let source = HamiltonianPath::free(named(name).unwrap());
        let deck = CubicToSolitaire.reduce(&source).unwrap().deck;
        let (mut count, mut scattered) = (0, 0);
        plays(deck.cards(), &mut Vec::new(), &mut |play| {
            CubicToSolitaire.carry_back(&source, play).unwrap();
            count += 1;
            let node = |position: &usize| (position - 1) / 3;
            scattered +=
                usize::from(play.chunks(3).any(|piece| piece.iter().any(|card| node(card) != node(&piece[0]))));
        });
        assert!(count > scattered && (scattered > 0) == expected_scattered, "{name}: {scattered} of {count}");
    }
}

#[test]
fn theorem_1_holds_under_strict_alternation() {
    let rule = PlayRule::StrictAlternation;
    let reduction = PathToCooperative { rule };
    let verifier = Verifier::new(&reduction, paths_by_backtracking(), solvers::cooperative());
    let all = connected_up_to_six().into_iter().filter(|graph| graph.edge_count() >= graph.node_count());
    let (yes, no) = assert_holds(&verifier, all.map(HamiltonianPath::free));
    assert!(yes > 100 && no > 10, "{yes} {no}");
}

#[test]
fn theorem_1_is_found_to_fail_under_forced_skips() {
    let reduction = PathToCooperative { rule: PlayRule::ForcedSkip };
    let verifier = Verifier::new(&reduction, paths_by_backtracking(), solvers::cooperative());
    let sources = || connected_up_to_six().into_iter().map(HamiltonianPath::free);
    // On five nodes and fewer the answers agree, but not every winning play leads back.
    let found = verifier.counterexample(sources(), |_| true).unwrap();
    assert!(matches!(found.clash, Clash::Back(_)), "{found}");
    assert_eq!(found.instance.graph.node_count(), 4, "{found}");
    let found = verifier.counterexample(sources(), Clash::answers_differ).unwrap();
    assert!(matches!(found.clash, Clash::OnlyTarget(_)), "{found}");
    assert_eq!(found.instance.graph.node_count(), 6, "{found}");
    let small = sources().filter(|source| source.graph.node_count() <= 5);
    assert!(verifier.counterexample(small, Clash::answers_differ).is_none());
    // The one that our notes print.
    let printed = graph_of(6, &[(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 2), (1, 3)]);
    let Verdict::Disagreed(printed) = verifier.verify(&HamiltonianPath::free(printed)) else { panic!("it holds") };
    assert!(matches!(printed.clash, Clash::OnlyTarget(_)));
}

#[test]
fn corollary_2_is_found_to_fail_under_either_rule() {
    let sources = || with_starts(connected_up_to_six());
    // The start is forgotten where the hands are of one size already.
    let equal = |source: &HamiltonianPath| source.graph.edge_count() == source.graph.node_count();
    for rule in [PlayRule::StrictAlternation, PlayRule::ForcedSkip] {
        let reduction = PathToEqualHands { rule };
        let verifier = Verifier::new(&reduction, paths_by_backtracking(), solvers::cooperative());
        let found = verifier.counterexample(sources().filter(equal), Clash::answers_differ).unwrap();
        assert!(matches!(found.clash, Clash::OnlyTarget(_)), "{found}");
        assert_eq!(found.instance.graph.node_count(), 4, "{found}");
        let padded = sources().filter(|source| !equal(source));
        match rule {
            PlayRule::StrictAlternation => {
                // Padding needs skips.
                let found = verifier.counterexample(padded, |clash| matches!(clash, Clash::OnlySource(_))).unwrap();
                assert_eq!(found.instance.graph.node_count(), 4, "{found}");
            }
            PlayRule::ForcedSkip => {
                let differs = |source| match verifier.verify(&source) {
                    Verdict::Disagreed(found) if found.clash.answers_differ() => Some(found),
                    _ => None,
                };
                let found = padded.into_iter().find_map(differs).unwrap();
                assert!(matches!(found.clash, Clash::OnlyTarget(_)), "{found}");
                assert_eq!(found.instance.graph.node_count(), 5, "{found}");
            }
        }
    }
    let reduction = PathToEqualHands { rule: PlayRule::ForcedSkip };
    let verifier = Verifier::new(&reduction, paths_by_backtracking(), solvers::cooperative());
    let start = Some(NodeIndex::new(0));
    for (nodes, edges) in
        [(5, &[(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3)][..]), (4, &[(0, 1), (0, 2), (0, 3), (1, 2)])]
    {
        let source = HamiltonianPath { graph: graph_of(nodes, edges), from: start, to: None };
        let Verdict::Disagreed(found) = verifier.verify(&source) else { panic!("it holds for {source}") };
        assert!(matches!(found.clash, Clash::OnlyTarget(_)), "{found}");
    }
}

#[test]
fn the_mended_corollary_holds_under_forced_skips() {
    let verifier = Verifier::new(&SolitaireToEqualHands, solvers::solitaire(Engine::Auto), solvers::cooperative());
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let decks = (0..300).map(|_| Solitaire::all(random_deck(&mut rng, 8)));
    let (yes, no) = assert_holds(&verifier, decks);
    assert!(yes > 30 && no > 30, "{yes} {no}");
    // And from cubic graphs, all the way.
    let both = Then(CubicToSolitaire, SolitaireToEqualHands);
    let verifier = Verifier::new(&both, solvers::cubic_hamiltonian_path(), solvers::cooperative());
    let graphs = ["tetrahedron", "utility", "cube", "wagner"].map(|name| HamiltonianPath::free(named(name).unwrap()));
    assert_eq!(assert_holds(&verifier, graphs.clone()), (4, 0));
    for graph in graphs {
        let [one, two] = both.reduce(&graph).unwrap().hands;
        assert_eq!(one.cards().len(), two.cards().len());
        assert!(one.cards().iter().all(|&card| two.cards().iter().all(|&other| !card.matches(other))));
    }
}

#[test]
fn paths_and_cycles_become_each_other() {
    let all = || (0..=4).flat_map(labelled).chain(connected_up_to_six());
    let verifier = Verifier::new(&PathToLongPath, paths_by_backtracking(), solvers::long_path(Engine::Frontier));
    let (yes, no) = assert_holds(&verifier, all().map(HamiltonianPath::free));
    assert!(yes > 100 && no > 30);
    assert_holds(&verifier, with_starts(all().filter(|graph| graph.node_count() > 0).collect()));

    let cycle = || solvers::hamiltonian_cycle(Engine::Backtracking);
    let path = || solvers::hamiltonian_path(Engine::Frontier);
    let (yes, no) =
        assert_holds(&Verifier::new(&CycleToPath, cycle(), path()), all().map(|graph| HamiltonianCycle { graph }));
    assert!(yes > 30 && no > 50);
    let (yes, no) = assert_holds(&Verifier::new(&PathToCycle, path(), cycle()), all().map(HamiltonianPath::free));
    assert!(yes > 100 && no > 30);
}

#[test]
fn ends_can_be_fixed_and_freed_and_edges_directed() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    let mut sources = Vec::new();
    for graph in (0..=3).flat_map(labelled).chain(connected_up_to_six().into_iter().step_by(3)) {
        let weighted = graph.map(|_, ()| (), |_, ()| rng.random_range(-3..=9));
        let best = |from, to| {
            let problem = LongPath { graph: weighted.clone(), from, to, at_least: i64::MIN / 4 };
            solvers::long_path(Engine::PlainBacktracking)(&problem).solution().map(|path| {
                let step = |pair: &[NodeIndex]| weighted[weighted.find_edge(pair[0], pair[1]).unwrap()];
                path.windows(2).map(step).sum::<i64>()
            })
        };
        let n = graph.node_count();
        let ends: Vec<(Option<NodeIndex>, Option<NodeIndex>)> = match n {
            0 => vec![(None, None)],
            _ => {
                let mut any = || Some(NodeIndex::new(rng.random_range(0..n)));
                vec![(None, None), (any(), any()), (any(), None)]
            }
        };
        for (from, to) in ends {
            let best = best(from, to).unwrap_or(0);
            sources.extend([best, best + 1].map(|at_least| LongPath { graph: weighted.clone(), from, to, at_least }));
        }
    }
    let (plain, frontier) = (|| solvers::long_path(Engine::Backtracking), || solvers::long_path(Engine::Frontier));
    let free = sources.iter().filter(|source| source.from.is_none() && source.to.is_none()).cloned();
    let (yes, no) = assert_holds(&Verifier::new(&FreeToFixedEnds, plain(), frontier()), free);
    assert!(yes > 40 && no > 40);
    let fixed = sources.iter().filter(|source| source.to.is_some()).cloned();
    let (yes, no) = assert_holds(&Verifier::new(&FixedToFreeEnds, plain(), frontier()), fixed);
    assert!(yes > 30 && no > 40);
    let directed = solvers::long_path::<petgraph::Directed>(Engine::Frontier);
    let (yes, no) = assert_holds(&Verifier::new(&UndirectedToDirected, plain(), directed), sources);
    assert!(yes > 80 && no > 100);
}

fn random_deck(rng: &mut Pcg64Mcg, most: usize) -> Deck {
    let cards = rng.random_range(1..=most);
    let mut value = || rng.random_range(1..=4);
    Deck::new((0..cards).map(|_| Card { number: value(), colour: value() }).collect())
}

#[test]
fn solitaire_is_a_longest_path() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut sources = Vec::new();
    for row in crate::corpus::table("uno/uno1.tsv") {
        let card = |pair: &str| {
            let (colour, number) = pair.split_once(',').unwrap();
            Card { number: number.parse().unwrap(), colour: colour.parse().unwrap() }
        };
        let deck = Deck::new(row["deck"].split(' ').map(card).collect());
        let longest: usize = row["longest"].parse().unwrap();
        sources.extend([longest, longest + 1].map(|at_least| Solitaire { deck: deck.clone(), at_least }));
        sources.push(Solitaire { at_least: rng.random_range(1..=longest), deck });
    }
    let verifier = Verifier::new(
        &SolitaireToLongPath,
        solvers::solitaire(Engine::Backtracking),
        solvers::long_path(Engine::Frontier),
    );
    assert_eq!(assert_holds(&verifier, sources), (150, 75));
}

fn random_hands(count: usize) -> impl Iterator<Item = Uncooperative> {
    let mut rng = Pcg64Mcg::seed_from_u64(17);
    (0..count).map(move |_| Uncooperative { hands: [random_deck(&mut rng, 6), random_deck(&mut rng, 6)] })
}

#[test]
fn uncooperative_uno_is_geography_is_matching() {
    let both = Then(UncooperativeToGeography, GeographyToMatching);
    let verifier = Verifier::new(&both, solvers::uncooperative_by_play(), solvers::missed_node());
    let (yes, no) = assert_holds(&verifier, random_hands(600));
    assert!(yes > 100 && no > 50, "{yes} {no}");
    let play = || solvers::uncooperative_by_play();
    assert_holds(&Verifier::new(&UncooperativeToGeography, play(), solvers::geography_by_play()), random_hands(200));
    let games = random_hands(400).map(|source| UncooperativeToGeography.reduce(&source).unwrap());
    assert_holds(&Verifier::new(&GeographyToMatching, solvers::geography_by_play(), solvers::missed_node()), games);
    // And the game's own solver agrees.
    for source in random_hands(200) {
        let [one, two] = &source.hands;
        let wins = matches!(solvers::uncooperative_by_play()(&source), Answer::Yes(_));
        assert_eq!(longhaul::adapters::uno::uncooperative::Geography::new(one, two).winner() == 1, wins, "{source}");
    }
    // No cards, no opening.
    let none = Uncooperative { hands: [Deck::default(), random_deck(&mut Pcg64Mcg::seed_from_u64(1), 3)] };
    assert_eq!(assert_holds(&verifier, [none]), (0, 1));
    // The text of the source would have player 1 win here: it empties its hand.
    let hand = |colour, number| Deck::new(vec![Card { number, colour }]);
    assert_eq!(assert_holds(&verifier, [Uncooperative { hands: [hand(4, 2), hand(1, 2)] }]), (0, 1));
}

/// A verifier notices whatever is wrong, on either side and on the way.
#[test]
fn every_kind_of_disagreement_is_noticed() {
    /// Forgets the first node on the way, in the directions asked for.
    struct Forgetful {
        forward: bool,
        back: bool,
    }
    impl Reduction for Forgetful {
        type Source = HamiltonianPath;
        type Target = LongPath;

        fn name(&self) -> &'static str {
            "forgetful"
        }

        fn reduce(&self, source: &HamiltonianPath) -> Result<LongPath, longhaul::adapters::reductions::Refused> {
            PathToLongPath.reduce(source)
        }

        fn forward(
            &self,
            _: &HamiltonianPath,
            path: &SourceSolution<Self>,
        ) -> Result<TargetSolution<Self>, longhaul::adapters::reductions::Fault> {
            Ok(path[usize::from(self.forward)..].to_vec())
        }

        fn back(
            &self,
            _: &HamiltonianPath,
            path: &TargetSolution<Self>,
        ) -> Result<SourceSolution<Self>, longhaul::adapters::reductions::Fault> {
            Ok(path[usize::from(self.back)..].to_vec())
        }
    }

    let source = HamiltonianPath::free(graph_of(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]));
    let target = || solvers::long_path(Engine::Frontier);
    let clash = |verdict: Verdict<HamiltonianPath>| match verdict {
        Verdict::Disagreed(disagreement) => disagreement.clash,
        other => panic!("{other:?}"),
    };
    let (right, lost_forward, lost_back) = (
        Forgetful { forward: false, back: false },
        Forgetful { forward: true, back: false },
        Forgetful { forward: false, back: true },
    );
    assert!(matches!(Verifier::new(&right, paths_by_backtracking(), target()).verify(&source), Verdict::Agreed(_)));
    let verdict = Verifier::new(&lost_forward, paths_by_backtracking(), target()).verify(&source);
    assert!(matches!(clash(verdict), Clash::Forward(_)));
    let verdict = Verifier::new(&lost_back, paths_by_backtracking(), target()).verify(&source);
    assert!(matches!(clash(verdict), Clash::Back(_)));
    let verdict = Verifier::new(&right, |_| Answer::No, target()).verify(&source);
    assert!(matches!(clash(verdict), Clash::OnlyTarget(_)));
    let verdict = Verifier::new(&right, paths_by_backtracking(), |_| Answer::No).verify(&source);
    assert!(matches!(clash(verdict), Clash::OnlySource(_)));
    let verdict = Verifier::new(&right, |_| Answer::Yes(Vec::new()), target()).verify(&source);
    assert!(matches!(clash(verdict), Clash::SourceSolver(_)));
    let verdict = Verifier::new(&right, paths_by_backtracking(), |_| Answer::Yes(Vec::new())).verify(&source);
    assert!(matches!(clash(verdict), Clash::TargetSolver(_)));
    let verdict = Verifier::new(&right, |_| Answer::Unknown("tired".into()), target()).verify(&source);
    assert!(matches!(verdict, Verdict::Unsettled(reason) if reason == "tired"));

    // A counterexample is made as small as it fails: here down to a single node.
    let verifier = Verifier::new(&lost_back, paths_by_backtracking(), target());
    let found = verifier.counterexample([source], |_| true).unwrap();
    assert_eq!(found.instance.graph.node_count(), 1, "{found}");
}

#[test]
fn instances_out_of_reach_are_refused() {
    let refusal = |result: Result<Solitaire, _>| -> String {
        let refused: longhaul::adapters::reductions::Refused = result.err().unwrap();
        refused.to_string()
    };
    let path = HamiltonianPath::free(graph_of(3, &[(0, 1), (1, 2)]));
    assert!(refusal(CubicToSolitaire.reduce(&path)).contains("node 0 has 1 edges"));
    let doubled = HamiltonianPath::free(graph_of(4, &[(0, 1), (0, 1), (0, 2), (1, 3), (2, 3), (2, 3)]));
    assert!(refusal(CubicToSolitaire.reduce(&doubled)).contains("more than one edge joins the nodes 0 and 1"));
    let fixed = HamiltonianPath { from: Some(NodeIndex::new(0)), ..HamiltonianPath::free(named("cube").unwrap()) };
    assert!(refusal(CubicToSolitaire.reduce(&fixed)).contains("it asks for an end"));
    assert!(CubicToSolitaire.reduce(&HamiltonianPath::free(graph_of(0, &[]))).is_err());

    let rule = PlayRule::StrictAlternation;
    let refused = |graph| PathToCooperative { rule }.reduce(&HamiltonianPath::free(graph)).unwrap_err().to_string();
    assert!(refused(graph_of(3, &[(0, 1), (1, 2)])).contains("is a tree"));
    assert!(refused(graph_of(4, &[(0, 1), (1, 2), (0, 2)])).contains("not connected"));
    assert!(refused(graph_of(2, &[(0, 1), (0, 1)])).contains("parallel edges"));
    assert!(PathToEqualHands { rule }.reduce(&HamiltonianPath::free(graph_of(3, &[(0, 1), (1, 2), (0, 2)]))).is_err());

    let odd = Geography { graph: graph_of(3, &[(0, 1), (1, 2), (0, 2)]), openings: vec![NodeIndex::new(0)] };
    assert!(GeographyToMatching.reduce(&odd).unwrap_err().to_string().contains("not bipartite"));
    let both_sides = Geography { graph: graph_of(2, &[(0, 1)]), openings: [0, 1].map(NodeIndex::new).to_vec() };
    assert!(GeographyToMatching.reduce(&both_sides).is_err());
    let unfixed = LongPath { graph: UnGraph::from_edges([(0, 1)]), from: None, to: None, at_least: 1 };
    assert!(FixedToFreeEnds.reduce(&unfixed).is_err());
    let heavy = LongPath {
        graph: UnGraph::from_edges([(0, 1, i64::MAX)]),
        from: Some(NodeIndex::new(0)),
        to: Some(NodeIndex::new(1)),
        at_least: 1,
    };
    assert!(FixedToFreeEnds.reduce(&heavy).unwrap_err().to_string().contains("too large"));
}

/// Checks refuse what is no solution, whatever it is that is wrong.
#[test]
fn wrong_solutions_are_refused() {
    let nodes = |nodes: &[usize]| nodes.iter().map(|&node| NodeIndex::new(node)).collect::<Vec<_>>();
    let square = graph_of(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]);
    let path = HamiltonianPath { from: Some(NodeIndex::new(0)), ..HamiltonianPath::free(square.clone()) };
    assert!(path.check(&nodes(&[0, 1, 2, 3])).is_ok());
    for wrong in [&[][..], &[0, 1, 2], &[1, 0, 3, 2], &[0, 2, 1, 3], &[0, 1, 2, 1], &[0, 1, 2, 9]] {
        assert!(path.check(&nodes(wrong)).is_err(), "{wrong:?}");
    }
    let cycle = HamiltonianCycle { graph: square.clone() };
    assert!(cycle.check(&nodes(&[0, 1, 2, 3])).is_ok());
    assert!(cycle.check(&nodes(&[0, 1, 2])).is_err());

    let card = |number, colour| Card { number, colour };
    let game = Solitaire { deck: Deck::new(vec![card(1, 1), card(1, 2), card(2, 2)]), at_least: 3 };
    assert!(game.check(&vec![1, 2, 3]).is_ok());
    for wrong in [&[1, 2][..], &[1, 3, 2], &[1, 2, 2], &[0, 1, 2], &[1, 2, 4]] {
        assert!(game.check(&wrong.to_vec()).is_err(), "{wrong:?}");
    }

    let star = graph_of(4, &[(0, 1), (0, 2), (0, 3)]);
    let missed = MissedNode { graph: star.clone(), side: nodes(&[1, 2, 3]) };
    let pair = |one, two| (NodeIndex::new(one), NodeIndex::new(two));
    let claim = |node, matching| missed.check(&Missing { node: NodeIndex::new(node), matching });
    assert!(claim(1, vec![pair(0, 2)]).is_ok());
    assert!(claim(1, vec![]).is_err());
    assert!(claim(1, vec![pair(0, 1)]).is_err());
    assert!(claim(0, vec![pair(0, 1)]).is_err());
    assert!(claim(1, vec![pair(2, 3)]).is_err());
    assert!(claim(1, vec![pair(0, 2), pair(0, 3)]).is_err());

    let game = Geography { graph: star, openings: nodes(&[1, 2, 3]) };
    let claim = |opening, answers| game.check(&Pairing { opening: NodeIndex::new(opening), answers });
    assert!(claim(1, vec![pair(0, 2)]).is_ok());
    assert!(claim(1, vec![]).is_err());
    assert!(claim(1, vec![pair(0, 1)]).is_err());
    assert!(claim(0, vec![pair(1, 2)]).is_err());
    assert!(claim(1, vec![pair(0, 7)]).is_err());
    let hands = Uncooperative { hands: [Deck::new(vec![card(1, 1)]), Deck::new(vec![card(1, 2)])] };
    assert!(hands.check(&Pairing { opening: 1, answers: vec![] }).is_err());
    assert!(hands.check(&Pairing { opening: 2, answers: vec![] }).is_err());
    let cooperative = Cooperative { hands: hands.hands, rule: PlayRule::ForcedSkip };
    assert!(cooperative.check(&vec![]).is_err());
}
