//! How the values of options are spelt: times, sizes, whole numbers, gaps, cards. It uses nothing of the rest: the tests of
//! options take it in by its path.

use std::str::FromStr;
use std::time::Duration;

pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let (amount, unit) = split_unit(text);
    if amount.is_empty() {
        return Err(format!("'{text}' is no time; it is a number of seconds, 0 or more, or has ms, s, m or h behind"));
    }
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("'{unit}' is no unit of time; use ms, s, m or h")),
    };
    let amount: f64 = amount.parse().map_err(|_| format!("'{amount}' is no number"))?;
    Duration::try_from_secs_f64(amount * seconds).map_err(|error| error.to_string())
}

pub(crate) fn parse_size(text: &str) -> Result<usize, String> {
    let (amount, unit) = split_unit(text);
    if amount.is_empty() {
        return Err(format!("'{text}' is no size; it is a number of bytes, or has kB, MB, GB, KiB, MiB or GiB behind"));
    }
    let bytes: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(format!("'{unit}' is no unit of size; use kB, MB, GB, KiB, MiB or GiB")),
    };
    let amount: f64 = amount.parse().map_err(|_| format!("'{amount}' is no number"))?;
    // Beyond the range of usize the conversion takes the greatest value, which is as good as no limit.
    Ok((amount * bytes as f64) as usize)
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    (&text[..digits], text[digits..].trim_start())
}

/// A whole number from 1 on.
pub(crate) fn parse_positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "a whole number, 1 or more, is needed".to_owned())
}

pub(crate) fn parse_threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&threads| threads > 0).ok_or_else(|| "a number of threads is 1 or more".to_owned())
}

/// How far apart bound and length may stay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gap {
    Number(u64),
    /// Of the bound, from 0 to 1.
    Share(f64),
}

impl Gap {
    /// As a number of units, of which a whole one has `10^places`.
    pub(crate) fn units(self, places: u32) -> u64 {
        let Gap::Number(number) = self else { return 0 };
        number.saturating_mul(10u64.saturating_pow(places))
    }

    pub(crate) fn share(self) -> f64 {
        if let Gap::Share(share) = self { share } else { 0.0 }
    }
}

pub(crate) fn parse_gap(text: &str) -> Result<Gap, String> {
    let wrong = || format!("'{text}' is neither a whole number from 0, like 3, nor a share from 0% to 100%, like 5%");
    match text.trim().strip_suffix('%') {
        None => text.trim().parse().map(Gap::Number).map_err(|_| wrong()),
        Some(share) => {
            let share: f64 = share.trim_end().parse().map_err(|_| wrong())?;
            (0.0..=100.0).contains(&share).then_some(Gap::Share(share / 100.0)).ok_or_else(wrong)
        }
    }
}

/// The card on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FirstCard {
    Position(usize),
    /// Its number and colour, or their names.
    Card(String, String),
}

impl FromStr for FirstCard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is neither a position from 1, like 7, nor a card NUMBER,COLOUR, like 5,3");
        let is_value = |part: &&str| match part.starts_with(char::is_alphabetic) {
            true => part.chars().nth(1).is_some(),
            false => part.parse::<u32>().is_ok(),
        };
        match text.split([',', ' ']).collect::<Vec<_>>()[..] {
            [position] => {
                position.parse().ok().filter(|&position| position > 0).map(FirstCard::Position).ok_or_else(wrong)
            }
            [number, colour] if [number, colour].iter().all(is_value) => {
                Ok(FirstCard::Card(number.to_owned(), colour.to_owned()))
            }
            _ => Err(wrong()),
        }
    }
}
