//! How the values of options are spelt: times, sizes, whole numbers.

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
        return Err(format!(
            "'{text}' is no amount of memory; it is a number of bytes, or has kB, MB, GB, KiB, MiB or GiB behind"
        ));
    }
    let bytes: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(format!("'{unit}' is no unit of memory; use kB, MB, GB, KiB, MiB or GiB")),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        assert_eq!(parse_time("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_time("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_time("2 m"), Ok(Duration::from_secs(120)));
        assert!(parse_time("soon").is_err());
        assert!(parse_time("5 days").is_err());
        assert_eq!(parse_size("200MB"), Ok(200_000_000));
        assert_eq!(parse_size("1.5 KiB"), Ok(1536));
        assert!(parse_size("much").is_err());
        assert!(parse_size("3 apples").is_err());
    }
}
