//! A sequence of cards in rows, with what matches drawn between them.

use std::fmt::Write;

use super::svg::{begin, number, text};

/// A card as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownCard {
    /// The number, or its name; empty for a wild card.
    pub number: String,
    /// The colour, or its name.
    pub colour: String,
    /// In what it agrees with the card before: `number`, `colour`, or whatever is to be said. Empty for the first.
    pub link: String,
    /// Where the card is in the deck, from 1.
    pub position: Option<usize>,
}

const WIDTH: f64 = 58.0;
const HEIGHT: f64 = 84.0;
const GAP: f64 = 38.0;
const A_ROW: usize = 10;

/// Draws cards in the order of playing, ten a row. Each card is of class `card` with `data-card`, each match of class `match`
/// with what agrees in `data-link`.
///
/// # Example
/// ```
/// use longhaul::render::{ShownCard, cards};
///
/// let card = |number: &str, colour: &str, link: &str| ShownCard {
///     number: number.to_owned(), colour: colour.to_owned(), link: link.to_owned(), position: None,
/// };
/// let svg = cards(&[card("5", "blue", ""), card("5", "red", "number 5")], 7);
/// assert!(svg.contains("data-card=\"5 blue\"") && svg.contains("data-link=\"number 5\""));
/// ```
pub fn cards(sequence: &[ShownCard], of: usize) -> String {
    let columns = sequence.len().clamp(1, A_ROW) as f64;
    let rows = sequence.len().div_ceil(A_ROW).max(1) as f64;
    let (width, height) = (columns * (WIDTH + GAP) + 24.0, rows * (HEIGHT + GAP) + 36.0);
    let title = format!("{} of {of} cards in playing order", sequence.len());
    let mut svg = begin(width.max(240.0), height, &title);
    let _ = writeln!(svg, "<text x=\"16\" y=\"20\" font-size=\"13\">{title}</text>");
    // Numbers for colours without a name of UNO's get hues of their own, in the order of their coming.
    let mut met: Vec<&str> = Vec::new();
    for (at, card) in sequence.iter().enumerate() {
        let (x, y) = (16.0 + (at % A_ROW) as f64 * (WIDTH + GAP), 34.0 + (at / A_ROW) as f64 * (HEIGHT + GAP));
        if at > 0 {
            link(&mut svg, &card.link, at, x, y);
        }
        if !met.contains(&card.colour.as_str()) {
            met.push(&card.colour);
        }
        let hue = met.iter().position(|known| *known == card.colour).unwrap_or(0);
        face(&mut svg, card, &paint(&card.colour, hue), x, y);
    }
    svg.push_str("</svg>\n");
    svg
}

fn face(svg: &mut String, card: &ShownCard, paint: &str, x: f64, y: f64) {
    let number_text = if card.number.is_empty() { "wild".to_owned() } else { text(&card.number) };
    let colour = text(&card.colour);
    let name = if card.number.is_empty() { number_text.clone() } else { format!("{number_text} {colour}") };
    let size = (44.0 / number_text.chars().count().max(1) as f64).clamp(9.0, 30.0);
    let position = card.position.map_or(String::new(), |position| format!(", number {position} of the deck"));
    let _ = writeln!(
        svg,
        "<g class=\"card\" data-card=\"{name}\"><title>{name}{position}</title><rect x=\"{}\" y=\"{}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" rx=\"8\" class=\"rim\" style=\"fill:{paint}\" stroke-width=\"1.2\"/>\
         <ellipse cx=\"{}\" cy=\"{}\" rx=\"23\" ry=\"30\" style=\"fill:#fff\"/>\
         <text class=\"label\" x=\"{}\" y=\"{}\" dy=\".35em\" font-size=\"{}\" font-weight=\"700\" style=\"fill:#222\">{number_text}</text>\
         <text class=\"label\" x=\"{}\" y=\"{}\" dy=\".35em\" font-size=\"9\">{colour}</text></g>",
        number(x),
        number(y),
        number(x + WIDTH / 2.0),
        number(y + HEIGHT / 2.0),
        number(x + WIDTH / 2.0),
        number(y + HEIGHT / 2.0),
        number(size),
        number(x + WIDTH / 2.0),
        number(y + HEIGHT + 9.0),
    );
}

/// What matches, in the gap before the card; at the beginning of a row, above it.
fn link(svg: &mut String, link: &str, at: usize, x: f64, y: f64) {
    let said = text(link);
    // `number 5` is drawn as `5`, and the same card again as `=`.
    let short = match said.split_once(' ') {
        Some(("number" | "colour", value)) => value,
        _ if said.is_empty() => "",
        _ => "=",
    };
    let short: String = short.chars().take(7).collect();
    let (from, to, middle) = (x - GAP, x, y + HEIGHT / 2.0);
    let dashed = if link.starts_with("number") { "" } else { " stroke-dasharray=\"3 2\"" };
    let from = if at.is_multiple_of(A_ROW) { x - 14.0 } else { from };
    let _ = writeln!(
        svg,
        "<g class=\"match\" data-link=\"{said}\"><title>{said}</title><line class=\"step\" x1=\"{}\" y1=\"{}\" x2=\"{}\" \
         y2=\"{}\" stroke-width=\"2\"{dashed}/><text class=\"label\" x=\"{}\" y=\"{}\" font-size=\"9\">{short}</text></g>",
        number(from + 2.0),
        number(middle),
        number(to - 2.0),
        number(middle),
        number((from + to) / 2.0),
        number(middle - 8.0),
    );
}

/// The colour by its name, else a hue of its own.
fn paint(name: &str, place: usize) -> String {
    let known = [
        ("red", "#d1343f"),
        ("blue", "#2b62c4"),
        ("green", "#2d9b4f"),
        ("yellow", "#e8b71a"),
        ("orange", "#e67e22"),
        ("purple", "#8e44ad"),
        ("black", "#30343b"),
        ("", "#30343b"),
    ];
    match known.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        Some((_, paint)) => (*paint).to_owned(),
        // Steps of the golden angle keep hues apart.
        None => format!("hsl({:.0} 60% 48%)", (place as f64 * 137.508) % 360.0),
    }
}
