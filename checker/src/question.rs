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

impl Question {
    /// A question without prizes: for a path whose ends are given or free, or for a cycle that may have to visit a vertex.
    pub fn plain(absent: Vec<bool>, from: Option<u32>, to: Option<u32>, closed: bool) -> Question {
        let ends = |end: Option<u32>| -> Vec<Option<i64>> {
            let may = |vertex| !absent[vertex as usize] && end.is_none_or(|end| end == vertex);
            (0..absent.len() as u32).map(|vertex| may(vertex).then_some(0)).collect()
        };
        let sought = match closed {
            true => Sought::Cycle { through: from },
            false => Sought::Path { first: ends(from), last: ends(to) },
        };
        Question { prizes: vec![0; absent.len()], absent, sought }
    }

    /// The question about the same paths the other way round: the same where edges have no direction.
    pub fn turned(mut self) -> Question {
        if let Sought::Path { first, last } = &mut self.sought {
            std::mem::swap(first, last);
        }
        self
    }
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
