import { copyFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { haveChromium, launchChromium, openPage } from "../helpers/peers/browser.js";
import { serveFiles } from "../helpers/peers/served-page.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { type EmptyProject, emptyProject } from "./helpers/empty-project.js";

// The first hour of a newcomer who begins with the template: packages as packed, in an empty folder.

const styles = fileURLToPath(new URL("project/styles.ts", import.meta.url));
const rounds = 100;
const increases = 5;

let project: EmptyProject;
beforeAll(async () => {
  project = await emptyProject(["@types/node", "@ton/ton"]);
});
afterAll(() => project?.remove());

describe("the template", () => {
  it("names the versions that it is tried with", () => {
    const manifest = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const { dependencies, devDependencies } = manifest(project.folder);
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
      expect([name, range]).toEqual([
        name,
        `^${manifest(join(project.folder, "node_modules", name)).version}`,
      ]);
  });

  it("has the code of the counter's source, as its own script compiles it", async () => {
    const code = () => readFileSync(join(project.folder, "src", "counter-code.ts"), "utf8");
    const before = code();
    rmSync(join(project.folder, "src", "counter-code.ts"));
    await project.node("compile.mjs");
    expect(code()).toBe(before);
  });

  it("has the manifest that its wallet names, and the picture that this names", () => {
    const shown = (name: string) => readFileSync(join(project.folder, "public", name));
    const { url, iconUrl } = JSON.parse(shown("tonconnect-manifest.json").toString());
    expect(new URL(iconUrl).origin).toBe(url);
    expect(shown(new URL(iconUrl).pathname).subarray(1, 4).toString()).toBe("PNG");
  });

  it("compiles, and its test passes", async () => {
    await project.run("tsc", []);
    expect(await project.run("vitest", ["run", "--no-color", "--testTimeout=60000"])).toMatch(
      /Tests +2 passed/,
    );
  });

  it(`counts ${rounds} times in a row as @ton/ton, Blueprint and sandbox have it, without a wait`, async () => {
    copyFileSync(styles, join(project.folder, "test", "styles.test.ts"));
    await project.run("tsc", ["--types", "vite/client,node"]);
    const env = { ROUNDS: String(rounds) };
    const printed = await project.run("vitest", ["run", "--no-color", "test/styles.test.ts"], env);
    expect(printed).toMatch(/Tests +5 passed/);
  });
});

describe.skipIf(!haveChromium())("the template's page in Chromium", () => {
  let service: DevnetService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startDevnetService({ mining: "message", clock: "wall", index: true }),
      launchChromium(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Uses the page as a person does; the counter's id makes it a new one. */
  async function countsUp(url: string, id: number): Promise<void> {
    const { page, complaints } = await openPage(browser, url, 800);
    // TON Connect fetches its list of wallets from the network, which tests do not have.
    await page.route(
      ({ hostname }) => hostname !== "127.0.0.1",
      (route) => route.fulfill({ json: [] }),
    );
    const count = (number: number) => page.waitForSelector(`#count:text-is("${number}")`);
    await page.goto(`${url}?id=${id}`);
    await count(0);
    await page.click("#connect");
    await page.waitForSelector("#increase:enabled");
    expect(await page.textContent("#wallet")).toMatch(/^0:[\da-f]{64}$/);
    for (let n = 1; n <= increases; n++) {
      await page.click("#increase:enabled");
      await count(n);
    }
    expect(Number(await page.textContent("#balance"))).toBeLessThan(10_000);
    // The count is on the chain, and the connection in the browser.
    await page.reload();
    await count(increases);
    await page.waitForSelector("#increase:enabled");
    expect(complaints).toEqual([]);
    await page.context().close();
  }

  it("connects the test wallet, deploys the counter and counts, unchanged", async () => {
    await project.run("vite", ["build"], { VITE_TON_URL: service.url, VITE_DEVNET_WALLET: "yes" });
    const files = await serveFiles(builtFiles(join(project.folder, "dist")));
    await countsUp(`${files.origin}/`, 1);
    files.close();
  });

  it("does so in development", async () => {
    const server = await project.develop({ VITE_TON_URL: service.url });
    try {
      await countsUp(server.url, 2);
    } finally {
      await server.close();
    }
  });
});

/** The files of a built page by their paths. */
function builtFiles(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.\w+$/.test(path),
  );
  const contents = paths.map((path) => [`/${path}`, readFileSync(join(folder, path), "utf8")] as const);
  return { ...Object.fromEntries(contents), "/": readFileSync(join(folder, "index.html"), "utf8") };
}
