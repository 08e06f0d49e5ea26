import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { haveChromium, openPage, sharedChromium } from "../helpers/peers/browser.js";
import { TonwireProcess, tonwire } from "../helpers/services/command.js";
import { connectModel } from "../helpers/services/mcp-client.js";
import { until } from "../helpers/until.js";
import { type EmptyProject, emptyProject } from "./helpers/empty-project.js";

// An afternoon of somebody who tries everything: the packed packages in an empty folder, from the first command on. What each
// step took is printed at the end; a step that fails is a stumble. Each test continues after the one before it.

const steps = fileURLToPath(new URL("project/everyday.ts", import.meta.url));

describe("an afternoon of a newcomer", () => {
  const took: string[] = [];
  let begun = performance.now();
  let project: EmptyProject;
  let program: string[];
  let service: TonwireProcess;
  let url: string;
  let trusted: string;

  beforeAll(async () => {
    project = await emptyProject(["@types/node", "@ton/ton"]);
    program = [join(project.folder, "node_modules/tonwire-server/dist/server/main.js")];
    begun = performance.now();
  });
  afterEach(({ task }) => {
    const ended = performance.now();
    const stumble = task.result?.state === "fail" ? ", a stumble" : "";
    took.push(`${((ended - begun) / 1000).toFixed(1).padStart(6)} s  ${task.name}${stumble}`);
    begun = ended;
  });
  afterAll(async () => {
    console.log(["The afternoon, step by step:", ...took].join("\n"));
    service?.send("SIGTERM");
    await service?.ended;
    project?.remove();
  });

  it("starts a service by one command", async () => {
    service = new TonwireProcess(["start", "--port", "0", "--admin-port", "0"], {
      program,
      // As usual, but none of this machine's users.
      env: { TONWIRE_CACHE: join(project.folder, "cache") },
      outlivesTest: true,
    });
    url = await service.printed(/serves devnet at (\S+)/);
    trusted = await service.printed(/trustedBlock for \S+ (\{.*\})/);
  });

  it("gets answers from the calls that the start prints", async () => {
    const calls = [...service.stdout.matchAll(/curl .*'(http\S+)'$/gm)].map(([, address]) => address!);
    expect(calls.length).toBeGreaterThan(0);
    // v3 answers later than v2: what the start says of it comes with status 503.
    for (const address of [...calls, `${url}/api/v3/actions?limit=3`])
      await until(`${address} is answered`, async () => (await fetch(address)).ok);
  });

  it("compiles the template, and its test passes", async () => {
    await project.node("compile.mjs");
    await project.run("tsc", []);
    expect(await project.run("vitest", ["run", "--no-color", "--testTimeout=60000"])).toMatch(
      /Tests +2 passed/,
    );
  });

  it("pays, learns of failures, impersonates, proves and forks in a test", async () => {
    const { stdout } = await tonwire(["devnet", "wallets", "--url", url, "--json"], { program });
    copyFileSync(steps, join(project.folder, "test", "everyday.test.ts"));
    await project.run("tsc", ["--types", "vite/client,node"]);
    const env = { SERVICE: url, WALLETS: stdout, TRUSTED: trusted };
    const printed = await project.run(
      "vitest",
      ["run", "--no-color", "--reporter=verbose", "--testTimeout=60000", "test/everyday.test.ts"],
      env,
    );
    expect(printed).toMatch(/Tests +6 passed/);
    for (const [, name, ms] of printed.matchAll(/✓ \S+ > (.*?)(?: (\d+ms))?$/gm))
      took.push(`${(ms ?? "").padStart(8)}    ${name}`);
  });

  it("finds an account by its name in the explorer, with Enter", async ({ skip }) => {
    if (!haveChromium()) skip();
    const { page, complaints } = await openPage(await sharedChromium(), url, 1280);
    await page.goto("/");
    await page.fill("#search input", "Ann");
    await page.locator("#search [role=option]", { hasText: "Ann" }).first().waitFor();
    await page.press("#search input", "ArrowDown");
    await page.press("#search input", "Enter");
    await page.waitForURL(/\/account\//);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("lets a model read the chain", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...program, "mcp", "--url", url],
      stderr: "pipe",
    });
    const { ask } = await connectModel(transport);
    expect(await ask("search", { query: "Ann" })).toMatchObject({ notice: expect.any(String) });
  });
});
