//! Random programs: values within their bounds and multipliers that prove the same, or a ray that proves there are none.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{LinearProgram, Simplex, Verdict};

/// Its sides and entries.
type Row = (f64, f64, Vec<(u32, f64)>);

/// What the program should be, kept beside it.
#[derive(Default)]
struct Mirror {
    cost: Vec<f64>,
    bounds: Vec<(f64, f64)>,
    rows: Vec<Row>,
}

impl Mirror {
    /// The least that the program can cost, by these multipliers.
    fn bound(&self, multipliers: &[f64], with_cost: bool) -> f64 {
        let mut reduced: Vec<f64> = self.cost.iter().map(|&cost| if with_cost { cost } else { 0.0 }).collect();
        let mut bound = 0.0;
        for ((lower, upper, entries), &multiplier) in self.rows.iter().zip(multipliers) {
            let side = if multiplier > 0.0 { *lower } else { *upper };
            if multiplier.abs() < 1e-9 || side.is_infinite() {
                assert!(multiplier.abs() < 1e-5, "a multiplier for a side that is not there");
                continue;
            }
            bound += multiplier * side;
            for &(column, value) in entries {
                reduced[column as usize] -= multiplier * value;
            }
        }
        let least = |(&reduced, &(lower, upper)): (&f64, &(f64, f64))| (reduced * lower).min(reduced * upper);
        bound + reduced.iter().zip(&self.bounds).map(least).sum::<f64>()
    }

    fn check<P: LinearProgram>(&self, program: &mut P) -> Verdict {
        let verdict = program.solve(10_000, f64::INFINITY);
        match verdict {
            Verdict::Optimal => {
                let values = program.values();
                for (value, (lower, upper)) in values.iter().zip(&self.bounds) {
                    assert!((lower - 1e-6..=upper + 1e-6).contains(value), "{lower} <= {value} <= {upper}");
                }
                for (lower, upper, entries) in &self.rows {
                    let activity: f64 = entries.iter().map(|&(column, value)| value * values[column as usize]).sum();
                    assert!((lower - 1e-5..=upper + 1e-5).contains(&activity), "{lower} <= {activity} <= {upper}");
                }
                let cost: f64 = values.iter().zip(&self.cost).map(|(value, cost)| value * cost).sum();
                let bound = self.bound(program.multipliers(), true);
                assert!((cost - bound).abs() < 1e-3, "the values cost {cost}, the multipliers prove {bound}");
            }
            Verdict::Infeasible => assert!(self.bound(program.ray(), false) > 1e-7, "the ray proves nothing"),
            verdict => panic!("{verdict:?}"),
        }
        verdict
    }

    fn add_row<P: LinearProgram>(&mut self, program: &mut P, rng: &mut Pcg64Mcg) {
        let n = self.cost.len() as u32;
        let mut entries: Vec<(u32, f64)> = Vec::new();
        for column in 0..n {
            if rng.random_range(0..n) < 4 {
                entries.push((column, f64::from(rng.random_range(-2i32..=2)) + 0.5));
            }
        }
        let middle = f64::from(rng.random_range(-2i32..=3));
        let (lower, upper) = match rng.random_range(0..3) {
            0 => (middle, middle),
            1 => (f64::NEG_INFINITY, middle),
            _ => (middle - 2.0, f64::INFINITY),
        };
        program.add_row(lower, upper, &entries);
        self.rows.push((lower, upper, entries));
    }
}

#[test]
fn random_programs_stay_solved_through_every_change() {
    random_programs::<Simplex>(500, 100);
}

#[test]
fn an_assignment() {
    assignment::<Simplex>();
}

#[test]
fn a_cutoff_and_a_limit_of_pivots_end_it_early() {
    cutoff_and_limit::<Simplex>();
}

/// The same by HiGHS.
#[cfg(feature = "highs")]
mod highs {
    use super::super::Highs;

    #[test]
    fn random_programs_stay_solved_through_every_change() {
        super::random_programs::<Highs>(500, 100);
    }

    #[test]
    fn an_assignment() {
        super::assignment::<Highs>();
    }

    #[test]
    fn a_cutoff_and_a_limit_of_pivots_end_it_early() {
        super::cutoff_and_limit::<Highs>();
    }
}

fn random_programs<P: LinearProgram>(least_optimal: u32, least_infeasible: u32) {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let (mut optimal, mut infeasible) = (0u32, 0u32);
    for round in 0..300 {
        let mut mirror = Mirror::default();
        let mut program = P::default();
        for _ in 0..rng.random_range(1..40) {
            let cost = f64::from(rng.random_range(-3i32..=3));
            program.add_column(cost, 0.0, 1.0);
            mirror.cost.push(cost);
            mirror.bounds.push((0.0, 1.0));
        }
        for _ in 0..10 {
            for _ in 0..rng.random_range(0..=3) {
                mirror.add_row(&mut program, &mut rng);
            }
            let column = rng.random_range(0..mirror.cost.len());
            let bounds = [(0.0, 1.0), (0.0, 0.0), (1.0, 1.0), (0.0, 1.0)][rng.random_range(0..4)];
            program.set_bounds(column, bounds.0, bounds.1);
            mirror.bounds[column] = bounds;
            let verdict = mirror.check(&mut program);
            try_another(&mirror, &mut program, &mut rng);
            match verdict {
                Verdict::Optimal => optimal += 1,
                _ => {
                    infeasible += 1;
                    // Without the newest rows, as far as they are slack.
                    let half = mirror.rows.len() / 2;
                    let mut keep: Vec<bool> = (0..mirror.rows.len()).map(|row| row < half).collect();
                    program.retain_rows(&mut keep);
                    let mut kept = keep.iter();
                    mirror.rows.retain(|_| *kept.next().unwrap());
                }
            }
            if round % 3 == 0 {
                let mut keep = vec![false; mirror.rows.len()];
                program.retain_rows(&mut keep);
                let mut kept = keep.iter();
                mirror.rows.retain(|_| *kept.next().unwrap());
            }
        }
    }
    assert!(optimal > least_optimal && infeasible > least_infeasible, "{optimal} optimal, {infeasible} infeasible");
}

/// A trial leaves everything as it was.
fn try_another<P: LinearProgram>(mirror: &Mirror, program: &mut P, rng: &mut Pcg64Mcg) {
    let (values, multipliers, pivots) = (program.values().to_vec(), program.multipliers().to_vec(), program.pivots());
    let slack: Vec<bool> = (0..mirror.rows.len()).map(|row| program.is_slack(row)).collect();
    program.begin_trial(&mut || false);
    let column = rng.random_range(0..mirror.cost.len());
    program.set_bounds(column, 1.0, 1.0);
    program.solve(5, f64::INFINITY);
    program.end_trial();
    assert_eq!((program.values(), program.multipliers(), program.pivots()), (&*values, &*multipliers, pivots));
    assert!((0..mirror.rows.len()).all(|row| program.is_slack(row) == slack[row]));
}

/// Assignments of sixty to sixty with prices at random: highly degenerate, and all values are whole.
fn assignment<P: LinearProgram>() {
    let mut rng = Pcg64Mcg::seed_from_u64(2);
    let size = 60u32;
    let mut mirror = Mirror::default();
    let mut program = P::default();
    for _ in 0..size * size {
        let cost = -f64::from(rng.random_range(0i32..=3));
        program.add_column(cost, 0.0, 1.0);
        mirror.cost.push(cost);
        mirror.bounds.push((0.0, 1.0));
    }
    for at in 0..size {
        let row: Vec<(u32, f64)> = (0..size).map(|other| (at * size + other, 1.0)).collect();
        let column: Vec<(u32, f64)> = (0..size).map(|other| (other * size + at, 1.0)).collect();
        for entries in [row, column] {
            program.add_row(1.0, 1.0, &entries);
            mirror.rows.push((1.0, 1.0, entries));
        }
    }
    assert_eq!(mirror.check(&mut program), Verdict::Optimal);
    assert!(program.values().iter().all(|value| value.fract().min(1.0 - value.fract()).abs() < 1e-6));
}

fn cutoff_and_limit<P: LinearProgram>() {
    let program = || {
        let mut program = P::default();
        for _ in 0..20 {
            program.add_column(1.0, 0.0, 1.0);
        }
        for first in 0..19 {
            program.add_row(1.0, f64::INFINITY, &[(first, 1.0), (first + 1, 1.0)]);
        }
        program
    };
    assert_eq!(program().solve(1000, f64::INFINITY), Verdict::Optimal);
    assert_eq!(program().solve(1000, 3.5), Verdict::Cutoff);
    assert_eq!(program().solve(2, f64::INFINITY), Verdict::Stopped);
    let mut stopped = program();
    stopped.solve(2, f64::INFINITY);
    assert_eq!(stopped.solve(1000, f64::INFINITY), Verdict::Optimal);
    assert!(stopped.pivots() > 0 && stopped.bytes() > 0);
}
