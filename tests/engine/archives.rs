//! Packed runs: every wrapping gives what the plain folder gives; what cannot be opened is named.

use crate::common::pack::{Method, ZipOptions, gzip, tar, zip, zip_with};
use crate::common::packed::{list, read};
use crate::common::{Files, HEADER_15, RECORD_HEADER_7};
use memlens::archive::list::Listed;
use memlens::matching::MatchRule;
use memlens::problem::ProblemKind;
use proptest::prelude::*;

fn simulated() -> Files {
    let options = memlens_simulator::Options { ranks: 2, steps: 1, seed: 7, ..Default::default() };
    Files::simulated(&options).0
}

/// A small run: two roles, with a packed trace.
fn small() -> Files {
    let mut files = Files(Vec::new());
    for (role, rank) in [("actor", 0), ("角色", 1)] {
        let folder = format!("run/{role}/host_{rank}_20260526085155596_ascend_pt");
        let rows = format!("{HEADER_15}aten::{role},8,105.5,,,,,10,110,11,,,,7,NPU:{rank}\n");
        let records = format!("{RECORD_HEADER_7}PTA,105.5,10,110,11,7,NPU:{rank}\n");
        let trace = "[{\"ph\": \"X\", \"name\": \"aten::actor\", \"pid\": 1, \"tid\": 1, \"ts\": 100, \"dur\": 9, \"cat\": \"cpu_op\", \"args\": {\"Call stack\": \"a.py(1): f\"}}]";
        let mut add = |path: String, bytes: Vec<u8>| files.0.push((path, bytes));
        add(format!("{folder}/profiler_info_{rank}.json"), b"{}".to_vec());
        add(format!("{folder}/ASCEND_PROFILER_OUTPUT/operator_memory.csv"), rows.into_bytes());
        add(format!("{folder}/ASCEND_PROFILER_OUTPUT/memory_record.csv"), records.into_bytes());
        add(format!("{folder}/ASCEND_PROFILER_OUTPUT/trace_view.json.gz"), gzip(trace.as_bytes()));
    }
    files
}

fn kinds(listed: &Listed) -> Vec<ProblemKind> {
    listed.problems.iter().map(|problem| problem.kind).collect()
}

#[test]
fn every_wrapping_gives_what_the_folder_gives() {
    for files in [simulated(), small()] {
        let plain = files.answers(MatchRule::Best, 4 << 20);
        assert_eq!(plain.len(), 2);
        let stored = ZipOptions { method: Method::Store, ..Default::default() };
        let streamed = ZipOptions { descriptors: true, ..Default::default() };
        let large = ZipOptions { zip64: true, ..Default::default() };
        for (name, packed) in [
            ("run.zip", zip(&files.0)),
            ("run.zip", zip_with(&files.0, &stored)),
            ("run.zip", zip_with(&files.0, &streamed)),
            ("run.zip", zip_with(&files.0, &large)),
            ("run.tar", tar(&files.0)),
            ("run.tar.gz", gzip(&tar(&files.0))),
            ("run.tgz", gzip(&tar(&files.0))),
            // Names lie: browsers unpack on the way.
            ("run.tar.gz", tar(&files.0)),
            ("run.tgz", zip(&files.0)),
        ] {
            let read = read(name, &packed, 1 << 20);
            assert_eq!(read.problems, [], "{name}");
            assert!(read.answers == plain, "{name}: {:?}", read.answers.iter().map(|(_, s)| s).collect::<Vec<_>>());
        }
    }
}

#[test]
fn only_what_is_needed_is_read() {
    let filler = |i: usize| (format!("run/PROF_1/{i}.bin"), vec![i as u8; 300 << 10]);
    let mut files = small();
    files.0.splice(0..0, (0..20).map(filler));
    for (name, packed, most) in [
        ("run.zip", zip_with(&files.0, &ZipOptions { method: Method::Store, ..Default::default() }), 2 << 20),
        ("run.tar", tar(&files.0), 3 << 20),
    ] {
        let (listed, asked) = list(name, &packed);
        assert_eq!((listed.members.len(), kinds(&listed)), (files.0.len(), vec![]));
        assert!(asked <= most, "{name}: {asked} of {}", packed.len());
    }
}

/// A table or trace behind many others is read from close before it.
#[test]
fn a_packed_member_begins_where_it_begins() {
    let mut state = 1u32;
    let mut noise = |count: usize| -> Vec<u8> {
        let next = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b' ' + (state >> 27) as u8
        });
        next.take(count).collect()
    };
    let mut files = Files(vec![("run/head.bin".into(), noise(6 << 20))]);
    files.0.extend(small().0);
    files.0.insert(5, ("run/middle.bin".into(), noise(3 << 20)));
    let packed = gzip(&tar(&files.0));
    let (listed, _) = list("run.tar.gz", &packed);
    for member in listed.members.iter().filter(|m| m.path.contains("OUTPUT")) {
        let part = member.part.as_ref().unwrap();
        assert!(part.start > 1 << 20 && part.bytes() < 300_000, "{}: {}..{}", member.path, part.start, part.end);
    }
    let plain = small().answers(MatchRule::Best, 4 << 20);
    assert!(read("run.tar.gz", &packed, 1 << 20).answers == plain);
    assert!(read("run.tar.gz", &packed, 777).answers == plain);
}

/// Each member of a packed tar archive is read up to its own end only.
#[test]
fn a_packed_member_ends_where_it_ends() {
    let mut files = small();
    let mut state = 1u32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    files.0.push(("run/tail.bin".into(), noise.take(2 << 20).collect()));
    let packed = gzip(&tar(&files.0));
    let (listed, _) = list("run.tar.gz", &packed);
    for member in &listed.members[..listed.members.len() - 1] {
        assert!(member.part.as_ref().unwrap().bytes() < 100_000, "{member:?}");
    }
    assert!(listed.members.last().unwrap().part.as_ref().unwrap().bytes() > 2_000_000);
}

#[test]
fn names_of_all_sorts() {
    let long = format!("run/{}/operator_memory.csv", "很长的名字".repeat(20));
    let deep = format!("run/{}operator_memory.csv", "d/".repeat(200));
    let files = [(long.clone(), b"a".to_vec()), (deep.clone(), b"b".to_vec())];
    for (name, packed) in [("x.zip", zip(&files)), ("x.tar", tar(&files)), ("x.tar", crate::common::pack::pax(&files))]
    {
        let (listed, _) = list(name, &packed);
        let paths: Vec<&str> = listed.members.iter().map(|member| member.path.as_str()).collect();
        assert_eq!((paths, kinds(&listed)), (vec![long.as_str(), &deep], vec![]), "{name}");
    }

    let odd = ["../out.csv", "C:\\run\\a\\b.csv", "__MACOSX/run/._b.csv", "/abs/c.csv", "in.zip", "in.tar.zst", "d/"];
    let files: Vec<_> = odd.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
    let (listed, _) = list("x.zip", &zip(&files));
    let paths: Vec<&str> = listed.members.iter().map(|member| member.path.as_str()).collect();
    assert_eq!(paths, ["run/a/b.csv", "abs/c.csv", "in.zip", "in.tar.zst", "d/"]);
    assert_eq!(kinds(&listed), [ProblemKind::OddName, ProblemKind::NestedArchive]);
    assert_eq!(listed.problems[1].count, 2);
}

#[test]
fn names_from_a_chinese_windows() {
    let names = ["run\\角色\\a.csv", "run\\actor\\b.csv"].map(|name| encoding_rs::GBK.encode(name).0.into_owned());
    let gbk: Vec<(&[u8], &[u8])> = names.iter().map(|name| (name.as_slice(), &b"x"[..])).collect();
    let options = ZipOptions { raw_names: true, ..Default::default() };
    let (listed, _) = list("run.zip", &crate::common::pack::zip_of_bytes(&gbk, &options));
    let paths: Vec<&str> = listed.members.iter().map(|member| member.path.as_str()).collect();
    assert_eq!((paths, kinds(&listed)), (vec!["run/角色/a.csv", "run/actor/b.csv"], vec![]));

    let broken: &[(&[u8], &[u8])] = &[(b"run/\xff\xff.csv", b"x"), (b"run/b.csv", b"x")];
    let (listed, _) = list("run.zip", &crate::common::pack::zip_of_bytes(broken, &options));
    assert_eq!((listed.members.len(), kinds(&listed)), (2, vec![ProblemKind::BadEncoding]));
}

#[test]
fn what_cannot_be_opened_is_named() {
    let files = small();
    for (options, kind, detail) in [
        (ZipOptions { encrypted: true, ..Default::default() }, ProblemKind::Encrypted, "run/actor"),
        (
            ZipOptions { method: Method::Other(93), ..Default::default() },
            ProblemKind::PackedOtherwise,
            "zstd: run/actor",
        ),
        // What the Explorer of Windows takes for files above 2 GB.
        (
            ZipOptions { method: Method::Other(9), ..Default::default() },
            ProblemKind::PackedOtherwise,
            "deflate64: run/actor",
        ),
        (ZipOptions { method: Method::Other(250), ..Default::default() }, ProblemKind::PackedOtherwise, "250"),
    ] {
        let (listed, _) = list("run.zip", &zip_with(&files.0, &options));
        assert_eq!((listed.members.len(), kinds(&listed)), (0, vec![kind]));
        let problem = &listed.problems[0];
        assert!(problem.count == files.0.len() as u64 && problem.detail.starts_with(detail), "{problem:?}");
        assert_eq!(problem.file, "run.zip");
    }
    for (name, bytes, kind) in [
        ("run.zip", b"".to_vec(), ProblemKind::EmptyFile),
        ("run.tar", vec![7; 5000], ProblemKind::NotRecognised),
        ("run.tar.gz", gzip(b"no archive"), ProblemKind::NotRecognised),
        ("run.zip", b"no archive".to_vec(), ProblemKind::ArchiveCut),
        ("run.tgz", gzip(&vec![0; 100 << 20]), ProblemKind::ExpandsTooFar),
    ] {
        let (listed, _) = list(name, &bytes);
        if kind == ProblemKind::ExpandsTooFar {
            // Empty blocks end an archive at once: nothing of the bomb is unpacked.
            assert_eq!(kinds(&listed), [], "{name}");
        } else {
            assert_eq!(kinds(&listed), [kind], "{name}");
        }
    }
    let bomb = gzip(&tar(&[("run/zeros.bin".to_owned(), vec![0; 100 << 20])]));
    assert_eq!(kinds(&list("run.tar.gz", &bomb).0), [ProblemKind::ExpandsTooFar]);
}

#[test]
fn a_cut_archive_gives_what_is_whole() {
    let files = small();
    let plain = files.answers(MatchRule::Best, 4 << 20);
    let whole = tar(&files.0);
    // Behind the first rank's files.
    let cut = whole.len() / 2 + 700;
    let read_cut = read("run.tar", &whole[..cut], 1 << 20);
    assert_eq!(read_cut.problems.iter().map(|p| p.kind).collect::<Vec<_>>(), [ProblemKind::ArchiveCut]);
    assert_eq!(read_cut.answers[0], plain[0]);

    let packed = gzip(&whole);
    for cut in [20, packed.len() / 3, packed.len() - 20] {
        let (listed, _) = list("run.tgz", &packed[..cut]);
        assert_eq!(kinds(&listed).len(), 1, "{listed:?}");
        assert!(kinds(&listed)[0].loses_data());
    }
}

/// A zip archive cut anywhere has no directory; its members are found one after the other.
#[test]
fn a_cut_zip_gives_what_is_whole() {
    let files = small();
    let plain = files.answers(MatchRule::Best, 4 << 20);
    let stored = ZipOptions { method: Method::Store, ..Default::default() };
    let large = ZipOptions { zip64: true, ..Default::default() };
    for options in [ZipOptions::default(), stored, large] {
        let whole = zip_with(&files.0, &options);
        let directory = whole.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        let all = read("run.zip", &whole[..directory + 10], 1000);
        assert_eq!(all.problems.iter().map(|p| p.kind).collect::<Vec<_>>(), [ProblemKind::ArchiveCut]);
        assert!(all.answers == plain);

        // In the second rank's last file.
        let cut = read("run.zip", &whole[..directory - 20], 1000);
        assert_eq!(cut.answers[0], plain[0]);
        assert!(cut.answers[1].1.contains("archive_damaged"), "{}", cut.answers[1].1);
    }
    let streamed = zip_with(&files.0, &ZipOptions { descriptors: true, ..Default::default() });
    let (listed, _) = list("run.zip", &streamed[..streamed.len() / 2]);
    assert_eq!((listed.members.len(), kinds(&listed)), (0, vec![ProblemKind::ArchiveCut]));

    let files: Vec<_> = (0..300).map(|i| (format!("run/{i}.bin"), vec![i as u8; 1000])).collect();
    let whole = zip_with(&files, &ZipOptions { method: Method::Store, ..Default::default() });
    assert_eq!(list("run.zip", &whole[..300 * 1000]).0.members.len(), 289);
}

#[test]
fn damage_costs_the_members_it_hits() {
    let files = small();
    let mut packed = tar(&files.0);
    // The second member's header.
    let second =
        packed.windows(19).enumerate().filter(|(_, w)| w == b"operator_memory.csv").map(|(at, _)| at).next().unwrap();
    packed[second] ^= 1;
    let (listed, _) = list("run.tar", &packed);
    assert_eq!((listed.members.len(), kinds(&listed)), (files.0.len() - 1, vec![ProblemKind::ArchiveDamaged]));

    let mut packed = zip(&files.0);
    let at = packed.len() / 8;
    for byte in &mut packed[at..at + 30] {
        *byte ^= 0x55;
    }
    let read = read("run.zip", &packed, 1 << 20);
    let all: String = read.answers.iter().map(|(_, summary)| summary.as_str()).collect();
    assert!(all.contains("archive_damaged"), "{all}");
    assert_eq!(read.answers[1], files.answers(MatchRule::Best, 4 << 20)[1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_cut_and_any_damage_is_survived(
        which in 0usize..3, cut in any::<usize>(), flips in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
    ) {
        let files = small();
        let plain: Vec<String> = files.0.iter().map(|(path, _)| path.clone()).collect();
        let (name, mut packed) = match which {
            0 => ("run.zip", zip(&files.0)),
            1 => ("run.tar", tar(&files.0)),
            _ => ("run.tgz", gzip(&tar(&files.0))),
        };
        packed.truncate(cut % (packed.len() + 1));
        for (at, mask) in &flips {
            if !packed.is_empty() {
                let at = at % packed.len();
                packed[at] ^= mask;
            }
        }
        let (listed, _) = list(name, &packed);
        let all = listed.members.len() >= plain.len();
        prop_assert!(all || !listed.problems.is_empty(), "{} members, nothing said", listed.members.len());
        read(name, &packed, 1000);
    }

    #[test]
    fn any_pieces_give_the_same(piece in 1usize..3000) {
        let files = small();
        let plain = files.answers(MatchRule::Best, 4 << 20);
        for (name, packed) in [("run.zip", zip(&files.0)), ("run.tgz", gzip(&tar(&files.0)))] {
            prop_assert!(read(name, &packed, piece).answers == plain);
        }
    }
}

/// The command on packed runs, given by name and found in a folder, prints what it prints on the folder.
#[test]
fn the_command_opens_archives() {
    let dir = std::env::temp_dir().join(format!("memlens-archives-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("packed/below")).unwrap();
    let files = small();
    for (path, bytes) in &files.0 {
        let path = dir.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    std::fs::write(dir.join("packed/run.zip"), zip(&files.0)).unwrap();
    std::fs::write(dir.join("packed/below/run.tar.gz"), gzip(&tar(&files.0))).unwrap();
    std::fs::write(dir.join("packed/run.tar.zst"), b"(\xb5/\xfd").unwrap();
    let memlens = |arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|a| a.replace("DIR", dir.to_str().unwrap())).collect();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_memlens"));
        let output = command.args(arguments).env("LC_ALL", "C").output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    for command in [&["rows", "--extended"][..], &["summary", "--json"], &["summary"]] {
        let of = |path| memlens(&[command, &[path]].concat());
        let plain = of("DIR/run");
        assert_eq!(plain.0, Some(0));
        assert_eq!(of("DIR/packed/run.zip"), plain);
        assert_eq!(of("DIR/packed/below/run.tar.gz"), plain);
    }
    let (status, out, err) = memlens(&["rows", "DIR/packed"]);
    assert_eq!((status, out.lines().count()), (Some(3), 5), "{out}");
    assert!(err.contains("packed/run.tar.zst: this is packed in a way"), "{err}");

    std::fs::write(dir.join("run.zip"), zip(&files.0)).unwrap();
    std::fs::remove_dir_all(dir.join("packed")).unwrap();
    let (status, out, err) = memlens(&["rows", "DIR"]);
    assert_eq!((status, out.lines().count()), (Some(0), 3), "{out}");
    assert!(err.contains("have the same contents"), "{err}");
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_hard_link_is_read_as_the_file_it_stands_for() {
    let files = small();
    let folder = "run/actor/host_0_20260526085155596_ascend_pt/ASCEND_PROFILER_OUTPUT";
    let mut builder = ::tar::Builder::new(Vec::new());
    let linked = format!("{folder}/operator_memory.csv");
    for (path, bytes) in &files.0 {
        let mut header = ::tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        let name = if *path == linked { "run/data.bin" } else { path };
        builder.append_data(&mut header, name, bytes.as_slice()).unwrap();
    }
    let link = |builder: &mut ::tar::Builder<Vec<u8>>, path: &str, target: &str| {
        let mut header = ::tar::Header::new_gnu();
        header.set_entry_type(::tar::EntryType::Link);
        header.set_size(0);
        builder.append_link(&mut header, path, target).unwrap();
    };
    link(&mut builder, &linked, "run/data.bin");
    let whole = builder.get_ref().clone();
    link(&mut builder, &format!("{folder}/npu_module_mem.csv"), "run/nowhere");
    let broken = builder.get_ref().clone();
    let end = |mut bytes: Vec<u8>| {
        bytes.resize(bytes.len() + 1024, 0);
        bytes
    };
    let plain = files.answers(MatchRule::Best, 4 << 20);
    for (name, packed) in [("run.tar", end(whole.clone())), ("run.tar.gz", gzip(&end(whole)))] {
        let read = read(name, &packed, 1 << 20);
        assert_eq!(read.problems, [], "{name}");
        assert!(read.answers == plain, "{name}");
    }
    let (listed, _) = list("run.tar", &end(broken));
    assert_eq!(kinds(&listed), [ProblemKind::ArchiveLink]);
    assert!(listed.problems[0].kind.loses_data());
    // A link whose name nothing is read by is no loss; one without an ending may stand for a folder.
    for (name, kind) in [
        ("run/plots.png", None),
        ("run/latest", Some(ProblemKind::ArchiveLinkLeft)),
        ("run/other_ascend_pt", Some(ProblemKind::ArchiveLink)),
        ("run/actor/ASCEND_PROFILER_OUTPUT", Some(ProblemKind::ArchiveLink)),
    ] {
        for entry_type in [::tar::EntryType::Symlink, ::tar::EntryType::Link] {
            let mut builder = ::tar::Builder::new(Vec::new());
            let mut header = ::tar::Header::new_gnu();
            header.set_entry_type(entry_type);
            header.set_size(0);
            builder.append_link(&mut header, name, "elsewhere").unwrap();
            let (listed, _) = list("run.tar", &builder.into_inner().unwrap());
            assert_eq!(kinds(&listed), kind.into_iter().collect::<Vec<_>>(), "{name}");
        }
    }
    assert!(!ProblemKind::ArchiveLinkLeft.loses_data());
}
