//! A sweep proves exactly what is true, whatever multipliers lead it, and whatever parts have been folded away before: against every
//! path of small graphs.

mod question;
mod random;

use self::question::{Question, told};
use self::random::Random;
use longhaul_check::graph::Graph;
use longhaul_check::{Limits, check};

impl Question {
    /// The best value, by every sequence of vertices.
    fn best(&self) -> Option<i64> {
        self.best_of(1)
    }

    /// That of paths with so many vertices at least.
    fn best_of(&self, least: usize) -> Option<i64> {
        let mut best = None;
        (0..self.graph.n).for_each(|start| self.grow(&mut vec![start], self.prizes[start], least, &mut best));
        best
    }

    fn grow(&self, path: &mut Vec<usize>, value: i64, least: usize, best: &mut Option<i64>) {
        let (start, end) = (path[0], path[path.len() - 1]);
        let whole = match self.cycle {
            None => self.first[start].zip(self.last[end]).map(|(first, last)| value + first + last),
            Some(through) => {
                let least = if self.graph.directed { 2 } else { 3 };
                let is_cycle = path.len() >= least && (through == 0 || path.contains(&(through - 1)));
                self.weight(end, start).filter(|_| is_cycle).map(|weight| value + weight)
            }
        };
        *best = (*best).max(whole.filter(|_| path.len() >= least));
        for next in 0..self.graph.n {
            if let Some(weight) = self.weight(end, next).filter(|_| !path.contains(&next)) {
                path.push(next);
                self.grow(path, value + weight + self.prizes[next], least, best);
                path.pop();
            }
        }
    }

    /// A proof of a claim by one sweep, with multipliers of all kinds along any order.
    fn proof(&self, claim: Option<i64>, random: &mut Random) -> String {
        let Graph { directed, n, .. } = &self.graph;
        let mut text = self.head(claim);
        let mut rows: Vec<String> = Vec::new();
        for vertex in 1..=*n {
            let names: &[&str] = if *directed { &["out", "in"] } else { &["at"] };
            rows.extend(names.iter().map(|name| format!("{name} {vertex} {}", random.between(-1, 4))));
            rows.push(format!("tip {vertex} {}", random.between(0, 2)));
        }
        let cut = self.cycle.is_none() && random.below(2) == 0;
        if cut {
            let inside: Vec<String> =
                (1..=*n).filter(|&v| v == 1 || random.below(2) == 0).map(|v| v.to_string()).collect();
            text += &format!("\nset 1 0 {} {}", inside.len(), inside.join(" "));
            rows.push(format!("cut 0 {}", random.between(0, 3)));
        }
        let scale = if claim.is_some() { random.below(3) } else { 0 };
        let kept: Vec<String> = rows.into_iter().filter(|_| random.below(3) > 0).collect();
        let mut order: Vec<usize> = (1..=*n).collect();
        (1..*n).for_each(|at| order.swap(at, random.below(at + 1)));
        let order: Vec<String> = order.iter().map(usize::to_string).collect();
        text + &format!("\nsweep {scale} {} {} {n} {}\nend\n", kept.len(), kept.join(" "), order.join(" "))
    }

    /// A sweep of these vertices, without multipliers.
    fn sweep(&self, claim: Option<i64>, is_there: impl Fn(usize) -> bool) -> String {
        let there = (0..self.graph.n).filter(|&vertex| is_there(vertex));
        let order: Vec<String> = there.map(|vertex| (vertex + 1).to_string()).collect();
        format!("\nsweep {} 0 {} {}", u8::from(claim.is_some()), order.len(), order.join(" "))
    }

    /// The question without prizes of vertices, as the checker counts.
    fn counted(&self) -> Question {
        let (directed, prizes) = (self.graph.directed, &self.prizes);
        let factor = if directed || prizes.iter().all(|&prize| prize == 0) { 1 } else { 2 };
        let earned = |u: u32, v: u32| prizes[v as usize] + if directed { 0 } else { prizes[u as usize] };
        let edges = self.graph.edges.iter().map(|&(u, v, weight)| (u, v, factor * weight + earned(u, v)));
        let ends = |ends: &[Option<i64>], has_prize: bool| -> Vec<Option<i64>> {
            let own = |vertex: usize| if has_prize { prizes[vertex] } else { 0 };
            (0..).zip(ends).map(|(vertex, end)| end.map(|end| factor * end + own(vertex))).collect()
        };
        Question {
            graph: Graph::new(directed, self.graph.n, edges),
            prizes: vec![0; self.graph.n],
            first: ends(&self.first, true),
            last: ends(&self.last, !directed),
            cycle: self.cycle,
        }
    }

    /// A proof that folds away a part, where what tails are worth is more by so much than they are.
    fn proof_by_part(&self, claim: Option<i64>, holder: usize, is_part: &[bool], more: i64) -> String {
        let counted = self.counted();
        let names: Vec<String> =
            (1..).zip(is_part).filter(|(_, part)| **part).map(|(name, _)| name.to_string()).collect();
        let mut text = self.head(claim) + &format!("\npart {} {} {}", holder + 1, names.len(), names.join(" "));
        let is_near = |vertex: usize| is_part[vertex] || vertex == holder;
        // What a cycle must visit has a place too.
        text += &self.sweep(claim, |vertex| is_near(vertex) || self.cycle == Some(vertex + 1));
        let near = |ends: &[Option<i64>]| -> Vec<Option<i64>> {
            (0..).zip(ends).map(|(vertex, end)| end.filter(|_| is_near(vertex))).collect()
        };
        let (first, last) = (near(&counted.first), near(&counted.last));
        let alone: Vec<Option<i64>> = (0..is_part.len()).map(|vertex| (vertex == holder).then_some(0)).collect();
        let mut sides = vec![(first.clone(), alone.clone())];
        if self.graph.directed || first != last {
            sides.push((alone, last));
        }
        for (first, last) in sides.into_iter().filter(|_| self.cycle.is_none()) {
            let graph = counted.graph.within(|vertex| is_near(vertex as usize));
            let tail = Question { graph, prizes: counted.prizes.clone(), first, last, cycle: None };
            let worth = tail.best_of(2).map(|worth| worth + more);
            text += &format!("\n{}{}", told(worth), self.sweep(worth, is_near));
        }
        text + &self.sweep(claim, |_| true) + "\nend\n"
    }
}

#[test]
fn what_hangs_on_a_vertex_is_folded_away_at_its_worth() {
    let mut random = Random(0x0d1e_2f3a_4b5c_6d7e);
    let (mut proved, mut refused, mut wider, mut lowered) = (0, 0, 0, 0);
    for _ in 0..3000 {
        let mut question = Question::random(&mut random);
        let holder = random.below(question.graph.n);
        let is_part: Vec<bool> = (0..question.graph.n).map(|v| v != holder && random.below(2) == 0).collect();
        let Graph { directed, n, edges, .. } = &question.graph;
        let stays = |u: usize, v: usize| u == holder || v == holder || is_part[u] == is_part[v];
        let kept = edges.iter().copied().filter(|&(u, v, _)| stays(u as usize, v as usize));
        let hanging = Graph::new(*directed, *n, kept);
        if hanging.edges.len() < edges.len() {
            let text = question.proof_by_part(None, holder, &is_part, 0);
            let why = check(&question.graph, text.as_bytes(), &Limits::default()).expect_err("it hangs on more");
            assert!(why.contains("part") || why.contains("single vertex"), "{why}: {text}");
            wider += 1;
        }
        question.graph = hanging;
        let best = question.best();
        for (claim, more) in [(best, 0), (best.map(|best| best - 1), 0), (None, 0), (best, 1), (best, -1)] {
            let text = question.proof_by_part(claim, holder, &is_part, more);
            let answer = check(&question.graph, text.as_bytes(), &Limits::default());
            let is_true = best.is_none_or(|best| claim.is_some_and(|claim| best <= claim));
            // A tail that is worth less than it is, if there is one, is refused.
            let is_lowered = more < 0 && text != question.proof_by_part(claim, holder, &is_part, 0);
            assert!(answer.is_err() || (is_true && !is_lowered), "{answer:?}, and the best is {best:?}:\n{text}");
            assert!(answer.is_ok() || !is_true || more != 0, "{answer:?}, and the best is {best:?}:\n{text}");
            lowered += usize::from(is_lowered);
            // Whatever is changed after the claim, what is accepted is true.
            let (head, steps) = text.split_once("\npart").expect("a part");
            for _ in 0..4 {
                let mut words: Vec<String> = steps.split_ascii_whitespace().map(str::to_owned).collect();
                let at = random.below(words.len());
                words[at] = match random.below(4) {
                    0 => words[random.below(words.len())].clone(),
                    1 => "none".to_owned(),
                    _ => random.between(-2, 8).to_string(),
                };
                let changed = format!("{head}\npart {}", words.join(" "));
                let answer = check(&question.graph, changed.as_bytes(), &Limits::default());
                assert!(answer.is_err() || is_true, "{answer:?}, and the best is {best:?}:\n{changed}");
            }
            if answer.is_ok() { proved += 1 } else { refused += 1 }
        }
    }
    let enough = proved > 3000 && refused > 3000 && wider > 500 && lowered > 500;
    assert!(enough, "{proved} proved, {refused} refused, {wider} wider, {lowered} lowered");
}

#[test]
fn a_sweep_proves_exactly_what_is_true() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut proved, mut refused) = (0, 0);
    for _ in 0..6000 {
        let question = Question::random(&mut random);
        let best = question.best();
        for claim in [best, best.map(|best| best - 1), best.map(|best| best + 2), None] {
            let text = question.proof(claim, &mut random);
            let answer = check(&question.graph, text.as_bytes(), &Limits::default());
            let is_true = best.is_none_or(|best| claim.is_some_and(|claim| best <= claim));
            assert_eq!(answer.is_ok(), is_true, "{answer:?}, and the best is {best:?}:\n{text}");
            if is_true { proved += 1 } else { refused += 1 }
        }
    }
    assert!(proved > 5000 && refused > 5000, "{proved} proved, {refused} refused");
}
