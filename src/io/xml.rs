//! Elements of an XML text with their attributes and places, for the formats that consist of them.
//!
//! Nothing of a document type is expanded: a definition of entities is refused, and an entity that nobody defines is a
//! mistake. So a text never grows, and no depth of elements is held but by their count.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::error::FileError;
use super::text::{Text, Word};
use super::xml_text::letter;

/// Elements within elements: more is no graph.
const DEEPEST: usize = 256;

/// A step through the text.
pub(crate) enum Step<'a> {
    Open(Element<'a>),
    /// The end of an element, by its local name.
    Close(&'a str),
    /// Text between elements, as it stands there.
    Text(Word<'a>),
    End,
}

/// The beginning of an element.
pub(crate) struct Element<'a> {
    /// The whole tag.
    pub(crate) word: Word<'a>,
    /// Without its prefix.
    pub(crate) name: &'a str,
}

pub(crate) struct Elements<'a> {
    source: &'a Text<'a>,
    /// Where the text begins that the reader counts from.
    start: usize,
    reader: Reader<&'a [u8]>,
    /// The name of the empty element that was opened last, and is to be closed next.
    close: Option<&'a str>,
    depth: usize,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(source: &'a Text<'a>) -> Self {
        let start = if source.as_str().starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        Elements { source, start, reader: Reader::from_str(&source.as_str()[start..]), close: None, depth: 0 }
    }

    pub(crate) fn next(&mut self) -> Result<Step<'a>, FileError> {
        if let Some(name) = self.close.take() {
            return Ok(Step::Close(name));
        }
        loop {
            if self.source.must_stop() {
                return Ok(Step::End);
            }
            let begin = self.start + self.reader.buffer_position() as usize;
            let event = self.reader.read_event().map_err(|error| {
                let at = (self.start + self.reader.error_position() as usize).max(begin.min(self.source.len()));
                self.mistake(at, &format!("well-formed XML ({error})"))
            })?;
            let end = self.start + self.reader.buffer_position() as usize;
            match event {
                Event::Start(_) | Event::Empty(_) => {
                    let word = self.source.word(begin..end);
                    let name = local_name(word.text);
                    if matches!(event, Event::Empty(_)) {
                        self.close = Some(name);
                    } else {
                        self.depth += 1;
                    }
                    if self.depth > DEEPEST {
                        return Err(word.unexpected(format!("no more than {DEEPEST} elements within each other")));
                    }
                    return Ok(Step::Open(Element { word, name }));
                }
                Event::End(_) => {
                    self.depth -= 1;
                    return Ok(Step::Close(local_name(self.source.word(begin..end).text)));
                }
                Event::Text(_) => {
                    return Ok(Step::Text(self.source.word(begin..end)));
                }
                Event::GeneralRef(_) => {
                    let word = self.source.word(begin..end);
                    let entity = word.text.trim_start_matches('&').trim_end_matches(';');
                    if letter(entity).is_none() {
                        return Err(word.unexpected("an entity that XML knows, such as '&amp;'"));
                    }
                    return Ok(Step::Text(word));
                }
                Event::CData(_) => {
                    let word = self.source.word(begin..end);
                    return Ok(Step::Text(word.cut("<![CDATA[".len()..word.text.len() - "]]>".len())));
                }
                Event::DocType(_) => {
                    let word = self.source.word(begin..end);
                    if let Some(at) = word.text.find("<!ENTITY") {
                        let found = word.cut(at..at + "<!ENTITY".len());
                        return Err(found.unexpected("no definitions of entities, which are not expanded here"));
                    }
                }
                Event::Eof if self.depth > 0 => return Err(self.source.ends_early("the end of an element")),
                Event::Eof => return Ok(Step::End),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            }
        }
    }

    /// A mistake at this place, whatever stands there.
    fn mistake(&self, at: usize, expected: &str) -> FileError {
        let text = self.source.as_str();
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        match text[at..].chars().next() {
            Some(letter) => self.source.word(at..at + letter.len_utf8()).unexpected(expected),
            None => self.source.ends_early(expected),
        }
    }
}

impl<'a> Element<'a> {
    /// The value of an attribute, by its name without prefix: as it stands there, and what it says.
    pub(crate) fn attribute(&self, name: &str) -> Result<Option<(Word<'a>, Cow<'a, str>)>, FileError> {
        let inside = self.word.text.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/');
        let tag = BytesStart::from_content(inside, inside.find(char::is_whitespace).unwrap_or(inside.len()));
        for attribute in tag.attributes() {
            let attribute = attribute
                .map_err(|error| self.word.unexpected(format!("attributes in quotes, each once ({error})")))?;
            if attribute.key.as_ref().rsplit(':').next() != Some(name) {
                continue;
            }
            // The value is a part of this very text.
            let raw: &str = &attribute.value;
            let start = raw.as_ptr() as usize - self.word.text.as_ptr() as usize;
            let word = self.word.cut(start..start + raw.len());
            return Ok(Some((word, replaced(&word)?)));
        }
        Ok(None)
    }

    /// An attribute that has to be there.
    pub(crate) fn expect(&self, name: &str) -> Result<(Word<'a>, Cow<'a, str>), FileError> {
        self.attribute(name)?.ok_or_else(|| self.word.unexpected(format!("the attribute '{name}' in the element")))
    }
}

/// The text with its entities replaced.
fn replaced<'a>(word: &Word<'a>) -> Result<Cow<'a, str>, FileError> {
    let mut rest = word.text;
    if !rest.contains('&') {
        return Ok(Cow::Borrowed(rest));
    }
    let mut said = String::new();
    while let Some(at) = rest.find('&') {
        said.push_str(&rest[..at]);
        let entity = rest[at + 1..].find(';').map(|end| &rest[at + 1..at + 1 + end]);
        let (entity, known) = entity.and_then(|entity| Some((entity, letter(entity)?))).ok_or_else(|| {
            let start = word.text.len() - rest.len() + at;
            word.cut(start..start + 1).unexpected("an entity that XML knows, such as '&amp;'")
        })?;
        said.push(known);
        rest = &rest[at + entity.len() + 2..];
    }
    said.push_str(rest);
    Ok(Cow::Owned(said))
}

/// The name of a tag without its prefix.
fn local_name(tag: &str) -> &str {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|letter: char| letter.is_whitespace() || matches!(letter, '>' | '/')).unwrap_or(name.len());
    name[..end].rsplit(':').next().unwrap_or_default()
}
