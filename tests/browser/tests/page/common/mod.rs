//! Sample runs made on the spot, and the command to compare with.

#![allow(dead_code, reason = "each test uses its own part")]

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use browser_tests::Browser;
use memlens_simulator::{Directory, Form, Memory, Options, Plant, example_options, simulate};

/// A run of two roles with two ranks each, in a folder that goes with it.
pub struct Sample {
    _keep: tempfile::TempDir,
    path: PathBuf,
}

impl Sample {
    /// A run in a folder named `run`.
    pub fn new(seed: u64) -> Result<Sample> {
        Sample::named("run", seed)
    }

    /// A run in a folder of that name.
    pub fn named(name: &str, seed: u64) -> Result<Sample> {
        let keep = tempfile::tempdir()?;
        let path = keep.path().join(name);
        let mut options = example_options();
        options.seed = seed;
        simulate(&options, &mut Directory(path.clone()))?;
        Ok(Sample { _keep: keep, path })
    }

    /// A run with these problems in it, as `--plant` names them.
    pub fn planted(seed: u64, plants: &[&str]) -> Result<Sample> {
        let plant = plants.iter().map(|plant| plant.parse()).collect::<Result<Vec<Plant>, _>>()?;
        Sample::of(&Options { seed, plant, ..example_options() })
    }

    /// A run made by these options.
    pub fn of(options: &Options) -> Result<Sample> {
        let keep = tempfile::tempdir()?;
        let path = keep.path().join("run");
        simulate(options, &mut Directory(path.clone()))?;
        Ok(Sample { _keep: keep, path })
    }

    /// The same run as databases, without text files.
    pub fn databases(seed: u64) -> Result<Sample> {
        let keep = tempfile::tempdir()?;
        let path = keep.path().join("run");
        let options = Options { seed, form: Form::Database, ..example_options() };
        simulate(&options, &mut Directory(path.clone()))?;
        Ok(Sample { _keep: keep, path })
    }

    /// A run of two roles whose traces have about so many bytes each.
    pub fn large(name: &str, ranks: u32, trace_bytes: u64) -> Result<Sample> {
        let keep = tempfile::tempdir()?;
        let path = keep.path().join(name);
        let mut options = example_options();
        options.ranks = ranks;
        options.trace_bytes = trace_bytes;
        simulate(&options, &mut Directory(path.clone()))?;
        Ok(Sample { _keep: keep, path })
    }

    /// The folder to pick or drop.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same as an archive beside the folder: `zip` or `tar.gz`.
    pub fn packed(&self, ending: &str) -> Result<PathBuf> {
        let archive = self.path.with_extension(ending);
        let file = std::fs::File::create(&archive)?;
        let own = self.path.file_name().context("no name")?;
        if ending == "zip" {
            let above = self.path.parent().context("no folder above")?;
            let mut zip = rawzip::ZipArchiveWriter::new(file);
            for path in files_below(&self.path)? {
                let name = path.strip_prefix(above)?.to_string_lossy().into_owned();
                let method = rawzip::CompressionMethod::DEFLATE;
                let (mut entry, config) = zip.new_file(&name).compression_method(method).start()?;
                let level = flate2::Compression::fast();
                let mut writer = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, level));
                std::io::copy(&mut std::fs::File::open(&path)?, &mut writer)?;
                let (encoder, descriptor) = writer.finish()?;
                encoder.finish()?;
                entry.finish(descriptor)?;
            }
            zip.finish()?;
        } else {
            let encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
            let mut tar = tar::Builder::new(encoder);
            tar.append_dir_all(own, &self.path)?;
            tar.into_inner()?.finish()?;
        }
        Ok(archive)
    }

    /// The folder for a command line.
    pub fn text(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// Every rank folder, by path.
    pub fn rank_folders(&self) -> Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        let mut open = vec![self.path.clone()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.to_string_lossy().ends_with("_ascend_pt") {
                    found.push(path);
                } else if path.is_dir() {
                    open.push(path);
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// The first rank folder.
    pub fn rank_folder(&self) -> Result<PathBuf> {
        self.rank_folders()?.into_iter().next().context("no rank folder in the sample")
    }
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    Ok(files)
}

/// What `memlens ARGUMENTS` prints: of the command that `MEMLENS_COMMAND` names, else of one built on first use.
pub fn command(arguments: &[&str]) -> Result<Vec<u8>> {
    let mut command = match std::env::var_os("MEMLENS_COMMAND") {
        Some(built) => Command::new(built),
        None => {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["run", "--quiet", "--package", "memlens", "--bin", "memlens", "--no-default-features", "--"]);
            cargo
        }
    };
    let output = command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .context("the command could not be started")?;
    ensure!(output.status.success(), "memlens {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}

/// A whole number: the data attribute of an element, or its text where no attribute is named.
pub async fn number(browser: &Browser, testid: &str, attribute: &str) -> Result<i64> {
    let of = if attribute.is_empty() { "textContent".to_owned() } else { format!("getAttribute('data-{attribute}')") };
    let script = format!("return document.querySelector(\"[data-testid='{testid}']\")?.{of} ?? null");
    let text = browser.run_script(&script).await?;
    let text = text.as_str().with_context(|| format!("{testid} has no {attribute}"))?;
    text.trim().replace(',', "").parse().with_context(|| format!("{testid} {attribute} is {text:?}"))
}

/// The files of a simulated run, in memory.
pub fn in_memory(seed: u64) -> Result<Vec<(String, Vec<u8>)>> {
    let mut memory = Memory(Vec::new());
    let mut options = example_options();
    options.seed = seed;
    simulate(&options, &mut memory)?;
    Ok(memory.0)
}

/// As WebKit does it when the page comes from disk: workers cannot read files.
pub async fn let_no_worker_read(browser: &Browser) -> Result<()> {
    let source = "{ const Real = Blob; Blob = class extends Real { constructor(parts, options) {
        super(options?.type === 'text/javascript' ? ['self.FileReaderSync = undefined;\\n', ...parts] : parts, options); } }; }";
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", serde_json::json!({ "source": source })).await?;
    Ok(())
}

/// Opens the page from disk with a sample in it.
pub async fn opened(sample: &Sample, hash: &str) -> Result<Browser> {
    let browser = Browser::start().await?;
    browser.open_with_hash(browser_tests::Origin::Disk, hash).await?;
    browser.wait_for_state("empty").await?;
    browser.pick_folder(sample.path()).await?;
    browser.wait_for_state("ready").await?;
    Ok(browser)
}

/// Four small ranks of one role, the second of them odd.
pub fn odd_run(seed: u64) -> Result<Sample> {
    let plant = vec!["odd-rank=1:1.6".parse().map_err(|error| anyhow::anyhow!("{error}"))?];
    Sample::of(&Options { ranks: 4, seed, plant, ..Options::default() })
}
