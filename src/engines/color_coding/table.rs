//! One trial, bit-parallel: which sets of labels does a path to each vertex have?
//!
//! Bit `S` of the table of vertex `v` says whether a path that ends in `v` has exactly the labels `S`, each once:
//! `T_v[S] = ⋁ T_u[S ∖ label(v)]` over the arcs `u → v`, where `label(v) ∈ S`.
//!
//! *Words.* The six lowest labels index the bits of a word, the others the words; the words of all vertices with the same
//! index `w` form a *plane*. For a vertex with a high label, plane `w` takes the words of plane `w ∖ label` as they are:
//! one load and one `or` an arc do 64 sets at once. For a low label the sum over the arcs is masked and shifted by
//! `2^label`, within the same plane.
//!
//! *One pass.* The planes are done in the order of `w`, so all that plane `w` needs from others is final: instead of `k - 1`
//! rounds over all sets there is one, and rounds are left only among the vertices with low labels within a plane, until
//! nothing changes (a path has at most six of them). Half of the sets lack the label of their vertex and are never looked
//! at, nor are planes of more than `k` labels.
//!
//! *Pruning.* A set of `s` labels at `v` stands for a path whose vertex number `s` is `v`. Sets of sizes at which
//! [`Walks::places`] has no place for `v` can't reach an end in time, and are masked out by one `and` a word.
//!
//! A path is read off backwards, at each vertex from any neighbour that has the set without the label.

use crate::reduce::walks::Walks;

/// How many labels index the bits of a word.
const LOW: usize = 6;

/// The bits of a word whose index lacks label `c`.
const LACKS: [u64; LOW] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// For every set of sizes (bit `s` for size `s`, 0 to 6) the bits of a word whose index has such a size.
const OF_SIZES: [u64; 1 << (LOW + 1)] = {
    let mut masks = [0; 1 << (LOW + 1)];
    let mut sizes = 0;
    while sizes < masks.len() {
        let mut index = 0u32;
        while index < 64 {
            if sizes >> index.count_ones() & 1 == 1 {
                masks[sizes] |= 1 << index;
            }
            index += 1;
        }
        sizes += 1;
    }
    masks
};

/// The stop is asked for once in so much work: words taken along an arc, or written.
const WORK_PER_CLOCK: u64 = 1 << 16;

/// The arcs into every vertex: `starts[v]..starts[v + 1]` of a list of sources.
pub(super) struct Rows {
    starts: Vec<u32>,
}

impl Rows {
    pub(super) fn new(walks: &Walks<'_>) -> Self {
        let mut starts = Vec::with_capacity(walks.vertex_count() + 1);
        starts.push(0);
        let mut sum = 0;
        for vertex in 0..walks.vertex_count() as u32 {
            sum += walks.graph.in_arcs(vertex).len() as u32;
            starts.push(sum);
        }
        Rows { starts }
    }
}

/// What became of a trial.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trial {
    Path(Vec<u32>),
    Nothing,
    Stopped,
}

/// The tables of all vertices, kept from trial to trial.
pub(super) struct Table<'a> {
    walks: &'a Walks<'a>,
    rows: &'a Rows,
    /// Plane by plane, in each a word for every vertex.
    planes: Vec<u64>,
    /// The sources of the arcs into each vertex, those with low labels first.
    sources: Vec<u32>,
    /// Where the sources with low labels end.
    low_ends: Vec<u32>,
    /// The vertices by label: `by_label[classes[c]..classes[c + 1]]` have label `c`.
    by_label: Vec<u32>,
    classes: Vec<usize>,
    /// Words taken along an arc, so far.
    pub(super) steps: u64,
    /// Work since the stop was asked for, of this trial and of those before.
    unasked: u64,
}

impl<'a> Table<'a> {
    /// What a table holds, if that can be counted at all.
    pub(super) fn bytes(n: usize, arcs: usize, labels: usize) -> Option<usize> {
        let planes = 1usize.checked_shl(labels.saturating_sub(LOW) as u32)?;
        planes.checked_mul(n)?.checked_mul(8)?.checked_add(arcs.checked_mul(4)?)?.checked_add(n.checked_mul(13)?)
    }

    pub(super) fn new(walks: &'a Walks<'a>, rows: &'a Rows, labels: usize) -> Self {
        let n = walks.vertex_count();
        Table {
            walks,
            rows,
            planes: vec![0; n << labels.saturating_sub(LOW)],
            sources: vec![0; walks.arc_count()],
            low_ends: vec![0; n],
            by_label: vec![0; n],
            classes: vec![0; labels + 1],
            steps: 0,
            unasked: 0,
        }
    }

    /// Looks for a path of `k` vertices with different labels; `spent` is asked now and then whether to stop.
    pub(super) fn search(&mut self, labels: &[u8], spent: &mut dyn FnMut() -> bool) -> Trial {
        self.sort(labels);
        let (n, k) = (self.walks.vertex_count(), self.walks.k);
        self.unasked += n as u64;
        for index in 0..self.planes.len() / n {
            let size = index.count_ones() as usize;
            if size > k {
                continue;
            }
            let before = self.steps;
            self.fill_plane(index);
            self.unasked += self.steps - before + n as u64;
            if (size..=size + LOW).contains(&k) {
                let exact = OF_SIZES[1 << (k - size)];
                let plane = &self.planes[index * n..][..n];
                if let Some(vertex) = plane.iter().position(|word| word & exact != 0) {
                    let set = index << LOW | (plane[vertex] & exact).trailing_zeros() as usize;
                    return Trial::Path(self.path(vertex as u32, set, labels));
                }
            }
            if self.unasked >= WORK_PER_CLOCK {
                self.unasked = 0;
                if spent() {
                    return Trial::Stopped;
                }
            }
        }
        Trial::Nothing
    }

    /// Orders the vertices by label and the sources of each vertex by low and high ones.
    fn sort(&mut self, labels: &[u8]) {
        self.classes.fill(0);
        for &label in labels {
            self.classes[label as usize + 1] += 1;
        }
        for class in 1..self.classes.len() {
            self.classes[class] += self.classes[class - 1];
        }
        let mut next = self.classes.clone();
        for (vertex, &label) in (0..).zip(labels) {
            self.by_label[next[label as usize]] = vertex;
            next[label as usize] += 1;
        }
        for vertex in 0..labels.len() as u32 {
            let row = self.walks.graph.in_arcs(vertex);
            let range = self.rows.starts[vertex as usize] as usize..self.rows.starts[vertex as usize + 1] as usize;
            let sources = &mut self.sources[range.clone()];
            let (mut low, mut high) = (0, sources.len());
            for arc in row {
                if (labels[arc.target as usize] as usize) < LOW {
                    sources[low] = arc.target;
                    low += 1;
                } else {
                    high -= 1;
                    sources[high] = arc.target;
                }
            }
            self.low_ends[vertex as usize] = (range.start + low) as u32;
        }
    }

    /// Computes the words of all vertices for the sets whose high labels are `index`.
    fn fill_plane(&mut self, index: usize) {
        let n = self.walks.vertex_count();
        let size = index.count_ones();
        let (before, rest) = self.planes.split_at_mut(index * n);
        let plane = &mut rest[..n];
        plane.fill(0);
        // Bit s is set where a path with s labels more than the plane's may end.
        let places = &self.walks.places;
        let allowed = |vertex: u32| OF_SIZES[(places[vertex as usize] << 1 >> size) as usize & ((1 << (LOW + 1)) - 1)];
        let range = |from: u32, to: u32| from as usize..to as usize;
        let starts = &self.rows.starts;

        let mut high = index;
        while high != 0 {
            let bit = high & high.wrapping_neg();
            high ^= bit;
            let label = LOW + bit.trailing_zeros() as usize;
            let class = &self.by_label[self.classes[label]..self.classes[label + 1]];
            if index == bit {
                for &vertex in class.iter().filter(|&&vertex| self.walks.may_be_first(vertex)) {
                    plane[vertex as usize] = 1 & allowed(vertex);
                }
            }
            let source_plane = &before[(index ^ bit) * n..][..n];
            for &vertex in class {
                let row = &self.sources[range(starts[vertex as usize], starts[vertex as usize + 1])];
                self.steps += row.len() as u64;
                let sum = row.iter().fold(0, |sum, &source| sum | source_plane[source as usize]);
                plane[vertex as usize] |= sum & allowed(vertex);
            }
        }

        let low_classes = 0..LOW.min(self.classes.len() - 1);
        for label in low_classes.clone() {
            for &vertex in &self.by_label[self.classes[label]..self.classes[label + 1]] {
                let row = &self.sources[range(self.low_ends[vertex as usize], starts[vertex as usize + 1])];
                self.steps += row.len() as u64;
                let sum = row.iter().fold(0, |sum, &source| sum | plane[source as usize]);
                let alone = u64::from(index == 0 && self.walks.may_be_first(vertex)) << (1 << label);
                plane[vertex as usize] = ((sum & LACKS[label]) << (1 << label) | alone) & allowed(vertex);
            }
        }
        loop {
            let mut changed = false;
            for label in low_classes.clone() {
                for &vertex in &self.by_label[self.classes[label]..self.classes[label + 1]] {
                    let row = &self.sources[range(starts[vertex as usize], self.low_ends[vertex as usize])];
                    self.steps += row.len() as u64;
                    let sum = row.iter().fold(0, |sum, &source| sum | plane[source as usize]);
                    let known = plane[vertex as usize];
                    let new = known | (sum & LACKS[label]) << (1 << label) & allowed(vertex);
                    changed |= new != known;
                    plane[vertex as usize] = new;
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// The path that ends in `last` with exactly these labels.
    fn path(&self, last: u32, labels_of_path: usize, labels: &[u8]) -> Vec<u32> {
        let n = self.walks.vertex_count();
        let has = |vertex: u32, set: usize| self.planes[(set >> LOW) * n + vertex as usize] >> (set % 64) & 1 == 1;
        let (mut vertex, mut set) = (last, labels_of_path);
        let mut path = vec![vertex];
        loop {
            set ^= 1 << labels[vertex as usize];
            if set == 0 {
                break;
            }
            let mut sources = self.walks.graph.in_arcs(vertex).iter().map(|arc| arc.target);
            vertex =
                sources.find(|&source| has(source, set)).expect("a set comes from a neighbour or is the vertex alone");
            path.push(vertex);
        }
        path.reverse();
        path
    }
}

/// What one trial costs, in words taken along an arc.
pub(super) fn work_of_trial(n: usize, arcs: usize, k: usize, labels: usize) -> f64 {
    /// Labels are drawn and arcs sorted; tables are made.
    const SORT: f64 = 8.0;
    const TRIAL: f64 = 500.0;
    const PLANE: f64 = 20.0;
    /// How often the arcs among low labels are gone through.
    const ROUNDS: f64 = 3.0;
    let high = labels.saturating_sub(LOW);
    // The planes of at most k labels, by size.
    let mut of_size = 1.0;
    let mut planes = 0.0;
    for size in 0..=high.min(k) {
        planes += of_size;
        of_size *= (high - size) as f64 / (size + 1) as f64;
    }
    let (n, arcs) = (n as f64, arcs as f64);
    let low_share = labels.min(LOW) as f64 / labels as f64;
    let per_plane = arcs * (0.5 * (1.0 - low_share) + low_share * (1.0 - low_share + ROUNDS * low_share));
    TRIAL + SORT * (n + arcs) + planes * (PLANE + n + per_plane)
}
