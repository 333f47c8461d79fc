//! What several questions ask alike, written once: their ends, when to stop, the proof, and how they are printed.

/// The setters of the ends, of a builder with fields `from` and `to`. `$closed` is what `from` means where the answer is closed.
macro_rules! end_setters {
    ($what:literal, $closed:literal) => {
        #[doc = concat!("The ", $what, " begins at this node", $closed, ".")]
        /// \[default: anywhere\]
        #[must_use]
        pub fn from(mut self, node: G::NodeId) -> Self {
            self.from = Some(node);
            self
        }

        #[doc = concat!("The ", $what, " ends at this node. \\[default: anywhere\\]")]
        #[must_use]
        pub fn to(mut self, node: G::NodeId) -> Self {
            self.to = Some(node);
            self
        }
    };
}

/// The setters of how far from a proof an answer may be, of a builder with [`Options`](crate::options::Options).
macro_rules! gap_setters {
    () => {
        /// Stop as soon as the bound is at most this far above the length. \[default: 0, a proof\]
        #[must_use]
        pub fn gap(mut self, gap: u64) -> Self {
            self.options.goal.gap = gap;
            self
        }

        /// Stop as soon as the bound is above the length by at most this share of the bound: 0.05 is five per cent. Where
        /// [`gap`](Self::gap) is given as well, the greater of the two counts. \[default: 0\] \[range: 0..1\]
        #[must_use]
        pub fn relative_gap(mut self, share: f64) -> Self {
            self.options.goal.relative_gap = share.clamp(0.0, 1.0);
            self
        }
    };
}

/// The setter of the weights, of a builder with the field `weights`; with its documentation.
macro_rules! weight_setter {
    ($(#[$doc:meta])+) => {
        $(#[$doc])+
        #[must_use]
        pub fn weights(mut self, weight: impl Fn(G::EdgeRef) -> i64 + Send + 'a) -> Self {
            self.weights = Some(Box::new(weight));
            self
        }
    };
}

/// The setter of closed answers, of a builder with the field `closed`; with its documentation.
macro_rules! closed_setter {
    ($(#[$doc:meta])+) => {
        $(#[$doc])+
        #[must_use]
        pub fn closed(mut self) -> Self {
            self.closed = true;
            self
        }
    };
}

/// The watcher of a builder with [`Options`](crate::options::Options).
macro_rules! watch_setter {
    ($what:literal) => {
        #[doc = concat!("Debugging: panic at the first ", $what, " longer, or bound smaller, than this known optimum.")]
        #[doc(hidden)]
        #[must_use]
        pub fn known_optimum(mut self, length: i64) -> Self {
            self.options.goal.known_optimum = Some(length);
            self
        }
    };
}

/// The setter of the engine, of a builder with [`Options`](crate::options::Options); what is to be said of it beside.
macro_rules! engine_setter {
    ($($beside:literal)?) => {
        /// Which engine to use: by its name, or with options of its own, which are in [`engines`](crate::engines).
        $(#[doc = $beside])?
        /// \[default: [`Auto`](crate::Engine::Auto)\]
        #[must_use]
        pub fn engine(mut self, engine: impl Into<$crate::engines::EngineConfig>) -> Self {
            self.options.engine = engine.into();
            self
        }
    };
}

/// The setters of the proof, of a builder with the field `proof`: against which graph it is checked, how its vertices are
/// numbered there, and an example.
macro_rules! proof_setters {
    ($graph:literal, $numbers:literal, $example:literal) => {
        #[doc = concat!("Writes a proof of the answer, in its compact form, which the program `longhaul-check` checks by itself against the ", $graph, ":")]
        /// that no path is longer than the [upper bound](crate::Solution::upper_bound), or that there is none.
        #[doc = $numbers]
        /// It is made after the answer, within the same limits, and the checker's rules have accepted it, unless it is the sweep
        /// that settled the question, which is not made once more. Where none is found nothing is written, and
        /// [`Solution::witness`](crate::Solution::witness) says why. \[default: none\]
        ///
        /// ```
        #[doc = $example]
        /// let mut proof = Vec::new();
        /// let solution = question.proof(&mut proof).solve()?;
        /// assert_eq!(solution.witness().map(<[u8]>::len), Ok(proof.len()));
        /// # Ok::<(), longhaul::Error>(())
        /// ```
        #[must_use]
        pub fn proof(mut self, out: impl std::io::Write + Send + 'a) -> Self {
            self.proof = Some(Box::new(out));
            self
        }

        /// [`proof`](Self::proof) in words and numbers, for people: larger, and otherwise the same. \[default: the compact form\]
        #[must_use]
        pub fn readable_proof(mut self) -> Self {
            self.options.readable_proof = true;
            self
        }
    };
}

/// [`Debug`](std::fmt::Debug) of a builder without its graph, whose ids need not be printable.
macro_rules! debug_without_graph {
    ($request:ident, $($field:ident),+) => {
        impl<G: InputGraph> std::fmt::Debug for $request<'_, G> {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut told = formatter.debug_struct(stringify!($request));
                $(told.field(stringify!($field), &self.$field);)+
                told.finish_non_exhaustive()
            }
        }
    };
}

pub(super) use {
    closed_setter, debug_without_graph, end_setters, engine_setter, gap_setters, proof_setters, watch_setter,
    weight_setter,
};
