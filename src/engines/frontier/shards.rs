//! A sweep in pieces: any shard of any layer can be taken some steps on, anywhere.
//!
//! States are told as bytes, so that a layer too large for one machine can lie on several, sharded by the hash of the state. A
//! shard goes on by itself for as many steps as one likes; states that two shards come to both are merged whenever they are
//! split by their hashes again, and cost nothing but time until then. Nothing is remembered of the way to a state: going back,
//! the layer in which a piece began is swept again by itself, under the value that is now known, until it leads to the state that
//! is asked for.

use super::advance::LayerExpander;
use super::chains::Core;
use super::completion_bounds::CompletionBounds;
use super::kernel::{Key, Narrow, NarrowArcs, State, Wide, WideArcs};
use super::layer::{Finish, Layer};
use super::measure::Measure;
use super::path::{self, Replay, retrace};
use super::plan::{Choice, Plan};
use super::planner;
use super::potentials::Potentials;
use crate::instance::{Budget, Instance};
use crate::solution::Stop;

/// The steps of a sweep along an order, and bounds to prune with.
pub(crate) struct Pieces {
    core: Core,
    plan: Plan,
    potentials: Option<Potentials>,
    kind: Kind,
}

/// The smallest kind of state with room for all slots.
#[derive(Clone, Copy)]
enum Kind {
    Narrow,
    Wide,
    NarrowArcs,
    WideArcs,
}

/// What became of a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advanced {
    /// The states of the later layer with their values.
    pub states: Vec<u8>,
    /// The best path that was completed on the way, if it beats the floor: after which step, and its value.
    pub finish: Option<(usize, i64)>,
    /// States made.
    pub made: u64,
    /// The most memory that was held at once, in bytes.
    pub peak_bytes: usize,
}

/// What a way back leads to.
#[derive(Clone, Copy, Debug)]
pub enum Goal<'g> {
    /// The path that this step completed, of this value.
    Finish {
        /// The step.
        step: usize,
        /// The value.
        value: i64,
    },
    /// A state with its value, as in [`Advanced::states`], after the steps before `to`; on the way to a path of that value.
    State {
        /// The number of steps before the layer it is in.
        to: usize,
        /// The state.
        state: &'g [u8],
        /// Its value.
        value: i64,
    },
}

/// A way back to the layer where a piece began.
#[derive(Clone, Debug)]
pub struct WayBack {
    /// The state there, with its value.
    pub state: Vec<u8>,
    /// What was chosen in each step, the last step first.
    pub choices: Vec<(usize, Vec<u32>)>,
}

macro_rules! dispatch {
    ($kind:expr, $k:ident => $answer:expr) => {
        match $kind {
            Kind::Narrow => {
                type $k = Narrow;
                $answer
            }
            Kind::Wide => {
                type $k = Wide;
                $answer
            }
            Kind::NarrowArcs => {
                type $k = NarrowArcs;
                $answer
            }
            Kind::WideArcs => {
                type $k = WideArcs;
                $answer
            }
        }
    };
}

impl Pieces {
    /// The sweep that places the vertices in this order. `None` where the frontier is too wide for any state.
    pub(crate) fn new(instance: &Instance, order: &[u32], budget: &Budget) -> Result<Option<Self>, Stop> {
        let core = Core::new(instance);
        let plan = planner::plan(&core, &super::core_order(instance, &core, order), Measure::Plain);
        let directed = instance.graph.is_directed();
        let Some(kind) = kind_for(directed, plan.slots) else { return Ok(None) };
        let potentials = Potentials::new(&core, &plan, directed, budget)?;
        Ok(Some(Pieces { core, plan, potentials, kind }))
    }

    /// How many steps there are from the first layer to the last.
    pub(crate) fn steps(&self) -> usize {
        self.plan.steps.len()
    }

    /// The best path that the sweep doesn't see, because it lies in what hangs off the rest.
    pub(crate) fn excluded(&self) -> Option<&(Vec<u32>, i64)> {
        self.core.excluded.as_ref()
    }

    /// No path that the sweep sees is worth more, as far as that is known beforehand.
    pub(crate) fn bound(&self) -> Option<i64> {
        self.potentials.as_ref().map(|potentials| potentials.bound)
    }

    /// What a state takes with its value, in bytes.
    pub(crate) fn state_bytes(&self) -> usize {
        dispatch!(self.kind, K => K::BYTES + VALUE_BYTES)
    }

    /// The first layer: one state.
    pub(crate) fn start(&self) -> Vec<u8> {
        dispatch!(self.kind, K => told(&Layer::<K>::start()))
    }

    /// Takes states of the layer before step `from`, from wherever they come, to that before step `to`. Only paths worth more
    /// than `floor` matter.
    pub(crate) fn advance(
        &self,
        from: usize,
        to: usize,
        parts: &[&[u8]],
        floor: i64,
        budget: &Budget,
    ) -> Result<Advanced, Stop> {
        dispatch!(self.kind, K => {
            let layer = merged::<K>(parts, budget)?;
            let mut sweep = Segment { pieces: self, budget, expander: LayerExpander::new(&self.plan, budget), target: floor };
            let (layer, finish) = sweep.run(from, to, layer, |_| {})?;
            let finish = finish.map(|(step, finish)| (step, finish.value));
            let (made, peak_bytes) = (sweep.expander.made, sweep.expander.peak_bytes);
            Ok(Advanced { states: told(&layer), finish, made, peak_bytes })
        })
    }

    /// The states by their hashes, in so many shards.
    pub(crate) fn split(&self, states: &[u8], shards: usize) -> Vec<Vec<u8>> {
        dispatch!(self.kind, K => {
            let size = K::BYTES + VALUE_BYTES;
            let mut parts = vec![Vec::new(); shards];
            for chunk in states.chunks_exact(size) {
                let state = K::from_bytes(&chunk[..K::BYTES]);
                // The low bits: within a layer, the high ones choose the place.
                parts[(state.hash64() as u32 as usize) % shards].extend_from_slice(chunk);
            }
            parts
        })
    }

    /// How some states of the layer before step `from` lead to a goal; `None` if they don't.
    pub(crate) fn way_back(
        &self,
        from: usize,
        parts: &[&[u8]],
        goal: Goal<'_>,
        best: i64,
        budget: &Budget,
    ) -> Result<Option<WayBack>, Stop> {
        dispatch!(self.kind, K => {
            let layer = merged::<K>(parts, budget)?;
            self.way_back_of::<K>(from, layer, goal, best, budget)
        })
    }

    fn way_back_of<K: Key>(
        &self,
        from: usize,
        layer: Layer<K>,
        goal: Goal<'_>,
        best: i64,
        budget: &Budget,
    ) -> Result<Option<WayBack>, Stop> {
        let to = match goal {
            Goal::Finish { step, .. } => step + 1,
            Goal::State { to, .. } => to,
        };
        let mut kept = vec![layer.clone()];
        let mut held = layer.bytes();
        let mut full = false;
        let expander = LayerExpander::new(&self.plan, budget);
        let mut sweep = Segment { pieces: self, budget, expander, target: best - 1 };
        let (_, finish) = sweep.run(from, to, layer, |layer| {
            held += layer.bytes();
            full |= held > budget.memory;
            if !full {
                kept.push(layer.clone());
            }
        })?;
        if full {
            return Err(Stop::MemoryLimit);
        }
        let steps = &self.plan.steps;
        let mut choices = Vec::new();
        let (mut state, mut value) = match goal {
            Goal::Finish { step, value } => {
                let found = finish.filter(|(at, finish)| *at == step && finish.value == value);
                let Some((_, Finish { parent, parent_value, .. })) = found else { return Ok(None) };
                choices.push((step, retrace(&self.plan, &steps[step], parent, parent_value, None, value)));
                (parent, parent_value)
            }
            Goal::State { state, value, .. } => {
                let state = K::from_bytes(state);
                let there = kept.get(to - from).is_some_and(|last| last.iter().any(|known| known == (state, value)));
                if !there {
                    return Ok(None);
                }
                (state, value)
            }
        };
        let last = if let Goal::Finish { step, .. } = goal { step } else { to };
        let replay = Replay {
            plan: &self.plan,
            completion_bounds: self.completion_bounds(),
            target: best - 1,
            layer_expander: LayerExpander::new(&self.plan, budget),
            held,
            budget,
        };
        for step in (from..last).rev() {
            let (parent, parent_value) = replay.parent(&kept[step - from], &steps[step], state, value)?;
            choices.push((step, retrace(&self.plan, &steps[step], parent, parent_value, Some(state), value)));
            (state, value) = (parent, parent_value);
        }
        let state = told(&Layer::of_one_shard(vec![state], vec![value]));
        Ok(Some(WayBack { state, choices }))
    }

    /// The path that the choices of all steps make.
    pub(crate) fn path(&self, instance: &Instance, choices: &[(usize, Vec<Choice>)]) -> Vec<u32> {
        path::assemble(instance, &self.core, &self.plan, choices)
    }

    fn completion_bounds(&self) -> CompletionBounds<'_> {
        CompletionBounds::by_potentials(self.potentials.as_ref(), Measure::Plain)
    }
}

fn kind_for(directed: bool, slots: usize) -> Option<Kind> {
    Some(match (directed, slots) {
        (false, slots) if slots <= Narrow::SLOTS => Kind::Narrow,
        (false, slots) if slots <= Wide::SLOTS => Kind::Wide,
        (true, slots) if slots <= NarrowArcs::SLOTS => Kind::NarrowArcs,
        (true, slots) if slots <= WideArcs::SLOTS => Kind::WideArcs,
        _ => return None,
    })
}

/// The last layer, and the best path completed on the way with its step.
type Swept<K> = (Layer<K>, Option<(usize, Finish<K>)>);

/// Some steps of a shard.
struct Segment<'s, K> {
    pieces: &'s Pieces,
    budget: &'s Budget,
    expander: LayerExpander<'s, K>,
    target: i64,
}

impl<K: Key> Segment<'_, K> {
    /// The layer before step `to`, and the best path completed on the way with its step; every layer made is shown.
    fn run(
        &mut self,
        from: usize,
        to: usize,
        mut layer: Layer<K>,
        mut show: impl FnMut(&Layer<K>),
    ) -> Result<Swept<K>, Stop> {
        let bounds = self.pieces.completion_bounds();
        let mut found = None;
        for position in from..to {
            if let Some(stop) = self.budget.spent() {
                return Err(stop);
            }
            let layer_bounds = bounds.at(position + 1, self.target, self.budget, Vec::new())?;
            let step = &self.pieces.plan.steps[position];
            let filter = layer_bounds.filter(self.target);
            let (next, finish) = self.expander.advance(&layer, step, filter, bounds.bytes())?;
            if let Some(finish) = finish {
                self.target = finish.value;
                found = Some((position, finish));
            }
            show(&next);
            self.expander.recycle(std::mem::replace(&mut layer, next));
        }
        Ok((layer, found))
    }
}

const VALUE_BYTES: usize = size_of::<i64>();

/// Every state with its value as bytes, the least significant first.
fn told<K: Key>(layer: &Layer<K>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(layer.len() * (K::BYTES + VALUE_BYTES));
    for (state, value) in layer.iter() {
        state.write(&mut bytes);
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// A layer of all the states in these parts, each with its best value.
fn merged<K: Key>(parts: &[&[u8]], budget: &Budget) -> Result<Layer<K>, Stop> {
    let size = K::BYTES + VALUE_BYTES;
    let count: usize = parts.iter().map(|part| part.len() / size).sum();
    if count * 2 * size_of::<(K, i64)>() > budget.memory {
        return Err(Stop::MemoryLimit);
    }
    let mut all: Vec<(K, i64)> = Vec::with_capacity(count);
    for chunk in parts.iter().flat_map(|part| part.chunks_exact(size)) {
        let value = chunk[K::BYTES..].try_into().expect("a value has as many bytes");
        all.push((K::from_bytes(&chunk[..K::BYTES]), i64::from_le_bytes(value)));
    }
    all.sort_unstable_by_key(|&(state, value)| (state, std::cmp::Reverse(value)));
    all.dedup_by_key(|&mut (state, _)| state);
    let (states, values) = all.into_iter().unzip();
    Ok(Layer::of_one_shard(states, values))
}
