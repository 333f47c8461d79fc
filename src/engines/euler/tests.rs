//! Against a brute force that walks.

use fixedbitset::FixedBitSet;

use super::*;
use crate::instance::Silent;

/// The heaviest trail with an edge.
fn brute(question: &Question) -> Option<i64> {
    fn go_on(question: &Question, first: u32, here: u32, used: &mut FixedBitSet, sum: i64, best: &mut Option<i64>) {
        let fits = if question.closed { here == first } else { question.to.is_none_or(|to| to == here) };
        if fits && !used.is_clear() {
            *best = (*best).max(Some(sum));
        }
        for (edge, &(one, two, weight)) in question.edges.iter().enumerate() {
            let there = match (one == here, two == here) {
                (true, _) => two,
                (false, true) if !question.directed => one,
                _ => continue,
            };
            if !used[edge] {
                used.insert(edge);
                go_on(question, first, there, used, sum + weight, best);
                used.remove(edge);
            }
        }
    }
    let mut best = None;
    let firsts = (0..question.vertex_count as u32).filter(|&first| question.from.is_none_or(|from| from == first));
    for first in firsts {
        go_on(question, first, first, &mut FixedBitSet::with_capacity(question.edges.len()), 0, &mut best);
    }
    best
}

#[test]
fn random_multigraphs() {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut below = |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % limit
    };
    for round in 0..1500 {
        let n = 2 + below(4);
        let (m, plain) = (below(9), below(3) == 0);
        let edges: Vec<(u32, u32, i64)> =
            (0..m).map(|_| (below(n) as u32, below(n) as u32, if plain { 1 } else { below(12) as i64 - 3 })).collect();
        let closed = below(3) == 0;
        let mut end = || (below(3) == 0).then(|| below(n) as u32);
        let (from, to) = (end(), end().filter(|_| !closed));
        let question = Question { vertex_count: n as usize, directed: round % 2 == 0, edges, from, to, closed };
        let expected = brute(&question);
        let most: i64 = question.edges.iter().map(|edge| edge.2.max(0)).sum();
        let mut search = Search::new(question.clone(), i64::MIN / 4, most, 1 << 30).unwrap();
        if round % 3 == 0 {
            search.guess(&Budget::unlimited(), &mut Silent);
        }
        let mut found = search.run(Some(1), &Budget::unlimited(), &mut Silent);
        while found.stop == Some(Stop::Exhausted) {
            assert!(found.upper >= expected.unwrap_or(i64::MIN), "{question:?}");
            found = search.run(Some(50), &Budget::unlimited(), &mut Silent);
        }
        assert_eq!(found.stop, None);
        assert_eq!(found.best.as_ref().map(|best| best.1), expected, "{question:?}");
        if let Some((trail, worth)) = found.best {
            assert!(guess::is_trail(&question, &trail), "{question:?} {trail:?}");
            assert_eq!(trail.iter().map(|&edge| question.edges[edge as usize].2).sum::<i64>(), worth);
        }
    }
}
