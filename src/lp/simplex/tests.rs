//! Programs that stall.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{LinearProgram, Simplex, Verdict};

/// An assignment of so many to so many, with costs of which many are alike.
fn assignment(n: u32, rng: &mut Pcg64Mcg) -> (Simplex, Vec<f64>) {
    let mut program = Simplex::default();
    let costs: Vec<f64> = (0..n * n).map(|_| f64::from(rng.random_range(1..6))).collect();
    costs.iter().for_each(|&cost| program.add_column(cost, 0.0, 1.0));
    for one in 0..n {
        let row: Vec<(u32, f64)> = (0..n).map(|other| (one * n + other, 1.0)).collect();
        let column: Vec<(u32, f64)> = (0..n).map(|other| (other * n + one, 1.0)).collect();
        program.add_row(1.0, 1.0, &row);
        program.add_row(1.0, 1.0, &column);
    }
    (program, costs)
}

/// However often costs are moved on the way, the optimum is the same, and by the usual costs in the end.
#[test]
fn what_has_stalled_ends_at_the_same_optimum() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    for round in 0..60 {
        let (mut program, costs) = assignment(12, &mut rng);
        let optimum = |program: &Simplex| program.values().iter().zip(&costs).map(|(x, cost)| x * cost).sum::<f64>();
        let mut other = program.clone();
        assert_eq!(other.solve(10_000, f64::INFINITY), Verdict::Optimal);
        for count in 1..=1 + round % 4 {
            assert_eq!(program.solve(3, f64::INFINITY), Verdict::Stopped, "there are more pivots to do");
            program.stall.count = count;
            program.perturb_again();
            // Runs stay short.
            program.stall.count = 0;
            assert_ne!(program.cost[..costs.len()], program.usual_cost[..costs.len()]);
        }
        assert_eq!(program.solve(10_000, f64::INFINITY), Verdict::Optimal);
        assert!((optimum(&program) - optimum(&other)).abs() < 1e-3, "{} {}", optimum(&program), optimum(&other));
        assert_eq!(program.cost[..costs.len()], program.usual_cost[..costs.len()]);
        assert_eq!((program.stall.count, program.stall.is_moved), (0, false));
    }
}

/// A run that gains nothing for long is found out.
#[test]
fn a_stall_is_found_out() {
    let (mut program, _) = assignment(8, &mut Pcg64Mcg::seed_from_u64(12));
    assert_eq!(program.solve(3, f64::INFINITY), Verdict::Stopped);
    assert_eq!(program.stall.count, 0);
    program.stall.since = Some((0, f64::INFINITY));
    program.pivots += super::STALL;
    assert_eq!(program.solve(1, f64::INFINITY), Verdict::Stopped);
    assert_eq!((program.stall.count, program.stall.is_moved), (1, true));
}
