//! How the page looks: window size, colour scheme, screenshots and pixels.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::Browser;
use crate::place::pictures;

impl Browser {
    /// Gives the page this many CSS pixels at this device pixel ratio.
    pub async fn set_size_at(&self, width: u32, height: u32, ratio: f64) -> Result<()> {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": false});
        self.cdp("Emulation.setDeviceMetricsOverride", metrics).await.map(drop)
    }

    /// Gives the page this many CSS pixels.
    pub async fn set_size(&self, width: u32, height: u32) -> Result<()> {
        self.set_size_at(width, height, 1.0).await
    }

    /// What `prefers-color-scheme` answers: `dark` or `light`.
    pub async fn prefer_scheme(&self, scheme: &str) -> Result<()> {
        let feature = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.cdp("Emulation.setEmulatedMedia", feature).await.map(drop)
    }

    /// What the window shows now.
    pub async fn picture(&self) -> Result<Picture> {
        Picture::decode(self.session().screenshot_as_png().await.context("no screenshot")?)
    }

    /// Writes what the window shows to `target/browser/NAME.png`, for people to look at.
    pub async fn screenshot(&self, name: &str) -> Result<PathBuf> {
        let path = pictures().join(format!("{name}.png"));
        std::fs::create_dir_all(pictures()).with_context(|| format!("no folder {}", pictures().display()))?;
        let png = self.session().screenshot_as_png().await.context("no screenshot")?;
        std::fs::write(&path, png).with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(path)
    }

    /// The canvas with this test id as the person sees it: its own pixels, whatever lies above.
    pub async fn canvas(&self, testid: &str) -> Result<Picture> {
        let script = format!(
            "return document.querySelector(\"canvas[data-testid='{testid}']\")?.toDataURL('image/png') ?? null"
        );
        let url = self.run_script(&script).await?;
        let base64 = url.as_str().and_then(|url| url.split_once(',')).with_context(|| format!("no canvas {testid}"))?.1;
        use base64::Engine as _;
        Picture::decode(base64::engine::general_purpose::STANDARD.decode(base64).context("the canvas is no base64")?)
    }
}

/// Decoded pixels.
pub struct Picture {
    /// Pixels from left to right.
    pub width: usize,
    /// Pixels from top to bottom.
    pub height: usize,
    rgba: Vec<[u8; 4]>,
}

impl Picture {
    /// Decodes a PNG of 8 bits with or without transparency.
    pub fn decode(png: Vec<u8>) -> Result<Self> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().context("the picture is no PNG")?;
        let mut bytes = vec![0; reader.output_buffer_size().context("the picture is too large")?];
        let info = reader.next_frame(&mut bytes).context("the picture is damaged")?;
        if info.color_type != png::ColorType::Rgba || info.bit_depth != png::BitDepth::Eight {
            bail!("the picture has colours of the kind {:?}", info.color_type);
        }
        let rgba = bytes.chunks_exact(4).filter_map(|pixel| pixel.try_into().ok()).collect();
        Ok(Picture { width: info.width as usize, height: info.height as usize, rgba })
    }

    /// Red, green, blue, opacity at a place; nothing outside.
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 4]> {
        if x >= self.width { None } else { self.rgba.get(y * self.width + x).copied() }
    }

    /// How many pixels satisfy a condition.
    pub fn count(&self, mut condition: impl FnMut([u8; 4]) -> bool) -> usize {
        self.rgba.iter().filter(|pixel| condition(**pixel)).count()
    }

    /// How many different colours there are: 1 is an empty picture.
    pub fn colours(&self) -> usize {
        self.rgba.iter().collect::<std::collections::HashSet<_>>().len()
    }
}
