//! Clauses that two solvers of the same model and floor hand to each other, on one thread in turns or on two at once.
//!
//! Y. Hamadi, S. Jabbour, L. Sais, *ManySAT: a parallel SAT solver*, Journal on Satisfiability, Boolean Modeling and Computation
//! 6 (2009) 245–262, doi:10.3233/SAT190070. What joins few levels or is short is of use for the other one as well.

use std::sync::{Arc, Mutex, PoisonError};

use super::literal::Lit;

/// Clauses that join more levels, or have more literals, stay with who learnt them.
const MOST_LEVELS: u32 = 7;
const MOST_LITERALS: usize = 60;

/// So many words wait before they are handed over.
const WORDS_AT_ONCE: usize = 64;

/// By solver: the clauses that it has handed over and the other has not read, each as the number of its literals, the levels it
/// joins and its literals.
type Logs = [Mutex<Vec<u32>>; 2];

/// One end of an exchange.
#[derive(Debug)]
pub(super) struct Partner {
    logs: Arc<Logs>,
    side: usize,
    outgoing: Vec<u32>,
    incoming: Vec<u32>,
}

/// Two ends.
pub(super) fn partners() -> [Partner; 2] {
    let logs: Arc<Logs> = Arc::default();
    [0, 1].map(|side| Partner { logs: logs.clone(), side, outgoing: Vec::new(), incoming: Vec::new() })
}

impl Partner {
    /// Hands a clause over where it is worth it.
    pub(super) fn offer(&mut self, lits: &[Lit], levels: u32) {
        if levels > MOST_LEVELS || lits.len() > MOST_LITERALS {
            return;
        }
        self.outgoing.extend([lits.len() as u32, levels]);
        self.outgoing.extend(lits.iter().map(|lit| lit.code()));
        if self.outgoing.len() >= WORDS_AT_ONCE || lits.len() == 1 {
            let mut log = self.logs[self.side].lock().unwrap_or_else(PoisonError::into_inner);
            log.append(&mut self.outgoing);
        }
    }

    /// Looks for new clauses of the other one.
    pub(super) fn has_mail(&mut self) -> bool {
        let mut log = self.logs[1 - self.side].lock().unwrap_or_else(PoisonError::into_inner);
        self.incoming.append(&mut log);
        !self.incoming.is_empty()
    }

    /// Takes them: the literals of each and the levels it joins.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (Vec<Lit>, u32)> + use<> {
        let words = std::mem::take(&mut self.incoming);
        let mut at = 0;
        std::iter::from_fn(move || {
            let (&size, &levels) = (words.get(at)?, words.get(at + 1)?);
            let begin = at + 2;
            at = begin + size as usize;
            Some((words[begin..at].iter().map(|&code| Lit::from_code(code)).collect(), levels))
        })
    }
}
