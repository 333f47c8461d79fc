//! Text as XML, and GML after it, writes it: with entities for what has a meaning of its own.

use std::borrow::Cow;

/// The entities that XML knows without being told.
const NAMED: [(&str, char); 5] = [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\'')];

/// The text behind entities; those that nobody knows stay as they are.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        said.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = rest[1..].find(';').map(|end| &rest[1..=end]);
        match entity.and_then(letter) {
            Some(letter) => {
                said.push(letter);
                rest = &rest[entity.map_or(1, |entity| entity.len() + 2)..];
            }
            None => {
                said.push('&');
                rest = &rest[1..];
            }
        }
    }
    said.push_str(rest);
    Cow::Owned(said)
}

/// The letter that an entity stands for, given without `&` and `;`.
pub(crate) fn letter(entity: &str) -> Option<char> {
    let number = match entity.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        },
        None => return NAMED.iter().find(|(name, _)| *name == entity).map(|(_, letter)| *letter),
    };
    number.and_then(char::from_u32)
}

/// Text that may stand between quotes: entities for what has a meaning, and for control characters.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    let special = |letter: char| NAMED.iter().any(|(_, known)| *known == letter) || letter.is_control();
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match NAMED.iter().find(|(_, known)| *known == letter) {
            Some((name, _)) => written.extend(["&", name, ";"]),
            None if letter.is_control() => written.push_str(&format!("&#{};", u32::from(letter))),
            None => written.push(letter),
        }
    }
    Cow::Owned(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_read_again() {
        for text in ["plain", "a \"quoted\" <b> & 'c'", "\n\t", "&amp;", "&", "ä&#65;"] {
            assert_eq!(unescape(&escape(text)), text);
        }
        assert_eq!(unescape("&#65;&#x42;&nbsp;&&lt;"), "AB&nbsp;&<");
    }
}
