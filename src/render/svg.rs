//! What pictures share: numbers, texts, colours.

use std::fmt::Write;

/// The colours of a picture: those of light paper, and of a dark screen where the reader asks for one.
const STYLE: &str = "\
svg.longhaul{--paper:#fff;--ink:#222;--edge:#b8bcc4;--node:#f4f5f7;--rim:#5b6370;--path:#d1495b;--first:#2a9d5c;--last:#8e44ad}\
@media (prefers-color-scheme:dark){svg.longhaul{--paper:#15181d;--ink:#e6e8eb;--edge:#4a515c;--node:#242a33;--rim:#98a1ae;\
--path:#ff7b89;--first:#5fd493;--last:#c58be0}}\
@media print{svg.longhaul{--paper:#fff;--ink:#000;--edge:#999;--node:#fff;--rim:#333;--path:#c0203a;--first:#0a7a3c;--last:#6c2a91}}\
.longhaul .paper{fill:var(--paper)}.longhaul text{fill:var(--ink);font-family:system-ui,sans-serif}\
.longhaul .edge{stroke:var(--edge);fill:none}.longhaul .step{stroke:var(--path);fill:none;stroke-linecap:round}\
.longhaul .node{fill:var(--node);stroke:var(--rim)}.longhaul .on{fill:var(--path);stroke:var(--path)}\
.longhaul .first{fill:var(--first);stroke:var(--first)}.longhaul .last{fill:var(--last);stroke:var(--last)}\
.longhaul .arrow{fill:var(--edge)}.longhaul .path-arrow{fill:var(--path)}\
.longhaul .label{text-anchor:middle;dominant-baseline:central}.longhaul .light{fill:#fff}\
.longhaul .axis{stroke:var(--rim);fill:none}.longhaul .bound{stroke:var(--last);fill:none}\
.longhaul .dot-path{fill:var(--path)}.longhaul .dot-bound{fill:var(--last)}";

/// The beginning of a picture of this size, with its paper.
pub(super) fn begin(width: f64, height: f64, title: &str) -> String {
    let (width, height) = (number(width), number(height));
    format!(
        "<svg class=\"longhaul\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
        text(title)
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
