//! Steps over a tar archive as it is fed: from header to header, the files between them are not looked at.
//!
//! Fields of headers are read by the `tar` crate; the order of blocks is kept here, so that chunks may be cut anywhere and
//! a reader at random may skip what lies between.

use tar::{EntryType, Header, PaxExtensions};

use super::list::{Interest, Judge};

/// Headers, and what follows them, come in blocks of this size.
const BLOCK: u64 = 512;
/// Longest name or list of attributes taken: no file system has longer names.
const MAX_EXTRA_BYTES: u64 = 1 << 20;
/// So much padding is looked through for what follows an archive; writers pad to 10 KiB, tapes to a little more.
const MOST_PADDING: u64 = 1 << 20;
/// Most bytes of small files kept.
const MAX_KEPT_BYTES: u64 = 64 << 20;

/// What a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    /// A file with holes: its bytes are not there in one piece.
    Sparse,
    /// Another name of a file elsewhere.
    Link,
    /// Another name of a file before it in the archive.
    HardLink,
    /// The rest of a file that begins in another volume.
    Continued,
}

/// A member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub name: Vec<u8>,
    pub kind: Kind,
    /// First byte in the plain archive.
    pub from: u64,
    pub size: u64,
    /// The bytes, if they were asked for.
    pub bytes: Option<Vec<u8>>,
    /// Of a link, the name it leads to.
    pub target: Option<Vec<u8>>,
}

/// How the archive ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// With the mark that ends an archive.
    Marked,
    /// In the middle of something, or without that mark.
    Cut,
    /// There was no header at all.
    NoTar,
}

/// What the next bytes are.
enum Next {
    Header,
    /// The blocks that map a sparse file, then its bytes.
    SparseMap {
        skip: u64,
    },
    /// A long name (`L`), attributes of the next member (`x`), or something without meaning here.
    Extra {
        kind: u8,
        left: u64,
        pad: u64,
    },
    /// Of the member found last.
    Keep {
        left: u64,
        pad: u64,
    },
    Skip {
        left: u64,
    },
    /// Behind the mark that ends an archive: nothing but padding should come.
    End,
    /// Something else came: it is not looked at.
    Rest,
}

/// What blocks before a header say about it.
#[derive(Default)]
struct Ahead {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: bool,
}

/// The walk through an archive.
pub(super) struct Walk {
    next: Next,
    /// An unfinished block, or what is collected of a [`Next::Extra`].
    held: Vec<u8>,
    ahead: Ahead,
    pos: u64,
    /// Whether the last block was empty.
    empty: bool,
    has_header: bool,
    /// Which files' bytes are kept.
    judge: Judge,
    kept: u64,
    /// A member whose bytes are being kept.
    pending: Option<Found>,
    /// Members since they were taken last.
    pub found: Vec<Found>,
    /// Where headers were expected and others found: bytes of the plain archive, each run of them once.
    pub damaged: Vec<u64>,
    in_damage: bool,
    /// Bytes of padding behind the end.
    padding: u64,
    /// Where something stands behind the end that is no archive.
    pub behind: Option<u64>,
}

impl Walk {
    pub fn new(judge: Judge) -> Walk {
        Walk {
            next: Next::Header,
            held: Vec::new(),
            ahead: Ahead::default(),
            pos: 0,
            empty: false,
            has_header: false,
            judge,
            pending: None,
            kept: 0,
            found: Vec::new(),
            damaged: Vec::new(),
            in_damage: false,
            padding: 0,
            behind: None,
        }
    }

    /// Position in the plain archive.
    pub fn pos(&self) -> u64 {
        self.pos
    }

    /// Skips to the next bytes that matter.
    pub fn skip(&mut self) {
        if let Next::Skip { left } = self.next {
            self.pos = self.pos.saturating_add(left);
            self.next = Next::Header;
        }
    }

    /// Whether nothing more is to be found: the archive's end was seen, and no other one follows it.
    pub fn ended(&self) -> bool {
        matches!(self.next, Next::Rest) || matches!(self.next, Next::End) && self.padding >= MOST_PADDING
    }

    /// Takes the next bytes of the plain archive.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let used = match self.next {
                Next::Header | Next::SparseMap { .. } | Next::End => self.take_block(rest),
                Next::Extra { left, .. } | Next::Keep { left, .. } => {
                    let own = up_to(rest, left);
                    self.collect(own);
                    own.len()
                }
                Next::Skip { left } => {
                    let own = up_to(rest, left).len();
                    self.next = skip_or_header(left - own as u64);
                    own
                }
                Next::Rest => rest.len(),
            };
            self.pos += used as u64;
            rest = rest.get(used..).unwrap_or_default();
        }
    }

    /// How it ended, once all bytes were fed.
    pub fn finish(&mut self) -> End {
        self.found.extend(self.pending.take());
        if matches!(self.next, Next::End) && self.held.iter().any(|byte| *byte != 0) {
            self.behind = Some(self.pos.saturating_sub(self.held.len() as u64));
        }
        match self.next {
            Next::End | Next::Rest => End::Marked,
            _ if !self.has_header => End::NoTar,
            Next::Header if self.held.is_empty() && self.empty => End::Marked,
            _ => End::Cut,
        }
    }

    /// Collects one block.
    fn take_block(&mut self, bytes: &[u8]) -> usize {
        let own = up_to(bytes, BLOCK - self.held.len() as u64);
        self.held.extend_from_slice(own);
        if self.held.len() as u64 == BLOCK {
            let block = std::mem::take(&mut self.held);
            let behind = self.pos + own.len() as u64;
            match self.next {
                // The last but one byte group of a map says whether another follows.
                Next::SparseMap { skip } if block.get(504) == Some(&0) => self.next = skip_or_header(skip),
                Next::SparseMap { .. } => {}
                Next::End => self.read_behind(&block, behind),
                _ => self.read_header(&block, behind),
            }
            self.held = block;
            self.held.clear();
        }
        own.len()
    }

    /// Reads a block behind the archive's end. Another archive may follow, where two were joined.
    fn read_behind(&mut self, block: &[u8], from: u64) {
        let header = Header::from_byte_slice(block);
        if block.iter().all(|byte| *byte == 0) {
            self.padding += BLOCK;
        } else if checksum_fits(header) && (header.as_ustar().is_some() || header.as_gnu().is_some()) {
            (self.next, self.empty, self.padding) = (Next::Header, false, 0);
            self.read_header(block, from);
        } else {
            self.behind = Some(from - BLOCK);
            self.next = Next::Rest;
        }
    }

    /// Reads a header whose member begins at `from`.
    fn read_header(&mut self, block: &[u8], from: u64) {
        if block.iter().all(|byte| *byte == 0) {
            self.next = if self.empty { Next::End } else { Next::Header };
            self.empty = true;
            return;
        }
        self.empty = false;
        let header = Header::from_byte_slice(block);
        let known = header.as_ustar().is_some() || header.as_gnu().is_some();
        // Headers older than ustar carry no mark but their checksum, too little to find the way back by.
        let usable = checksum_fits(header) && (known || !self.in_damage);
        let Some(size) = header.entry_size().ok().filter(|_| usable) else {
            if self.has_header && !self.in_damage {
                self.damaged.push(from - BLOCK);
            }
            self.in_damage = true;
            self.ahead = Ahead::default();
            self.next = if self.has_header { Next::Header } else { Next::Skip { left: u64::MAX } };
            return;
        };
        self.has_header = true;
        self.in_damage = false;
        self.take_header(header, from, size);
    }

    fn take_header(&mut self, header: &Header, from: u64, size: u64) {
        let entry_type = header.entry_type();
        let is_extra = matches!(
            entry_type,
            EntryType::GNULongName | EntryType::XHeader | EntryType::GNULongLink | EntryType::XGlobalHeader
        );
        if is_extra {
            let pad = padding(size);
            self.next = match size {
                1..=MAX_EXTRA_BYTES => Next::Extra { kind: entry_type.as_byte(), left: size, pad },
                _ => skip_or_header(size.saturating_add(pad)),
            };
            return;
        }
        let ahead = std::mem::take(&mut self.ahead);
        let size = ahead.size.unwrap_or(size);
        let skip = size.saturating_add(padding(size));
        let kind = match entry_type {
            EntryType::Regular | EntryType::Continuous if ahead.sparse => Kind::Sparse,
            EntryType::Regular | EntryType::Continuous => Kind::File,
            EntryType::Directory => Kind::Folder,
            EntryType::GNUSparse => Kind::Sparse,
            EntryType::Link => Kind::HardLink,
            EntryType::Symlink => Kind::Link,
            other if other.as_byte() == b'M' => Kind::Continued,
            // Devices, pipes, labels.
            _ => {
                self.next = skip_or_header(skip);
                return;
            }
        };
        let name = ahead.name.unwrap_or_else(|| header.path_bytes().into_owned());
        // Tar before ustar marks folders by their name only.
        let kind = if kind == Kind::File && size == 0 && name.ends_with(b"/") { Kind::Folder } else { kind };
        let has_map = header.as_gnu().is_some_and(|gnu| entry_type == EntryType::GNUSparse && gnu.is_extended());
        let keeps = kind == Kind::File
            && size > 0
            && size <= MAX_KEPT_BYTES - self.kept
            && (self.judge)(&String::from_utf8_lossy(&name), size) == Interest::Bytes;
        self.kept += if keeps { size } else { 0 };
        self.next = match size {
            _ if has_map => Next::SparseMap { skip },
            size if keeps => Next::Keep { left: size, pad: padding(size) },
            _ => skip_or_header(skip),
        };
        let target = (kind == Kind::HardLink).then(|| header.link_name_bytes()).flatten().map(|name| name.into_owned());
        let found = Found { name, kind, from, size, bytes: None, target };
        if keeps { self.pending = Some(found) } else { self.found.push(found) }
    }

    /// Collects bytes of a name, of attributes or of a file that is kept.
    fn collect(&mut self, own: &[u8]) {
        self.held.extend_from_slice(own);
        match &mut self.next {
            Next::Extra { left, .. } | Next::Keep { left, .. } => *left -= own.len() as u64,
            _ => {}
        }
        match self.next {
            Next::Extra { kind, left: 0, pad } => {
                let text = std::mem::take(&mut self.held);
                self.take_extra(EntryType::new(kind), text);
                self.next = skip_or_header(pad);
            }
            Next::Keep { left: 0, pad } => {
                let bytes = std::mem::take(&mut self.held);
                self.found.extend(self.pending.take().map(|found| Found { bytes: Some(bytes), ..found }));
                self.next = skip_or_header(pad);
            }
            _ => {}
        }
    }

    fn take_extra(&mut self, kind: EntryType, mut text: Vec<u8>) {
        match kind {
            EntryType::GNULongName => {
                let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
                text.truncate(end);
                self.ahead.name = Some(text);
            }
            EntryType::XHeader => {
                for attribute in PaxExtensions::new(&text).flatten() {
                    match attribute.key_bytes() {
                        b"path" => self.ahead.name = Some(attribute.value_bytes().to_vec()),
                        b"size" => self.ahead.size = attribute.value().ok().and_then(|size| size.parse().ok()),
                        key if key.starts_with(b"GNU.sparse.") => self.ahead.sparse = true,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

fn skip_or_header(left: u64) -> Next {
    if left == 0 { Next::Header } else { Next::Skip { left } }
}

fn padding(size: u64) -> u64 {
    (BLOCK - size % BLOCK) % BLOCK
}

fn up_to(bytes: &[u8], count: u64) -> &[u8] {
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(bytes.len());
    bytes.get(..count).unwrap_or_default()
}

/// Compares the checksum: the sum of a header's bytes with blanks in its place; some old writers took the bytes as signed.
fn checksum_fits(header: &Header) -> bool {
    let Ok(said) = header.cksum() else { return false };
    let bytes = || {
        let all = header.as_bytes().iter().enumerate();
        all.map(|(at, byte)| if (148..156).contains(&at) { b' ' } else { *byte })
    };
    let unsigned: u32 = bytes().map(u32::from).sum();
    let signed: i64 = bytes().map(|byte| i64::from(byte.cast_signed())).sum();
    said == unsigned || i64::from(said) == signed
}
