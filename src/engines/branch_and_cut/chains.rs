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

use fixedbitset::FixedBitSet;
use smallvec::{SmallVec, smallvec};

use crate::decompose::chains::{Chain, Walk};
use crate::instance::{Ends, Instance, NOT_AN_END};
use crate::lp::proof::Row;

/// The variables of an instance: edges first, then a visit for every vertex, then ends.
pub(super) struct Variables<'v> {
    pub(super) instance: &'v Instance,
    /// By vertex: the variable of beginning there, if a path may, and of ending there as well if `ends_are_alike`.
    pub(super) first: &'v [u32],
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

/// Which variables each column of the program stands for.
#[derive(Clone)]
pub(super) struct Columns {
    /// By column: the variables that are 1 where it is. First come edges and whole chains.
    uses: Vec<SmallVec<[u32; 1]>>,
    /// By variable: the columns that use it.
    users: Vec<SmallVec<[u32; 1]>>,
    /// How many are edges or whole chains.
    edges: usize,
    /// A vertex inside each chain where a path may end: it must be told that it can't be visited twice.
    ending: Vec<u32>,
}

impl Columns {
    /// `None` where there are no chains that could be columns.
    pub(super) fn of(variables: &Variables<'_>) -> Option<Columns> {
        let chains = foldable(variables);
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
        uses.extend(chains.iter().map(|chain| variables.along(&chain.edges, &chain.inside).collect()));
        let edges = uses.len();
        let outside = (0..variables.vertices() as u32).filter(|&vertex| !is_inside[vertex as usize]);
        uses.extend(outside.map(|vertex| smallvec![variables.visit(vertex)]));
        let free_ends = variables.ends.iter().filter(|&&(_, vertex)| !is_inside[vertex as usize]);
        uses.extend(free_ends.map(|&(variable, _)| smallvec![variable]));
        let mut ending = Vec::new();
        for chain in &chains {
            let (first, last) = (chain.inside[0], chain.inside[chain.inside.len() - 1]);
            if variables.prizes(first)[0] == NOT_AN_END {
                continue;
            }
            ending.push(first);
            let [from_a, from_b] = [&chain.edges[..chain.inside.len()], &chain.edges[1..]];
            for (edges, end) in [(from_a, last), (from_b, first)] {
                uses.push(variables.along(edges, &chain.inside).chain([variables.first[end as usize]]).collect());
            }
        }
        let mut users = vec![SmallVec::new(); variables.edges() + variables.vertices() + variables.ends.len()];
        for (column, used) in (0..).zip(&uses) {
            used.iter().for_each(|&variable| users[variable as usize].push(column));
        }
        Some(Columns { uses, users, edges, ending })
    }

    pub(super) fn edges(&self) -> usize {
        self.edges
    }

    pub(super) fn ending(&self) -> &[u32] {
        &self.ending
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

/// The chains whose other uses are worth no more than those that get columns.
fn foldable(variables: &Variables<'_>) -> Vec<Chain> {
    let graph = &variables.instance.graph;
    if graph.is_directed() {
        return Vec::new();
    }
    let may_be_inside = |vertex: u32| {
        let is_end = variables.prizes(vertex) != [NOT_AN_END; 2];
        graph.out_arcs(vertex).len() == 2 && (variables.ends_are_alike || !is_end)
    };
    // Between two of different prizes the better one ends the chain.
    let is_inside = |vertex: u32| {
        let mut others = graph.out_arcs(vertex).iter().map(|arc| arc.target).filter(|&other| may_be_inside(other));
        may_be_inside(vertex) && others.all(|other| variables.prizes(other) >= variables.prizes(vertex))
    };
    let walk = Walk {
        vertices: variables.vertices(),
        edges: variables.edges(),
        arcs: |vertex| graph.out_arcs(vertex).iter().map(|arc| (arc.edge, arc.target)),
        is_inside,
        goes_on: |_, _| true,
    };
    let is_foldable = |chain: &Chain| {
        let [a, b] = chain.ends;
        let Some(&some) = chain.inside.first() else { return false };
        let [inside, _] = variables.prizes(some);
        if inside == NOT_AN_END {
            return true;
        }
        let weights: SmallVec<[i64; 8]> = chain.edges.iter().map(|&edge| graph.weight(edge)).collect();
        let (first, last) = (weights[0], weights[weights.len() - 1]);
        let between = weights[1..weights.len() - 1].iter().min();
        let may_end_beyond = [(a, first), (b, last)].into_iter().any(|(vertex, weight)| {
            let [beyond, _] = variables.prizes(vertex);
            between.is_none_or(|&least| weight <= least && beyond >= inside)
        });
        weights.iter().all(|&weight| weight >= 0) && may_end_beyond
    };
    let mut chains = walk.chains().between;
    chains.retain(is_foldable);
    chains
}
