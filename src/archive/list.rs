//! Lists an archive: says which bytes it wants, is given them, and has its members in the end.
//!
//! It asks for as little as the format allows: the directory of a zip archive, the headers of a tar archive, all of a
//! packed tar archive. What an archive is its first bytes say; its name may lie.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::gzip::MAGIC;
use super::gzip_at::GunzipAt;
use super::name::{self, Legacy, MemberPath};
use super::part::{Part, Step};
use super::tar::{self, Walk};
use super::zip::{self, Attempt, Directory};
use super::zip_scan::{self, Local};
use crate::problem::{Place, Problem, ProblemKind, Problems};

/// Bytes asked for at once of an archive that is read through.
const PIECE_BYTES: u64 = 1 << 20;
/// Bytes asked for at once where only headers matter.
const HEADERS_BYTES: u64 = 64 << 10;
/// Packed bytes unpacked at once: a member's end in the packed archive is known to this many bytes.
const STEP_BYTES: usize = 16 << 10;
/// Before so many plain bytes of a packed archive a member is read from the archive's start.
const PLACES_FROM: u64 = 256 << 10;
/// Detail of [`ProblemKind::ArchiveDamaged`]: the archive itself is whole.
const BEHIND: &str = "more bytes behind the archive's end";
/// Most members of one archive.
pub const MAX_MEMBERS: usize = 500_000;

/// A member of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Below the archive's folder; a directory's ends in `/`.
    pub path: String,
    /// Bytes when unpacked.
    pub size: u64,
    /// How to read it; `None` for a directory.
    pub part: Option<Part>,
    /// Its bytes, where they were asked for and came by anyway.
    pub bytes: Option<Vec<u8>>,
}

/// What an archive holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Files and directories, in the archive's order.
    pub members: Vec<Member>,
    /// What could not be listed, and why.
    pub problems: Vec<Problem>,
}

/// What a member is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interest {
    /// Nothing is read of it.
    Nothing,
    /// It will be read: it should be found quickly.
    Reading,
    /// It is small and its bytes are wanted if they come by.
    Bytes,
}

/// Says by name and size what a member is wanted for.
pub type Judge = fn(&str, u64) -> Interest;

enum State {
    /// Before the first bytes.
    Start,
    Zip(Box<Directory>),
    /// A zip archive without directory, searched from here on.
    ZipScan(u64),
    Tar(Box<Walk>),
    TarGz(Box<Packed>),
    Done,
}

/// A packed tar archive.
struct Packed {
    gunzip: GunzipAt,
    walk: Walk,
    /// For each member the walk found since: where unpacking can begin before it.
    places: Vec<Option<PlacedAt>>,
    /// Members whose end in the packed bytes is not known yet, with their end in the plain ones.
    open: VecDeque<(usize, u64)>,
}

/// A place in packed bytes: packed and plain bytes before it, and how to go on there.
type PlacedAt = (u64, u64, Step);

/// Lists one archive.
pub struct Lister {
    file: String,
    size: u64,
    judge: Judge,
    legacy: Legacy,
    state: State,
    /// The next byte of an archive that is read from front to back.
    at: u64,
    want: Option<(u64, u64)>,
    members: Vec<Member>,
    problems: Problems,
}

impl Lister {
    /// For an archive of so many bytes that problems call `file`. `legacy` reads names that are not UTF-8.
    pub fn new(file: &str, size: u64, judge: Judge, legacy: Legacy) -> Lister {
        Lister {
            file: file.to_owned(),
            size,
            judge,
            legacy,
            state: State::Start,
            at: 0,
            want: Some((0, PIECE_BYTES.min(size))),
            members: Vec::new(),
            problems: Problems::default(),
        }
    }

    /// The bytes it needs next: position and count. `None` once it has all it needs.
    pub fn want(&self) -> Option<(u64, u64)> {
        self.want
    }

    /// Members so far.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// Takes the bytes it wanted: fewer, or none, if the file ends there.
    pub fn give(&mut self, bytes: &[u8]) {
        let Some((at, _)) = self.want.take() else { return };
        match std::mem::replace(&mut self.state, State::Done) {
            State::Start => self.start(bytes),
            State::Zip(directory) => self.give_zip(directory, at, bytes),
            State::ZipScan(at) => self.scan_zip(at, bytes),
            State::Tar(walk) => self.give_tar(walk, bytes),
            State::TarGz(packed) => self.give_packed(packed, bytes),
            State::Done => {}
        }
    }

    /// The bytes it wanted cannot be had; what was listed before stays.
    pub fn fail(&mut self, reason: &str) {
        self.want = None;
        self.state = State::Done;
        self.note(Place::Whole, ProblemKind::Unreadable, reason);
    }

    /// What was found.
    pub fn finish(self) -> Listed {
        Listed { members: self.members, problems: self.problems.list().to_vec() }
    }

    fn note(&mut self, place: Place, kind: ProblemKind, detail: &str) {
        self.problems.add(&self.file, place, kind, detail);
    }

    fn start(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return self.note(Place::Whole, ProblemKind::EmptyFile, "");
        }
        let is_zip = bytes.starts_with(b"PK");
        if is_zip || self.file.to_ascii_lowercase().ends_with(".zip") {
            let directory = Box::new(Directory::new(self.size));
            self.want = Some(directory.first());
            self.state = State::Zip(directory);
        } else if bytes.starts_with(&MAGIC) {
            let packed = Packed {
                gunzip: GunzipAt::default(),
                walk: Walk::new(self.judge),
                places: Vec::new(),
                open: VecDeque::new(),
            };
            self.give_packed(Box::new(packed), bytes);
        } else {
            // Not packed, so that each file can be read where it lies.
            self.give_tar(Box::new(Walk::new(|_, _| Interest::Nothing)), bytes);
        }
    }

    fn give_zip(&mut self, mut directory: Box<Directory>, at: u64, bytes: &[u8]) {
        match directory.give(at, bytes, MAX_MEMBERS) {
            Attempt::Want(at, count) => {
                self.want = Some((at, count));
                self.state = State::Zip(directory);
            }
            Attempt::Done(found, why) => {
                for member in found {
                    self.take_zip(member);
                }
                if let Some(why) = why {
                    self.note(Place::Whole, ProblemKind::ArchiveDamaged, &why);
                }
            }
            Attempt::NoDirectory => {
                self.note(Place::Whole, ProblemKind::ArchiveCut, "zip");
                self.want_local_header(0);
            }
        }
    }

    fn want_local_header(&mut self, at: u64) {
        if at < self.size && !self.is_full() {
            self.want = Some((at, zip_scan::LONGEST_BYTES.min(self.size - at)));
            self.state = State::ZipScan(at);
        }
    }

    /// Goes from local header to local header; `bytes` begin with one, and may hold further ones.
    fn scan_zip(&mut self, from: u64, bytes: &[u8]) {
        let mut at = from;
        loop {
            let rest = usize::try_from(at - from).ok().and_then(|skip| bytes.get(skip..)).unwrap_or_default();
            // A header may lie across the end of what is here.
            let is_whole =
                rest.len() as u64 >= zip_scan::LONGEST_BYTES || at.saturating_add(rest.len() as u64) >= self.size;
            if at != from && (rest.is_empty() || !is_whole) {
                return self.want_local_header(at);
            }
            let Local::Member(found, next) = zip_scan::local(rest, at, self.size) else { return };
            self.take_zip(found);
            at = next;
        }
    }

    fn take_zip(&mut self, found: zip::Found) {
        let (name, whole) = name::decode(&found.name, found.is_utf8, self.legacy);
        let Some(path) = self.path(&name, whole, true) else { return };
        let part = match found.kind {
            zip::Kind::File(part) => Some(part),
            zip::Kind::Folder => None,
            zip::Kind::Link => return self.note_link(&path),
            zip::Kind::Encrypted => return self.note(Place::Whole, ProblemKind::Encrypted, &path),
            zip::Kind::NotHere => return self.note(Place::Whole, ProblemKind::ArchiveCut, &path),
            zip::Kind::Method(method) => {
                return self.note(Place::Whole, ProblemKind::PackedOtherwise, &format!("{method}: {path}"));
            }
        };
        self.push(Member { path, size: found.size, part, bytes: None });
    }

    fn give_tar(&mut self, mut walk: Box<Walk>, bytes: &[u8]) {
        walk.feed(bytes);
        for found in std::mem::take(&mut walk.found) {
            let part = Part {
                start: found.from,
                end: found.from.saturating_add(found.size).min(self.size),
                unpack: vec![Step::Cut { from: 0, len: found.size }],
            };
            self.take_tar(found, part);
        }
        self.note_damage(&mut walk);
        walk.skip();
        self.at = walk.pos();
        if bytes.is_empty() || walk.ended() || self.at >= self.size || self.is_full() {
            return self.end_tar(&mut walk);
        }
        self.want = Some((self.at, HEADERS_BYTES.min(self.size - self.at)));
        self.state = State::Tar(walk);
    }

    fn give_packed(&mut self, mut packed: Box<Packed>, bytes: &[u8]) {
        for step in bytes.chunks(STEP_BYTES) {
            let Packed { gunzip, walk, places, .. } = &mut *packed;
            let judge = self.judge;
            let result = gunzip.feed(step, &mut |place, plain| {
                walk.feed(plain);
                for found in walk.found.get(places.len()..).unwrap_or_default() {
                    let place = place.filter(|place| {
                        place.plain >= PLACES_FROM
                            && judge(&String::from_utf8_lossy(&found.name), found.size) == Interest::Reading
                    });
                    places.push(place.map(|place| (place.packed, place.plain, Step::Resume(place.resume()))));
                }
            });
            self.at += step.len() as u64;
            self.take_packed(&mut packed);
            if let Err(fault) = result {
                return self.end_packed(packed, Err(fault));
            }
            if packed.walk.ended() || self.is_full() {
                return self.end_packed(packed, Ok(()));
            }
        }
        if bytes.is_empty() || self.at >= self.size {
            let result = packed.gunzip.finish();
            return self.end_packed(packed, result);
        }
        self.want = Some((self.at, PIECE_BYTES.min(self.size - self.at)));
        self.state = State::TarGz(packed);
    }

    /// Takes the members found since, and ends those that lie before the walk.
    fn take_packed(&mut self, packed: &mut Packed) {
        // One whose bytes were still to come has no place.
        let places = std::mem::take(&mut packed.places).into_iter().chain(std::iter::repeat(None));
        for (found, place) in std::mem::take(&mut packed.walk.found).into_iter().zip(places) {
            let (start, before, unpack) = place.unwrap_or((0, 0, Step::Gunzip));
            let cut = Step::Cut { from: found.from.saturating_sub(before), len: found.size };
            let end = found.from.saturating_add(found.size);
            let part = Part { start, end: self.size, unpack: vec![unpack, cut] };
            let index = self.members.len();
            self.take_tar(found, part);
            if self.members.len() > index {
                packed.open.push_back((index, end));
            }
        }
        self.note_damage(&mut packed.walk);
        while let Some((index, _)) = packed.open.pop_front_if(|(_, end)| *end <= packed.walk.pos()) {
            if let Some(part) = self.members.get_mut(index).and_then(|member| member.part.as_mut()) {
                part.end = self.at;
            }
        }
    }

    fn end_packed(&mut self, mut packed: Box<Packed>, result: Result<(), Fault>) {
        packed.walk.finish();
        self.take_packed(&mut packed);
        match result {
            Ok(()) => {
                self.end_tar(&mut packed.walk);
                if packed.gunzip.has_more() && packed.walk.behind.is_none() {
                    self.note(Place::Byte(self.at), ProblemKind::ArchiveDamaged, BEHIND);
                }
            }
            Err(Fault::Damaged(why)) => self.note(Place::Byte(self.at), ProblemKind::ArchiveDamaged, &why),
            Err(Fault::Bomb) => self.note(Place::Byte(self.at), ProblemKind::ExpandsTooFar, ""),
        }
    }

    fn take_tar(&mut self, found: tar::Found, part: Part) {
        let (name, whole) = name::decode(&found.name, false, self.legacy);
        let Some(path) = self.path(&name, whole, false) else { return };
        match found.kind {
            tar::Kind::File => {
                self.push(Member { path, size: found.size, part: Some(part), bytes: found.bytes });
            }
            tar::Kind::Folder => {
                let path = if path.ends_with('/') { path } else { path + "/" };
                self.push(Member { path, size: 0, part: None, bytes: None });
            }
            tar::Kind::HardLink => match self.linked(&path, found.target) {
                Some(member) => self.push(Member { path, ..member }),
                None => self.note_link(&path),
            },
            tar::Kind::Link => self.note_link(&path),
            tar::Kind::Sparse => self.note(Place::Whole, ProblemKind::PackedOtherwise, &format!("sparse: {path}")),
            tar::Kind::Continued => self.note(Place::Whole, ProblemKind::ArchiveCut, &path),
        }
    }

    /// A link is a loss where what it is named for would be read. One without an ending may stand for a folder.
    fn note_link(&mut self, path: &str) {
        let own = path.rsplit('/').next().unwrap_or(path);
        if (self.judge)(path, 0) != Interest::Nothing {
            self.note(Place::Whole, ProblemKind::ArchiveLink, path);
        } else if !own.contains('.') {
            self.note(Place::Whole, ProblemKind::ArchiveLinkLeft, path);
        }
    }

    /// The member a hard link stands for, where it is wanted: looking for each of many would take for ever.
    fn linked(&self, path: &str, target: Option<Vec<u8>>) -> Option<Member> {
        if (self.judge)(path, 0) == Interest::Nothing {
            return None;
        }
        let (name, _) = name::decode(&target?, false, self.legacy);
        let MemberPath::Below(target) = name::member_path(&name, false) else { return None };
        self.members.iter().rev().find(|member| member.path == target && member.part.is_some()).cloned()
    }

    fn note_damage(&mut self, walk: &mut Walk) {
        for at in std::mem::take(&mut walk.damaged) {
            self.note(Place::Byte(at), ProblemKind::ArchiveDamaged, "");
        }
    }

    fn end_tar(&mut self, walk: &mut Walk) {
        let end = walk.finish();
        if let Some(at) = walk.behind {
            self.note(Place::Byte(at), ProblemKind::ArchiveDamaged, BEHIND);
        }
        match end {
            _ if self.is_full() => {}
            tar::End::Marked => {}
            tar::End::Cut => self.note(Place::Byte(walk.pos().min(self.size)), ProblemKind::ArchiveCut, ""),
            tar::End::NoTar => self.note(Place::Whole, ProblemKind::NotRecognised, ""),
        }
    }

    /// A member's path; `None` if it is of no use, which is noted if it matters.
    fn path(&mut self, name: &str, whole: bool, windows: bool) -> Option<String> {
        match name::member_path(name, windows) {
            MemberPath::Nothing => None,
            MemberPath::Outside => {
                self.note(Place::Whole, ProblemKind::OddName, name);
                None
            }
            MemberPath::Below(path) => {
                if !whole {
                    self.note(Place::Whole, ProblemKind::BadEncoding, &path);
                }
                Some(path)
            }
        }
    }

    fn is_full(&self) -> bool {
        self.members.len() > MAX_MEMBERS
    }

    fn push(&mut self, member: Member) {
        if self.members.len() == MAX_MEMBERS {
            self.note(Place::Whole, ProblemKind::TooMany, &MAX_MEMBERS.to_string());
        }
        if name::is_archive(&member.path) || name::foreign(&member.path).is_some() {
            self.note(Place::Whole, ProblemKind::NestedArchive, &member.path);
        }
        self.members.push(member);
    }
}
