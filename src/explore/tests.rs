//! Searches against what is known of small graphs, and limits.

use std::sync::Arc;

use petgraph::graph::DiGraph;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::*;

/// Numbers below `count`; each leads to its double and its successor.
fn doubling(count: u32) -> Exploration<'static, u32, impl Listing<u32>> {
    Exploration::from_values([1], move |&number: &u32, found: &mut Successors<'_, u32>| {
        for next in [2 * number, number + 1] {
            if next < count {
                found.push(&next);
            }
        }
    })
}

/// Steps from 1 by doubling and adding 1: a bit less than the number of digits and ones.
fn steps_to(number: u32) -> usize {
    (number.ilog2() + number.count_ones() - 1) as usize
}

#[test]
fn values_bytes_and_graphs_are_searched_alike() {
    const COUNT: u32 = 5000;
    let as_values = doubling(COUNT).run();
    assert_eq!((as_values.end(), as_values.states()), (End::Complete, u64::from(COUNT) - 1));
    let list = |bytes: &[u8], found: &mut Successors<'_, [u8]>| {
        let number = u32::from_le_bytes(bytes.try_into().unwrap());
        for next in [2 * number, number + 1] {
            if next < COUNT {
                found.push(&next.to_le_bytes());
            }
        }
    };
    let first = 1u32.to_le_bytes().to_vec();
    let as_bytes = Exploration::from_bytes([first], list).threads(2).run();
    let arcs = (1..COUNT).flat_map(|number| [(number, 2 * number), (number, number + 1)]);
    let graph = DiGraph::<(), ()>::from_edges(arcs.filter(|&(_, to)| to < COUNT));
    let as_graph = from_graph(&graph, [1.into()]).run();
    let mut by_depth = vec![0; as_values.states_by_depth().len()];
    (1..COUNT).for_each(|number| by_depth[steps_to(number)] += 1);
    for states in [as_values.states_by_depth(), as_bytes.states_by_depth(), as_graph.states_by_depth()] {
        assert_eq!(states, by_depth);
    }
    assert_eq!(as_values.transitions(), as_graph.transitions());
    for number in 1..COUNT {
        let way = as_values.way_to(as_values.find(&number).unwrap());
        assert_eq!((way.len(), way[way.len() - 1]), (steps_to(number) + 1, number));
        assert!(way.windows(2).all(|pair| pair[1] == 2 * pair[0] || pair[1] == pair[0] + 1));
    }
    assert_eq!(as_values.find(&COUNT), None);
}

#[test]
fn threads_change_nothing() {
    let [one, two] = [1, 2].map(|threads| doubling(200_000).threads(threads).goal(|&number| number == 199_999).run());
    assert_eq!(one.goals(), two.goals());
    assert_eq!(one.states_by_depth(), two.states_by_depth());
    let nearest = one.goals()[0].nearest.unwrap();
    assert_eq!(one.way_to(nearest), two.way_to(nearest));
    assert_eq!((one.end(), one.goals()[0].depth), (End::Goal, Some(steps_to(199_999))));
}

#[test]
fn a_limit_ends_the_search_and_what_is_said_holds() {
    let all = doubling(100_000).run();
    let whole = all.states_by_depth();
    let ends = [
        (doubling(100_000).depth_limit(7).run(), End::Depth),
        (doubling(100_000).state_limit(1000).run(), End::States),
        (doubling(100_000).memory_limit(100_000).run(), End::Spent(Stop::MemoryLimit)),
        (doubling(100_000).time_limit(Duration::ZERO).run(), End::Spent(Stop::TimeLimit)),
        (doubling(100_000).interrupt(Arc::new(true.into())).run(), End::Spent(Stop::Interrupted)),
    ];
    for (explored, end) in ends {
        assert_eq!(explored.end(), end);
        let layers = explored.states_by_depth();
        assert_eq!(layers, &whole[..layers.len()]);
        assert!(explored.states() >= layers.iter().sum::<u64>());
    }
    assert!(doubling(100_000).memory_limit(100_000).run().peak_bytes() <= 100_000);
}

#[test]
fn a_state_takes_few_bytes() {
    let list = |bytes: &[u8], found: &mut Successors<'_, [u8]>| {
        let number = u64::from_le_bytes(bytes.try_into().unwrap());
        for next in [2 * number, 2 * number + 1] {
            if next < 1 << 17 {
                found.push(&next.to_le_bytes());
            }
        }
    };
    let explored = Exploration::from_bytes([1u64.to_le_bytes().to_vec()], list).run();
    assert_eq!(explored.states(), (1 << 17) - 1);
    // 8 of its own, 8 for place and parent, both with an eighth to spare, and 9.4 in the table.
    assert!(explored.bytes() as f64 <= 27.5 * explored.states() as f64);
}

#[test]
fn deepening_finds_the_nearest_goal() {
    for goal in [1, 2, 100, 4095, 4096, 9999] {
        // Doublings alone bring it no nearer than this.
        let estimate = move |&number: &u32| if number > goal { 99 } else { (goal / number).ilog2() as usize };
        let exploration = doubling(10_000).goal(move |&number| number == goal);
        let (explored, proved) = exploration.run_deepening(estimate(&1), estimate);
        assert_eq!((explored.goals()[0].depth, proved), (Some(steps_to(goal)), steps_to(goal)));
    }
    let (explored, _) = doubling(1000).goal(|_| false).run_deepening(0, |_| 0);
    assert_eq!((explored.end(), explored.states()), (End::Complete, 999));
}

/// Random graphs, with circles and dead ends: a state is won if its condition says so, applied until nothing changes.
#[test]
fn forced_goals_are_those_of_the_definition() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let (mut won_first, mut settled_early) = (0, 0);
    for round in 0..500 {
        let count = 2 + round % 30;
        let mut arcs = vec![Vec::new(); count];
        for _ in 0..count * 2 {
            let [from, to] = [(); 2].map(|()| random.next_u64() as usize % count);
            if !arcs[from].contains(&to) {
                arcs[from].push(to);
            }
        }
        let own: Vec<bool> = (0..count).map(|_| random.next_u64() % 2 == 0).collect();
        let mut won: Vec<bool> = (0..count).map(|at| at % 5 == 4).collect();
        let goal = won.clone();
        loop {
            let before = won.clone();
            for at in 0..count {
                won[at] |= match own[at] {
                    true => arcs[at].iter().any(|&next| won[next]),
                    false => !arcs[at].is_empty() && arcs[at].iter().all(|&next| won[next]),
                };
            }
            if won == before {
                break;
            }
        }
        let explore = || {
            let list =
                |&at: &usize, found: &mut Successors<'_, usize>| arcs[at].iter().for_each(|next| found.push(next));
            Exploration::from_values([0], list)
        };
        let forced = explore().run_graph().force(|&at| own[at], |&at| goal[at]);
        match &forced {
            Forced::Win(strategy) => {
                assert!(won[0]);
                assert!(strategy.choices.iter().all(|(from, to)| own[*from] && won[*to] && arcs[*from].contains(to)));
                won_first += 1;
            }
            Forced::NoWin => assert!(!won[0]),
            Forced::Unknown(_) => panic!("nothing was left out"),
        }
        match explore().depth_limit(3).run_graph().force(|&at| own[at], |&at| goal[at]) {
            Forced::Win(_) => assert!(won[0]),
            Forced::NoWin => assert!(!won[0]),
            Forced::Unknown(end) => {
                assert_eq!(end, End::Depth);
                continue;
            }
        }
        settled_early += 1;
    }
    assert!((50..450).contains(&won_first) && settled_early > 100, "{won_first}, {settled_early}");
}
