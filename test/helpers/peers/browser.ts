import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { keptService } from "../services/kept-services.js";

const candidates = [
  process.env["TONWIRE_TEST_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const executablePath = candidates.find((path) => path !== undefined && existsSync(path));

/** Whether this machine has a Chromium; otherwise logs once what to install. */
export function haveChromium(): boolean {
  if (executablePath === undefined)
    console.warn(
      "Browser tests are skipped: apt-get install chromium, or name one in TONWIRE_TEST_CHROMIUM.",
    );
  return executablePath !== undefined;
}

/** A real Chromium with a temporary profile. */
export function launchChromium(): Promise<Browser> {
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({
    executablePath: executablePath!,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", ...quiet],
  });
}

/** The Chromium of a worker, for all of its files: their pages share nothing. */
export function sharedChromium(): Promise<Browser> {
  return keptService("chromium", launchChromium);
}

/** A page with its invisible activity. */
export type WatchedPage = {
  readonly page: Page;
  /** Requests outside `origin`. */
  readonly foreign: string[];
  /** Errors and warnings in its console, and what its scripts threw. */
  readonly complaints: string[];
};

export async function openPage(
  browser: Browser,
  origin: string,
  width: number,
  colorScheme: "light" | "dark" = "light",
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme,
    baseURL: origin,
  });
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

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Problems that axe finds on a page, as sentences: the fault and its place. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // As a text, for the page's policy forbids other scripts.
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof import("axe-core") }).axe.run();
    return violations.map(
      ({ help, nodes }) => `${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`,
    );
  });
}

/** The cumulative layout shift of a page without user input: at most 0.1 is good. */
export function layoutShift(page: Page): Promise<number> {
  type Shift = PerformanceEntry & { readonly value: number; readonly hadRecentInput: boolean };
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const add = (entries: readonly PerformanceEntry[]) => {
          for (const { value, hadRecentInput } of entries as Shift[]) if (!hadRecentInput) sum += value;
        };
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: "layout-shift", buffered: true });
        // Buffered entries arrive before the second frame.
        const later = () => requestAnimationFrame(() => setTimeout(() => resolve(sum)));
        requestAnimationFrame(later);
      }),
  );
}
