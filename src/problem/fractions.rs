//! Weights that are floating-point numbers: told in units of a resolution, by a rule that is said.

use super::path::LongestPath;
use super::trail::LongestTrail;
use crate::error::Error;
use crate::view::InputGraph;

/// From this number of units on floating-point numbers skip some.
const MOST_UNITS: f64 = 9_007_199_254_740_992.0;

/// How many units a weight is: the whole number nearest to the quotient, halves away from zero.
fn units(weight: f64, resolution: f64) -> Option<i64> {
    let units = (weight / resolution).round();
    (units.abs() <= MOST_UNITS).then_some(units as i64)
}

/// The first weight that is none, if any: what is wrong with it.
fn flaw_of<G: InputGraph>(graph: G, resolution: f64, weight: &impl Fn(G::EdgeRef) -> f64) -> Option<Error> {
    if !resolution.is_finite() || resolution <= 0.0 {
        return Some(Error::request(format!("weights_f64 with the resolution {resolution}"), "it is a number above 0"));
    }
    let weights = graph.edge_references().map(weight).enumerate();
    let mut flaws = weights.filter(|&(_, weight)| units(weight, resolution).is_none());
    flaws.next().map(|(at, weight)| {
        let asked = format!("weights_f64: edge number {} of the graph weighs {weight}", at + 1);
        Error::request(asked, "a weight is a finite number, and at most 2^53 times the resolution")
    })
}

/// What both questions say of it.
macro_rules! weights_f64 {
    ($request:ident) => {
        impl<'a, G: InputGraph> $request<'a, G> {
            /// The weight of each edge as a floating-point number, in place of [`weights`](Self::weights).
            ///
            /// Lengths are exact sums of whole numbers, so weights become numbers of units: `weight / resolution`, rounded to
            /// the nearest whole number, halves away from zero. Lengths and bounds count such units; times the resolution they
            /// are what the caller measures in. With a resolution of 0.01 weights in euros become cents, and weights that are
            /// decimal numbers of no more places than the resolution has lose nothing.
            ///
            /// A weight that is not a number, infinite, or more than 2⁵³ units, and a resolution that is not above 0, are refused
            /// when solving, by an error that names the edge.
            ///
            /// ```
            #[doc = concat!("# use longhaul::", stringify!($request), ";")]
            /// # use petgraph::graph::UnGraph;
            /// let graph = UnGraph::<(), f64>::from_edges([(0, 1, 0.1), (1, 2, 0.25), (2, 3, 1e-9)]);
            #[doc = concat!("let question = ", stringify!($request), "::new(&graph).weights_f64(0.01, |edge| *edge.weight());")]
            /// assert_eq!(question.solve()?.length(), Some(35));
            ///
            /// let graph = UnGraph::<(), f64>::from_edges([(0, 1, f64::NAN)]);
            #[doc = concat!("let question = ", stringify!($request), "::new(&graph).weights_f64(0.01, |edge| *edge.weight());")]
            /// assert!(question.solve().unwrap_err().to_string().contains("edge number 1 of the graph weighs NaN"));
            /// # Ok::<(), longhaul::Error>(())
            /// ```
            #[must_use]
            pub fn weights_f64(mut self, resolution: f64, weight: impl Fn(G::EdgeRef) -> f64 + Send + 'a) -> Self {
                self.options.flaw = flaw_of(self.graph, resolution, &weight);
                self.weights(move |edge| units(weight(edge), resolution).unwrap_or(0))
            }
        }
    };
}

weights_f64!(LongestPath);
weights_f64!(LongestTrail);

#[cfg(test)]
mod tests {
    use super::units;

    #[test]
    fn halves_go_away_from_zero() {
        let of = |weight| units(weight, 0.5);
        assert_eq!([of(0.25), of(-0.25), of(0.2), of(0.75), of(-1.6)], [1, -1, 0, 2, -3].map(Some));
        assert_eq!(units(0.1, 0.01), Some(10));
        assert_eq!(units(0.07, 0.01), Some(7));
        for wrong in [f64::NAN, f64::INFINITY, -1e300, 1e16] {
            assert_eq!(units(wrong, 1.0), None);
        }
    }
}
