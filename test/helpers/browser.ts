import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { allowSlowTests } from "./slow-tests.js";

allowSlowTests();

const candidates = [
  process.env["TONWIRE_TEST_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const executablePath = candidates.find((path) => path !== undefined && existsSync(path));

/** Whether this machine has a Chromium; says once what to install when it has not. */
export function haveChromium(): boolean {
  if (executablePath === undefined)
    console.warn(
      "Browser tests are skipped: apt-get install chromium, or name one in TONWIRE_TEST_CHROMIUM.",
    );
  return executablePath !== undefined;
}

/** A real Chromium with a profile of its own that is gone afterwards. */
export function launchChromium(): Promise<Browser> {
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({
    executablePath: executablePath!,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", ...quiet],
  });
}

/** A page, and what it did besides what one sees. */
export type WatchedPage = {
  readonly page: Page;
  /** What it asked for outside `origin`. */
  readonly foreign: string[];
  /** Errors and warnings in its console, and what its scripts threw. */
  readonly complaints: string[];
};

export async function openPage(browser: Browser, origin: string, width: number): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  context.setDefaultTimeout(250_000);
  const page = await context.newPage();
  const foreign: string[] = [];
  const complaints: string[] = [];
  const note = (url: string) => {
    const { protocol, host } = new URL(url);
    if (protocol !== "data:" && host !== new URL(origin).host) foreign.push(url);
  };
  page.on("request", (request) => note(request.url()));
  page.on("websocket", (socket) => note(socket.url()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, foreign, complaints };
}
