//! Compressed input: recognised by its first bytes, and unpacked while it is read.

use crate::bounded::bytes_at;
use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use overboard_engines::lock;
use overboard_formats::lex::NotText;
use ruzstd::decoding::{
    BlockDecodingStrategy, FrameDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};
use std::{
    fmt,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

/// The endings that compression adds to the names of files, in lower case.
const ENDINGS: [&str; 3] = ["gz", "zst", "bz2"];
/// The bytes that are asked for first. Of an input that arrives line by line, only what has arrived is waited for.
const FIRST: usize = 1 << 16;
/// The most bytes to which Zstandard may refer back: what `zstd` itself allows by default.
const WINDOW: u64 = 128 << 20;

/// How a file is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Packing {
    Gzip,
    Zstd,
    Bzip2,
}

impl Packing {
    /// The longest beginning by which a packing is recognised.
    const HEAD: usize = 8;
    /// What packed files begin with; what else belongs to a beginning, [`NotText`] knows.
    const MARKS: [&[u8]; 3] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh"];

    /// The packing of a file that begins with these bytes; `None` if it is not one that can be unpacked.
    fn of(head: &[u8]) -> Option<Self> {
        match NotText::of(head)? {
            NotText::Gzip => Some(Self::Gzip),
            NotText::Zstd => Some(Self::Zstd),
            NotText::Bzip2 => Some(Self::Bzip2),
            _ => None,
        }
    }

    /// Whether it takes more than these first bytes of an input to know.
    fn is_open(head: &[u8]) -> bool {
        let is_begun = |mark: &&[u8]| mark.starts_with(head) || head.starts_with(mark);
        head.len() < Self::HEAD && Self::of(head).is_none() && Self::MARKS.iter().any(is_begun)
    }

    fn reader(self, source: BufReader<Source>) -> Box<dyn Read + Send> {
        match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(source)),
            Self::Bzip2 => Box::new(MultiBzDecoder::new(source)),
            Self::Zstd => Box::new(Frames::new(source)),
        }
    }
}

impl fmt::Display for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "Zstandard",
            Self::Bzip2 => "bzip2",
        })
    }
}

/// Why compressed input cannot be read to its end.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum PackedError {
    /// Its end is missing.
    #[error("the {0} file is incomplete: it ends in the middle of its data")]
    Cut(Packing),
    /// It cannot have been written like this.
    #[error("the {0} file is damaged: its data cannot be unpacked")]
    Damaged(Packing),
    /// Unpacking it takes too much memory.
    #[error(
        "the Zstandard file refers back over {0} bytes, more than {WINDOW}, which would take too much memory; unpack it first (`zstd -dc --memory=2048MB FILE | overboard check -`)"
    )]
    Far(u64),
}

impl From<PackedError> for io::Error {
    fn from(error: PackedError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

/// Whether a file is compressed in a way that can be unpacked; not if it cannot be read.
pub fn is_packed(path: &Path) -> bool {
    match bytes_at(path, 0, Packing::HEAD as u64) {
        Ok(head) => Packing::of(&head).is_some(),
        Err(_) => false,
    }
}

/// A path without the ending that compression adds to the name of a file.
pub fn unpacked_name(path: &Path) -> PathBuf {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_added = ending.is_some_and(|ending| ENDINGS.contains(&&*ending.to_ascii_lowercase()));
    if is_added {
        path.with_extension("")
    } else {
        path.to_owned()
    }
}

/// An input that is unpacked while it is read if it is compressed, and else read as it is.
pub struct Input {
    /// The input, until the first of it is read.
    fresh: Option<Box<dyn Read + Send>>,
    /// What is read of it.
    reader: Box<dyn Read + Send>,
}

impl Input {
    /// An input of which nothing has been read yet.
    pub fn new(source: Box<dyn Read + Send>) -> Self {
        Self {
            fresh: Some(source),
            reader: Box::new(io::empty()),
        }
    }

    /// Reads as much as it takes to know whether the input is compressed.
    fn begin(mut source: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
        let mut head = vec![0; FIRST];
        let mut filled = 0;
        loop {
            match source.read(&mut head[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if filled > 0 && !Packing::is_open(&head[..filled]) {
                break;
            }
        }
        head.truncate(filled);
        let packing = Packing::of(&head[..filled.min(Packing::HEAD)]);
        let whole: Box<dyn Read + Send> = Box::new(Cursor::new(head).chain(source));
        Ok(match packing {
            None => whole,
            Some(packing) => Box::new(Unpacked::new(whole, packing)),
        })
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(source) = self.fresh.take() {
            self.reader = Self::begin(source)?;
        }
        self.reader.read(into)
    }
}

/// What has happened to the compressed bytes, which says why they could not be unpacked.
#[derive(Default)]
enum Fate {
    /// There were more of them.
    #[default]
    Read,
    /// More were asked for than there are.
    Ended,
    /// They cannot be read.
    Failed(io::Error),
}

/// The compressed bytes.
struct Source {
    inner: Box<dyn Read + Send>,
    fate: Arc<Mutex<Fate>>,
}

/// The same error of the system once more.
pub fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    }
}

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into);
        match &read {
            Ok(0) => *lock(&self.fate) = Fate::Ended,
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                // The decoder may wrap its error in words of its own, so the system's is kept apart.
                *lock(&self.fate) = Fate::Failed(again(error));
            }
            _ => {}
        }
        read
    }
}

/// What is in compressed input; its errors say in plain words what is wrong with it.
struct Unpacked {
    reader: Box<dyn Read + Send>,
    packing: Packing,
    fate: Arc<Mutex<Fate>>,
}

impl Unpacked {
    fn new(source: Box<dyn Read + Send>, packing: Packing) -> Self {
        let fate = Arc::default();
        let source = Source {
            inner: source,
            fate: Arc::clone(&fate),
        };
        Self {
            reader: packing.reader(BufReader::with_capacity(FIRST, source)),
            packing,
            fate,
        }
    }

    fn why(&self, error: io::Error) -> io::Error {
        if is_ours(&error) {
            return error;
        }
        match std::mem::take(&mut *lock(&self.fate)) {
            Fate::Failed(error) => error,
            Fate::Ended => PackedError::Cut(self.packing).into(),
            Fate::Read => PackedError::Damaged(self.packing).into(),
        }
    }
}

/// Whether an error already has plain words.
fn is_ours(error: &io::Error) -> bool {
    match error.get_ref() {
        Some(inner) => inner.is::<PackedError>(),
        None => false,
    }
}

impl Read for Unpacked {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.reader.read(into) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let why = self.why(error);
                // What a decoder returns after an error means nothing.
                self.reader = Box::new(io::empty());
                Err(why)
            }
            read => read,
        }
    }
}

/// What is in the frames of Zstandard, one after the other.
struct Frames {
    source: BufReader<Source>,
    decoder: FrameDecoder,
    /// Whether a frame has begun and not ended.
    is_within: bool,
}

impl Frames {
    fn new(source: BufReader<Source>) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        Self {
            source,
            decoder,
            is_within: false,
        }
    }

    /// Begins the next frame, or passes over one that holds something else than data.
    fn begin(&mut self) -> io::Result<()> {
        match self.decoder.reset(&mut self.source) {
            Ok(()) => self.is_within = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => self.pass(length.into())?,
            Err(FrameDecoderError::WindowSizeTooBig { requested, .. }) => {
                return Err(PackedError::Far(requested).into());
            }
            Err(error) => return Err(io::Error::other(error)),
        }
        Ok(())
    }

    /// Passes over so many bytes.
    fn pass(&mut self, length: u64) -> io::Result<()> {
        let mut passed = self.source.by_ref().take(length);
        if io::copy(&mut passed, &mut io::sink())? < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// Decodes blocks until there is something to give, or the frame ends.
    fn decode(&mut self) -> io::Result<()> {
        while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
            self.decoder
                .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                .map_err(io::Error::other)?;
        }
        Ok(())
    }

    /// Ends a frame of which everything has been read.
    fn end(&mut self) -> io::Result<()> {
        self.is_within = false;
        let decoder = &self.decoder;
        let written = decoder.get_checksum_from_data();
        if written.is_some() && written != decoder.get_calculated_checksum() {
            return Err(io::Error::other("the checksum is wrong"));
        }
        Ok(())
    }
}

impl Read for Frames {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_within {
                if self.source.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.begin()?;
                continue;
            }
            self.decode()?;
            let read = self.decoder.read(into)?;
            if read > 0 {
                return Ok(read);
            }
            self.end()?;
        }
    }
}
