//! The question that a proof is about, as it can be compared with another, and told in words.

use std::fmt::{Display, Formatter, Result};

/// What is asked of a graph. Two are equal if the same paths are allowed, and each earns the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// By vertex, whether it is left out.
    pub absent: Vec<bool>,
    /// By vertex, what visiting it earns; nothing where it is left out.
    pub prizes: Vec<i64>,
    /// What is sought.
    pub sought: Sought,
}

/// A path or a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A longest path.
    Path {
        /// By vertex, what starting there earns; `None` where no path may.
        first: Vec<Option<i64>>,
        /// By vertex, what finishing there earns; `None` where no path may.
        last: Vec<Option<i64>>,
    },
    /// A longest cycle.
    Cycle {
        /// The vertex that it must visit.
        through: Option<u32>,
    },
}

impl Display for Question {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match &self.sought {
            Sought::Cycle { through: None } => write!(formatter, "longest cycle")?,
            Sought::Cycle { through: Some(vertex) } => write!(formatter, "longest cycle through {}", vertex + 1)?,
            Sought::Path { first, last } => {
                write!(formatter, "longest path from {} to {}", self.ends(first), self.ends(last))?;
            }
        }
        let absent: Vec<usize> = (1..).zip(&self.absent).filter(|(_, absent)| **absent).map(|(name, _)| name).collect();
        match absent[..] {
            [] => {}
            [vertex] => write!(formatter, ", without vertex {vertex}")?,
            _ => write!(formatter, ", without {} vertices", absent.len())?,
        }
        let has_prizes = self.prizes.iter().any(|&prize| prize != 0);
        formatter.write_str(if has_prizes { ", with prizes of vertices" } else { "" })
    }
}

impl Question {
    /// Where a path may end, in words.
    fn ends(&self, prizes: &[Option<i64>]) -> String {
        let able: Vec<usize> = (0..prizes.len()).filter(|&vertex| prizes[vertex].is_some()).collect();
        let is_any = (prizes.iter().zip(&self.absent)).all(|(prize, &absent)| absent || prize.is_some());
        let which = match able[..] {
            _ if is_any => "any vertex".to_owned(),
            [vertex] => format!("vertex {}", vertex + 1),
            _ => format!("one of {} vertices", able.len()),
        };
        let earns = prizes.iter().flatten().any(|&prize| prize != 0);
        which + if earns { " with prizes" } else { "" }
    }
}
