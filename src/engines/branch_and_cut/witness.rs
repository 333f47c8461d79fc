//! The multipliers of the linear program as a witness that [`certificate`](crate::certificate) checks.
//!
//! There the weight of an edge is *shared* between its ends, and a vertex earns no more than its two best shares; here
//! equations at the vertices have multipliers. They say the same: with `λ` for the equation of a vertex, edges that are
//! worth no more than `−λ₁ − λ₂` can be shared so that neither end gets more than its `−λ`. That an edge is used no more
//! than a vertex it ends at need not be said there, so what its multiplier adds to the vertex is added to the share. A
//! border is written in one of several forms, which differ by equations: the difference goes to their multipliers.
//! Blossoms with an end of the path for a tooth have no place in a witness, and are not separated for one.
//!
//! Nothing depends on this being right: the check recomputes what the witness proves.

use fixedbitset::FixedBitSet;

use super::model::{Cut, Form, Model};
use crate::branching::separation::SetCut;
use crate::certificate::{Blossom, Removal, Shares, SubtourCut};

/// Units of a weight of 1; multipliers are whole numbers of two units, so that halves are whole too.
const UNITS: i64 = 1 << 24;

/// The witness; `None` where it does not fit 64 bits. The equations come first among the rows, in the model's order.
pub(super) fn removal<'r>(
    model: &Model<'_>,
    rows: impl Iterator<Item = Option<(&'r Cut, Form)>>,
    multipliers: &[f64],
    unit: f64,
) -> Option<Removal<u32>> {
    let graph = &model.instance.graph;
    let mut dual = Dual::new(model);
    let mut equation = 0;
    for (cut, multiplier) in rows.zip(multipliers) {
        let half = multiplier * unit * (UNITS / 2) as f64;
        if half.abs() > (1i64 << 58) as f64 {
            return None;
        }
        let half = half.round() as i128;
        match cut {
            None => {
                dual.add_equation(equation, half);
                equation += 1;
            }
            Some((cut, form)) if half > 0 => dual.add_cut(form, cut, half),
            Some(_) => {}
        }
    }

    let mut whole: Vec<i128> = graph.edges().iter().map(|edge| i128::from(edge.weight) * i128::from(UNITS)).collect();
    let mut is_inside = FixedBitSet::with_capacity(model.vertices());
    let mut across = |inside: &[u32], each: &mut dyn FnMut(usize)| {
        inside.iter().for_each(|&vertex| is_inside.insert(vertex as usize));
        for &vertex in inside {
            let back = if graph.is_directed() { graph.in_arcs(vertex) } else { &[] };
            for arc in graph.out_arcs(vertex).iter().chain(back).filter(|arc| !is_inside[arc.target as usize]) {
                each(arc.edge as usize);
            }
        }
        inside.iter().for_each(|&vertex| is_inside.remove(vertex as usize));
    };
    for subtour_cut in &dual.subtour_cuts {
        across(&subtour_cut.inside, &mut |edge| whole[edge] += i128::from(subtour_cut.multiplier));
    }
    for (blossom, teeth) in &dual.blossoms {
        let multiplier = i128::from(blossom.multiplier);
        across(&blossom.inside, &mut |edge| {
            whole[edge] += if teeth.contains(&(edge as u32)) { -multiplier } else { multiplier }
        });
    }
    let mut booked = Vec::with_capacity(whole.len());
    for (edge, line) in graph.edges().iter().enumerate() {
        let into = if graph.is_directed() { &dual.into } else { &dual.out };
        let at_source = dual.touching[edge][0] - dual.out[line.source as usize];
        let at_target = dual.touching[edge][1] - into[line.target as usize];
        let amount = at_source - (at_source + at_target - whole[edge]).div_euclid(2);
        booked.push((line.source, line.target, i64::try_from(amount).ok()?));
    }
    let shares = Shares {
        scale: UNITS,
        beginning: i64::try_from(-dual.first).ok()?,
        end: i64::try_from(-dual.last).ok()?,
        booked,
    };
    let blossoms = dual.blossoms.into_iter().map(|(blossom, _)| blossom).collect();
    Some(Removal { nodes: Vec::new(), shares, subtour_cuts: dual.subtour_cuts, blossoms })
}

/// The multipliers, sorted by what they belong to, in units.
struct Dual<'m, 'p> {
    model: &'m Model<'p>,
    /// Of the equations: at each vertex (where directed, of leaving and of entering it), and of the two ends.
    out: Vec<i128>,
    into: Vec<i128>,
    first: i128,
    last: i128,
    /// For each edge, of its being used no more than its source and its target.
    touching: Vec<[i128; 2]>,
    subtour_cuts: Vec<SubtourCut<u32>>,
    /// With the columns of the teeth.
    blossoms: Vec<(Blossom<u32>, Vec<u32>)>,
}

impl<'m, 'p> Dual<'m, 'p> {
    fn new(model: &'m Model<'p>) -> Self {
        let n = model.vertices();
        Dual {
            model,
            out: vec![0; n],
            into: vec![0; n],
            first: 0,
            last: 0,
            touching: vec![[0; 2]; model.edges()],
            subtour_cuts: Vec::new(),
            blossoms: Vec::new(),
        }
    }

    fn add_equation(&mut self, number: usize, half: i128) {
        let n = self.model.vertices();
        let directed = self.model.instance.graph.is_directed();
        let at_vertices = if directed { 2 * n } else { n };
        let multiplier = 2 * half;
        match number.checked_sub(at_vertices) {
            None if !directed => self.out[number] = multiplier,
            None if number.is_multiple_of(2) => self.out[number / 2] = multiplier,
            None => self.into[number / 2] = multiplier,
            Some(0) => {
                self.first += multiplier;
                if self.model.ends_are_alike {
                    self.last += multiplier;
                }
            }
            Some(_) => self.last += multiplier,
        }
    }

    fn add_cut(&mut self, form: Form, cut: &Cut, half: i128) {
        match cut {
            Cut::Set(SetCut::Subtour { inside, visited }) => match (form, inside.as_slice()) {
                (Form::Inside, &[one, two]) => {
                    let other = if one == *visited { two } else { one };
                    for edge in self.edges_between(one, two) {
                        self.touch(edge, other, half);
                    }
                }
                _ => self.add_subtour_cut(form, inside, *visited, half),
            },
            Cut::Set(SetCut::Blossom { inside, teeth }) => {
                let ends = |&column: &u32| {
                    let edge = self.model.instance.graph.edges().get(column as usize)?;
                    Some((edge.source, edge.target))
                };
                if let Some(ends) = teeth.iter().map(ends).collect::<Option<Vec<_>>>() {
                    let blossom = Blossom { inside: inside.clone(), teeth: ends, multiplier: clamp(2 * half) };
                    self.blossoms.push((blossom, teeth.clone()));
                }
            }
            Cut::Visited { edge, vertex } => self.touch(*edge, *vertex, half),
            Cut::EndVisited { .. } | Cut::VisitedOnce { .. } | Cut::Half(_) | Cut::Between { .. } => {}
        }
    }

    fn touch(&mut self, edge: u32, vertex: u32, half: i128) {
        let is_target = self.model.instance.graph.edges()[edge as usize].target == vertex;
        self.touching[edge as usize][usize::from(is_target)] += 2 * half;
    }

    fn edges_between(&self, one: u32, two: u32) -> impl Iterator<Item = u32> + use<> {
        let graph = &self.model.instance.graph;
        let back = if graph.is_directed() { graph.edge_between(two, one) } else { None };
        graph.edge_between(one, two).into_iter().chain(back)
    }

    fn add_subtour_cut(&mut self, form: Form, inside: &[u32], visited: u32, half: i128) {
        let directed = self.model.instance.graph.is_directed();
        // What the form has beside the multiplier, in halves of it: leaving and entering each vertex inside.
        let (multiplier, out, into) = match (form, directed) {
            (Form::Across { .. }, false) => (2, 0, 0),
            (Form::Across { into: false, .. }, true) => (1, 1, -1),
            (Form::Across { into: true, .. }, true) => (1, -1, 1),
            (Form::Inside, false) => (1, -1, 0),
            (Form::Inside, true) => (1, -1, -1),
            (Form::Other, _) => unreachable!("a border has a form"),
        };
        for &vertex in inside {
            self.out[vertex as usize] += out * half;
            self.into[vertex as usize] += into * half;
        }
        if let Form::Across { into, complement: true } = form {
            // The ends that are not inside are all ends without those inside.
            if !directed || into {
                self.first -= 2 * half;
            }
            if !directed || !into {
                self.last -= 2 * half;
            }
        }
        self.subtour_cuts.push(SubtourCut { inside: inside.to_vec(), visited, multiplier: clamp(multiplier * half) });
    }
}

/// What a subtour cut pays are sums of few multipliers, each below 2⁶⁰.
fn clamp(multiplier: i128) -> i64 {
    i64::try_from(multiplier).unwrap_or(i64::MAX)
}
