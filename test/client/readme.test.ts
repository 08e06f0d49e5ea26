import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TypedContract } from "../../client/contract/index.js";
import { bocOf } from "../../client/contract/stack-items.js";
import { counterAbi, counterOwner, counterSource } from "../helpers/abi/counter-contract.js";
import { loadProgram, programFor } from "../helpers/abi/load-program.js";
import { compile } from "../helpers/contracts/tolk.js";
import { isLong } from "../helpers/effort.js";
import { loadTonWeb } from "../helpers/peers/tonweb.js";
import { examples, examplesIn } from "../helpers/readmes.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { until } from "../helpers/until.js";

// Runs the examples of the READMEs, with only the service's address and the key replaced.

const top = fileURLToPath(new URL("../..", import.meta.url));
const snippets = examplesIn("client/README.md", "ts");

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("indexed");
  await service.mine();
  await until("the index", async () => {
    const { status, json } = await service.get("/api/v3/masterchainInfo");
    return status === 200 && (json as { last: { seqno: number } }).last.seqno > 0;
  });
  Object.assign(globalThis, { TonWebOfTest: loadTonWeb() });
});
afterAll(() => service?.close());

const withService = (code: string) => code.replaceAll("127.0.0.1:8081", new URL(service.url).host);

/** Runs a snippet; returns what it printed. */
async function run(code: string, name: string): Promise<unknown[][]> {
  const source = withService(code).replaceAll('"dev"', JSON.stringify(service.key));
  const folder = `${top}dist/readme`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/counter.js`, transformSync(programFor(counterAbi()), { loader: "ts" }).code);
  writeFileSync(`${folder}/tonweb-of-test.mjs`, "export default globalThis.TonWebOfTest;");
  const outfile = `${folder}/${name}.mjs`;
  await build({
    stdin: { contents: source, resolveDir: folder, loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["@ton/*", "ws"],
    alias: {
      tonwire: "./client/node.ts",
      "tonwire/contract": "./client/contract/index.ts",
      "tonwire/ton": "./client/ton/index.ts",
      "tonwire/watch": "./client/watch/index.ts",
      "tonwire/webhooks": "./client/webhooks/index.ts",
      "tonwire/verified": "./client/verified/index.ts",
      "tonwire/verified/tvm": "./client/verified/tvm/index.ts",
      "tonwire/text": "./client/text/index.ts",
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

describe("README.md", () => {
  it("has at most 1,500 words", () => {
    expect(readFileSync(`${top}README.md`, "utf8").split(/\s+/).length).toBeLessThanOrEqual(1500);
  });

  it("shows a client that works", async () => {
    const [code] = examplesIn("README.md", "ts");
    expect(await run(code!, "front")).toEqual([[expect.any(Number), expect.any(BigInt)]]);
  });
});

/** Sends the request that a curl command describes. */
function curl(command: string): Promise<Response> {
  const words = [
    ...withService(command)
      .replaceAll("\\\n", " ")
      .matchAll(/'([^']*)'|[^\s']+/g),
  ].map(([word, quoted]) => quoted ?? word);
  const after = (flag: string) => words.filter((_, index) => words[index - 1] === flag);
  const headers = after("-H").map((header): [string, string] => [
    header.slice(0, header.indexOf(":")),
    header
      .slice(header.indexOf(":") + 1)
      .replace(/^ dev$/, service.key)
      .trim(),
  ]);
  const [body] = after("-d");
  const url = words.find((word) => word.startsWith("http://"))!;
  return fetch(url, body === undefined ? { headers } : { method: "POST", headers, body });
}

describe("requests that the READMEs show", () => {
  const commands = examples.filter(({ language, code }) => language === "sh" && code.startsWith("curl "));

  it.each(commands)("are answered: $file, $code", async ({ code }) => {
    const answer = await curl(code);
    expect(answer.status).toBe(200);
    if (code.startsWith("curl -N")) {
      expect(answer.headers.get("content-type")).toMatch("text/event-stream");
      await answer.body!.cancel();
    } else if (code.includes("/api/v3/")) expect(await answer.json()).toHaveProperty("id");
    else if (code.includes("/api/v4/")) expect(await answer.json()).toHaveProperty("account");
    else for (const each of [await answer.json()].flat()) expect(each).toMatchObject({ ok: true });
  });

  it("are in three of them", () => {
    expect(new Set(commands.map(({ file }) => file))).toEqual(
      new Set(["README.md", "server/devnet/README.md", "shared/README.md"]),
    );
  });
});

describe("the client's README", () => {
  it("has as many examples as are run here; those of the others are in consumers.long.ts, and one in test/languages", () => {
    const files = examples.filter(({ language }) => language === "ts").map(({ file }) => file);
    expect(files).toEqual([
      "README.md",
      ...Array(13).fill("client/README.md"),
      ...Array(5).fill("server/devnet/README.md"),
    ]);
  });

  it("shows the parts a page on Vite needs, as in the template", () => {
    const template = readFileSync(`${top}client/examples/vite/src/buffer.ts`, "utf8");
    expect(examplesIn("client/README.md", "js")[0]!.trim()).toBe(template.replace(/^\/\/.*\n/, "").trim());
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

  it("shows texts of actions, in two languages", async () => {
    const [[english], [german]] = (await run(snippets[3]!, "text")) as [[string], [string]];
    expect(english).toMatch(/ sent .* TON to /);
    expect(german).toMatch(/ hat .* TON von .* erhalten/);
  });

  it("shows a client that proves its answers", async () => {
    const checked = { transactions: 1, unproven: expect.arrayContaining(["transaction.trace_id"]) };
    expect(await run(snippets[4]!, "verified")).toEqual([[expect.stringMatching(/^\d+$/)], [checked]]);
  });

  it.runIf(isLong)("shows a client that runs get-methods itself", async () => {
    const [[answer]] = (await run(snippets[5]!, "verified-tvm")) as [[object]];
    expect(answer).toMatchObject({ exit_code: 0, stack: [["num", "0x0"]] });
  });

  it.runIf(isLong)("shows a client that runs transactions itself", async () => {
    const printed = await run(snippets[6]!, "verified-debug");
    expect(printed).toEqual([["exact", 5], ...Array(5).fill(expect.arrayContaining([expect.any(String)]))]);
  });

  it("shows a receiver of a webhook", async () => {
    expect(await run(snippets[7]!, "webhook")).toEqual([["block", expect.stringMatching(/^\d+$/)]]);
  });

  it("reads and writes the values of a contract by written types", async () => {
    const counters = new TypedContract((await loadProgram(programFor(counterAbi())))["counter"]!);
    const [code, data] = [
      bocOf(await compile(counterSource)),
      counters.encodeStorage({ count: 7n, owner: counterOwner, points: {} }),
    ];
    const address = `0:${"C0".repeat(32)}`;
    await service.run("devnet.setAccount", { address, balance: "1000000000", code, data });
    await service.mine();
    expect(await run(snippets[9]!, "typed")).toEqual([
      [{ message: "Add", fields: { by: 5n } }],
      [[false, { x: 1n, y: 2n }, null]],
      [7n, 16, "ERR_TOO_LARGE"],
    ]);
  });

  it("replaces TonClient", async () => {
    const after = await run(snippets[8]!, "from-ton-client");
    const before = snippets[8]!.replace('"tonwire/ton"', '"@ton/ton"').replace("client.close();", "");
    expect(after).toEqual(await run(before, "ton-client"));
    expect(after).toEqual([[expect.any(BigInt), 0]]);
  });

  it("replaces tonweb", async () => {
    const [[balanceBefore], [electionBefore]] = (await run(snippets[10]!, "tonweb")) as [[string], [object]];
    const [[balance], [election]] = (await run(snippets[11]!, "from-tonweb")) as [[string], [bigint]];
    expect(balance).toBe(balanceBefore);
    expect(String(election)).toBe(String(electionBefore));
  });

  it("shows the message of an error", async () => {
    const [message] = examplesIn("client/README.md", "text");
    expect(await run(snippets[12]!, "errors")).toEqual([[withService(message!).trimEnd()]]);
  });
});
