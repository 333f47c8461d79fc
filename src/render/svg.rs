//! What pictures share: numbers, texts, colours.

use std::fmt::Write;

/// The colours of a picture, written out in every rule: not all viewers know variables.
struct Palette {
    paper: &'static str,
    ink: &'static str,
    edge: &'static str,
    node: &'static str,
    rim: &'static str,
    path: &'static str,
    first: &'static str,
    last: &'static str,
}

const LIGHT: Palette = Palette {
    paper: "#fff",
    ink: "#222",
    edge: "#b8bcc4",
    node: "#f4f5f7",
    rim: "#5b6370",
    path: "#d1495b",
    first: "#2a9d5c",
    last: "#8e44ad",
};

const DARK: Palette = Palette {
    paper: "#15181d",
    ink: "#e6e8eb",
    edge: "#4a515c",
    node: "#242a33",
    rim: "#98a1ae",
    path: "#ff7b89",
    first: "#5fd493",
    last: "#c58be0",
};

const PRINT: Palette = Palette {
    paper: "#fff",
    ink: "#000",
    edge: "#999",
    node: "#fff",
    rim: "#333",
    path: "#c0203a",
    first: "#0a7a3c",
    last: "#6c2a91",
};

/// What does not depend on the colours.
const SHAPES: &str = "\
.longhaul text{font-family:system-ui,sans-serif}.longhaul .edge,.longhaul .axis,.longhaul .bound{fill:none}\
.longhaul .step{fill:none;stroke-linecap:round}.longhaul .label{text-anchor:middle;pointer-events:none}";

impl Palette {
    fn rules(&self) -> String {
        let Palette { paper, ink, edge, node, rim, path, first, last } = self;
        format!(
            ".longhaul .paper{{fill:{paper}}}.longhaul text{{fill:{ink}}}.longhaul .edge{{stroke:{edge}}}\
             .longhaul .step{{stroke:{path}}}.longhaul .node{{fill:{node};stroke:{rim}}}\
             .longhaul .on{{fill:{path};stroke:{path}}}.longhaul .first{{fill:{first};stroke:{first}}}\
             .longhaul .last{{fill:{last};stroke:{last}}}.longhaul .arrow{{fill:{edge}}}.longhaul .path-arrow{{fill:{path}}}\
             .longhaul .light{{fill:#fff}}.longhaul .rim{{stroke:{rim}}}.longhaul .axis{{stroke:{rim}}}\
             .longhaul .bound{{stroke:{last}}}.longhaul .dot-path{{fill:{path}}}.longhaul .dot-bound{{fill:{last}}}"
        )
    }
}

/// Light paper, a dark screen where the reader asks for one, and what a printer does well.
fn style() -> String {
    let [light, dark, print] = [LIGHT, DARK, PRINT].map(|palette| palette.rules());
    format!("{SHAPES}{light}@media (prefers-color-scheme:dark){{{dark}}}@media print{{{print}}}")
}

/// The beginning of a picture of this size, with its paper.
pub(super) fn begin(width: f64, height: f64, title: &str) -> String {
    let (width, height) = (number(width), number(height));
    format!(
        "<svg class=\"longhaul\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n<style>{}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
        text(title),
        style()
    )
}

/// A coordinate with as many digits as an eye can see.
pub(super) fn number(value: f64) -> String {
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = write!(text, "{value:.2}");
    let trimmed = text.trim_end_matches('0').trim_end_matches('.');
    if trimmed == "-0" { "0".to_owned() } else { trimmed.to_owned() }
}

/// Text that may stand between tags and between quotes.
pub(super) fn text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML has no control characters, however they are written.
            letter if letter.is_control() => escaped.push('\u{FFFD}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}
