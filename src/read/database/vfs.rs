//! The bridge from SQLite's C interface for files to [`Blocks`]: read-only, for this thread's own databases alone.
//!
//! A well-kept crate would do, but those there are serve one thread (`rsqlite-vfs`) or are no longer kept (`sqlite-vfs`). The
//! only module with `unsafe` in it: SQLite calls these functions with raw pointers. Every write, every journal, every temporary
//! file and every shared memory is refused; a write-ahead log is read, never moved into the database.

#![allow(
    unsafe_code,
    reason = "SQLite's interface for files is made of C function pointers; each use says why it holds"
)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::rc::Rc;
use std::sync::Once;

use rusqlite::ffi;

use super::blocks::Blocks;

/// The name SQLite knows this interface by.
pub const NAME: &CStr = c"memlens";

/// A file that an open database reads.
pub type Shared = Rc<RefCell<Blocks>>;

/// A database and the log beside it.
type Pair = (Shared, Option<Shared>);

thread_local! {
    /// Databases that may be opened, by name: the file and the log beside it. A connection lives on the thread that opened it.
    static OFFERED: RefCell<HashMap<Vec<u8>, Pair>> = RefCell::new(HashMap::new());
    static NEXT: RefCell<u64> = const { RefCell::new(0) };
}

/// A database that can be opened under [`Offer::name`] as long as this lives.
pub struct Offer {
    name: String,
}

impl Offer {
    /// Offers a database, with its write-ahead log if there is one, to SQLite on this thread.
    pub fn new(file: Shared, log: Option<Shared>) -> Offer {
        register();
        let number = NEXT.with_borrow_mut(|next| {
            *next += 1;
            *next
        });
        let name = format!("memlens-{number}");
        OFFERED.with_borrow_mut(|offered| offered.insert(name.clone().into_bytes(), (file, log)));
        Offer { name }
    }

    /// What to open.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Offer {
    fn drop(&mut self) {
        OFFERED.with_borrow_mut(|offered| offered.remove(self.name.as_bytes()));
    }
}

static REGISTERED: Once = Once::new();

/// Makes the interface known to SQLite, once.
fn register() {
    REGISTERED.call_once(|| {
        let table = Box::leak(Box::new(ffi::sqlite3_vfs {
            iVersion: 1,
            szOsFile: size_of::<Handle>() as c_int,
            mxPathname: 64,
            pNext: std::ptr::null_mut(),
            zName: NAME.as_ptr(),
            pAppData: std::ptr::null_mut(),
            xOpen: Some(open),
            xDelete: Some(delete),
            xAccess: Some(access),
            xFullPathname: Some(full_path_name),
            xDlOpen: None,
            xDlError: None,
            xDlSym: None,
            xDlClose: None,
            xRandomness: Some(randomness),
            xSleep: Some(sleep),
            xCurrentTime: Some(current_time),
            xGetLastError: None,
            xCurrentTimeInt64: None,
            xSetSystemCall: None,
            xGetSystemCall: None,
            xNextSystemCall: None,
        }));
        let table: *mut ffi::sqlite3_vfs = table;
        // SAFETY: the table and its name are leaked, so they live as long as the process; its functions match their types.
        // Without success, which only a lack of memory prevents, opening will say that there is no such interface.
        unsafe { ffi::sqlite3_vfs_register(table, 0) };
    });
}

/// An open file as SQLite holds it: its own part first, as its interface demands.
#[repr(C)]
struct Handle {
    base: ffi::sqlite3_file,
    /// From `Rc::into_raw`, or null for a log that is not there.
    blocks: *const RefCell<Blocks>,
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 1,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(lock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(nothing_special),
    xDeviceCharacteristics: Some(nothing_special),
    xShmMap: None,
    xShmLock: None,
    xShmBarrier: None,
    xShmUnmap: None,
    xFetch: None,
    xUnfetch: None,
};

/// The name without its end, looked up among what this thread offers.
fn offered<T>(name: &[u8], get: impl FnOnce(&Pair) -> T) -> Option<T> {
    OFFERED.with_borrow(|all| all.get(name).map(get))
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    let handle = file.cast::<Handle>();
    // SAFETY: SQLite gives room for `szOsFile` bytes, which is a `Handle`. Without methods it will not call close.
    unsafe { (*handle).base.pMethods = std::ptr::null() };
    if name.is_null() {
        return ffi::SQLITE_CANTOPEN;
    }
    // SAFETY: not null, and SQLite's names end with a zero.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    let blocks = if flags & ffi::SQLITE_OPEN_MAIN_DB != 0 {
        offered(name, |(file, _)| Some(Rc::clone(file)))
    } else if flags & ffi::SQLITE_OPEN_WAL != 0 {
        offered(name.strip_suffix(b"-wal").unwrap_or(name), |(_, log)| log.clone())
    } else {
        None
    };
    let Some(blocks) = blocks else { return ffi::SQLITE_CANTOPEN };
    let blocks = blocks.map_or(std::ptr::null(), Rc::into_raw);
    // SAFETY: as above; `out_flags` may be null, which is looked at.
    unsafe {
        (*handle).blocks = blocks;
        (*handle).base.pMethods = &raw const METHODS;
        if !out_flags.is_null() {
            *out_flags = (flags & !(ffi::SQLITE_OPEN_READWRITE | ffi::SQLITE_OPEN_CREATE)) | ffi::SQLITE_OPEN_READONLY;
        }
    }
    ffi::SQLITE_OK
}

/// The blocks of an open file.
///
/// # Safety
/// `file` must be one that [`open`] opened and [`close`] has not closed.
unsafe fn blocks_of<'a>(file: *mut ffi::sqlite3_file) -> Option<&'a RefCell<Blocks>> {
    // SAFETY: by the contract the handle is valid, and its pointer is null or holds a count of the `Rc` until close.
    unsafe { (*file.cast::<Handle>()).blocks.as_ref() }
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    let handle = file.cast::<Handle>();
    // SAFETY: SQLite closes a file that was opened, once; the pointer came from `Rc::into_raw` and is not used again.
    unsafe {
        let blocks = std::mem::replace(&mut (*handle).blocks, std::ptr::null());
        if !blocks.is_null() {
            drop(Rc::from_raw(blocks));
        }
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn read(file: *mut ffi::sqlite3_file, to: *mut c_void, count: c_int, offset: i64) -> c_int {
    let (Ok(count), Ok(offset)) = (usize::try_from(count), u64::try_from(offset)) else {
        return ffi::SQLITE_IOERR_READ;
    };
    // SAFETY: SQLite gives room for `count` bytes, which nobody else uses during the call. They may not be set yet.
    unsafe { to.cast::<u8>().write_bytes(0, count) };
    // SAFETY: as above, and now every byte is set.
    let to = unsafe { std::slice::from_raw_parts_mut(to.cast::<u8>(), count) };
    // SAFETY: SQLite reads from open files alone.
    let Some(blocks) = (unsafe { blocks_of(file) }) else { return ffi::SQLITE_IOERR_SHORT_READ };
    match blocks.try_borrow_mut().map(|mut blocks| blocks.read(offset, to)) {
        Ok(Ok(filled)) if filled == count => ffi::SQLITE_OK,
        // What is missing stays zero, as SQLite asks for.
        Ok(Ok(_)) => ffi::SQLITE_IOERR_SHORT_READ,
        Ok(Err(_)) | Err(_) => ffi::SQLITE_IOERR_READ,
    }
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, size: *mut i64) -> c_int {
    // SAFETY: SQLite asks open files alone, with a place for the answer.
    unsafe {
        let bytes = blocks_of(file).and_then(|blocks| blocks.try_borrow().ok().map(|blocks| blocks.claimed_size()));
        *size = i64::try_from(bytes.unwrap_or(0)).unwrap_or(i64::MAX);
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn write(_: *mut ffi::sqlite3_file, _: *const c_void, _: c_int, _: i64) -> c_int {
    ffi::SQLITE_READONLY
}

unsafe extern "C" fn truncate(_: *mut ffi::sqlite3_file, _: i64) -> c_int {
    ffi::SQLITE_READONLY
}

unsafe extern "C" fn sync(_: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    ffi::SQLITE_OK
}

/// Nobody else can have this file open: there is nothing to lock.
unsafe extern "C" fn lock(_: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(_: *mut ffi::sqlite3_file, answer: *mut c_int) -> c_int {
    // SAFETY: SQLite gives a place for the answer.
    unsafe { *answer = 0 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_control(_: *mut ffi::sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    ffi::SQLITE_NOTFOUND
}

unsafe extern "C" fn nothing_special(_: *mut ffi::sqlite3_file) -> c_int {
    0
}

unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, _: *const c_char, _: c_int) -> c_int {
    ffi::SQLITE_READONLY
}

/// Only a log that was offered exists beside a database; never a journal, whose roll-back would have to write.
unsafe extern "C" fn access(_: *mut ffi::sqlite3_vfs, name: *const c_char, flags: c_int, answer: *mut c_int) -> c_int {
    // SAFETY: SQLite gives a name that ends with a zero and a place for the answer.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    let log = name.strip_suffix(b"-wal").and_then(|name| offered(name, |(_, log)| log.is_some())).unwrap_or(false);
    let exists = log && flags != ffi::SQLITE_ACCESS_READWRITE;
    // SAFETY: as above.
    unsafe { *answer = c_int::from(exists) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn full_path_name(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    room: c_int,
    to: *mut c_char,
) -> c_int {
    // SAFETY: SQLite's names end with a zero.
    let name: CString = unsafe { CStr::from_ptr(name) }.to_owned();
    let bytes = name.as_bytes_with_nul();
    if bytes.len() > usize::try_from(room).unwrap_or(0) {
        return ffi::SQLITE_CANTOPEN;
    }
    // SAFETY: SQLite gives room for `room` bytes, which is enough.
    unsafe { to.copy_from_nonoverlapping(bytes.as_ptr().cast::<c_char>(), bytes.len()) };
    ffi::SQLITE_OK
}

/// Random numbers serve names of temporary files and salts of new logs: none are made here.
unsafe extern "C" fn randomness(_: *mut ffi::sqlite3_vfs, room: c_int, to: *mut c_char) -> c_int {
    // SAFETY: SQLite gives room for so many bytes.
    unsafe { to.write_bytes(0, usize::try_from(room).unwrap_or(0)) };
    room
}

unsafe extern "C" fn sleep(_: *mut ffi::sqlite3_vfs, _: c_int) -> c_int {
    0
}

/// No clock is read: nothing that runs here asks for the time.
unsafe extern "C" fn current_time(_: *mut ffi::sqlite3_vfs, time: *mut f64) -> c_int {
    // SAFETY: SQLite gives a place for the answer.
    unsafe { *time = 0.0 };
    ffi::SQLITE_OK
}
