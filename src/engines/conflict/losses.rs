//! What the choices so far have lost, and which others would lose too much: a pseudo-Boolean constraint.

use super::literal::{Assignment, Lit};
use super::model::{Model, SCALE};

/// The losses of the current assignment against what may be lost.
#[derive(Debug)]
pub(super) struct Losses {
    /// By literal; variables added later lose nothing.
    loss: Vec<i128>,
    most: i128,
    /// The literals that lose something, the greatest losses first.
    order: Vec<Lit>,
    /// What may be lost by cycles above the floor, and by those above the target if it holds.
    room: i128,
    target: Option<(Lit, i128)>,
    has_target: bool,
    lost: i128,
    /// Up to here all literals in the order are settled: true, or false because they lose too much.
    settled: usize,
    /// The true literals that lose something, as they came (and the target), with `settled` before.
    stack: Vec<(Lit, u32)>,
}

impl Losses {
    pub(super) fn new(model: &Model, floor: i64) -> Self {
        let loss = model.losses.clone();
        let lossy = |lit: &Lit| loss[lit.index()] > 0;
        let mut order: Vec<Lit> = (0..loss.len() as u32).map(Lit::from_code).filter(lossy).collect();
        order.sort_by_key(|lit| std::cmp::Reverse(loss[lit.index()]));
        let room = room(model.most, floor);
        Losses {
            loss,
            most: model.most,
            order,
            room,
            target: None,
            has_target: false,
            lost: 0,
            settled: 0,
            stack: Vec::new(),
        }
    }

    pub(super) fn loss(&self, lit: Lit) -> i128 {
        self.loss.get(lit.index()).copied().unwrap_or(0)
    }

    /// Even what is certain loses too much.
    pub(super) fn is_overdrawn(&self) -> bool {
        self.lost > self.room
    }

    /// The assignment is that of level 0.
    pub(super) fn raise_floor(&mut self, floor: i64) {
        self.room = self.room.min(room(self.most, floor));
        self.settled = 0;
    }

    /// Where `lit` is true only cycles worth more than this will do.
    pub(super) fn aim(&mut self, target: i64, lit: Lit) {
        self.target = Some((lit, room(self.most, target)));
        self.has_target = false;
    }

    pub(super) fn give_up_target(&mut self) {
        self.target = None;
        self.has_target = false;
    }

    fn current_room(&self) -> i128 {
        match self.target {
            Some((_, room)) if self.has_target => room.min(self.room),
            _ => self.room,
        }
    }

    fn is_target(&self, lit: Lit) -> bool {
        self.target.is_some_and(|(target, _)| target == lit)
    }

    /// Nothing loses anything.
    fn is_idle(&self) -> bool {
        self.order.is_empty() && self.target.is_none()
    }

    pub(super) fn count(&mut self, lit: Lit) {
        if self.is_idle() {
            return;
        }
        let loss = self.loss(lit);
        if loss > 0 || self.is_target(lit) {
            self.stack.push((lit, self.settled as u32));
            self.lost += loss;
            self.has_target |= self.is_target(lit);
        }
    }

    pub(super) fn uncount(&mut self, lit: Lit) {
        if self.is_idle() {
            return;
        }
        let loss = self.loss(lit);
        if loss > 0 || self.is_target(lit) {
            let (_, settled) = self.stack.pop().unwrap_or((lit, 0));
            self.settled = settled as usize;
            self.lost -= loss;
            self.has_target &= !self.is_target(lit);
        }
    }

    /// Whether more is lost than may be.
    pub(super) fn is_violated(&self) -> bool {
        self.lost > self.current_room()
    }

    /// The next literal that would lose too much, if there is one.
    pub(super) fn next_too_much(&mut self, assignment: &Assignment) -> Option<Lit> {
        let left = self.current_room() - self.lost;
        while let Some(&lit) = self.order.get(self.settled)
            && (self.loss(lit) > left)
        {
            self.settled += 1;
            if assignment.is_open(lit) {
                return Some(lit);
            }
        }
        None
    }

    /// Why a literal of this loss could not be true any more at this position of the trail: the negations of those that
    /// are, as few as come first, and of the target where it is needed.
    pub(super) fn explain(&self, loss: i128, position: u32, assignment: &Assignment, why: &mut Vec<Lit>) {
        let tight = self.target.filter(|&(lit, room)| {
            room < self.room && assignment.is_true(lit) && assignment.position(lit.var()) < position
        });
        let room = tight.map_or(self.room, |(_, room)| room);
        let mut lost = loss;
        why.extend(tight.map(|(lit, _)| !lit));
        for &(lit, _) in &self.stack {
            if lost > room {
                return;
            }
            if self.loss(lit) > 0 && assignment.position(lit.var()) < position {
                lost += self.loss(lit);
                why.push(!lit);
            }
        }
        debug_assert!(lost > room, "too much is lost");
    }
}

/// What may be lost by a cycle worth more than `floor`.
fn room(most: i128, floor: i64) -> i128 {
    most - SCALE * (i128::from(floor) + 1)
}
