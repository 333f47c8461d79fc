//! Where the program of a core stands, in terms of the root: a proof may begin there.

use super::model::{Cut, EndWhat, Model};
use crate::branching::separation::SetCut;
use crate::branching::{Formulation, Relaxation};
use crate::lp::LinearProgram;
use crate::terms::{Basis, Column, Cut as ProofCut, Row};

/// Adds what is in the basis, and what binds.
pub(super) fn add_basis<F: Formulation<Cut = Cut>>(
    model: &Model<'_>,
    relaxation: &Relaxation<F, impl LinearProgram>,
    basis: &mut Basis,
) {
    let program = &relaxation.program;
    let columns = 0..model.worth.len() as u32;
    for column in columns.filter(|&column| program.is_basic(column as usize)) {
        add_names(model, column, &mut basis.columns);
    }
    let crossed: Vec<u32> = model.leaves.zeroes().map(|vertex| vertex as u32).collect();
    for (number, active) in relaxation.rows.iter().enumerate().filter(|&(number, _)| !program.is_slack(number)) {
        match &active.cut {
            None => basis.rows.push(crossed.get(number).map_or(Row::Ends, |&vertex| Row::At(at(model, vertex)))),
            Some(cut) => add_row(model, &cut.cut, basis),
        }
    }
}

/// The vertex of the root.
fn at(model: &Model<'_>, vertex: u32) -> u32 {
    model.core.root_vertex(vertex)
}

/// The columns of a bundle, which has one for each of its edges there; its fifth is like its fourth.
fn add_lost(model: &Model<'_>, bundle: u32, add: impl FnMut(u32)) {
    let bundle = &model.core.bundles[bundle as usize];
    bundle.edges.into_iter().take(bundle.count as usize).for_each(add);
}

/// What a column is called there.
fn add_names(model: &Model<'_>, column: u32, names: &mut Vec<Column>) {
    let (lines, n) = (model.lines.len() as u32, model.vertices() as u32);
    if column < lines {
        names.push(Column::Edge(edge_of(model, column)));
    } else if column < lines + n {
        names.push(Column::Visit(at(model, column - lines)));
    } else if let Some(end) = model.ends.items().get((column - lines - n) as usize) {
        match end.what {
            EndWhat::Plain => names.push(Column::Tip(at(model, end.vertex))),
            EndWhat::Leaf { bundle } => names.push(Column::Edge(model.core.bundles[bundle as usize].edges[0])),
            EndWhat::PendantEdge { .. } => {}
        }
    } else {
        let bundle = column - model.lost(0);
        add_lost(model, bundle, |edge| names.push(Column::Lost(edge)));
    }
}

/// The edge that a line stands for: two lines of a bundle, one behind the other, are two of its edges.
fn edge_of(model: &Model<'_>, line: u32) -> u32 {
    let bundle = model.lines[line as usize].bundle;
    let is_second = line > 0 && model.lines[line as usize - 1].bundle == bundle;
    model.core.bundles[bundle as usize].edges[usize::from(is_second)]
}

fn add_row(model: &Model<'_>, cut: &Cut, basis: &mut Basis) {
    let set = |inside: &[u32]| inside.iter().map(|&vertex| at(model, vertex)).collect();
    let cut = match cut {
        Cut::Set(SetCut::Subtour { inside, visited }) => {
            ProofCut::Set { inside: set(inside), visited: at(model, *visited), outer: None }
        }
        Cut::Set(SetCut::Blossom { inside, teeth }) => {
            let mut names = Vec::with_capacity(teeth.len());
            teeth.iter().for_each(|&tooth| add_names(model, tooth, &mut names));
            ProofCut::Blossom { inside: set(inside), teeth: names }
        }
        &Cut::Visited { line, vertex } => return basis.rows.push(Row::Use(edge_of(model, line), at(model, vertex))),
        &Cut::EndVisited { end, vertex } => {
            let mut names = Vec::new();
            add_names(model, end, &mut names);
            let vertex = at(model, vertex);
            return basis.rows.extend(names.into_iter().map(|name| match name {
                Column::Edge(edge) => Row::Use(edge, vertex),
                _ => Row::Tip(vertex),
            }));
        }
        &Cut::Lost { bundle } => return add_lost(model, bundle, |edge| basis.rows.push(Row::Lost(edge))),
        // There is nothing like it where ends earn nothing.
        Cut::Limit { .. } => return,
    };
    basis.rows.push(Row::Cut(basis.cuts.len() as u32));
    basis.cuts.push(cut);
}
