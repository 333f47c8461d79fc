//! Whatever is hinted at, nothing is learnt that a better path violates: by paths of small graphs, and all kinds of hints. What the
//! engine learns is accepted by its own tests.

mod question;
mod random;

use self::question::Question;
use self::random::Random;
use longhaul_check::{Limits, check};

/// A path or cycle of two vertices or more, if chance leads to one, and what it is worth with the prizes of vertices.
fn some_path(question: &Question, random: &mut Random) -> Option<(Vec<usize>, i64)> {
    let mut path = vec![random.below(question.graph.n)];
    let mut value = question.prizes[path[0]];
    loop {
        let last = path[path.len() - 1];
        let whole = match question.cycle {
            None => question.first[path[0]].zip(question.last[last]).map(|(first, last)| value + first + last),
            Some(through) => {
                let is_cycle = path.len() > usize::from(!question.graph.directed) + 1;
                let visits = through == 0 || path.contains(&(through - 1));
                question.weight(last, path[0]).filter(|_| is_cycle && visits).map(|weight| value + weight)
            }
        };
        if let Some(whole) = whole.filter(|_| path.len() > 1 && random.below(3) == 0) {
            return Some((path, whole));
        }
        let steps = (0..question.graph.n).filter(|next| !path.contains(next));
        let steps: Vec<(usize, i64)> = steps.filter_map(|next| Some((next, question.weight(last, next)?))).collect();
        let (next, weight) = *steps.get(random.below(steps.len().max(1)))?;
        value += weight + question.prizes[next];
        path.push(next);
    }
}

/// Every column by name, and whether it is 1 for a path.
fn columns(question: &Question, path: &[usize]) -> Vec<(String, bool)> {
    let is_alike = is_alike(question);
    let back = question.cycle.map(|_| (path[path.len() - 1], path[0]));
    let steps: Vec<(usize, usize)> = path.windows(2).map(|pair| (pair[0], pair[1])).chain(back).collect();
    let mut columns = Vec::new();
    for &(u, v, _) in &question.graph.edges {
        let (u, v) = (u as usize, v as usize);
        let is_used = steps.contains(&(u, v)) || !question.graph.directed && steps.contains(&(v, u));
        columns.push((format!("edge {} {}", u + 1, v + 1), is_used));
    }
    for vertex in 0..question.graph.n {
        let name = vertex + 1;
        columns.push((format!("visit {name}"), path.contains(&vertex)));
        if question.cycle.is_none() {
            let (is_start, is_finish) = (vertex == path[0], vertex == path[path.len() - 1]);
            if is_alike {
                columns.push((format!("tip {name}"), is_start || is_finish));
            } else {
                columns.push((format!("start {name}"), is_start));
                columns.push((format!("finish {name}"), is_finish));
            }
        }
    }
    columns
}

fn is_alike(question: &Question) -> bool {
    !question.graph.directed && question.cycle.is_none() && question.first == question.last
}

/// Multipliers of any kind, and the rows that hints may name.
fn rows(question: &Question) -> Vec<String> {
    let mut rows = vec!["some".to_owned()];
    for vertex in 1..=question.graph.n {
        let names: &[&str] = if question.graph.directed { &["out", "in", "tip"] } else { &["at", "tip"] };
        rows.extend(names.iter().map(|name| format!("{name} {vertex}")));
    }
    if question.cycle.is_none() {
        let names: &[&str] = if is_alike(question) { &["ends"] } else { &["starts", "finishes"] };
        rows.extend(names.iter().map(|&name| name.to_owned()));
    }
    let uses = question.graph.edges.iter().map(|(u, v, _)| (u + 1, v + 1));
    rows.extend(uses.flat_map(|(u, v)| [format!("use {u} {v} {u}"), format!("use {u} {v} {v}")]));
    rows
}

/// All that may be said of a side, or anything at all.
fn crossings(question: &Question, number: usize, is_inside: &[bool], has_ends: bool, anything: bool) -> Vec<String> {
    let mut hints = if question.graph.directed { Vec::new() } else { vec![format!("even {number}")] };
    // 0 stands for the ends.
    let places: Vec<usize> = (usize::from(question.cycle.is_some() && !anything)..=question.graph.n).collect();
    let is_in = |place: usize| place.checked_sub(1).map_or(has_ends, |vertex| is_inside[vertex]);
    for &inside in places.iter().filter(|&&place| anything || is_in(place)) {
        for &outside in places.iter().filter(|&&place| anything || !is_in(place)) {
            hints.extend(["leave", "enter"].map(|kind| format!("{kind} {number} {inside} {outside}")));
            let holders = places.iter().filter(|&&place| anything || !is_in(place) && place != outside);
            hints.extend(holders.map(|holder| format!("hang {number} {inside} {outside} {holder}")));
        }
    }
    hints
}

#[test]
fn no_hint_is_violated_by_a_better_path() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut tried, mut known) = (0, 0);
    for _ in 0..100_000 {
        let question = Question::random(&mut random);
        let Some((path, value)) = some_path(&question, &mut random) else { continue };
        let columns = columns(&question, &path);
        let scale = random.below(3);
        let all = rows(&question);
        let named: Vec<&String> = all.iter().filter(|row| !row.starts_with("use")).collect();
        let multiplied: Vec<String> = (0..random.below(2 * named.len()))
            .map(|_| format!("{} {}", named[random.below(named.len())], random.below(4)))
            .collect();
        let mut text = question.head(Some(value - 1));
        text += &format!("\nlearn {scale} {} {}", multiplied.len(), multiplied.join(" "));
        let names: Vec<&str> = columns.iter().map(|(name, _)| &name[..]).collect();
        text += &format!("\n{} {}", names.len(), names.join(" "));
        let mut hints = all;
        let anything = random.below(3) == 0;
        if anything {
            hints.clear();
        }
        for number in 0..3 {
            let is_inside: Vec<bool> = (0..question.graph.n).map(|_| random.below(2) == 0).collect();
            let has_ends = question.cycle.is_none() && random.below(2) == 0;
            let inside = (1..).zip(&is_inside).filter(|(_, inside)| **inside);
            let inside: Vec<String> = inside.map(|(name, _)| usize::to_string(&name)).collect();
            text += &format!("\nside {} {} {}", u8::from(has_ends), inside.len(), inside.join(" "));
            hints.extend(crossings(&question, number, &is_inside, has_ends, anything));
        }
        if !anything {
            hints.push("loss 0".to_owned());
            hints.extend((1..=columns.len()).flat_map(|number| [format!("loss {number}"), format!("loss -{number}")]));
        }
        // What the path is in some columns is said not to be.
        let part = if anything { 4 } else { random.below(5) };
        let told = (1..).zip(&columns).filter(|_| random.below(4) < part);
        let clause: Vec<String> = told
            .map(|(number, (_, is_one))| if *is_one { -number } else { number })
            .map(|number: i64| number.to_string())
            .collect();
        let hints: Vec<&str> = (0..if anything { 1 } else { 40 + random.below(60) })
            .map(|_| &hints[random.below(hints.len())][..])
            .collect();
        text += &format!("\nlemma {} {} {} {}", clause.len(), clause.join(" "), hints.len(), hints.join(" "));
        text += "\nlemma 0 0\nend\n";
        let why = check(&question.graph, text.as_bytes(), &Limits::default()).expect_err(&text);
        // A single vertex may be worth more than the claim, or a hint be none.
        let reasons = ["clause 0 lead to no contradiction", "a single vertex", "not at its sides"];
        assert!(reasons.iter().any(|reason| why.contains(reason)), "{why}:\n{text}");
        tried += usize::from(why.contains("clause 0"));
        known += usize::from(part == 4);
    }
    assert!(tried > 3000 && known > 1000, "{tried} tried, {known} with all columns");
}
