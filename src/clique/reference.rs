//! Backtracking without any bound: the readable reference, and a yardstick.
//!
//! The first candidate is taken if it is adjacent to all of the clique, with what is left of the candidates after it; then it
//! is left out. Every clique is met, so this is for small graphs.
//!
//! Source: El Mahdi Oulkadi, *Optimisation combinatoire du jeu Dobble* (TIPE), function `trouve_clique_maximum`. Written with a
//! stack instead of calls, and with a look at the limits.

use super::driver::{Found, Question};
use super::tree::Shared;

pub(super) fn search(question: &Question<'_>, shared: &Shared, heard: &mut dyn FnMut(i64)) -> Found {
    const STEPS_PER_LOOK: u64 = 1 << 12;
    let mut levels: Vec<Vec<u32>> = vec![(0..question.graph.len() as u32).rev().collect()];
    let mut clique: Vec<u32> = Vec::new();
    let (mut weight, mut steps) = (0, 0u64);
    while let Some(candidates) = levels.last_mut() {
        steps += 1;
        if steps.is_multiple_of(STEPS_PER_LOOK) {
            heard(question.upper);
            if shared.spent() {
                break;
            }
        }
        let Some(candidate) = candidates.pop() else {
            levels.pop();
            weight -= clique.pop().map_or(0, |vertex| question.weight(vertex));
            continue;
        };
        let rest = candidates.iter().copied().filter(|&other| question.graph.adjacent(candidate, other)).collect();
        levels.push(rest);
        clique.push(candidate);
        weight += question.weight(candidate);
        if weight > shared.best() {
            shared.offer(weight, || clique.clone());
        }
    }
    shared.steps.store(steps, std::sync::atomic::Ordering::Relaxed);
    let upper = if shared.is_stopped() { question.upper } else { question.upper.min(shared.best()) };
    Found { clique: shared.clique(), upper, peak_bytes: 0, decisions: vec!["every clique is met".to_owned()] }
}
