// Draws the explorer for the README, from a devnet whose story is complete. Run it after `npm run build` when the look
// has changed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright-core";

const top = dirname(import.meta.dirname);
const picture = join(top, "server/web/explorer/explorer.png");
const maxBytes = 120_000;
const viewport = { width: 1040, height: 560 };
/** Masterchain blocks of the story, and some after it. */
const storyBlocks = 66;

const executablePath = [process.env.TONWIRE_TEST_CHROMIUM, "/usr/bin/chromium"].find(
  (path) => path !== undefined && existsSync(path),
);
const main = join(top, "dist/server/main.js");
const service = spawn(process.execPath, [main, "start", "--port", "0", "--admin-port", "0"], { cwd: top });
let printed = "";
service.stdout.on("data", (text) => (printed += text));
const ended = once(service, "exit");

async function until(ask) {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (service.exitCode !== null) throw new Error(`the service has stopped:\n${printed}`);
    await wait(100);
  }
}

async function indexed(url) {
  const { last } = await (await fetch(`${url}/api/v3/masterchainInfo`)).json();
  return last?.seqno >= storyBlocks;
}

let browser;
try {
  const [, url] = await until(() => /tonwire serves devnet at (\S+)/.exec(printed));
  await until(() => indexed(url));
  browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
  const page = await (await browser.newContext({ viewport })).newPage();
  await page.goto(url);
  await page.waitForSelector(".dot.live");
  await page.waitForSelector(".hourly-charts");
  await page.screenshot({ path: picture });
  const { size } = statSync(picture);
  console.log(`${picture}: ${size} bytes`);
  if (size > maxBytes) throw new Error(`the picture has ${size} bytes, more than ${maxBytes}`);
} finally {
  await browser?.close();
  service.kill();
  await ended;
}
