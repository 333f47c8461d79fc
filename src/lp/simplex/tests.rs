//! Solves in several goes, rows whose terms cancel, and costs that differ by little.

use fixedbitset::FixedBitSet;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{LinearProgram, NONBASIC, Simplex, Verdict};

/// An assignment of so many to so many, with whole costs below a number.
fn assignment(n: u32, below: u32, rng: &mut Pcg64Mcg) -> (Simplex, Vec<f64>) {
    let mut program = Simplex::default();
    let costs: Vec<f64> = (0..n * n).map(|_| f64::from(rng.random_range(1..below))).collect();
    let unit = f64::from(below);
    program.set_unit(unit);
    costs.iter().for_each(|&cost| program.add_column(cost / unit, 0.0, 1.0));
    for one in 0..n {
        let row: Vec<(u32, f64)> = (0..n).map(|other| (one * n + other, 1.0)).collect();
        let column: Vec<(u32, f64)> = (0..n).map(|other| (other * n + one, 1.0)).collect();
        program.add_row(1.0, 1.0, &row);
        program.add_row(1.0, 1.0, &column);
    }
    (program, costs)
}

/// What is solved a few pivots at a time goes the same way as what is solved at once.
#[test]
fn a_solve_may_be_interrupted() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    for pivots in 1..20 {
        let (mut program, _) = assignment(12, 6, &mut rng);
        let mut other = program.clone();
        assert_eq!(other.solve(10_000, f64::INFINITY), Verdict::Optimal);
        let mut goes = 1;
        while program.solve(pivots, f64::INFINITY) == Verdict::Stopped {
            goes += 1;
        }
        assert!(goes > 1, "there are more pivots to do");
        assert_eq!(program.pivots(), other.pivots());
        assert_eq!(program.values(), other.values());
        assert_eq!(program.multipliers(), other.multipliers());
    }
}

/// A program that changes between two goes is another program.
#[test]
fn a_solve_that_was_interrupted_sees_what_has_changed() {
    let mut rng = Pcg64Mcg::seed_from_u64(12);
    for pivots in 1..20 {
        let (mut program, costs) = assignment(10, 6, &mut rng);
        assert_eq!(program.solve(pivots, f64::INFINITY), Verdict::Stopped);
        let mut other = program.clone();
        for program in [&mut program, &mut other] {
            program.set_bounds(5, 1.0, 1.0);
            program.add_row(f64::NEG_INFINITY, 1.0, &[(17, 1.0), (28, 1.0), (39, 1.0)]);
        }
        let optimum = |program: &Simplex| program.values().iter().zip(&costs).map(|(x, cost)| x * cost).sum::<f64>();
        while program.solve(pivots, f64::INFINITY) == Verdict::Stopped {}
        assert_eq!(other.solve(10_000, f64::INFINITY), Verdict::Optimal);
        assert_eq!(program.values()[5], 1.0);
        assert!((optimum(&program) - optimum(&other)).abs() < 1e-3, "{} {}", optimum(&program), optimum(&other));
    }
}

/// Every column is in a pivot row once, also one whose terms there cancel on the way.
#[test]
fn a_pivot_row_has_each_column_once() {
    let mut program = Simplex::default();
    (0..4).for_each(|_| program.add_column(1.0, 0.0, 1.0));
    // By the first three rows the sum of column 3 goes 1, 0, 1.
    program.add_row(1.0, f64::INFINITY, &[(0, 1.0), (3, 1.0)]);
    program.add_row(0.0, f64::INFINITY, &[(0, 1.0), (1, 1.0), (3, 1.0)]);
    program.add_row(0.0, f64::INFINITY, &[(1, 1.0), (2, 1.0), (3, 1.0)]);
    program.begin_at(&[0, 1, 2], &[]);
    program.begin();
    assert!(program.factor(&mut || false));
    program.recompute();
    let last = program.place[2];
    assert_ne!(last, NONBASIC);
    program.pivot_row(last as usize);
    let touched = &program.scratch.touched;
    assert_eq!(touched.iter().filter(|&&variable| variable == 3).count(), 1);
    let mut once = touched.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), touched.len());
}

/// Near the cutoff costs by the hundred thousand are told apart, which by moved costs they are not.
#[test]
fn an_objective_near_the_cutoff_is_exact() {
    let mut rng = Pcg64Mcg::seed_from_u64(13);
    let below = 300_000;
    let unit = f64::from(below);
    let mut greatest_loss = 0.0;
    for _ in 0..20 {
        let (mut program, costs) = assignment(60, below, &mut rng);
        assert!(program.margin() * unit > 1.0, "what is moved makes a difference");
        // What the multipliers prove, in the costs as they were given.
        let proved = |program: &Simplex| {
            let of_row = |row: usize| program.multipliers()[row] * unit;
            let mut bound: f64 = (0..120).map(of_row).sum();
            for (column, cost) in costs.iter().enumerate() {
                let (one, other) = (column / 60, column % 60);
                bound += (cost - of_row(2 * one) - of_row(2 * other + 1)).min(0.0);
            }
            bound
        };
        let optimum = |program: &Simplex| program.values().iter().zip(&costs).map(|(x, cost)| x * cost).sum::<f64>();
        let mut near = program.clone();
        assert_eq!(program.solve(100_000, f64::INFINITY), Verdict::Optimal);
        greatest_loss = f64::max(greatest_loss, optimum(&program) - proved(&program));
        let least = optimum(&program).round();
        assert_eq!(near.solve(100_000, (least + 0.5) / unit), Verdict::Optimal);
        assert!((proved(&near) - optimum(&near)).abs() < 0.2, "{} {}", proved(&near), optimum(&near));
        assert!(optimum(&near) < least + 1e-3);
    }
    assert!(greatest_loss > 1.0, "{greatest_loss}");
}

/// Of equally good solutions the one that a program leans to comes, whichever that is, and it is no worse for it.
#[test]
fn of_solutions_as_good_as_others_the_one_near_by_comes() {
    let mut rng = Pcg64Mcg::seed_from_u64(13);
    let n = 8;
    let (mut program, _) = assignment(n, 2, &mut rng);
    for _ in 0..50 {
        let mut to: Vec<u32> = (0..n).collect();
        (1..n as usize).for_each(|at| to.swap(at, rng.random_range(0..=at)));
        let mut is_used = FixedBitSet::with_capacity((n * n) as usize);
        to.iter().zip(0..).for_each(|(&other, one)| is_used.insert((one * n + other) as usize));
        program.lean_to(&is_used);
        assert_eq!(program.solve(10_000, f64::INFINITY), Verdict::Optimal);
        let used: Vec<usize> = (0..(n * n) as usize).filter(|&column| program.values()[column] > 0.5).collect();
        assert_eq!(used, is_used.ones().collect::<Vec<_>>());
    }
}

/// Where costs tell solutions apart nothing leans.
#[test]
fn a_program_does_not_lean_to_what_costs_more() {
    let mut rng = Pcg64Mcg::seed_from_u64(14);
    let (mut program, _) = assignment(8, 1000, &mut rng);
    let mut other = program.clone();
    let mut is_used = FixedBitSet::with_capacity(64);
    (0..8).for_each(|one| is_used.insert(one * 8 + one));
    program.lean_to(&is_used);
    for program in [&mut program, &mut other] {
        assert_eq!(program.solve(10_000, f64::INFINITY), Verdict::Optimal);
    }
    assert_eq!(program.values(), other.values());
}
