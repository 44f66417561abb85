//! Static graphs and the driver's components: files the test writes, numbers it knows.

use std::fmt::Write as _;

use crate::common::{Sample, command, opened};
use anyhow::{Context, Result, ensure};
use browser_tests::run;
use serde_json::Value;

/// Operators of the graph: first node, the node after the last, KB.
const OPERATORS: [(u64, u64, u64); 5] =
    [(0, 40, 1024), (5, 20, 2048), (10, 4_294_967_295, 512), (30, 60, 4096), (50, 55, 8192)];

fn needed(node: u64) -> u64 {
    let live = OPERATORS.iter().filter(|(start, end, _)| *start <= node && (node < *end || *end == 4_294_967_295));
    live.map(|(.., kb)| kb * 1024).sum()
}

#[test]
fn a_graphs_need_at_each_node_and_its_operators() -> Result<()> {
    run(async {
        let sample = Sample::new(51)?;
        let outputs = sample.rank_folder()?.join("ASCEND_PROFILER_OUTPUT");
        let mut table = "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB)\n".to_owned();
        for (at, (start, end, kb)) in OPERATORS.iter().enumerate() {
            writeln!(table, "0,MatMul_{at},0,7,{start},{end},{kb}")?;
        }
        writeln!(table, "0,TOTAL,0,7,0,0,20480")?;
        std::fs::write(outputs.join("static_op_mem.csv"), table)?;
        // Samples of the driver over the recording's own window.
        let summary: Value = serde_json::from_slice(&command(&["summary", "--json", &sample.text()])?)?;
        let folder = sample.rank_folder()?.file_name().context("no name")?.to_string_lossy().into_owned();
        let of_rank = summary["rank_folders"].as_array().into_iter().flatten();
        let mut of_rank = of_rank.filter(|f| f["folder"].as_str().is_some_and(|path| path.ends_with(&folder)));
        let window = &of_rank.next().context("the rank is not in the summary")?["window_ns"];
        let edge = |at: usize| window[at].as_u64().context("no window");
        let (start_us, every_us) = (edge(0)? / 1000, (edge(1)? - edge(0)?) / 50_000);
        let mut modules = "Device_id,Component,Timestamp(us),Total Reserved(KB),Device\n".to_owned();
        for sample in 0..50_u64 {
            writeln!(modules, "0,HCCL,{},{},NPU:0", start_us + sample * every_us, sample * 1024)?;
            writeln!(modules, "0,RUNTIME,{},{},NPU:0", start_us + sample * every_us, 300)?;
            writeln!(modules, "0,SLOG,{},0,NPU:0", start_us + sample * every_us)?;
        }
        std::fs::write(outputs.join("npu_module_mem.csv"), modules)?;
        let browser = opened(&sample, "view=other&rank=0").await?;
        let drawn = "return document.querySelector('[data-testid=static-canvas]')?.dataset.t1 ?? null";
        browser.wait_for("the picture", drawn).await?;
        ensure!(
            browser.run_script("return document.querySelector('[data-testid=static]').dataset.graphs").await? == "1"
        );
        let said = |count: usize, bytes: u64| {
            format!(
                "const said = document.querySelector('[data-testid=static-said]').dataset; return said.count === '{count}' && said.bytes === '{bytes}'"
            )
        };
        browser.wait_for("all operators", &said(5, OPERATORS.iter().map(|(.., kb)| kb * 1024).sum())).await?;
        for node in [0, 12, 35, 52, 70] {
            let live = OPERATORS
                .iter()
                .filter(|(start, end, _)| *start <= node && (node < *end || *end == 4_294_967_295))
                .count();
            let set = format!(
                "const field = document.querySelector('[data-testid=static-node]'); field.value = '{node}'; field.dispatchEvent(new Event('change', {{ bubbles: true }}))"
            );
            browser.run_script(&set).await?;
            browser.wait_for(&format!("the operators of node {node}"), &said(live, needed(node))).await?;
        }
        // The picture's upper edge holds both the peak and what is reserved up front.
        let top = browser
            .run_script("return Number(document.querySelector('[data-testid=static-canvas]').dataset.y1)")
            .await?;
        ensure!(top.as_i64().is_some_and(|top| top >= 20480 * 1024), "{top}");
        let numbers = "return [...document.querySelectorAll('[data-testid=components] tbody tr')].map(r => [r.dataset.component, r.querySelector('[data-bytes]').dataset.bytes])";
        let numbers = browser.run_script(numbers).await?;
        let wanted =
            serde_json::json!([["HCCL", (49 * 1024 * 1024).to_string()], ["RUNTIME", (300 * 1024).to_string()]]);
        ensure!(numbers == wanted, "{numbers}");
        browser
            .wait_for(
                "the components' pictures",
                "return [...document.querySelectorAll('.spark path')].every(p => p.getAttribute('d')?.length > 5)",
            )
            .await?;
        browser.screenshot("other-memory").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn without_those_files_the_view_says_how_to_get_them() -> Result<()> {
    run(async {
        let sample = Sample::new(52)?;
        let browser = opened(&sample, "view=other").await?;
        browser.wait_for_text("static", "static_op_mem.csv").await?;
        browser.wait_for_text("outside", "npu_module_mem.csv").await?;
        browser.quit().await?.assert_clean()
    })
}
