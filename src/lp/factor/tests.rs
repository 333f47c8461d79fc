//! Factors that are brought up to date again and again, against the basis itself.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{Factors, LOGICAL, Reach, Vector};

/// A basis by the row names of its columns.
struct Basis {
    columns: Vec<Vec<(u32, f64)>>,
    factors: Factors,
    reach: Reach,
}

impl Basis {
    /// The logical basis of so many rows.
    fn logical(size: usize) -> Self {
        let columns: Vec<Vec<(u32, f64)>> = (0..size as u32).map(|row| vec![(row, LOGICAL)]).collect();
        let (factors, pivots) = Factors::of(size, |at| &columns[at], &mut || false).expect("nobody ends it");
        assert!(pivots.complete);
        let named_as_it_was = pivots.row_from_column.iter().enumerate().all(|(at, &row)| row == Some(at as u32));
        assert!(named_as_it_was, "a logical variable has but its own row");
        Basis { columns, factors, reach: Reach::default() }
    }

    fn vector(&self, entries: impl Iterator<Item = (u32, f64)>) -> Vector {
        let mut vector = Vector::default();
        vector.reset(self.columns.len());
        entries.for_each(|(row, value)| vector.add(row, value));
        vector
    }

    /// Factors the basis anew, with its columns by the names they have then.
    fn factor_anew(&mut self) {
        let columns = &self.columns;
        let (factors, pivots) = Factors::of(columns.len(), |at| &columns[at], &mut || false).expect("nobody ends it");
        assert!(pivots.complete);
        let mut named = vec![Vec::new(); columns.len()];
        for (at, row) in pivots.row_from_column.iter().enumerate() {
            named[row.expect("complete") as usize].clone_from(&columns[at]);
        }
        (self.columns, self.factors) = (named, factors);
    }

    /// Puts another column in the place of one, if that leaves a basis. Returns whether it does.
    fn replace(&mut self, row: u32, column: Vec<(u32, f64)>) -> bool {
        let mut unit = self.vector([(row, 1.0)].into_iter());
        self.factors.solve_row(&mut unit, &mut self.reach);
        let (mut entering, mut beside) = (self.vector(column.iter().copied()), self.vector(unit.iter()));
        let [mut alone, mut beside_alone] = [entering.clone(), beside.clone()];
        self.factors.solve_column(&mut entering, &mut beside, &mut self.reach);
        for (vector, alone) in [(&entering, &mut alone), (&beside, &mut beside_alone)] {
            self.factors.solve(alone, &mut self.reach);
            assert_close(&vector.values, &alone.values);
            assert_lists(vector);
        }
        let entry = entering.values[row as usize];
        if entry.abs() < 0.05 {
            return false;
        }
        self.factors.replace(row, entry);
        assert!(!self.factors.is_off(), "the factors and the column say the same");
        self.columns[row as usize] = column;
        true
    }

    /// Solves with vectors of few and of many entries, all ways, and compares.
    fn check(&mut self, rng: &mut Pcg64Mcg) {
        let size = self.columns.len();
        for entries in [1, 2, size] {
            let b: Vec<(u32, f64)> =
                (0..entries).map(|_| (rng.random_range(0..size as u32), rng.random_range(-1.0..1.0))).collect();
            let mut right = vec![0.0; size];
            b.iter().for_each(|&(row, value)| right[row as usize] += value);

            let mut solution = self.vector(b.iter().copied());
            self.factors.solve(&mut solution, &mut self.reach);
            let mut full = right.clone();
            self.factors.solve_full(&mut full);
            let mut product = vec![0.0; size];
            for (column, &value) in self.columns.iter().zip(&solution.values) {
                column.iter().for_each(|&(row, entry)| product[row as usize] += entry * value);
            }
            assert_close(&product, &right);
            assert_close(&full, &solution.values);
            assert_lists(&solution);

            let mut row_solution = self.vector(b.iter().copied());
            self.factors.solve_row(&mut row_solution, &mut self.reach);
            let mut transposed = right.clone();
            self.factors.solve_transposed(&mut transposed);
            let products: Vec<f64> = self
                .columns
                .iter()
                .map(|column| column.iter().map(|&(row, entry)| entry * row_solution.values[row as usize]).sum())
                .collect();
            assert_close(&products, &right);
            assert_close(&transposed, &row_solution.values);
            assert_lists(&row_solution);
        }
    }
}

fn assert_close(one: &[f64], two: &[f64]) {
    let scale = two.iter().fold(1.0, |scale: f64, value| scale.max(value.abs()));
    assert!(one.iter().zip(two).all(|(one, two)| (one - two).abs() < 1e-6 * scale), "{one:?} is not {two:?}");
}

/// Every row that is not zero is listed, and none twice.
fn assert_lists(vector: &Vector) {
    let mut listed = vector.listed.clone();
    listed.sort_unstable();
    assert!(listed.windows(2).all(|pair| pair[0] < pair[1]), "{listed:?}");
    for (row, &value) in vector.values.iter().enumerate() {
        assert!(value == 0.0 || listed.binary_search(&(row as u32)).is_ok(), "row {row} is {value} and not listed");
    }
}

#[test]
fn factors_stay_those_of_the_basis() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for size in [1, 2, 5, 12, 80] {
        let mut basis = Basis::logical(size);
        let mut replaced = 0;
        for step in 0..6 * size + 30 {
            let size = basis.columns.len();
            let entries = rng.random_range(1..=3.min(size));
            let mut column: Vec<(u32, f64)> = Vec::new();
            for _ in 0..entries {
                let row = rng.random_range(0..size as u32);
                if column.iter().all(|entry| entry.0 != row) {
                    column.push((row, if rng.random_bool(0.5) { 1.0 } else { -1.0 }));
                }
            }
            replaced += u32::from(basis.replace(rng.random_range(0..size as u32), column));
            match step % 20 {
                7 => basis.check(&mut rng),
                12 => {
                    // A row with entries in some columns of the basis, and its logical variable.
                    let row = size as u32;
                    let of_basis: Vec<u32> = (0..row).filter(|_| rng.random_bool(0.2)).collect();
                    basis.factors.add_row(of_basis.iter().map(|&name| (name, 2.0)));
                    of_basis.iter().for_each(|&name| basis.columns[name as usize].push((row, 2.0)));
                    basis.columns.push(vec![(row, LOGICAL)]);
                    basis.check(&mut rng);
                }
                17 => {
                    basis.factor_anew();
                    assert_eq!((basis.factors.age(), basis.factors.grown()), (0, 0));
                    basis.check(&mut rng);
                }
                _ => {}
            }
        }
        assert!(replaced > 10, "only {replaced} columns were replaced");
    }
}

/// What the factors say of a column that isn't the one solved for shows.
#[test]
fn factors_tell_when_they_are_off() {
    let mut basis = Basis::logical(3);
    let mut unit = basis.vector([(1, 1.0)].into_iter());
    basis.factors.solve_row(&mut unit, &mut basis.reach);
    let mut entering = basis.vector([(0, 1.0), (1, 1.0)].into_iter());
    basis.factors.solve_column(&mut entering, &mut unit, &mut basis.reach);
    basis.factors.replace(1, 1.5 * entering.values[1]);
    assert!(basis.factors.is_off());
}
