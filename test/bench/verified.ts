import { generateKeyPairSync, sign, verify } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type * as Client from "../../client/index.js";
import type * as Verified from "../../client/verified/index.js";
import { presentBlockId } from "../../shared/ton/present/records.js";
import { zeroStateOf } from "../helpers/chain/trusted.js";
import { sized } from "../helpers/effort.js";
import { ServerProcess } from "../helpers/servers/process.js";
import { type Contender, columns, type Row, type Spent, type Suite } from "./harness.js";
import { addressOf, masterchainValidators, openMainnetLikeChain } from "./verified/mainnet-like-chain.js";
import { Recording, type Traffic } from "./verified/recording.js";

// Processor time of this process, which has the client; a server in another one sends recorded answers.

/** Two key blocks in each round of validators, of which 30 days have 40. */
const links = sized(4, 40);
const newHeads = sized(2, 20);
const balances = sized(4, 100);

type Compiled = typeof Client & typeof Verified;
type Prepared = {
  lib: Compiled;
  server: ServerProcess;
  trustedBlock: Verified.TrustedBlock;
  /** Has the key block before the heads. */
  storage: Verified.TrustStorage;
  month: Traffic;
  balance: Traffic;
  newHead: Traffic;
};

const closers: (() => unknown)[] = [];
let prepared: Prepared | undefined;

export const suite: Suite = {
  title: "Verified client, processor time per call (baseline as named); validators as on mainnet",
  async rows() {
    prepared = await prepare();
    return rowsOf(prepared);
  },
  report: async () => reportOf(prepared!),
  async close() {
    for (const close of closers.splice(0).reverse()) await close();
  },
};

/** A month of key blocks and some newer heads, proven once while their answers are recorded. */
async function prepare(): Promise<Prepared> {
  const lib = await compiledClient();
  const chain = await openMainnetLikeChain();
  try {
    const trustedBlock = presentBlockId(await zeroStateOf(chain.api));
    await chain.keyBlocks(links - 1);
    const recording = new Recording(chain.api);
    const storage = lib.memoryStorage();
    const transport = lib.http("http://recorded.invalid/", { fetch: recording.fetch });
    const client = lib.createVerifiedClient({ transport, trustedBlock, storage, headMs: 0 });
    await client.getMasterchainInfo();
    const month = recording.spent();
    for (let head = 0; head < newHeads; head++) {
      await chain.blocks(1);
      await client.getAddressBalance({ address: addressOf(0) });
    }
    const newHead = perUnit(recording.spent(), newHeads);
    client.close();
    const sameHead = lib.createVerifiedClient({ transport, trustedBlock, storage });
    await sameHead.getAddressBalance({ address: addressOf(0) });
    recording.spent();
    for (let index = 1; index < balances; index++)
      await sameHead.getAddressBalance({ address: addressOf(index) });
    const balance = perUnit(recording.spent(), balances - 1);
    sameHead.close();
    recording.recorded.results["getAddressBalance"] = "1000000000";
    return { lib, server: await serverOf(recording), trustedBlock, storage, month, balance, newHead };
  } finally {
    await chain.close();
  }
}

function perUnit({ bytes, sent, requests }: Traffic, units: number): Traffic {
  return { bytes: bytes / units, sent: sent / units, requests: requests / units };
}

async function serverOf({ recorded }: Recording): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), "tonwire-bench-"));
  try {
    const file = join(folder, "answers.json");
    writeFileSync(file, JSON.stringify(recorded));
    return closing(await ServerProcess.start("recorded", { records: { file } }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf({ lib, server, trustedBlock, storage }: Prepared): Row[] {
  const { url } = server.hello;
  let head = 0;
  const transport = lib.http(url, { fetch: (_, init) => fetch(`${url}/${head}`, init) });
  const clientWith = (own: Verified.TrustStorage, headMs = 1e9) =>
    lib.createVerifiedClient({ transport, trustedBlock, storage: own, headMs });
  const plain = closing(lib.createClient({ transport }));
  const addresses = Array.from({ length: balances }, (_, index) => addressOf(index));

  const unverified = () =>
    spending(balances, async () => {
      for (const address of addresses) await plain.getAddressBalance({ address });
    });
  const atProvenHead = async () => {
    head = newHeads;
    const client = clientWith(storage);
    await client.getMasterchainInfo();
    const spent = await spending(balances, async () => {
      for (const address of addresses) await client.getAddressBalance({ address });
    });
    client.close();
    return spent;
  };
  const atNewHeads = async () => {
    head = 1;
    const client = clientWith(storage, 0);
    await client.getMasterchainInfo();
    const spent = await spending(newHeads - 1, async () => {
      for (head = 2; head <= newHeads; head++) await client.getAddressBalance({ address: addresses[0]! });
    });
    client.close();
    return spent;
  };
  const month = () =>
    spending(1, async () => {
      head = 0;
      const client = clientWith(lib.memoryStorage());
      await client.getMasterchainInfo();
      client.close();
    });
  const budget = (micros: number) => () => ({ units: 1, micros });
  const goal = { floor: 1, aim: 1 };
  return [
    { title: "a balance at a proven head (the unverified call)", ours: atProvenHead, baseline: unverified },
    { title: "the same (8 ms)", ours: atProvenHead, baseline: budget(8000), goal },
    { title: "a balance at a new head (the unverified call)", ours: atNewHeads, baseline: unverified },
    { title: "the same (at a proven head)", ours: atNewHeads, baseline: atProvenHead },
    { title: "the same (its 100 signatures)", ours: atNewHeads, baseline: signatureChecks() },
    { title: `${links} links, which are 30 days of mainnet (1 s)`, ours: month, baseline: budget(1e6), goal },
  ];
}

async function reportOf({ month, balance, newHead }: Prepared): Promise<string> {
  const line = (title: string, { bytes, sent, requests }: Traffic, limits: string) => [
    title,
    ...[bytes, sent].map((each) => each.toFixed(0)),
    requests.toFixed(1),
    limits,
  ];
  const traffic = columns([
    ["", "bytes in TL", "sent in JSON", "requests", "at most"],
    line("a balance at a proven head", balance, "1 request"),
    line("a balance at a new head", newHead, ""),
    line("a link of the chain", perUnit(month, links), "50,000"),
    line(`${links} links`, month, "2,000,000"),
  ]);
  return `${traffic}\n\nthe entry with http: ${await entryBytes()} bytes compressed; at most 60,000, aim 45,000`;
}

/** Nothing but the signatures of a block. */
function signatureChecks(): Contender {
  const message = Buffer.alloc(68, 7);
  const signed = Array.from({ length: masterchainValidators }, () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    return { publicKey, signature: sign(null, message, privateKey) };
  });
  return () => {
    for (const { publicKey, signature } of signed)
      if (!verify(null, message, publicKey, signature)) throw new Error("a signature is wrong");
    return 1;
  };
}

async function spending(units: number, work: () => Promise<void>): Promise<Spent> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { units, micros: user + system };
}

function closing<T extends { close(): void }>(owned: T): T {
  closers.push(() => owned.close());
  return owned;
}

const folder = fileURLToPath(new URL("../../client/", import.meta.url));

/** Plain JavaScript, as in applications: the code tsx adds to keep function names would distort the result. */
async function compiledClient(): Promise<Compiled> {
  const outfile = fileURLToPath(new URL("../../dist/bench/verified-client.js", import.meta.url));
  await build({
    stdin: {
      contents: 'export * from "./index.ts"; export * from "./verified/index.ts";',
      resolveDir: folder,
      loader: "ts",
    },
    outfile,
    bundle: true,
    conditions: ["browser"],
    platform: "neutral",
    format: "esm",
    target: "es2022",
    logLevel: "error",
  });
  return (await import(outfile)) as Compiled;
}

/** A page's bundle for balances and transactions. */
async function entryBytes(): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents:
        'import { http } from "./index.ts"; import { createVerifiedClient } from "./verified/index.ts"; ' +
        'export const client = createVerifiedClient({ transport: http("/jsonRPC"), network: "mainnet" });',
      resolveDir: folder,
      loader: "ts",
    },
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    write: false,
  });
  return gzipSync(outputFiles[0]!.text, { level: 9 }).length;
}
