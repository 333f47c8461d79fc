//! From a path to the bytes of a text: files and standard input, decompressed where they are gzip.
//!
//! What is read is bounded: by the memory limit, by the interrupt flag and the deadline of the [`ReadOptions`], and, for
//! compressed input, by how far it may grow. Deflate turns a byte into a thousand at most, and texts of graphs into twenty or
//! so; a file that has grown beyond 64 MiB and more than two hundredfold is refused as a bomb rather than unpacked.

use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::ReadOptions;
use super::error::FileError;

const CHUNK: usize = 1 << 18;
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// First bytes of what is no text, and what it is.
const FOREIGN: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "a zip archive (a spreadsheet or workbook, perhaps)"),
    (b"\xFD7zXZ\0", "compressed with xz"),
    (b"BZh", "compressed with bzip2"),
    (b"\x28\xB5\x2F\xFD", "compressed with zstd"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n", "a PNG picture"),
];

/// All of a file, or of standard input if the path is `-`, with the name that diagnostics use. What is compressed with gzip
/// comes decompressed, under its own name.
///
/// # Errors
/// If it cannot be read, is compressed in another way, or takes more than 4 GiB.
pub fn read_bytes(path: &Path) -> Result<(String, Vec<u8>), FileError> {
    read_bytes_within(path, &ReadOptions::default())
}

/// [`read_bytes`] within the limits of these options.
///
/// # Errors
/// As there; and if the options tell the reader to stop.
pub fn read_bytes_within(path: &Path, options: &ReadOptions) -> Result<(String, Vec<u8>), FileError> {
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = if path == Path::new("-") {
        read_standard_input(&name, options)
    } else {
        let opened = std::fs::File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (length, mut file) = opened.map_err(|error| FileError::system(&name, "read", error))?;
        read_within(&name, &mut file, length as usize, options)
    }?;
    let foreign = FOREIGN.iter().find(|(magic, _)| bytes.starts_with(magic));
    if let Some((_, what)) = foreign {
        return Err(FileError::graph(&name, format!("this is {what}, and not the text of a graph")));
    }
    let bytes = if bytes.starts_with(&GZIP) { decompress(&name, &bytes, options)? } else { bytes };
    Ok((name, bytes))
}

/// Reads to the end, looking at the limits after each chunk.
fn read_within(name: &str, from: &mut dyn Read, about: usize, options: &ReadOptions) -> Result<Vec<u8>, FileError> {
    let limit = options.memory_limit;
    let mut bytes = Vec::with_capacity(about.min(limit).min(1 << 30));
    loop {
        let length = bytes.len();
        bytes.resize(length + CHUNK, 0);
        let (read, ended) = match from.read(&mut bytes[length..]) {
            Ok(read) => (read, read == 0),
            Err(error) if error.kind() == ErrorKind::Interrupted => (0, false),
            Err(error) => return Err(FileError::system(name, "read", error)),
        };
        bytes.truncate(length + read);
        if let Some(stop) = options.stop() {
            return Err(FileError::stopped(name, stop));
        }
        if ended {
            return Ok(bytes);
        }
        if bytes.len() > limit {
            return Err(FileError::graph(name, format!("longer than the memory limit of {limit} bytes")));
        }
    }
}

/// Standard input may be silent for long, and the limits hold meanwhile: a thread of its own waits for it.
fn read_standard_input(name: &str, options: &ReadOptions) -> Result<Vec<u8>, FileError> {
    const PATIENCE: Duration = Duration::from_millis(50);
    let (sender, receiver) = mpsc::sync_channel(4);
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut chunk = vec![0; CHUNK];
            let read = match input.read(&mut chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                read => read,
            };
            let read = read.map(|length| {
                chunk.truncate(length);
                chunk
            });
            let is_last = read.as_ref().map_or(true, Vec::is_empty);
            // Nobody listens any more once a limit was met.
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    });
    let mut bytes = Vec::new();
    loop {
        if let Some(stop) = options.stop() {
            return Err(FileError::stopped(name, stop));
        }
        match receiver.recv_timeout(PATIENCE) {
            Ok(Ok(chunk)) if chunk.is_empty() => return Ok(bytes),
            Ok(Ok(chunk)) => bytes.extend(chunk),
            Ok(Err(error)) => return Err(FileError::system(name, "read", error)),
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(bytes),
        }
        let limit = options.memory_limit;
        if bytes.len() > limit {
            return Err(FileError::graph(name, format!("longer than the memory limit of {limit} bytes")));
        }
    }
}

/// Decompresses a gzip file of one member or more.
#[cfg(feature = "formats")]
fn decompress(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Vec<u8>, FileError> {
    const HARMLESS: usize = 64 << 20;
    const GROWTH: usize = 200;
    let mut decoder = flate2::bufread::MultiGzDecoder::new(bytes);
    let mut text = Vec::new();
    loop {
        let length = text.len();
        text.resize(length + CHUNK, 0);
        let read = decoder.read(&mut text[length..]).map_err(|error| {
            let what = match error.kind() {
                ErrorKind::UnexpectedEof => "the gzip file is cut short".to_owned(),
                _ => format!("the gzip file is damaged: {error}"),
            };
            FileError::graph(name, format!("{what}, after {length} bytes of text"))
        })?;
        text.truncate(length + read);
        if let Some(stop) = options.stop() {
            return Err(FileError::stopped(name, stop));
        }
        if read == 0 {
            return Ok(text);
        }
        let taken = bytes.len() - decoder.get_ref().len();
        if text.len() > HARMLESS && text.len() / GROWTH > taken {
            let message = format!("a gzip bomb: {taken} bytes of it become {} and more", text.len());
            return Err(FileError::graph(name, message));
        }
        if text.len() > options.memory_limit {
            let limit = options.memory_limit;
            return Err(FileError::graph(name, format!("decompressed, longer than the memory limit of {limit} bytes")));
        }
    }
}

#[cfg(not(feature = "formats"))]
fn decompress(name: &str, _: &[u8], _: &ReadOptions) -> Result<Vec<u8>, FileError> {
    Err(FileError::graph(name, "compressed with gzip, which a build without the feature 'formats' cannot read"))
}

#[cfg(all(test, feature = "formats"))]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_come_one_after_the_other_and_cuts_are_noticed() {
        let two = [gzip(b"a b\n"), gzip(b"b c\n")].concat();
        let options = ReadOptions::default();
        assert_eq!(decompress("a", &two, &options).unwrap(), b"a b\nb c\n");
        let cut = decompress("a", &two[..two.len() - 3], &options).unwrap_err();
        assert!(cut.to_string().contains("cut short"), "{cut}");
        let mut damaged = gzip(&b"many words, and many words again\n".repeat(9));
        damaged[20] ^= 0xFF;
        assert!(decompress("a", &damaged, &options).is_err());
    }

    #[test]
    fn bombs_are_not_unpacked() {
        let bomb = gzip(&vec![b' '; 80 << 20]);
        let refused = decompress("bomb", &bomb, &ReadOptions::default()).unwrap_err();
        assert!(refused.to_string().starts_with("bomb: a gzip bomb"), "{refused}");
        let small = ReadOptions { memory_limit: 1 << 20, ..ReadOptions::default() };
        let refused = decompress("large", &gzip(&vec![b' '; 2 << 20]), &small).unwrap_err();
        assert!(refused.to_string().contains("memory limit of 1048576"), "{refused}");
    }
}
