//! That the harness itself sees what it says it sees: a test that cannot fail proves nothing.

use std::fs;

use anyhow::{Result, ensure};
use browser_tests::{Browser, PageServer, run};

/// A page that talks, in itself and in a worker, and complains.
const TALKER: &str = "<!doctype html><title>t</title><body><script>
    console.error('a complaint');
    fetch('/from-page');
    new WebSocket('ws://' + location.host + '/socket');
    navigator.sendBeacon('/beacon', 'x');
    new Image().src = '/picture';
    const link = document.createElement('link');
    link.rel = 'icon';
    link.setAttribute('href', '/icon');
    document.head.append(link);
    const source = `fetch('${location.origin}/from-worker').finally(() => postMessage('done'))`;
    const worker = new Worker(URL.createObjectURL(new Blob([source])));
    worker.onmessage = () => { document.documentElement.dataset.state = 'done'; setTimeout(() => { location = '/away'; }, 500); };
</script>";

#[test]
fn requests_of_page_and_worker_and_complaints_are_seen() -> Result<()> {
    run(async {
        let browser = Browser::start_with(Some(PageServer::start(TALKER.into())?)).await?;
        let page = browser.served("127.0.0.1")?;
        browser.open_url(&page).await?;
        browser.wait_for_state("done").await?;
        let complaints = browser.console().await?;
        browser.wait_for("the page to go away", "return location.pathname === '/away'").await?;
        let evidence = browser.quit().await?;
        for path in ["/from-page", "/socket", "/from-worker", "/beacon", "/picture", "/icon", "/away"] {
            ensure!(evidence.requests.iter().any(|url| url.ends_with(path)), "{path} not in {:?}", evidence.requests);
        }
        ensure!(!evidence.requests.contains(&page), "opening the page counts as its request");
        ensure!(complaints.iter().any(|line| line.contains("a complaint")), "{complaints:?}");
        ensure!(evidence.assert_clean().is_err(), "a talking page counts as clean");
        Ok(())
    })
}

/// A page that lists what is dropped or picked, has a canvas and a download.
const TAKER: &str = "<!doctype html><title>t</title><link rel=icon href='data:,'><body style='margin:0;height:100vh'>
    <input type=file webkitdirectory data-testid=folder-input><button data-testid=save>save</button>
    <canvas width=20 height=10 data-testid=chart></canvas><pre data-testid=list></pre><script>
    const list = document.querySelector('pre');
    const input = document.querySelector('input');
    const brush = document.querySelector('canvas').getContext('2d');
    brush.fillStyle = 'rgb(255, 0, 0)';
    brush.fillRect(0, 0, 5, 10);
    input.onchange = () => { list.textContent = [...input.files].map(f => f.webkitRelativePath).sort().join(' '); };
    document.querySelector('button').onclick = () => {
        const link = document.createElement('a');
        link.download = 'saved.txt';
        link.setAttribute('href', URL.createObjectURL(new Blob(['kept'])));
        link.click();
    };
    addEventListener('dragover', event => event.preventDefault());
    addEventListener('drop', async event => {
        event.preventDefault();
        const handles = await Promise.all([...event.dataTransfer.items].map(i => i.getAsFileSystemHandle()));
        const names = [];
        for (const handle of handles) for await (const name of handle.keys()) names.push(handle.name + '/' + name);
        list.textContent = names.sort().join(' ');
    });
</script>";

#[test]
fn folders_are_picked_and_dropped_for_real() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let rank = folder.path().join("rank0");
    fs::create_dir(&rank)?;
    fs::write(rank.join("a.csv"), "1")?;
    fs::write(rank.join("b.json"), "2")?;
    run(async {
        let browser = Browser::start_with(Some(PageServer::start(TAKER.into())?)).await?;
        browser.open_url(&browser.served("127.0.0.1")?).await?;
        browser.pick_folder(&rank).await?;
        browser.wait_for_text("list", "rank0/a.csv rank0/b.json").await?;

        browser.run_script("document.querySelector('pre').textContent = ''").await?;
        browser.drop_on_window(&[&rank]).await?;
        browser.wait_for_text("list", "rank0/a.csv rank0/b.json").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn pixels_sizes_and_downloads_are_seen() -> Result<()> {
    run(async {
        let browser = Browser::start_with(Some(PageServer::start(TAKER.into())?)).await?;
        browser.open_url(&browser.served("127.0.0.1")?).await?;
        let canvas = browser.canvas("chart").await?;
        ensure!((canvas.width, canvas.height) == (20, 10), "{} x {}", canvas.width, canvas.height);
        ensure!(canvas.pixel(4, 9) == Some([255, 0, 0, 255]) && canvas.pixel(5, 9) == Some([0, 0, 0, 0]));
        ensure!(canvas.colours() == 2 && canvas.count(|pixel| pixel[0] == 255) == 50);

        browser.set_size_at(700, 500, 2.0).await?;
        let picture = browser.picture().await?;
        ensure!((picture.width, picture.height) == (1400, 1000), "{} x {}", picture.width, picture.height);

        browser.click("save").await?;
        let saved = browser.wait_for_download("saved.txt").await?;
        ensure!(fs::read_to_string(saved)? == "kept");
        browser.quit().await?.assert_clean()
    })
}
