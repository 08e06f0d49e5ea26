import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashKey, readKeyFile } from "../../server/access/keys/key-file.js";
import { fileKeyStore } from "../../server/access/keys/key-file-source.js";
import { UsageFiles } from "../../server/access/usage/usage-files.js";
import type { McpPlan } from "../../server/cli/mcp.js";
import { type Context, run } from "../../server/cli/run.js";
import type { Config } from "../../server/config/settings.js";
import { SetupError } from "../../server/errors.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const start = new Date("2026-01-02T03:04:05.000Z");

type Backfill = Awaited<ReturnType<Context["createBackfill"]>>;
type Plan =
  | { citus: boolean }
  | Parameters<Context["createBackfill"]>[1]
  | Parameters<Context["createBootstrap"]>[1]
  | Parameters<Context["createReclassification"]>[1];

/** A job that a test completes. */
const jobUntil = <Progress>(done: Promise<void>, events: string[], progress: Progress) => ({
  done,
  listen: async () => ({ adminUrl: "http://127.0.0.1:3" }),
  progress: () => progress,
  close: async () => void events.push("close"),
});

const toGo = { missing: 4, remainingSec: 2 };

/** A backfill that a test completes. */
const backfillUntil = (done: Promise<void>, events: string[]): Backfill => ({
  ...jobUntil(done, events, { ...toGo, blocks: 10, blocksPerSec: 2 }),
  gaps: () => ({ count: 0, blocks: 0, newest: [] }),
});

/** A job on a snapshot that has ended. */
const snapshotUntil = (events: string[], what: string) => {
  events.push(what);
  const summary = { first: 1, last: 9, files: 3, bytes: 1_500_000, transactions: 7 };
  return {
    ...jobUntil(Promise.resolve(), events, { ...toGo, all: 10, perSec: 2 }),
    summary: () => ({
      ...summary,
      compared: {
        blocks: [
          { from: 6, to: 9 },
          { from: 2, to: 2 },
        ],
        derived: { traces: 5, others: 1 },
      },
    }),
  };
};

const shared = ["--database-url", "postgres://user:hunter2@db/tonwire", "--global-config", "devnet.json"];

/** A command line that records its output and what it starts. */
function commandLine(overrides: Partial<Context> = {}) {
  const keysFile = join(temporaryFolder(), "keys.json");
  const printed: string[] = [];
  const errors: string[] = [];
  const started: Config[] = [];
  const events: string[] = [];
  const plans: Plan[] = [];
  const written: string[] = [];
  const served: McpPlan[] = [];
  const service = {
    listen: async () => {
      events.push("listen");
      return { url: "http://127.0.0.1:1", adminUrl: "http://127.0.0.1:2", devnetKey: "tw_devnet_x" };
    },
    reload: () => {},
    close: async () => {
      events.push("close");
    },
  };
  const startOf = (what: string) => async (config: Config) => {
    started.push(config);
    events.push(what);
    return service;
  };
  /** Notes the configuration and the plan of what it makes. */
  const planned =
    <Made>(make: () => Made) =>
    async (config: Config, plan?: Plan) => {
      started.push(config);
      if (plan) plans.push(plan);
      return make();
    };
  const usageStore = new UsageFiles(undefined);
  const context: Context = {
    env: { TONWIRE_KEYS_FILE: keysFile },
    version: "1.2.3",
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
    now: () => start,
    createService: startOf("service"),
    createApi: startOf("api"),
    createIndexer: startOf("index"),
    createBackfill: planned(() => backfillUntil(Promise.resolve(), events)),
    createBootstrap: planned(() =>
      jobUntil(Promise.resolve(), events, { ...toGo, of: "accounts", all: 10, perSec: 2 }),
    ),
    createRedetection: planned(() =>
      jobUntil(Promise.resolve(), events, { ...toGo, accounts: 10, accountsPerSec: 2 }),
    ),
    createTokenReindex: planned(() => backfillUntil(Promise.resolve(), events)),
    createReclassification: planned(() => backfillUntil(Promise.resolve(), events)),
    createDayExport: async (config, plan) => {
      started.push(config);
      events.push(JSON.stringify(plan));
      return backfillUntil(Promise.resolve(), events);
    },
    createExport: async (config, folder) => {
      started.push(config);
      return snapshotUntil(events, `export into ${folder}`);
    },
    createImport: async (config, plan) => {
      started.push(config);
      return snapshotUntil(events, `import ${plan.from} with ${plan.sample}`);
    },
    openDatabaseKeys: async () => fileKeyStore(join(temporaryFolder(), "instead-of-a-database.json")),
    openUsage: async () => usageStore,
    emptyIndex: planned(() => {}),
    migrateIndex: async (config, plan) => {
      started.push(config);
      plans.push(plan);
      return plan.citus ? { shards: 32, nodes: 4 } : undefined;
    },
    readArtifacts: async () => ({ problems: [], rows: () => [], describe: () => [] }),
    recompile: async () => ({ found: undefined, compiled: 0, failures: [] }),
    writeTypes: async (files) => `types of ${files.join(" and ")}\n`,
    writeProject: async (template, folder) => `/projects/${folder} (${template})`,
    readTrace: async (config, { hash, explain }) => {
      started.push(config);
      return {
        otherIds: [],
        lines: ({ columns, hasColour }) => [`${hash[31]} ${explain} ${columns} ${hasColour}`, "second line"],
        json: () => "{}",
      };
    },
    serveModels: async (plan) => void served.push(plan),
    serveDebugger: async ({ port }) => void written.push(`serves editors on ${port}\n`),
    terminal: { isTerminal: false, write: (text) => void written.push(text) },
    stopRequested: () => new Promise<NodeJS.Signals>((resolve) => setImmediate(resolve, "SIGTERM")),
    ...overrides,
  };
  const keys = () => readKeyFile(keysFile).keys;
  const line = (...args: string[]) => run(args, context);
  return { run: line, printed, errors, started, events, plans, written, served, keysFile, keys, usageStore };
}

describe("tonwire", () => {
  it("writes a project of a template that there is", async () => {
    const line = commandLine();
    expect(await line.run("new", "counter")).toBe(0);
    expect(await line.run("new", "counter", "mine")).toBe(0);
    const next = ["  npm install", "  npm test"];
    expect(line.printed).toEqual([
      "Wrote /projects/counter (counter). Next, in that folder:",
      ...next,
      "Wrote /projects/mine (counter). Next, in that folder:",
      ...next,
    ]);
    expect(await line.run("new", "nothing")).toBe(2);
    expect(line.errors).toEqual(["tonwire: there is no template nothing: name counter"]);
  });

  it("starts the service with and without the word, prints its URL, and closes it when asked to stop", async () => {
    for (const args of [[], ["start"]]) {
      const line = commandLine();
      expect(await line.run(...args, "--port", "9000", "--max-batch", "7")).toBe(0);
      expect(line.started).toEqual([expect.objectContaining({ port: 9000, maxBatch: 7, network: "devnet" })]);
      expect(line.events).toEqual(["service", "listen", "close"]);
      expect(line.printed.join("\n")).toContain("tonwire serves devnet at http://127.0.0.1:1");
      expect(line.printed.join("\n")).toContain(
        "curl -H 'X-API-Key: tw_devnet_x' 'http://127.0.0.1:1/api/v2/",
      );
      expect(line.printed).toContain("Open http://127.0.0.1:1/#key=tw_devnet_x in a browser, or try:");
      expect(line.errors).toEqual([]);
    }
  });

  it("shows a key that is in a file on a terminal, and elsewhere where it is", async () => {
    const listening = {
      url: "http://127.0.0.1:1",
      devnetKey: "tw_devnet_x",
      devnetKeyFile: "data/devnet.key",
    };
    const createService = async () => ({ listen: async () => listening, close: async () => {} });
    const shown = commandLine({
      createService,
      terminal: { isTerminal: true, columns: 80, write: () => {} },
    });
    await shown.run();
    expect(shown.printed).toContain("API key without limits, in data/devnet.key: tw_devnet_x");
    const logged = commandLine({ createService });
    await logged.run();
    expect(logged.printed.join("\n")).not.toContain("tw_devnet_x");
    expect(logged.printed).toContain("API key without limits, in data/devnet.key");
    expect(logged.printed).toContain("Open http://127.0.0.1:1/ in a browser, or try:");
    expect(logged.printed.join("\n")).toContain(`curl -H "X-API-Key: $(cat 'data/devnet.key')" 'http://`);
  });

  it.each([
    [true, "fork of mainnet at block 5, with proofs"],
    [false, "fork of mainnet at block 5, without proofs: the service is believed"],
  ])("prints a fork, and where else its messages are valid (proven: %s)", async (isProven, line) => {
    const warning = "a message signed here is valid there too";
    const fork = { source: "mainnet", seqno: 5, isProven, warning };
    const listening = { url: "http://127.0.0.1:1", fork };
    const createService = async () => ({ listen: async () => listening, close: async () => {} });
    const forked = commandLine({ createService });
    await forked.run();
    expect(forked.printed).toContain(line);
    expect(forked.printed).toContain(`${warning}: devnet.impersonate needs no key`);
  });

  it("prints who may change its devnet", async () => {
    const everybody = "may change the devnet: callers with an API key, nobody else";
    const local = (whose: string) =>
      `may change the devnet: callers with an API key, ${whose} programs and local pages on this machine also without one`;
    for (const [flags, wanted] of [
      [[], local("your")],
      [["--host", "localhost"], local("your")],
      [["--host", "0.0.0.0"], everybody],
      [["--trust-proxy", "1"], everybody],
      [["--devnet-key-required"], everybody],
      [["--devnet-key-required", "true"], everybody],
      [["--host", "0.0.0.0", "--devnet-key-required", "false"], local("all")],
      [["--host", "0.0.0.0", "--no-devnet-key-required"], local("all")],
    ] as const) {
      const line = commandLine({
        createService: async () => ({
          listen: async () => ({ url: "http://127.0.0.1:1", devnetKey: "k", faucet: "EQx" }),
          close: async () => {},
        }),
      });
      expect(await line.run(...flags)).toBe(0);
      expect(line.printed.filter((each) => each.includes("change"))).toEqual([wanted]);
    }
    const api = commandLine();
    await api.run("api", ...shared);
    expect(api.printed.join()).not.toContain("change");
  });

  it("prints the wallets of a devnet with their balances, and who knows their mnemonics", async () => {
    const wallets = [
      { name: "Ann", address: "UQa", balance: 10_000_000_000_000n },
      { name: "Cleo", address: "UQb", balance: 1_500_000_000n },
    ];
    const line = commandLine({
      createService: async () => ({
        listen: async () => ({ url: "http://127.0.0.1:1", faucet: "EQx", wallets }),
        close: async () => {},
      }),
    });
    expect(await line.run()).toBe(0);
    const at = line.printed.findIndex((each) => each.startsWith("wallets"));
    expect(line.printed.slice(at, at + 3)).toEqual([
      "wallets, whose mnemonics `tonwire devnet wallets --url http://127.0.0.1:1` prints:",
      "  Ann   UQa  10,000 TON",
      "  Cleo  UQb  1.5 TON",
    ]);
  });

  it("prints the block from which a client can prove a devnet's chain", async () => {
    const trustedBlock = { workchain: -1, seqno: 0 };
    const line = commandLine({
      createService: async () => ({
        listen: async () => ({ url: "http://127.0.0.1:1", trustedBlock }),
        close: async () => {},
      }),
    });
    expect(await line.run()).toBe(0);
    expect(line.printed).toContain('trustedBlock for tonwire/verified: {"workchain":-1,"seqno":0}');
  });

  it("closes the started parts when the start fails, and prints the reason without a stack", async () => {
    const events: string[] = [];
    const taken = Object.assign(new Error("listen EADDRINUSE: address already in use"), {
      syscall: "listen",
    });
    const line = commandLine({
      createService: async () => ({
        listen: () => Promise.reject(taken),
        close: async () => void events.push("close"),
      }),
    });
    expect(await line.run()).toBe(1);
    expect(events).toEqual(["close"]);
    expect(line.errors).toEqual(["tonwire: listen EADDRINUSE: address already in use"]);

    const held = commandLine({
      createService: async () => ({
        listen: () => Promise.reject(new SetupError("data/lock is held by process 7")),
        close: async () => {},
      }),
    });
    expect(await held.run()).toBe(1);
    expect(held.errors).toEqual(["tonwire: data/lock is held by process 7"]);
  });

  it("stops also while it is still starting", async () => {
    const events: string[] = [];
    const line = commandLine({
      createService: async () => ({
        listen: () => new Promise<never>(() => {}),
        close: async () => void events.push("close"),
      }),
    });
    expect(await line.run()).toBe(0);
    expect([events, line.printed, line.errors]).toEqual([["close"], [], []]);
  });

  it("starts processes that only answer and that only index, each with the settings it has", async () => {
    const api = commandLine();
    expect(await api.run("api", ...shared, "--port", "9001")).toBe(0);
    expect(api.events).toEqual(["api", "listen", "close"]);
    expect(api.started).toMatchObject([{ port: 9001, globalConfig: "devnet.json" }]);
    expect(api.printed[0]).toBe("tonwire serves devnet at http://127.0.0.1:1");

    const index = commandLine();
    expect(await index.run("index", ...shared, "--from", "7", "--health-max-lag", "30")).toBe(0);
    expect(index.events).toEqual(["index", "listen", "close"]);
    expect(index.started).toMatchObject([{ from: 7, healthMaxLag: 30 }]);
    expect(index.printed).toEqual([
      "tonwire indexes devnet into db/tonwire",
      "metrics, status and health at http://127.0.0.1:2",
    ]);
  });

  it("ends with the error that an indexer cannot recover from", async () => {
    const events: string[] = [];
    const other = new SetupError("the database is an index of another chain");
    const line = commandLine({
      createIndexer: async () => ({
        listen: async () => ({}),
        close: async () => void events.push("close"),
        ended: Promise.reject(other),
      }),
      stopRequested: () => new Promise<never>(() => {}),
    });
    expect(await line.run("index", ...shared)).toBe(1);
    expect([events, line.errors]).toEqual([
      ["close"],
      ["tonwire: the database is an index of another chain"],
    ]);
  });

  it("prints after a backfill the blocks missing between others, and the command that fills them in", async () => {
    const gap = { from: 21, to: 1648 };
    const endOf = async (gaps: ReturnType<Backfill["gaps"]>) => {
      const createBackfill = async () => ({ ...backfillUntil(Promise.resolve(), []), gaps: () => gaps });
      const line = commandLine({ createBackfill });
      expect(await line.run("backfill", ...shared, "--gaps")).toBe(0);
      return line.printed.at(-1);
    };
    expect(await endOf({ count: 1, blocks: 1628, newest: [gap] })).toBe(
      "the planned blocks are filled in, but blocks 21 to 1648 are missing between others; " +
        "to fill them in: tonwire backfill --from 21 --to 1648",
    );
    expect(await endOf({ count: 2, blocks: 1629, newest: [{ from: 7, to: 7 }, gap] })).toBe(
      "the planned blocks are filled in, but 1629 blocks are missing in 2 gaps, the last of them 21 to 1648; " +
        "to fill them in: tonwire backfill --gaps",
    );
  });

  it("stores the accounts of a file and ends", async () => {
    const line = commandLine();
    const hash = "0f".repeat(32);
    const given = ["--bootstrap", "a.boc", "--bootstrap-trust", hash, "--bootstrap-folder", "notes"];
    expect(await line.run("index", ...shared, ...given)).toBe(0);
    const trust = new Uint8Array(32).fill(15);
    expect(line.plans).toEqual([{ file: "a.boc", trust, folder: "notes" }]);
    const place = expect.stringMatching(/^tonwire stores the accounts of a\.boc in /);
    expect(line.printed).toEqual([place, expect.any(String), "all accounts are stored"]);
    expect(await line.run("index", ...shared, "--bootstrap-trust", hash)).toBe(2);
    expect(line.errors).toEqual(["tonwire: the file is missing: --bootstrap"]);
    const base64 = Buffer.from(trust).toString("base64");
    expect(await line.run("index", ...shared, "--bootstrap", "b", "--bootstrap-trust", base64)).toBe(0);
    expect(line.plans.at(-1)).toEqual({ file: "b", trust, folder: undefined });
    expect(await line.run("index", ...shared, "--bootstrap", "b", "--bootstrap-trust", "0f")).toBe(2);
    expect(line.errors.at(-1)).toContain("Allowed: 64 hex digits, or 32 bytes in base64.");
  });

  it("ends a backfill with 1 when it is stopped before its end", async () => {
    const events: string[] = [];
    const line = commandLine({ createBackfill: async () => backfillUntil(new Promise(() => {}), events) });
    expect(await line.run("backfill", ...shared, "--from", "1", "--to", "99")).toBe(1);
    expect(events).toEqual(["close"]);
    expect(line.errors).toEqual(["tonwire: stopped before the end; run the same command again to continue"]);
  });

  const database = shared.slice(0, 2);
  const folder = ["--data", "folder"];
  const admin = "metrics, status and health at http://127.0.0.1:3";
  const swaps = ["--from", "5", "--to", "9", "--type", "jetton_swap", "--workers", "3"];
  it.each<[args: string[], plans: object[], printed: string[]]>([
    [
      ["backfill", ...shared, "--from", "1", "--to", "99", "--workers", "3"],
      [{ blocks: { from: 1, to: 99 }, workers: 3 }],
      ["tonwire fills in the index in db/tonwire", admin, "all blocks are filled in"],
    ],
    [
      ["redetect", ...shared],
      [],
      [
        "tonwire recognises the contracts of the index in db/tonwire",
        admin,
        "all accounts have been looked at",
      ],
    ],
    [
      ["redetect", ...folder],
      [],
      [
        "tonwire recognises the contracts of the index in folder/index",
        admin,
        "all accounts have been looked at",
      ],
    ],
    [
      ["reindex-tokens", ...database],
      [],
      ["tonwire adds token events to the index in db/tonwire", admin, "no token event is missing"],
    ],
    [
      ["reindex-tokens", ...folder],
      [],
      ["tonwire adds token events to the index in folder/index", admin, "no token event is missing"],
    ],
    [
      ["reclassify", ...folder],
      [{ from: 1, to: 2147483646, workers: 1 }],
      ["tonwire classifies the traces of the index in folder/index", admin, "all traces are classified"],
    ],
    [
      ["reclassify", ...folder, ...swaps],
      [{ from: 5, to: 9, type: "jetton_swap", workers: 3 }],
      ["tonwire classifies the traces of the index in folder/index", admin, "all traces are classified"],
    ],
    [["migrate", ...database], [{ citus: false }], ["the tables of the index in db/tonwire are ready"]],
    [
      ["migrate", ...database, "--citus"],
      [{ citus: true }],
      ["the tables of the index in db/tonwire are ready, divided into 32 shards on 4 nodes"],
    ],
    [["empty-index", ...database], [], ["the index in db/tonwire is empty"]],
    [["empty-index", ...folder], [], ["the index in folder/index is empty"]],
  ])("runs %j to its end", async (args, plans, printed) => {
    const line = commandLine({ stopRequested: () => new Promise<never>(() => {}) });
    expect(await line.run(...args)).toBe(0);
    expect(line.started).toHaveLength(1);
    expect(line.plans).toEqual(plans);
    expect(line.printed).toEqual(printed);
    expect(line.events).toEqual(printed.includes(admin) ? ["close"] : []);
  });

  it("shows a trace by its hash in any form, as the terminal can", async () => {
    const hash = `${"00".repeat(31)}ff`;
    const url = `${"A".repeat(41)}P8`;
    for (const form of [hash, `0x${hash}`, `${url}=`, url]) {
      const line = commandLine();
      expect(await line.run("trace", form, "--data", "/data")).toBe(0);
      expect([line.printed, line.errors]).toEqual([["255 false undefined false", "second line"], []]);
      expect(line.started).toMatchObject([{ data: "/data" }]);
    }
    const terminal = { isTerminal: true, columns: 70, write: () => {} };
    const printed = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
      const line = commandLine({ terminal, env });
      expect(await line.run("trace", hash, "--data", "/data", ...args)).toBe(0);
      return line.printed[0];
    };
    expect(await printed({})).toBe("255 false 70 true");
    expect(await printed({ NO_COLOR: "1" }, "--explain")).toBe("255 true 70 false");
    expect(await printed({ NO_COLOR: "" })).toBe("255 false 70 true");
    expect(await printed({ TERM: "dumb" })).toBe("255 false 70 false");
    expect(await printed({}, "--json")).toBe("{}");
  });

  it("prints the other traces with the hash of a message", async () => {
    const line = commandLine({
      readTrace: async () => ({ otherIds: ["older", "oldest"], lines: () => ["newest"], json: () => "" }),
    });
    expect(await line.run("trace", "ab".repeat(32), "--data", "/data")).toBe(0);
    expect(line.printed).toEqual(["newest"]);
    expect(line.errors).toEqual(["tonwire: the newest of 3 traces; the others: older oldest"]);
  });

  it("prints version, help and configuration without starting anything", async () => {
    const line = commandLine();
    expect(await line.run("--version")).toBe(0);
    expect(line.printed).toEqual(["1.2.3"]);
    expect(await line.run("--help")).toBe(0);
    expect(line.printed.at(-1)).toContain("`tonwire start --help` lists");
    expect(await line.run("start", "--help")).toBe(0);
    const help = line.printed.at(-1)!;
    const groups = ["Start:", "Network:", "Index:", "Limits:", "Operation:", "Options:"];
    expect(help.match(/^[A-Z]\w+:$/gm)).toEqual(groups);
    const first = help.slice(help.indexOf("Start:"), help.indexOf("Network:"));
    expect(first).toContain("--anonymous-rps <value>");
    expect(first.match(/^ {2}--\S+/gm)).toHaveLength(10);
    line.printed.length = 0;
    expect(await line.run("--print-config", "--redis-url", "redis://:hunter2@host")).toBe(0);
    expect(JSON.parse(line.printed.join("\n"))).toMatchObject({ port: 8081, redisUrl: "redis://:***@host" });
    expect(line.started).toEqual([]);
    expect(line.errors).toEqual([]);
  });

  it.each([
    [["--prot", "1"], "error: unknown option '--prot'"],
    [["frobnicate"], "error: unknown command 'frobnicate'"],
    [["--port"], "error: option '--port <value>' argument missing"],
    [["--port", "x"], 'tonwire: --port is "x"; allowed: an integer from 0 to 65535'],
    [["keys", "frobnicate"], "error: unknown command 'frobnicate'"],
    [["keys", "create", "--network", "moon"], "Allowed choices are devnet, mainnet, testnet."],
    [["keys", "create", "--expires", "yesterday"], "or as a duration: a number with s, m, h or d"],
    [["keys", "create", "--expires", "2020-01-01"], "Allowed: a time in the future"],
    [["keys", "create", "--label", "a\nb"], "Allowed: a single line of up to 200 characters."],
    [["keys", "rotate", "k", "--grace", "1w"], "Allowed: 0, or a number with s, m, h or d, such as 1h."],
    [["keys", "plan", "gold", "--rps", "0"], "Allowed: an integer from 1 to 1000000."],
    [["keys", "plan", "gold", "--rps", "1", "--streams", "[]"], "Allowed: a JSON object."],
    [["keys", "plan", "gold", "--rps", "1", "--streams", "{"], "Allowed: a JSON object."],
    [["keys", "create", "--methods", "getShardz"], '"getShardz" is no method.'],
    [
      ["keys", "plan", "gold", "--rps", "1", "--month-calls", "0"],
      "Allowed: an integer from 1 to 999999999999",
    ],
    [["keys", "move"], "error: required option '--to <store>' not specified"],
    [
      ["api"],
      "tonwire api needs the PostgreSQL database shared with the other processes: set --database-url",
    ],
    [["api", "--no-index"], "tonwire api reads the devnet of another process: set --global-config"],
    [["index", ...shared.slice(2)], "tonwire index needs the PostgreSQL"],
    [["empty-index"], "tonwire empty-index needs the index: set --database-url, or --data"],
    [["migrate"], "tonwire migrate needs the index: set --database-url, or --data"],
    [["migrate", "--data", "x", "--citus"], "--citus needs the coordinator of a cluster: set --database-url"],
    [["reindex-tokens"], "tonwire reindex-tokens needs the index: set --database-url, or --data"],
    [["reindex-tokens", ...shared], "error: unknown option '--global-config'"],
    [["reclassify"], "tonwire reclassify needs the index: set --database-url, or --data"],
    [["reclassify", "--data", "x", "--type", "a b"], "Allowed: a type of actions, such as jetton_swap."],
    [
      ["reclassify", "--data", "x", "--from", "2", "--to", "1"],
      "--from is 2; allowed: at most 1, the value of --to",
    ],
    [["trace", "--data", "x"], "error: missing required argument 'hash'"],
    [["trace", "ab".repeat(32)], "tonwire trace needs the index: set --database-url, or --data"],
    [["trace", "ab", "--data", "x"], "Allowed: a 256-bit hash in hex, base64 or base64url."],
    [["trace", "z".repeat(64), "--data", "x"], "Allowed: a 256-bit hash in hex, base64 or base64url."],
    [["trace", "ab".repeat(32), "cd".repeat(32), "--data", "x"], "error: too many arguments"],
    [["index", ...shared, "--port", "1"], "error: unknown option '--port'"],
    [["index", ...shared, "--from", "0"], '--from is "0"; allowed: an integer from 1 to 2147483646, or head'],
    [["backfill", ...shared, "--from", "1"], "the blocks are missing: --from and --to, or --gaps"],
    [
      ["backfill", ...shared, "--from", "1", "--gaps"],
      "--gaps finds the blocks by itself: leave out --from and --to",
    ],
    [["backfill", ...shared, "--from", "x", "--to", "1"], "Allowed: an integer from 1 to 2147483646."],
    [
      ["backfill", ...shared, "--from", "2", "--to", "1"],
      "--from is 2; allowed: at most 1, the value of --to",
    ],
    [["backfill", ...shared, "--from", "1", "--to", "2", "--workers", "0"], "an integer from 1 to 99."],
    [["redetect"], "tonwire redetect needs the index: set --database-url, or --data to the folder"],
    [["redetect", ...shared.slice(0, 2)], "tonwire redetect reads the devnet of another process"],
    [["keys", "plan", "gold"], "error: required option '--rps <n>' not specified"],
  ])("refuses %j with exit code 2", async (args, message) => {
    const line = commandLine();
    expect(await line.run(...args)).toBe(2);
    expect(line.errors.join("\n")).toContain(message);
    expect(line.started).toEqual([]);
  });

  it("accepts boolean options with and without a value", async () => {
    const started = async (...args: string[]) => {
      const line = commandLine();
      expect(await line.run(...args)).toBe(0);
      return line.started.map(({ story, devnetRewards }) => [story, devnetRewards])[0];
    };
    expect(await started()).toEqual([true, false]);
    expect(await started("--no-story", "--devnet-rewards")).toEqual([false, true]);
    expect(await started("--story", "false", "--devnet-rewards", "true")).toEqual([false, true]);
    const line = commandLine();
    expect(await line.run("--story", "maybe")).toBe(2);
    expect(line.errors).toEqual(['tonwire: --story is "maybe"; allowed: true or false']);
  });

  it("holds short elections unless others are asked for", async () => {
    const elections = async (...args: string[]) => {
      const line = commandLine();
      expect(await line.run(...args)).toBe(0);
      return line.started.map(({ devnetElections, devnetValidators }) => [
        devnetElections,
        devnetValidators,
      ])[0];
    };
    expect(await elections()).toEqual(["off", undefined]);
    expect(await elections("--devnet-elections")).toEqual(["short", undefined]);
    expect(await elections("--devnet-elections=long", "--devnet-validators", "5")).toEqual(["long", 5]);
    const line = commandLine();
    expect(await line.run("--devnet-elections=now", "--devnet-validators", "17")).toBe(2);
    expect(line.errors.join("\n")).toContain('--devnet-elections is "now"; allowed: off, short, long');
    expect(line.errors.join("\n")).toContain('--devnet-validators is "17"; allowed: an integer from 1 to 16');
  });

  it("refuses a bad environment for every command", async () => {
    const line = commandLine({ env: { TONWIRE_PORT: "1" } });
    expect(await line.run()).toBe(2);
    expect(await line.run("keys", "list")).toBe(2);
    expect(line.errors[0]).toContain('unknown variable TONWIRE_PORT ("1"); allowed: HOST, PORT');
  });
});

describe("tonwire keys", () => {
  it("create prints the key once and stores it with its options", async () => {
    const line = commandLine();
    const order = ["--network", "testnet", "--plan", "unlimited", "--label", "mine", "--expires", "90d"];
    expect(await line.run("keys", "create", ...order)).toBe(0);
    const [text, note, place, service] = line.printed;
    expect(text).toMatch(/^tw_testnet_[A-Za-z0-9_-]{43}$/);
    const { id } = line.keys()[0]!;
    expect(note).toContain(`id ${id}, network testnet, plan unlimited`);
    expect(place).toBe(
      `stored in ${line.keysFile}; a service reads it there with the same --data or --keys-file`,
    );
    expect(service).toBe("it is valid for a service with --network testnet");
    expect(line.keys()).toEqual([
      {
        id,
        hash: hashKey(text!),
        network: "testnet",
        plan: "unlimited",
        label: "mine",
        created_at: "2026-01-02T03:04:05.000Z",
        expires_at: "2026-04-02T03:04:05.000Z",
      },
    ]);
  });

  it("create takes the configured network by default", async () => {
    const line = commandLine();
    const config = join(temporaryFolder(), "tonwire.json");
    writeFileSync(config, JSON.stringify({ network: "mainnet" }));
    expect(await line.run("keys", "create", "--config", config)).toBe(0);
    expect(line.keys()).toMatchObject([{ network: "mainnet", plan: "standard", label: "" }]);
  });

  it("list shows every key and its state, never a part of its text", async () => {
    const line = commandLine();
    for (const label of ["one", "two", "three"]) await line.run("keys", "create", "--label", label);
    const [one, two, three] = line.keys().map(({ id }) => id);
    const texts = line.printed.filter((text) => text.startsWith("tw_"));
    await line.run("keys", "revoke", one!);
    await line.run("keys", "rotate", two!, "--grace", "1h");
    texts.push(line.printed.at(-2)!);
    const four = line.keys()[3]!.id;
    line.printed.length = 0;
    expect(await line.run("keys", "list")).toBe(0);
    const created = "2026-01-02T03:04:05.000Z";
    const until = `active until 2026-01-02T04:04:05.000Z, replaced by ${four}`;
    expect(line.printed.map((row) => row.split(/ {2,}/))).toEqual([
      ["ID", "NETWORK", "PLAN", "STATE", "CREATED", "ONLY", "LABEL"],
      [one, "devnet", "standard", `revoked ${created}`, created, "-", "one"],
      [two, "devnet", "standard", until, created, "-", "two"],
      [three, "devnet", "standard", "active", created, "-", "three"],
      [four, "devnet", "standard", "active", created, "-", "two"],
    ]);
    const said = line.printed.join("\n") + readFileSync(line.keysFile, "utf8");
    for (const text of texts) expect(said).not.toContain(text.slice("tw_devnet_".length));
  });

  it("create and change limit a key to methods and origins", async () => {
    const line = commandLine();
    const rules = ["--methods", "v2.*,v3.jetton.wallets", "--origins", "*.example.org"];
    expect(await line.run("keys", "create", ...rules)).toBe(0);
    const { id } = line.keys()[0]!;
    expect(line.keys()[0]).toMatchObject({
      methods: ["v2.*", "v3.jetton.wallets"],
      origins: ["*.example.org"],
    });
    await line.run("keys", "list");
    expect(line.printed.at(-1)).toContain("2 methods, 1 origin");
    expect(await line.run("keys", "change", id, "--methods", "all", "--origins", "a.test,b.test")).toBe(0);
    expect(line.printed.at(-1)).toBe(`${id} changed`);
    expect(line.keys()[0]).toMatchObject({ origins: ["a.test", "b.test"] });
    expect(line.keys()[0]).not.toHaveProperty("methods");
    expect(await line.run("keys", "change", id)).toBe(1);
    expect(line.errors.at(-1)).toBe(
      "tonwire: nothing to change: name --plan, --label, --methods or --origins",
    );
    expect(await line.run("keys", "change", id, "--origins", "https://a.test")).toBe(1);
    expect(line.errors.at(-1)).toContain('"https://a.test": an origin is a host in lower case');
  });

  it("plan sets monthly quotas, and usage shows what keys used", async () => {
    const line = commandLine();
    const gold = ["keys", "plan", "gold", "--rps", "5"];
    expect(await line.run(...gold, "--month-calls", "1000", "--month-points", "9")).toBe(0);
    expect(line.printed.at(-1)).toBe(
      "plan gold: 5 calls per second, 5 at once, 1000 calls per month, 9 points per month",
    );
    expect(await line.run(...gold, "--month-points", "unlimited")).toBe(0);
    expect(readKeyFile(line.keysFile).plans).toEqual({ gold: { rps: 5, burst: 5, month: { calls: 1000 } } });
    const counts = { calls: 3, points: 4, refused: 1 };
    await line.usageStore.add("2026-01-02", [{ day: "2026-01-02", key: "k_1", ...counts }]);
    await line.usageStore.add("2025-12-31", [{ day: "2025-12-31", key: "k_1", ...counts }]);
    line.printed.length = 0;
    expect(await line.run("keys", "usage")).toBe(0);
    expect(line.printed.map((row) => row.split(/ {2,}/))).toEqual([
      ["DAY", "KEY", "CALLS", "POINTS", "REFUSED"],
      ["2026-01-02", "k_1", "3", "4", "1"],
    ]);
    expect(await line.run("keys", "usage", "--csv", "--from", "2025-12-31", "--to", "2025-12-31")).toBe(0);
    expect(line.printed.at(-1)).toBe("day,key,calls,points,refused\r\n2025-12-31,k_1,3,4,1");
    expect(await line.run("keys", "usage", "--json", "--key", "k_2")).toBe(0);
    expect(line.printed.at(-1)).toBe("[]");
    expect(await line.run("keys", "usage", "--from", "soon")).toBe(1);
    expect(line.errors.at(-1)).toContain("from is not a day");
  });

  it("plan makes a plan that keys can have", async () => {
    const line = commandLine();
    expect(await line.run("keys", "plan", "gold", "--rps", "50", "--burst", "100")).toBe(0);
    expect(await line.run("keys", "create", "--plan", "gold")).toBe(0);
    expect(readKeyFile(line.keysFile).plans).toEqual({ gold: { rps: 50, burst: 100 } });
    const streams = { connections: 100 };
    expect(await line.run("keys", "plan", "gold", "--rps", "5", "--streams", JSON.stringify(streams))).toBe(
      0,
    );
    expect(await line.run("keys", "plan", "gold", "--rps", "6")).toBe(0);
    expect(readKeyFile(line.keysFile).plans).toEqual({ gold: { rps: 6, burst: 6, streams } });
    expect(await line.run("keys", "plan", "gold", "--rps", "5", "--streams", '{"connections":-1}')).toBe(1);
    expect(line.errors.at(-1)).toMatch(/^tonwire: streams\.connections: /);
    expect(await line.run("keys", "plan", "gold", "--rps", "5", "--streams", '{"other":1}')).toBe(1);
  });

  it("plans lists the plans with the number of their keys, and removes one that no key has", async () => {
    const line = commandLine();
    await line.run("keys", "plan", "gold", "--rps", "50", "--burst", "100");
    await line.run("keys", "create", "--plan", "gold");
    line.printed.length = 0;
    expect(await line.run("keys", "plans")).toBe(0);
    expect(line.printed.map((row) => row.split(/ {2,}/))).toEqual([
      ["PLAN", "PER SECOND", "AT ONCE", "CALLS/MONTH", "POINTS/MONTH", "KEYS"],
      ["standard", "10", "10", "no limit", "no limit", "0"],
      ["unlimited", "no limit", "no limit", "no limit", "no limit", "0"],
      ["gold", "50", "100", "no limit", "no limit", "1"],
    ]);
    expect(await line.run("keys", "plans", "--remove", "gold")).toBe(1);
    const { id } = line.keys()[0]!;
    await line.run("keys", "revoke", id);
    expect(await line.run("keys", "plans", "--remove", "gold")).toBe(0);
    expect(line.printed.at(-1)).toBe("plan gold removed");
    expect(readKeyFile(line.keysFile).plans).toEqual({});
    expect(line.errors).toEqual([
      `tonwire: plan gold has keys that are not revoked, such as ${id}: revoke them first`,
    ]);
  });

  it("prints one line of JSON or the key alone, for scripts", async () => {
    const line = commandLine();
    const printed = async (...args: string[]) => {
      line.printed.length = 0;
      expect(await line.run("keys", ...args)).toBe(0);
      expect(line.printed).toHaveLength(1);
      return line.printed[0]!;
    };
    const key = await printed("create", "--quiet");
    expect(hashKey(key)).toBe(line.keys()[0]!.hash);
    const { key: text, ...made } = JSON.parse(await printed("create", "--json", "--label", "two"));
    const [one, second] = line.keys();
    const { hash, ...two } = second!;
    expect([hashKey(text), made]).toEqual([hash, two]);
    const rotated = JSON.parse(await printed("rotate", one!.id, "--json"));
    expect(JSON.parse(await printed("list", "--json"))).toEqual(
      line.keys().map(({ hash: _, ...each }) => each),
    );
    expect(hashKey(await printed("rotate", rotated.id, "--quiet"))).toBe(line.keys()[3]!.hash);
    expect(JSON.parse(await printed("revoke", two.id, "--json"))).toMatchObject({
      ...two,
      revoked_at: expect.any(String),
    });
    expect(JSON.parse(await printed("plan", "gold", "--rps", "5", "--json"))).toEqual({
      name: "gold",
      rps: 5,
      burst: 5,
    });
    expect(JSON.parse(await printed("plans", "--json"))).toEqual([
      { name: "standard", rps: 10, burst: 10, keys: 3 },
      { name: "unlimited", keys: 0 },
      { name: "gold", rps: 5, burst: 5, keys: 0 },
    ]);
    expect(JSON.parse(await printed("plans", "--remove", "gold", "--json"))).toEqual({ removed: "gold" });
    expect(await line.run("keys", "create", "--json", "--quiet")).toBe(2);
  });

  it("fails with a sentence for an impossible request", async () => {
    const line = commandLine();
    await line.run("keys", "create");
    expect(await line.run("keys", "revoke", "k_none")).toBe(1);
    expect(await line.run("keys", "create", "--plan", "gold")).toBe(1);
    writeFileSync(line.keysFile, "{}");
    expect(await line.run("keys", "list")).toBe(1);
    expect(line.errors).toEqual([
      "tonwire: key k_none does not exist",
      "tonwire: plan gold does not exist; existing plans: standard, unlimited",
      expect.stringContaining(`key store ${line.keysFile} cannot be read`),
    ]);
    expect(line.errors.join("\n")).not.toContain(".ts:");
  });

  it("only create and plan make a key store", async () => {
    const line = commandLine();
    for (const command of [["list"], ["revoke", "k_none"], ["rotate", "k_none"]])
      expect(await line.run("keys", ...command)).toBe(1);
    expect(line.printed).toEqual([]);
    expect(line.errors).toEqual(Array(3).fill(`tonwire: key store ${line.keysFile} does not exist`));
    expect(existsSync(line.keysFile)).toBe(false);
    expect(await line.run("keys", "plan", "gold", "--rps", "50")).toBe(0);
    expect(await line.run("keys", "list")).toBe(0);
  });

  it("makes the folders of its key store, and names those it cannot make", async () => {
    const line = commandLine();
    const folder = temporaryFolder();
    expect(await line.run("keys", "create", "--keys-file", join(folder, "a", "b", "keys.json"))).toBe(0);
    writeFileSync(join(folder, "file"), "");
    expect(await line.run("keys", "create", "--keys-file", join(folder, "file", "keys.json"))).toBe(1);
    expect(line.errors).toEqual([`tonwire: ${folder}/file cannot be a folder: ${folder}/file is a file`]);
  });
});

describe("tonwire mcp", () => {
  it("serves a devnet of its own, or another service", async () => {
    const line = commandLine();
    const url = "https://ton.example";
    expect(await line.run("mcp")).toBe(0);
    expect(await line.run("mcp", "--data", "folder")).toBe(0);
    expect(await line.run("mcp", "--url", url, "--key", "k")).toBe(0);
    expect(await line.run("mcp", "--url", url)).toBe(0);
    expect(line.served).toEqual([
      { data: undefined },
      { data: "folder" },
      { url, key: "k" },
      { url, key: undefined },
    ]);
    // Standard output is the protocol's.
    expect(line.printed).toEqual([]);
  });

  it("refuses what is no URL, and a folder for another service", async () => {
    const line = commandLine();
    expect(await line.run("mcp", "--url", "ton.example")).toBe(2);
    expect(await line.run("mcp", "--url", "https://ton.example", "--data", "folder")).toBe(2);
    expect(line.served).toEqual([]);
  });
});

describe("snapshots and Parquet files", () => {
  const place = ["--database-url", "postgres://db/tonwire"];

  it("export-index and import-index say what the snapshot has, and what was compared with the chain", async () => {
    const { run: line, printed, events } = commandLine();
    expect(await line("export-index", "/snapshot", ...place)).toBe(0);
    expect(await line("import-index", "https://example.com/s", ...place, "--sample", "5", ...shared)).toBe(0);
    expect(events).toContain("export into /snapshot");
    expect(events).toContain("import https://example.com/s with 5");
    const content = "blocks 1 to 9, 7 transactions, 3 files, 2 MB";
    expect(printed).toContain(content);
    expect(printed).toContain(
      `${content}: the rows of the blocks 2, 6 to 9 are those of the chain, their token events follow from them, and so do the actions of 4 of 5 traces; all other rows, contracts and holdings are trusted`,
    );
  });

  it.each([
    [["import-index", "/s", "--sample", "many"], "Allowed: a whole number from 0 to 100000."],
    [["export", "blocks", "--dir", "/d", "--from", "9", "--to", "8"], "--from is 9; allowed: at most 8"],
    [["export", "blocks"], "--dir <folder>"],
    [["export-index"], "folder"],
  ])("%s is refused", async (args, text) => {
    const { run: line, errors, started } = commandLine();
    expect(await line(...args, ...place)).not.toBe(0);
    expect(errors.join("\n")).toContain(text);
    expect(started).toEqual([]);
  });

  it("export takes a table and masterchain blocks", async () => {
    const { run: line, events } = commandLine();
    expect(await line("export", "actions", "--dir", "/d", "--from", "5", "--follow", ...place)).toBe(0);
    expect(events).toContain(JSON.stringify({ table: "actions", folder: "/d", follow: true, from: 5 }));
  });
});
