//! Lists of entries `(row, value)` in one array.

const NONE: u32 = u32::MAX;

/// Lists one after the other, by number.
#[derive(Clone)]
pub(in crate::lp) struct Lists {
    pub(super) starts: Vec<u32>,
    pub(super) entries: Vec<(u32, f64)>,
}

impl Default for Lists {
    fn default() -> Self {
        Lists { starts: vec![0], entries: Vec::new() }
    }
}

impl Lists {
    /// How many there are.
    pub(in crate::lp) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(in crate::lp) fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Adds a list.
    pub(in crate::lp) fn push(&mut self, list: &[(u32, f64)]) {
        self.entries.extend_from_slice(list);
        self.close();
    }

    /// What has come since the last list is one.
    pub(super) fn close(&mut self) {
        self.starts.push(self.entries.len() as u32);
    }

    pub(in crate::lp) fn list(&self, at: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    pub(in crate::lp) fn iter(&self) -> impl Iterator<Item = &[(u32, f64)]> + '_ {
        (0..self.len()).map(|at| self.list(at))
    }

    /// Becomes these lists without the entries whose names are not kept.
    pub(in crate::lp) fn become_part(&mut self, of: &Lists, is_kept: &[bool]) {
        self.starts.truncate(1);
        self.entries.resize(of.entries.len(), (NONE, 0.0));
        let mut length = 0;
        for list in of.iter() {
            for &entry in list {
                // Written in any case, and over if it is not kept: quicker than a branch that can't be foretold.
                self.entries[length] = entry;
                length += usize::from(is_kept[entry.0 as usize]);
            }
            self.starts.push(length as u32);
        }
        self.entries.truncate(length);
    }

    /// Keeps some of the lists, in order.
    pub(in crate::lp) fn retain(&mut self, keep: &[bool]) {
        let (mut length, mut kept) = (0, 0);
        for (at, _) in keep.iter().enumerate().filter(|(_, is_kept)| **is_kept) {
            let list = self.starts[at] as usize..self.starts[at + 1] as usize;
            let end = length + list.len();
            self.entries.copy_within(list, length);
            length = end;
            kept += 1;
            self.starts[kept] = length as u32;
        }
        self.starts.truncate(kept + 1);
        self.entries.truncate(length);
    }

    /// What the lists have in every row, by row: where list `at` has `(row, value)`, the list of the row has
    /// `(names[at], value)`.
    pub(super) fn transposed(&self, size: usize, names: &[u32]) -> Lists {
        let mut starts = vec![0u32; size + 1];
        for &(row, _) in &self.entries {
            starts[row as usize + 1] += 1;
        }
        for row in 0..size {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0, 0.0); self.entries.len()];
        for (at, &name) in names.iter().enumerate() {
            for &(row, value) in self.list(at) {
                let slot = &mut next[row as usize];
                entries[*slot as usize] = (name, value);
                *slot += 1;
            }
        }
        Lists { starts, entries }
    }
}

/// Where a list is in the array, how long it may become there, and what is on the diagonal.
#[derive(Clone, Copy, Default)]
struct Place {
    start: u32,
    length: u32,
    room: u32,
    pivot: f64,
}

/// A list for each row, which may grow and shrink: one that has no room left moves behind the others.
#[derive(Clone, Default)]
pub(super) struct ByRow {
    places: Vec<Place>,
    entries: Vec<(u32, f64)>,
}

impl ByRow {
    /// Of so many rows those that are named have lists, in order.
    pub(super) fn new(size: usize, lists: Lists, names: &[u32]) -> Self {
        let mut places = vec![Place::default(); size];
        for (at, &name) in names.iter().enumerate() {
            let start = lists.starts[at];
            let length = lists.starts[at + 1] - start;
            places[name as usize] = Place { start, length, room: length, pivot: 0.0 };
        }
        ByRow { places, entries: lists.entries }
    }

    pub(super) fn list(&self, row: u32) -> &[(u32, f64)] {
        let Place { start, length, .. } = self.places[row as usize];
        &self.entries[start as usize..(start + length) as usize]
    }

    /// Another row, with nothing but this on the diagonal.
    pub(super) fn add(&mut self, pivot: f64) {
        self.places.push(Place { pivot, ..Place::default() });
    }

    pub(super) fn pivot(&self, row: u32) -> f64 {
        self.places[row as usize].pivot
    }

    pub(super) fn set_pivot(&mut self, row: u32, pivot: f64) {
        self.places[row as usize].pivot = pivot;
    }

    /// Divides a value by the pivot of its row, takes what that is times the list off the others, and returns it.
    #[inline]
    pub(super) fn divide(&self, row: u32, values: &mut [f64]) -> f64 {
        let value = values[row as usize];
        if value == 0.0 {
            return value;
        }
        let Place { start, length, pivot, .. } = self.places[row as usize];
        let value = value / pivot;
        values[row as usize] = value;
        subtract(value, &self.entries[start as usize..(start + length) as usize], values);
        value
    }

    /// The same for two at a time, and returns them.
    #[inline]
    pub(super) fn divide_both(&self, row: u32, values: &mut [[f64; 2]]) -> [f64; 2] {
        let both = values[row as usize];
        if both == [0.0; 2] {
            return both;
        }
        let Place { start, length, pivot, .. } = self.places[row as usize];
        let both = both.map(|value| value / pivot);
        values[row as usize] = both;
        for &(other, entry) in &self.entries[start as usize..(start + length) as usize] {
            let [one, two] = &mut values[other as usize];
            *one -= entry * both[0];
            *two -= entry * both[1];
        }
        both
    }

    pub(super) fn push(&mut self, row: u32, entry: (u32, f64)) {
        let place = &mut self.places[row as usize];
        if place.length == place.room {
            let old = place.start as usize..(place.start + place.length) as usize;
            place.start = self.entries.len() as u32;
            place.room = 2 * place.length + 4;
            self.entries.extend_from_within(old);
            self.entries.resize((place.start + place.room) as usize, (NONE, 0.0));
        }
        self.entries[(place.start + place.length) as usize] = entry;
        place.length += 1;
    }

    /// Takes the entry of this name out of the list of a row.
    pub(super) fn remove(&mut self, row: u32, name: u32) {
        let at = self.list(row).iter().position(|entry| entry.0 == name).expect("rows and columns say the same");
        let place = &mut self.places[row as usize];
        place.length -= 1;
        self.entries.swap((place.start as usize) + at, (place.start + place.length) as usize);
    }

    pub(super) fn clear(&mut self, row: u32) {
        self.places[row as usize].length = 0;
    }

    /// The room that all lists take, with what they have left behind.
    pub(super) fn room(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * 16 + self.places.len() * size_of::<Place>()
    }
}

/// Takes a multiple of the entries off.
pub(in crate::lp) fn subtract(multiple: f64, entries: &[(u32, f64)], values: &mut [f64]) {
    if multiple != 0.0 {
        for &(row, entry) in entries {
            values[row as usize] -= entry * multiple;
        }
    }
}
