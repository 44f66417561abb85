//! What the person gave: files with their paths, from an input, a drop, or the built-in example.
//!
//! Which way a drop can be read depends on the browser and on where the page came from (measured): from disk Chromium lists
//! dropped folders through file system handles only, on plain http calling for a handle kills the tab and entries work.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry};

use super::archives;
use super::pool::Pool;
use super::read::bytes_here;
use super::wait::Breaks;
use crate::archive::list::Member;
use crate::archive::name::is_archive;
use crate::archive::{Beginning, Part};
use crate::folder::{FileEntry, Run, Wanted, find, may_be_read};

/// Bytes read at once where only the beginning of a packed file matters.
const BEGINNING_STEP: u64 = 256 << 10;

/// A file and its path, which begins with the given folder's own name.
pub struct Picked {
    /// With `/`.
    pub path: String,
    /// `None`: seen, but nothing we read, so it was not opened.
    pub file: Option<File>,
    /// Which member of `file`, where that is an archive.
    pub inside: Option<Member>,
}

impl Picked {
    /// A file of its own.
    pub fn new(path: String, file: Option<File>) -> Picked {
        Picked { path, file, inside: None }
    }
}

/// Files of an input element.
pub fn from_list(list: &FileList) -> Vec<Picked> {
    let files = (0..list.length()).filter_map(|index| list.get(index));
    files
        .map(|file| {
            let relative = Reflect::get(&file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
            let path = relative.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name());
            let file = is_readable(&path).then_some(file);
            Picked::new(path, file)
        })
        .collect()
}

/// A drop, taken out of its event at once: its items are gone when the handler returns.
pub enum Dropped {
    /// Promises of file system handles.
    Handles(Vec<Promise>),
    /// Entries of the older interface.
    Entries(Vec<FileSystemEntry>),
    /// Nothing but plain files.
    Files(Vec<Picked>),
}

/// Takes the items of a drop.
pub fn take_drop(transfer: &DataTransfer) -> Dropped {
    let items = transfer.items();
    let items: Vec<_> =
        (0..items.length()).filter_map(|index| items.get(index)).filter(|i| i.kind() == "file").collect();
    if web_sys::window().is_some_and(|window| window.is_secure_context()) {
        let ask = |item: &web_sys::DataTransferItem| -> Option<Promise> {
            let method: Function = Reflect::get(item, &"getAsFileSystemHandle".into()).ok()?.dyn_into().ok()?;
            method.call0(item).ok()?.dyn_into().ok()
        };
        let handles: Vec<_> = items.iter().filter_map(ask).collect();
        if !handles.is_empty() {
            return Dropped::Handles(handles);
        }
    }
    let entries: Vec<_> = items.iter().filter_map(|item| item.webkit_get_as_entry().ok().flatten()).collect();
    if !entries.is_empty() {
        return Dropped::Entries(entries);
    }
    Dropped::Files(transfer.files().map(|list| from_list(&list)).unwrap_or_default())
}

/// Lists everything in a drop; calls `seen` with the number of files from time to time.
pub async fn list(dropped: Dropped, seen: impl Fn(usize)) -> Result<Vec<Picked>, JsValue> {
    let mut picked = Vec::new();
    match dropped {
        Dropped::Files(files) => return Ok(files),
        Dropped::Handles(promises) => {
            let mut open = Vec::new();
            for promise in promises {
                let handle = JsFuture::from(promise).await?;
                open.push((name_of(&handle), handle));
            }
            while let Some((path, handle)) = open.pop() {
                list_handle(path, &handle, &mut picked, &mut open).await?;
                seen(picked.len());
            }
        }
        Dropped::Entries(entries) => {
            let mut open = entries;
            while let Some(entry) = open.pop() {
                list_entry(entry, &mut picked, &mut open).await?;
                seen(picked.len());
            }
        }
    }
    Ok(picked)
}

/// One handle: a file is opened if it is of a kind we read, a folder gives its children.
async fn list_handle(
    path: String,
    handle: &JsValue,
    picked: &mut Vec<Picked>,
    open: &mut Vec<(String, JsValue)>,
) -> Result<(), JsValue> {
    let kind = Reflect::get(handle, &"kind".into())?;
    if kind.as_string().as_deref() == Some("file") {
        let mut file = None;
        if is_readable(&path) {
            // One that cannot be opened (gone, no permission) costs itself alone.
            file = JsFuture::from(call(handle, "getFile")?).await.ok().and_then(|file| file.dyn_into().ok());
        }
        picked.push(Picked::new(path, file));
        return Ok(());
    }
    let children: Function = Reflect::get(handle, &"values".into())?.dyn_into()?;
    let children = children.call0(handle)?;
    loop {
        let step = JsFuture::from(call(&children, "next")?).await?;
        if Reflect::get(&step, &"done".into())?.is_truthy() {
            return Ok(());
        }
        let child = Reflect::get(&step, &"value".into())?;
        open.push((format!("{path}/{}", name_of(&child)), child));
    }
}

/// The same for an entry. Folders give batches of at most 100 children until an empty one.
async fn list_entry(
    entry: FileSystemEntry,
    picked: &mut Vec<Picked>,
    open: &mut Vec<FileSystemEntry>,
) -> Result<(), JsValue> {
    let path = entry.full_path().trim_start_matches('/').to_owned();
    if entry.is_file() {
        let mut file = None;
        if is_readable(&path) {
            let entry: FileSystemFileEntry = entry.unchecked_into();
            let opened = both_ways(|yes, no| entry.file_with_callback_and_callback(yes, no));
            file = opened.await.ok().and_then(|file| file.dyn_into().ok());
        }
        picked.push(Picked::new(path, file));
        return Ok(());
    }
    let folder: FileSystemDirectoryEntry = entry.unchecked_into();
    let reader = folder.create_reader();
    loop {
        let batch = both_ways(|yes, no| {
            // A callback that throws inside the browser is reported through `no`.
            if let Err(error) = reader.read_entries_with_callback_and_callback(yes, no) {
                let _ = no.call1(&JsValue::NULL, &error);
            }
        })
        .await?;
        let batch = Array::from(&batch);
        if batch.length() == 0 {
            return Ok(());
        }
        open.extend(batch.iter().map(|child| child.unchecked_into::<FileSystemEntry>()));
    }
}

/// Waits for an interface of two callbacks.
async fn both_ways(start: impl FnOnce(&Function, &Function)) -> Result<JsValue, JsValue> {
    let mut start = Some(start);
    let promise = Promise::new(&mut |yes, no| {
        if let Some(start) = start.take() {
            start(&yes, &no);
        }
    });
    JsFuture::from(promise).await
}

fn call(on: &JsValue, name: &str) -> Result<Promise, JsValue> {
    let method: Function = Reflect::get(on, &name.into())?.dyn_into()?;
    method.call0(on)?.dyn_into()
}

fn name_of(handle: &JsValue) -> String {
    Reflect::get(handle, &"name".into()).ok().and_then(|name| name.as_string()).unwrap_or_default()
}

/// Whether a file may be of use. The raw recordings beside it (`PROF_*`) are tens of thousands of files: opening each would take
/// minutes.
fn is_readable(path: &str) -> bool {
    let end = path.rsplit('.').next().unwrap_or(path).to_ascii_lowercase();
    matches!(end.as_str(), "gz" | "db-journal") || is_archive(path) || may_be_read(path)
}

/// A run with its files beside it.
pub struct Found {
    /// What is in it.
    pub run: Run,
    /// The files, as numbered in the run.
    pub files: Vec<Option<File>>,
}

/// Opens archives and finds the rank folders; reads the small files this takes. `seen` gets the number of files while
/// archives are listed.
pub async fn look_through(mut picked: Vec<Picked>, pool: Pool, seen: impl Fn(usize) + Copy + 'static) -> Found {
    let problems = archives::open(&mut picked, pool, seen).await;
    let (mut entries, mut files) = (Vec::new(), Vec::new());
    let mut known = std::collections::HashMap::new();
    let mut breaks = Breaks::new();
    for Picked { path, file, inside } in picked {
        entries.push(match inside {
            Some(Member { size, part, bytes, .. }) => {
                if let Some(bytes) = bytes {
                    known.insert(entries.len(), bytes);
                }
                FileEntry { path, size, part }
            }
            // The browser asks the disk for a size, and waits for it.
            None => FileEntry::new(path, file.as_ref().map_or(0, |file| file.size() as u64)),
        });
        files.push(file);
        breaks.rest().await;
    }
    let search = find(&entries);
    for &Wanted { index, bytes, .. } in search.wanted() {
        if !known.contains_key(&index)
            && let Some(Some(file)) = files.get(index)
            && let Some(entry) = entries.get(index)
            && let Ok(bytes) = beginning(file, entry.part.as_ref(), bytes).await
        {
            known.insert(index, bytes);
        }
    }
    let mut pieces = std::collections::HashMap::new();
    for wanted in known.iter().flat_map(|(index, head)| search.further(head, *index)).collect::<Vec<_>>() {
        if let Some(Some(file)) = files.get(wanted.index) {
            let size = file.size() as u64;
            let (from, to) = (wanted.from, wanted.from.saturating_add(wanted.bytes));
            let bytes = match entries.get(wanted.index).and_then(|entry| entry.part.as_ref()) {
                Some(part) => beginning(file, Some(part), to)
                    .await
                    .map(|mut bytes| bytes.split_off(usize::try_from(from).unwrap_or(usize::MAX).min(bytes.len()))),
                None => bytes_here(file, from.min(size), to.min(size)).await.map(|bytes| bytes.to_vec()),
            };
            if let Ok(bytes) = bytes {
                pieces.insert((wanted.index, wanted.from), bytes);
            }
        }
    }
    let mut run = search.finish(|wanted| match wanted.from {
        0 => known.remove(&wanted.index),
        from => pieces.remove(&(wanted.index, from)),
    });
    run.problems.extend(problems);
    Found { run, files }
}

/// The first bytes of a file, or of a part of an archive.
async fn beginning(file: &Blob, part: Option<&Part>, bytes: u64) -> Result<Vec<u8>, JsValue> {
    let Some(part) = part else { return Ok(bytes_here(file, 0, bytes.min(file.size() as u64)).await?.to_vec()) };
    let mut beginning = Beginning::new(Some(part), bytes);
    let mut at = part.start;
    while at < part.end && beginning.wants_more() {
        let end = part.end.min(at + BEGINNING_STEP);
        beginning.feed(&bytes_here(file, at, end).await?.to_vec());
        at = end;
    }
    Ok(beginning.finish())
}
