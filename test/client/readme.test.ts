import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type DevnetService, startDevnetService } from "../helpers/devnet-service.js";
import { loadTonWeb } from "../helpers/tonweb.js";
import { until } from "../helpers/until.js";

// Runs the client examples of README.md, with only the service's address and the key replaced.

const top = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(`${top}README.md`, "utf8");
const chapter = readme.slice(readme.indexOf("\n## Client\n"), readme.indexOf("\n## Keys and limits\n"));
const snippets = [...chapter.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!);

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService({ index: true });
  await service.mine();
  await until("the index", async () => {
    const { status, json } = await service.get("/api/v3/masterchainInfo");
    return status === 200 && (json as { last: { seqno: number } }).last.seqno > 0;
  });
  Object.assign(globalThis, { TonWebOfTest: loadTonWeb() });
});
afterAll(() => service?.close());

/** Runs a snippet; returns what it printed. */
async function run(code: string, name: string): Promise<unknown[][]> {
  const source = code
    .replaceAll("127.0.0.1:8081", new URL(service.url).host)
    .replaceAll('"dev"', JSON.stringify(service.key));
  const folder = `${top}dist/readme`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/tonweb-of-test.mjs`, "export default globalThis.TonWebOfTest;");
  const outfile = `${folder}/${name}.mjs`;
  await build({
    stdin: { contents: source, resolveDir: top, loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["@ton/*", "ws"],
    alias: {
      tonwire: "./client/node.ts",
      "tonwire/ton": "./client/ton.ts",
      "tonwire/watch": "./client/watch.ts",
      tonweb: `${folder}/tonweb-of-test.mjs`,
    },
    logLevel: "error",
  });
  const printed: unknown[][] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...values) => void printed.push(values));
  try {
    await import(/* @vite-ignore */ `${outfile}?${Date.now()}`);
  } finally {
    log.mockRestore();
  }
  return printed;
}

describe("the client's chapter of the README", () => {
  it("has as many examples as are run here", () => {
    expect(snippets).toHaveLength(6);
  });

  it("begins with a client that works", async () => {
    const [[seqno, balances]] = (await run(snippets[0]!, "start")) as [[number, bigint[]]];
    expect(seqno).toBeGreaterThan(0);
    expect(balances.map((each) => typeof each)).toEqual(["bigint", "bigint"]);
  });

  it("shows fallback, pages, sending and errors", async () => {
    const printed = await run(snippets[1]!, "more");
    expect(printed.length).toBeGreaterThan(1);
    for (const [lt] of printed.slice(0, -1)) expect(lt).toMatch(/^\d+$/);
    expect(printed.at(-1)).toEqual([
      "not a message:",
      "TypeError: not an external message to a standard address",
    ]);
  });

  it("shows a loop over transactions", async () => {
    const [[lt, cursor]] = (await run(snippets[2]!, "watch")) as [[string, string]];
    expect([lt, cursor]).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^[\w-]+$/)]);
  });

  it("replaces TonClient", async () => {
    const after = await run(snippets[3]!, "from-ton-client");
    const before = snippets[3]!.replace('"tonwire/ton"', '"@ton/ton"').replace("client.close();", "");
    expect(after).toEqual(await run(before, "ton-client"));
    expect(after).toEqual([[expect.any(BigInt), 0]]);
  });

  it("replaces tonweb", async () => {
    const [[balanceBefore], [electionBefore]] = (await run(snippets[4]!, "tonweb")) as [[string], [object]];
    const [[balance], [election]] = (await run(snippets[5]!, "from-tonweb")) as [[string], [bigint]];
    expect(balance).toBe(balanceBefore);
    expect(String(election)).toBe(String(electionBefore));
  });
});
