//! Chains as columns.
//!
//! Vertices with two edges come in chains, and in sparse graphs that is most of them. With variables for edges, visits and
//! ends, a chain takes three columns and a row for every vertex inside, and the program moves from one way to use it to another by
//! as many pivots. But there are only three ways: a path uses all of it, or comes in from either side and ends at the last vertex
//! before the other. So a chain gets a [column](Columns) for each of these, which stands for all the variables that are used
//! together; what rows say of variables is summed up. The program is as strong, and much smaller.
//!
//! For a chain `a, v₁ … vₖ, b` where no path may end that is all there is to it. Where paths may end, other paths are worth no
//! more than these, if all inside have the same prize and no edge a negative weight, so that longer ends are no worse:
//! - From `a`, a path goes on to `vₖ`, or until it meets its other end. In that case it is a cycle without the edge between the
//!   two, and as good without the last edge of the chain instead, if that weighs no more than those inside, and if ending at `b` is
//!   worth no less than inside; or the same with the first edge and `a`.
//! - A path that has no edge but those inside goes on to `b`, if ending there is worth no less; or to `a`.
//!
//! A chain of a digraph has two neighbours for every vertex inside, whichever ways the arcs between go. It can be used in
//! two ways where no path may end inside. A single vertex where one may can be used in six: forth and back, by an end from either
//! side, and by a beginning to either side; it gets a column for each.

mod directed;
mod undirected;

use fixedbitset::FixedBitSet;
use smallvec::{SmallVec, smallvec};

use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::lp::proof::Row;

/// The variables of an instance: edges first, then a visit for every vertex, then ends.
pub(super) struct Variables<'v> {
    pub(super) instance: &'v Instance,
    /// By vertex: the variable of beginning there, if a path may, and of ending there as well if `ends_are_alike`.
    pub(super) first: &'v [u32],
    pub(super) last: &'v [u32],
    pub(super) ends_are_alike: bool,
    /// All variables of ends with their vertices.
    pub(super) ends: Vec<(u32, u32)>,
}

impl Variables<'_> {
    fn edges(&self) -> usize {
        self.instance.graph.edge_count()
    }

    fn vertices(&self) -> usize {
        self.instance.graph.vertex_count()
    }

    fn visit(&self, vertex: u32) -> u32 {
        self.edges() as u32 + vertex
    }

    /// What it is worth to begin and to end there.
    fn prizes(&self, vertex: u32) -> [i64; 2] {
        match &self.instance.ends {
            Ends::Open { first, last, .. } => [first[vertex as usize], last[vertex as usize]],
            Ends::Closed { .. } => [NOT_AN_END; 2],
        }
    }

    /// The edges of a chain, and what is visited inside.
    fn along(&self, edges: &[u32], inside: &[u32]) -> impl Iterator<Item = u32> {
        edges.iter().copied().chain(inside.iter().map(|&vertex| self.visit(vertex)))
    }
}

/// A chain, and the ways to use it: by each the variables that are 1 there.
struct Folded {
    inside: Vec<u32>,
    /// All its edges.
    edges: Vec<u32>,
    /// From one end to the other: first comes an edge that no other of these uses.
    whole: Vec<SmallVec<[u32; 1]>>,
    /// With an end inside, whose variable comes last.
    ending: Vec<SmallVec<[u32; 1]>>,
}

/// Which variables each column of the program stands for.
#[derive(Clone)]
pub(super) struct Columns {
    /// By column: the variables that are 1 where it is. First come edges and whole chains.
    uses: Vec<SmallVec<[u32; 1]>>,
    /// By variable: the columns that use it.
    users: Vec<SmallVec<[u32; 1]>>,
    /// How many are edges or whole chains.
    edges: usize,
    /// The variables of visits to the first vertex inside each chain.
    visits: Vec<u32>,
    /// A vertex inside each chain that several columns use: it must be told that it can't be visited twice.
    used_by_several: Vec<u32>,
}

impl Columns {
    /// `None` where there are no chains that could be columns.
    pub(super) fn of(variables: &Variables<'_>) -> Option<Columns> {
        let is_directed = variables.instance.graph.is_directed();
        let chains = if is_directed { directed::folded(variables) } else { undirected::folded(variables) };
        if chains.is_empty() {
            return None;
        }
        let mut is_inside = FixedBitSet::with_capacity(variables.vertices());
        let mut is_in_chain = FixedBitSet::with_capacity(variables.edges());
        for chain in &chains {
            is_inside.extend(chain.inside.iter().map(|&vertex| vertex as usize));
            is_in_chain.extend(chain.edges.iter().map(|&edge| edge as usize));
        }
        let edges = (0..variables.edges() as u32).filter(|&edge| !is_in_chain[edge as usize]);
        let mut uses: Vec<SmallVec<[u32; 1]>> = edges.map(|edge| smallvec![edge]).collect();
        uses.extend(chains.iter().flat_map(|chain| &chain.whole).cloned());
        let edges = uses.len();
        let outside = (0..variables.vertices() as u32).filter(|&vertex| !is_inside[vertex as usize]);
        uses.extend(outside.map(|vertex| smallvec![variables.visit(vertex)]));
        let free_ends = variables.ends.iter().filter(|&&(_, vertex)| !is_inside[vertex as usize]);
        uses.extend(free_ends.map(|&(variable, _)| smallvec![variable]));
        uses.extend(chains.iter().flat_map(|chain| &chain.ending).cloned());
        let several = chains.iter().filter(|chain| chain.whole.len() + chain.ending.len() > 1);
        let visits = chains.iter().map(|chain| variables.visit(chain.inside[0])).collect();
        let used_by_several = several.map(|chain| chain.inside[0]).collect();
        let mut users = vec![SmallVec::new(); variables.edges() + variables.vertices() + variables.ends.len()];
        for (column, used) in (0..).zip(&uses) {
            used.iter().for_each(|&variable| users[variable as usize].push(column));
        }
        Some(Columns { uses, users, edges, visits, used_by_several })
    }

    pub(super) fn edges(&self) -> usize {
        self.edges
    }

    pub(super) fn used_by_several(&self) -> &[u32] {
        &self.used_by_several
    }

    pub(super) fn users(&self, variable: u32) -> &[u32] {
        &self.users[variable as usize]
    }

    /// What each column is worth.
    pub(super) fn worth(&self, of_variables: &[i64]) -> Vec<i64> {
        self.uses.iter().map(|used| used.iter().map(|&variable| of_variables[variable as usize]).sum()).collect()
    }

    /// The values of variables by those of columns.
    pub(super) fn spread(&self, values: &[f64]) -> Vec<f64> {
        self.users.iter().map(|users| users.iter().map(|&column| values[column as usize]).sum()).collect()
    }

    /// Gains of variables by those of columns: all that a column uses gain as much as it does, or more.
    pub(super) fn gains(&self, of_columns: &[i128]) -> Vec<i128> {
        let mut gains = vec![0; self.users.len()];
        // What any use of a chain gains is gained by visiting it.
        for &visit in &self.visits {
            let of_users = self.users(visit).iter().map(|&column| of_columns[column as usize]);
            gains[visit as usize] = of_users.fold(0, i128::max);
        }
        let mut is_met = FixedBitSet::with_capacity(self.users.len());
        for (column, used) in self.uses.iter().enumerate() {
            // The first edge of a whole chain says what is gained, and an end what is gained elsewise.
            let key = if column < self.edges { used[0] } else { used[used.len() - 1] };
            let others: i128 =
                used.iter().filter(|&&variable| variable != key).map(|&other| gains[other as usize]).sum();
            let gain = of_columns[column] - others;
            let known = &mut gains[key as usize];
            *known = if is_met.put(key as usize) { gain.max(*known) } else { gain };
        }
        gains
    }

    /// A row of variables as one of columns.
    pub(super) fn contracted(&self, row: Row) -> Row {
        let users = |&(variable, value): &(u32, i32)| self.users(variable).iter().map(move |&column| (column, value));
        let mut entries: Vec<(u32, i32)> = row.entries.iter().flat_map(users).collect();
        entries.sort_unstable_by_key(|entry| entry.0);
        entries.dedup_by(|next, entry| {
            let is_same = next.0 == entry.0;
            if is_same {
                entry.1 += next.1;
            }
            is_same
        });
        entries.retain(|entry| entry.1 != 0);
        Row { entries, ..row }
    }

    /// The columns that use exactly these variables; `None` where a path ends in a chain as no column says.
    pub(super) fn using(&self, variables: &FixedBitSet) -> Option<FixedBitSet> {
        let mut used = FixedBitSet::with_capacity(self.uses.len());
        let mut told = 0;
        for (column, uses) in self.uses.iter().enumerate() {
            // A chain that is used whole visits what those do that end inside, but nothing ends there.
            if uses.iter().all(|&variable| variables[variable as usize]) {
                used.insert(column);
                told += uses.len();
            }
        }
        (told == variables.count_ones(..)).then_some(used)
    }
}
