//! Writes archives byte by byte, also such as no tool would write.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

type Paths<'a> = &'a [(String, Vec<u8>)];

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A tar archive as GNU tar writes it.
pub fn tar(files: Paths<'_>) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, bytes.as_slice()).unwrap();
    }
    builder.into_inner().unwrap()
}

/// The same with names in attributes, as Python and BSD tar write it.
pub fn pax(files: Paths<'_>) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        builder.append_pax_extensions([("mtime", &b"1.5"[..]), ("path", path.as_bytes())]).unwrap();
        let mut header = tar::Header::new_ustar();
        header.set_path("short").unwrap();
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        builder.append(&header, bytes.as_slice()).unwrap();
    }
    builder.into_inner().unwrap()
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Method {
    Store,
    #[default]
    Deflate,
    /// The bytes are there as they are.
    Other(u16),
}

#[derive(Clone, Copy, Default)]
pub struct ZipOptions {
    pub method: Method,
    /// Sizes behind the data, as writers to a pipe do.
    pub descriptors: bool,
    /// 64-bit sizes everywhere.
    pub zip64: bool,
    pub encrypted: bool,
    /// Names are GBK, and nothing says so, as on a Chinese Windows.
    pub raw_names: bool,
}

pub fn zip(files: Paths<'_>) -> Vec<u8> {
    zip_with(files, &ZipOptions::default())
}

pub fn zip_with(files: Paths<'_>, options: &ZipOptions) -> Vec<u8> {
    let files: Vec<(&[u8], &[u8])> = files.iter().map(|(path, bytes)| (path.as_bytes(), bytes.as_slice())).collect();
    zip_of_bytes(&files, options)
}

/// Of names that may be no UTF-8.
pub fn zip_of_bytes(files: &[(&[u8], &[u8])], options: &ZipOptions) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    let method: u16 = match options.method {
        Method::Store => 0,
        Method::Deflate => 8,
        Method::Other(number) => number,
    };
    let flags: u16 = u16::from(options.encrypted)
        | if options.descriptors { 8 } else { 0 }
        | if options.raw_names { 0 } else { 0x800 };
    let short = |number: u64| if options.zip64 { u32::MAX } else { number as u32 }.to_le_bytes();
    for (path, bytes) in files {
        let packed = if method == 8 {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        } else {
            bytes.to_vec()
        };
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let (crc, plain, size) = (crc.sum().to_le_bytes(), bytes.len() as u64, packed.len() as u64);
        let offset = out.len() as u64;
        let mut extra = Vec::new();
        if options.zip64 {
            extra.extend([1, 0, 16, 0]);
            extra.extend(plain.to_le_bytes());
            extra.extend(size.to_le_bytes());
        }
        out.extend(b"PK\x03\x04\x2d\x00");
        out.extend(flags.to_le_bytes());
        out.extend(method.to_le_bytes());
        out.extend([0; 4]);
        if options.descriptors {
            out.extend([0; 12]);
        } else {
            out.extend(crc);
            out.extend(short(size));
            out.extend(short(plain));
        }
        out.extend((path.len() as u16).to_le_bytes());
        out.extend((extra.len() as u16).to_le_bytes());
        out.extend(*path);
        out.extend(&extra);
        out.extend(&packed);
        if options.descriptors {
            out.extend(b"PK\x07\x08");
            out.extend(crc);
            out.extend((size as u32).to_le_bytes());
            out.extend((plain as u32).to_le_bytes());
        }
        if options.zip64 {
            extra[2] = 24;
            extra.extend(offset.to_le_bytes());
        }
        directory.extend(b"PK\x01\x02\x2d\x03\x2d\x00");
        directory.extend(flags.to_le_bytes());
        directory.extend(method.to_le_bytes());
        directory.extend([0; 4]);
        directory.extend(crc);
        directory.extend(short(size));
        directory.extend(short(plain));
        directory.extend((path.len() as u16).to_le_bytes());
        directory.extend((extra.len() as u16).to_le_bytes());
        directory.extend([0; 10]);
        directory.extend(short(offset));
        directory.extend(*path);
        directory.extend(&extra);
    }
    let (at, size, count) = (out.len() as u64, directory.len() as u64, files.len() as u64);
    out.extend(directory);
    if options.zip64 {
        let record = out.len() as u64;
        out.extend(b"PK\x06\x06");
        out.extend(44u64.to_le_bytes());
        out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for number in [count, count, size, at] {
            out.extend(number.to_le_bytes());
        }
        out.extend(b"PK\x06\x07\x00\x00\x00\x00");
        out.extend(record.to_le_bytes());
        out.extend(1u32.to_le_bytes());
    }
    out.extend(b"PK\x05\x06\x00\x00\x00\x00");
    let count = if options.zip64 { u16::MAX } else { count as u16 };
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(short(size));
    out.extend(short(at));
    out.extend([0, 0]);
    out
}
