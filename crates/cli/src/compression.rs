//! Compressed inputs.

use crate::reader::Reader;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, BufReader, Read};

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// RFC 1952; members follow one another.
    Gzip,
    /// RFC 8878; frames follow one another.
    Zstandard,
}

impl Compression {
    /// The compression that a file's first bytes name: RFC 1952, section 2.3.1; RFC 8878, section 3.1.
    pub fn of(beginning: &[u8]) -> Option<Compression> {
        match beginning {
            [0x1f, 0x8b, 8, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Some(Compression::Zstandard)
            }
            _ => None,
        }
    }

    /// What the compressed bytes say.
    pub fn reader(self, compressed: Reader) -> Reader {
        match self {
            Compression::Gzip => Box::new(MultiGzDecoder::new(compressed)),
            Compression::Zstandard => Box::new(Frames::new(compressed)),
        }
    }
}

/// Zstandard's frames, one after the other.
struct Frames {
    compressed: BufReader<Reader>,
    decoder: FrameDecoder,
    /// Whether the decoder is in a frame.
    in_frame: bool,
}

impl Frames {
    fn new(compressed: Reader) -> Frames {
        Frames {
            compressed: BufReader::new(compressed),
            decoder: FrameDecoder::new(),
            in_frame: false,
        }
    }

    /// Begins the next frame, or skips one that holds no data. Returns whether there was one.
    fn begin(&mut self) -> io::Result<bool> {
        if self.compressed.fill_buf()?.is_empty() {
            return Ok(false);
        }
        match self.decoder.init(&mut self.compressed) {
            Ok(()) => self.in_frame = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let mut skipped = self.compressed.by_ref().take(length.into());
                if io::copy(&mut skipped, &mut io::sink())? < length.into() {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            Err(error) => return Err(io::Error::other(error)),
        }
        Ok(true)
    }

    /// Ends a frame whose content has all been given.
    fn end(&mut self) -> io::Result<()> {
        self.in_frame = false;
        let said = self.decoder.get_checksum_from_data();
        if said.is_some() && said != self.decoder.get_calculated_checksum() {
            return Err(io::Error::other("a wrong checksum in a Zstandard frame"));
        }
        Ok(())
    }
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.in_frame || self.begin()? {
            if !self.in_frame {
                continue;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let some = BlockDecodingStrategy::UptoBytes(buffer.len());
                self.decoder
                    .decode_blocks(&mut self.compressed, some)
                    .map_err(io::Error::other)?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            self.end()?;
        }
        Ok(0)
    }
}
