import { relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import * as contract from "../../client/contract/index.js";
import * as everything from "../../client/index.js";
import { createClient, http } from "../../client/index.js";
import * as methods from "../../client/methods.js";
import * as node from "../../client/node.js";
import * as text from "../../client/text/index.js";
import * as ton from "../../client/ton/index.js";
import * as tvm from "../../client/verified/tvm/index.js";
import * as watch from "../../client/watch/index.js";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";

const top = new URL("../..", import.meta.url).pathname;

type Output = { imports: { path: string; kind: string }[] };

/** The bundle of a page, minified and compressed, and its input files. Parts that are loaded later are not in it. */
async function bundle(source: string) {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: source.replaceAll("tonwire/", "./client/").replaceAll('"tonwire"', '"./client/index.ts"'),
      resolveDir: top,
      loader: "ts",
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
    splitting: true,
    outdir: top,
  });
  const first = outputFiles.filter(({ path }) => isOfStart(relative(top, path), metafile.outputs));
  const text = first.map((each) => each.text).join("");
  return { bytes: gzipSync(text, { level: 9 }).length, text, inputs: Object.keys(metafile.inputs) };
}

/** Whether a page loads a file at its start: its bundle, and parts that this imports. */
function isOfStart(path: string, outputs: Record<string, Output>, from = "stdin.js"): boolean {
  const needed = outputs[from]!.imports.filter(({ kind }) => kind === "import-statement");
  return path === from || needed.some((each) => isOfStart(path, outputs, each.path));
}

const one = `
  import { createCaller, http } from "tonwire";
  const caller = createCaller({ transport: http("/jsonRPC") });
  caller.call("getMasterchainInfo").then(console.log);`;
const oneByFunction = `
  import { createCaller, http } from "tonwire";
  import { getMasterchainInfo } from "tonwire/methods";
  getMasterchainInfo(createCaller({ transport: http("/jsonRPC") })).then(console.log);`;
const full = `
  import { createClient, http, webSocket } from "tonwire";
  export const clients = [http, webSocket].map((by) => createClient({ transport: by("/jsonRPC") }));`;
const all = `export * from "tonwire";`;
const watching = `
  import { createClient, webSocket } from "tonwire";
  import { watch } from "tonwire/watch";
  export const live = watch(createClient({ transport: webSocket("/jsonRPC") }));`;
const texting = `
  import { actionText } from "tonwire/text";
  export const textOf = (action, answer) => actionText(action, answer).text;`;
const receiving = `
  import { verifyWebhook } from "tonwire/webhooks";
  export const receive = (request) => verifyWebhook(request, "secret");`;
const verifying = `
  import { http } from "tonwire";
  import { createVerifiedClient } from "tonwire/verified";
  export const client = createVerifiedClient({ transport: http("/jsonRPC"), network: "mainnet" });`;

const running = `
  import { http } from "tonwire";
  import { createVerifiedClient } from "tonwire/verified";
  import { withTvm } from "tonwire/verified/tvm";
  const client = createVerifiedClient({ transport: http("/jsonRPC"), network: "mainnet" });
  export const tvm = withTvm(client, { wasm: "/emulator.wasm", script: "/emulator.js" });`;

describe("the client in a bundle", () => {
  it.each([
    ["with one call over HTTP", one, 3740],
    ["with one call by its function", oneByFunction, 3760],
    ["with batches, retries, sharing, limits and WebSocket", full, 7220],
    ["with WebSocket and subscriptions", watching, 10_480],
    ["with the check of webhooks alone", receiving, 1220],
    ["with texts of actions alone", texting, 16_100],
    ["whole", all, 13_720],
  ])("%s is small, and made of nothing but its own files", async (title, source, most) => {
    const { bytes, text, inputs } = await bundle(source);
    console.log(`${title}: ${bytes} bytes`);
    expect(bytes).toBeLessThanOrEqual(most);
    const own = /^(client\/|shared\/(rpc|text|values)\/|<stdin>)/;
    expect(inputs.filter((path) => !own.test(path))).toEqual([]);
    expect(text).not.toMatch(/\bBuffer\b|node:|\brequire\b/);
  });

  it.each([
    ["with proofs", verifying, 58_500],
    ["with proofs and get-methods", running, 73_000],
  ])("%s is small, and brings the code and the cryptography that check them", async (title, source, most) => {
    const { bytes, text, inputs } = await bundle(source);
    console.log(`${title}: ${bytes} bytes`);
    expect(bytes).toBeLessThanOrEqual(most);
    const own = /^(client\/|shared\/(rpc|values|ton)\/|node_modules\/@noble\/(hashes|ed25519)\/|<stdin>)/;
    expect(inputs.filter((path) => !own.test(path))).toEqual([]);
    expect(text).not.toMatch(/\brequire\("|from"node:/);
  });

  it("keeps only the functions in use", async () => {
    const { text } = await bundle(oneByFunction);
    expect([text.includes("getMasterchainInfo"), text.includes("getAddressBalance")]).toEqual([true, false]);
  });
});

describe("the entries", () => {
  it("export these names", () => {
    const names = Object.keys(everything).sort();
    expect(names).toMatchInlineSnapshot(`
      [
        "RpcError",
        "createCaller",
        "createClient",
        "defaultBatch",
        "defaultMaxAnswerBytes",
        "defaultPageLimit",
        "defaultPollMs",
        "defaultReconnect",
        "defaultRest",
        "defaultRetry",
        "defaultSilenceMs",
        "defaultTimeoutMs",
        "defaultWaitMs",
        "fallback",
        "fromNano",
        "hash",
        "http",
        "isRpcError",
        "lt",
        "nano",
        "pages",
        "rows",
        "runMethod",
        "sendAndWait",
        "stack",
        "toNano",
        "waitForSeqno",
        "webSocket",
      ]
    `);
    expect(Object.keys(node).sort()).toEqual(names);
    expect(Object.keys(ton).sort()).toEqual(["TonClient", "contractProvider", "contractWrapper"]);
    expect(Object.keys(contract)).toEqual(["TypedContract"]);
    expect(Object.keys(text).sort()).toEqual(["actionText", "english", "failureHint", "messageText"]);
    expect(Object.keys(tvm).sort()).toEqual(["TvmError", "emulatorAt", "withTvm"]);
    expect(Object.keys(watch).sort()).toEqual(["defaultWindow", "sendAndWait", "silenceMs", "watch"]);
  });

  it("have a function for every method", () => {
    const wanted = flatten(registry).map(([name]) =>
      name.replace(/\.(.)/g, (_, letter: string) => letter.toUpperCase()),
    );
    expect(Object.keys(methods).sort()).toEqual(wanted.sort());
  });

  it("call methods by the names of the registry", async () => {
    const asked: string[] = [];
    const own: typeof fetch = async (_, init) => {
      const calls = [JSON.parse(String(init?.body))].flat();
      asked.push(...calls.map(({ method }) => method));
      return Response.json(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: 1 })));
    };
    const client = createClient({ transport: http("http://nowhere.invalid", { fetch: own }), batch: false });
    const functions = Object.entries(methods).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [, each] of functions) await (each as (of: object, params: object) => unknown)(client, {});
    expect(asked.sort()).toEqual(
      flatten(registry)
        .map(([name]) => name)
        .sort(),
    );
  });
});

describe("a client object", () => {
  let requests = 0;
  const nowhere = () => new Promise<never>(() => requests++);
  const client = createClient({
    transport: http("http://nowhere.invalid", { fetch: nowhere }),
    batch: false,
    timeoutMs: 0,
  });

  it("can be awaited, printed and compared without a call being made", async () => {
    expect(await Promise.resolve(client)).toBe(client);
    expect((client as unknown as Promise<never>).then).toBeUndefined();
    expect(String(client)).toBe("[object Object]");
    expect(JSON.stringify({ client, v3: client.v3 })).toBe('{"client":{}}');
    expect(client.getMasterchainInfo).toBe(client.getMasterchainInfo);
    expect(client.rpc.ping).not.toBe(client.rpc.discover);
    expect(typeof client.getMasterchainInfo.bind).toBe("function");
    expect(requests).toBe(0);
  });
});
