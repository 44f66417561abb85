//! What a person does: pick a folder, drop things on the window, click, type.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;

use crate::Browser;

/// The test id of the folder button's input.
const FOLDER_INPUT: &str = "folder-input";

impl Browser {
    /// Picks a real folder through `<input webkitdirectory data-testid="folder-input">`.
    pub async fn pick_folder(&self, folder: &Path) -> Result<()> {
        let input = self.by_testid(FOLDER_INPUT).await?;
        input
            .send_keys(folder.to_string_lossy().into_owned())
            .await
            .with_context(|| format!("the folder {} could not be picked", folder.display()))
    }

    /// Picks files through the input with this test id.
    pub async fn pick_files(&self, testid: &str, files: &[&Path]) -> Result<()> {
        let paths: Vec<String> = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
        let input = self.by_testid(testid).await?;
        input
            .send_keys(paths.join("\n"))
            .await
            .with_context(|| format!("the files {} could not be picked", paths.join(", ")))
    }

    /// Drops real folders or files on the middle of the window.
    pub async fn drop_on_window(&self, paths: &[&Path]) -> Result<()> {
        let size = self.run_script("return [innerWidth, innerHeight]").await?;
        let middle = |at: usize| size.get(at).and_then(serde_json::Value::as_f64).unwrap_or_default() / 2.0;
        self.drop_at(middle(0), middle(1), paths).await
    }

    /// Drops real folders or files at this place of the window, as a drag from the file manager would.
    pub async fn drop_at(&self, x: f64, y: f64, paths: &[&Path]) -> Result<()> {
        for phase in ["dragEnter", "dragOver", "drop"] {
            self.drag(phase, x, y, paths).await?;
        }
        Ok(())
    }

    /// Drags over the window without letting go: for what the page shows meanwhile.
    pub async fn drag_over(&self, x: f64, y: f64, paths: &[&Path]) -> Result<()> {
        self.drag("dragEnter", x, y, paths).await?;
        self.drag("dragOver", x, y, paths).await
    }

    /// Takes the drag away again.
    pub async fn drag_away(&self) -> Result<()> {
        self.drag("dragCancel", 0.0, 0.0, &[]).await
    }

    async fn drag(&self, phase: &str, x: f64, y: f64, paths: &[&Path]) -> Result<()> {
        let data = json!({"items": [], "files": paths, "dragOperationsMask": 1});
        self.cdp("Input.dispatchDragEvent", json!({"type": phase, "x": x, "y": y, "data": data})).await?;
        Ok(())
    }

    /// Clicks the element with this test id.
    pub async fn click(&self, testid: &str) -> Result<()> {
        self.by_testid(testid).await?.click().await.with_context(|| format!("{testid} could not be clicked"))
    }

    /// Types into whatever has the focus.
    pub async fn press(&self, keys: &str) -> Result<()> {
        self.session()
            .action_chain()
            .send_keys(keys)
            .perform()
            .await
            .with_context(|| format!("{keys:?} could not be typed"))
    }
}
