//! Decimal numbers, exact: whole numbers of a common unit, a power of ten.
//!
//! Weights in files are read as they are written, `1.5` or `2e3`, and nothing is rounded. All numbers of a file share one
//! unit: the greatest that makes each of them whole. Where that makes one larger than 2⁶⁰, the file is refused.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use petgraph::graph::DiGraph;

/// The greatest number of units: lengths are exact up to there.
const MOST_UNITS: i64 = 1 << 60;

/// A decimal number: so many units of 10⁻ᵖˡᵃᶜᵉˢ.
///
/// ```
/// use longhaul::io::Decimal;
///
/// let number: Decimal = "-2.50e1".parse()?;
/// assert_eq!((number.units, number.places), (-25, 0));
/// assert_eq!(Decimal { units: 1205, places: 2 }.to_string(), "12.05");
/// assert!("NaN".parse::<Decimal>().is_err());
/// # Ok::<(), longhaul::io::DecimalFlaw>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// How many units.
    pub units: i64,
    /// How many places behind the point a unit has. Read from text: as few as will do.
    pub places: u32,
}

/// Why a text is no decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecimalFlaw {
    /// It is none at all.
    NotANumber,
    /// It has more digits than 64 bits hold.
    TooLong,
}

impl fmt::Display for DecimalFlaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            DecimalFlaw::NotANumber => "no decimal number like 3, -1.5 or 2e3",
            DecimalFlaw::TooLong => "a number of more digits than 64 bits hold",
        })
    }
}

impl std::error::Error for DecimalFlaw {}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decimal { units, places } = *self;
        if places == 0 {
            return formatter.pad(&units.to_string());
        }
        let digits = format!("{:0width$}", units.unsigned_abs(), width = places as usize + 1);
        let (whole, part) = digits.split_at(digits.len() - places as usize);
        let part = part.trim_end_matches('0');
        let sign = if units < 0 { "-" } else { "" };
        let point = if part.is_empty() { "" } else { "." };
        formatter.pad(&format!("{sign}{whole}{point}{part}"))
    }
}

impl FromStr for Decimal {
    type Err = DecimalFlaw;

    /// Digits, perhaps with a sign before them, a point among them and a power of ten behind.
    fn from_str(text: &str) -> Result<Self, DecimalFlaw> {
        if let Ok(units) = text.parse() {
            return Ok(Decimal { units, places: 0 });
        }
        let (negative, text) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let (number, power) = match text.split_once(['e', 'E']) {
            Some((number, power)) => (number, parse_power(power)?),
            None => (text, 0),
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + part.len() == 0 || !is_digits(whole) || !is_digits(part) {
            return Err(DecimalFlaw::NotANumber);
        }
        let part = part.trim_end_matches('0');
        let mut power = power - part.len() as i64;
        let digits = [whole, part].concat();
        let digits = digits.trim_start_matches('0');
        // Where there is nothing behind the point, zeros before it are part of the power.
        let digits = if part.is_empty() {
            let short = digits.trim_end_matches('0');
            power += (digits.len() - short.len()) as i64;
            short
        } else {
            digits
        };
        if digits.is_empty() {
            return Ok(Decimal { units: 0, places: 0 });
        }
        let mut units: i64 = digits.parse().map_err(|_| DecimalFlaw::TooLong)?;
        if power > 0 {
            let power = u32::try_from(power).ok().and_then(|power| 10i64.checked_pow(power));
            units = power.and_then(|power| units.checked_mul(power)).ok_or(DecimalFlaw::TooLong)?;
        }
        let places = u32::try_from((-power).max(0)).map_err(|_| DecimalFlaw::TooLong)?;
        Ok(Decimal { units: if negative { -units } else { units }, places })
    }
}

fn parse_power(text: &str) -> Result<i64, DecimalFlaw> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DecimalFlaw::NotANumber);
    }
    // A power beyond this range is of no number that fits.
    let power = digits.parse::<i64>().unwrap_or(i64::MAX).min(1 << 32);
    Ok(if text.starts_with('-') { -power } else { power })
}

impl Decimal {
    /// The same number in units of 10⁻ᵖˡᵃᶜᵉˢ; `None` if it is not a whole number of them, or a larger one than 2⁶⁰.
    ///
    /// ```
    /// use longhaul::io::Decimal;
    ///
    /// let number = Decimal { units: 15, places: 1 };
    /// assert_eq!((number.units_of(3), number.units_of(0)), (Some(1500), None));
    /// ```
    pub fn units_of(self, places: u32) -> Option<i64> {
        if places <= self.places {
            let power = 10i64.checked_pow(self.places - places)?;
            return (self.units % power == 0).then(|| self.units / power);
        }
        scaled(self.units, places - self.places)
    }

    /// Which of two numbers is the greater, whatever units they are counted in.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use longhaul::io::Decimal;
    ///
    /// let (half, whole) = (Decimal { units: 5, places: 1 }, Decimal { units: 1, places: 0 });
    /// assert_eq!(half.compare(whole), Ordering::Less);
    /// assert_eq!(whole.compare(Decimal { units: 100, places: 2 }), Ordering::Equal);
    /// ```
    pub fn compare(self, other: Decimal) -> Ordering {
        let common = self.places.max(other.places);
        // Further behind the point than a power of ten that fits, all that differs is by far smaller or larger.
        let at_common =
            |number: Decimal| i128::from(number.units).saturating_mul(10i128.saturating_pow(common - number.places));
        at_common(self).cmp(&at_common(other))
    }
}

/// So many times ten; `None` if it becomes too large.
fn scaled(units: i64, times: u32) -> Option<i64> {
    if units == 0 {
        return Some(0);
    }
    let larger = units.checked_mul(10i64.checked_pow(times)?)?;
    (larger.unsigned_abs() <= MOST_UNITS as u64).then_some(larger)
}

/// The unit of a graph while it is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unit {
    /// How many places behind the point it has.
    pub(crate) places: u32,
}

impl Unit {
    /// The number in this unit. If it needs a smaller one, all numbers that were read become numbers of that; `None` if one of
    /// them, or this one, becomes too large.
    pub(crate) fn take(&mut self, number: Decimal, graph: &mut DiGraph<(), i64>, prizes: &mut [i64]) -> Option<i64> {
        if number.places > self.places {
            let times = number.places - self.places;
            number.units_of(number.places)?;
            if graph.edge_weights().chain(&*prizes).any(|&value| scaled(value, times).is_none()) {
                return None;
            }
            let all = graph.edge_weights_mut().chain(prizes.iter_mut());
            all.for_each(|value| *value = scaled(*value, times).unwrap_or_default());
            self.places = number.places;
        }
        number.units_of(self.places)
    }
}

/// What is wrong where numbers have no common unit.
pub(crate) const NO_UNIT: &str = "numbers that have a common unit: with as many places behind the point as this file has, one would be larger than 2^60 units";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(i64, u32), DecimalFlaw> {
        text.parse::<Decimal>().map(|number| (number.units, number.places))
    }

    #[test]
    fn numbers_are_read_exactly() {
        let known = [
            ("1.5", 15, 1),
            ("2e3", 2000, 0),
            ("-0.25", -25, 2),
            ("+3.", 3, 0),
            (".5", 5, 1),
            ("1.500", 15, 1),
            ("3.0", 3, 0),
            ("1.5e1", 15, 0),
            ("120e-1", 12, 0),
            ("12E-3", 12, 3),
            ("0.000", 0, 0),
            ("0e999999999999", 0, 0),
            ("-0.0", 0, 0),
            ("9223372036854775807", i64::MAX, 0),
            ("-9223372036854775808", i64::MIN, 0),
            ("0.1000000000000000001", 1_000_000_000_000_000_001, 19),
        ];
        for (text, units, places) in known {
            assert_eq!(read(text), Ok((units, places)), "{text}");
        }
        for wrong in ["", "-", ".", "e5", "1e", "1e+", "1.2.3", "NaN", "inf", "0x10", "1,5", "1_000", "--1", "1e1.5"] {
            assert_eq!(read(wrong), Err(DecimalFlaw::NotANumber), "{wrong}");
        }
        for long in ["9223372036854775808", "1e19", "1e99999999999999999999", "0.12345678901234567891"] {
            assert_eq!(read(long), Err(DecimalFlaw::TooLong), "{long}");
        }
    }

    #[test]
    fn numbers_are_told_as_they_are() {
        let told = |units, places| Decimal { units, places }.to_string();
        assert_eq!(
            [told(5, 0), told(-5, 3), told(1250, 2), told(-1205, 2), told(0, 4)],
            ["5", "-0.005", "12.5", "-12.05", "0"]
        );
        for text in ["0.1", "-17.25", "1000000", "0.000001"] {
            assert_eq!(text.parse::<Decimal>().map(|number| number.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn a_smaller_unit_is_for_all() {
        let mut graph = DiGraph::from_edges([(0, 1, 3i64), (1, 2, -2)]);
        let mut prizes = vec![7];
        let mut unit = Unit::default();
        assert_eq!(unit.take(Decimal { units: 25, places: 2 }, &mut graph, &mut prizes), Some(25));
        assert_eq!(unit.take(Decimal { units: 5, places: 1 }, &mut graph, &mut prizes), Some(50));
        assert_eq!((graph.edge_weights().copied().collect::<Vec<_>>(), prizes), (vec![300, -200], vec![700]));
        assert_eq!(unit.take(Decimal { units: 1, places: 18 }, &mut graph, &mut []), None);
    }
}
