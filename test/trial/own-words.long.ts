import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { type Client, createClient, type SentTrace, sendAndWait, webSocket } from "../../client/index.js";
import { type WatchedTransaction, watch } from "../../client/watch/index.js";
import { type RunningDevnet, startDevnet } from "../../server/process/workers/devnet-library.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { StateInit, stateInitOf } from "../../shared/ton/tlb/state-init.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { tallyAbi, tallySource, tallyTactAbi } from "../helpers/abi/tally-contract.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { compile } from "../helpers/contracts/tolk.js";
import { RawEventStream } from "../helpers/http/event-stream.js";
import { Ledger, Receiver } from "../helpers/peers/webhook-receiver.js";
import { connectModel, httpTransport } from "../helpers/services/mcp-client.js";
import { until } from "../helpers/until.js";

// A user's own contract, whose build is in a folder: its words wherever a user meets it.

type Names = { message?: string; tooLarge?: string };
type Build = {
  compiler: string;
  /** Writes the build's file with these names. */
  write: (folder: string, code: Cell, names?: Names) => void;
  /** What the ABI knows of exit code 1234. */
  exit: (name?: string) => object;
  /** How texts have it. */
  stopped: string;
};

const save = (folder: string, file: string, json: object) =>
  writeFileSync(join(folder, file), JSON.stringify(json));
const base64 = (cell: Cell) => bytesToBase64(serializeBoc(cell));
const meaning = { exit_code: 1234, exit_meaning: "More than 1000 at once." };

const builds: Build[] = [
  {
    compiler: "Tolk, its ABI beside the code that Blueprint compiled",
    write(folder, code, names) {
      save(folder, "Tally.compiled.json", {
        hash: bytesToHex(code.hash()),
        hex: bytesToHex(serializeBoc(code)),
      });
      save(folder, "Tally.abi.json", tallyAbi(names));
    },
    exit: (exit_name = "ERR_TOO_LARGE") => ({ ...meaning, exit_name }),
    stopped: "stopped with ERR_TOO_LARGE (1234): More than 1000 at once",
  },
  {
    compiler: "Tact, as a package",
    write: (folder, code, names) =>
      save(folder, "Tally.pkg", {
        name: "Tally",
        abi: JSON.stringify(tallyTactAbi(names)),
        code: base64(code),
        compiler: { name: "tact", version: "1.6.13" },
      }),
    exit: () => meaning,
    stopped: "stopped with exit code 1234 (more than 1000 at once)",
  },
];

describe.each(builds)("a contract's own words, by $compiler", ({ write, exit, stopped }) => {
  const wallet = new TestWallet("tally", "v4r2");
  const owner = wallet.address.toRawUpper();
  let folder: string;
  let code: Cell;
  let tally: string;
  let devnet: RunningDevnet;
  let client: Client;
  /** A call that the contract refused. */
  let failed: SentTrace;
  let hash: string;

  const asking = (by: number) => beginCell().storeUint(0x7e8764ef, 32).storeUint(by, 32).endCell();
  const source = { contract: "Tally", trust: "own", by: "code" };
  const increase = (by: number) => ({ ...source, message: "Increase", fields: { by: String(by) } });
  const call = (by: number, init?: StateInit) => {
    const to = Address.read(tally)!.address;
    const boc = bytesToBase64(wallet.pay({ to, value: ton / 5n, body: asking(by), init }));
    return sendAndWait(client, boc);
  };
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${devnet.url}/api/v3/${path}`);
    if (response.status !== 200) throw new Error(await response.text());
    return response.json() as Promise<T>;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tonwire-own-words-"));
    code = await compile(tallySource);
    write(folder, code);
    const data = beginCell().storeUint(5, 32).storeUint(4, 3).storeUint(0, 8);
    const init = stateInitOf(code, data.storeBytes(wallet.address.hash).endCell());
    tally = new Address(0, encode(StateInit, init).hash()).toRawUpper();
    devnet = await startDevnet({ artifacts: folder });
    client = createClient({
      transport: webSocket(`${devnet.url}/jsonRPC`, { WebSocket }),
      apiKey: devnet.key,
    });
    await client.devnet.faucet({ address: owner });
    expect(await call(7, init)).toMatchObject({ success: true });
    failed = await call(1001);
    hash = failed.hash;
  });
  afterAll(async () => {
    client?.close();
    await devnet?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has the storage and the get-method", async () => {
    expect(await get(`accountStates?address=${tally}&include_storage=true`)).toMatchObject({
      accounts: [{ storage: { count: "12", owner } }],
    });
    expect(await client.v3.runGetMethod({ address: tally, method: "total", args: {} })).toMatchObject({
      abi: { ...source, method: "total", result: "12" },
    });
  });

  it("has the exit code in the result of sendAndWait, and in v3.messageStatus", async () => {
    const failure = { phase: "compute", ...exit(), exit_source: source };
    expect(failed).toMatchObject({
      success: false,
      status: { status: "completed", failure, text: expect.stringContaining(stopped) },
    });
    expect(await client.v3.messageStatus({ hash })).toMatchObject({ failure });
  });

  it("has message and exit code in the answer to a model", async () => {
    const model = await connectModel(httpTransport(devnet.url));
    const told = await model.text("explain_transaction", { hash });
    expect(JSON.parse(told)).toMatchObject({ failures: [exit()] });
    expect(told).toContain("Increase");
    expect(told).toContain(stopped);
  });

  it("has them in transactions, traces and actions", async () => {
    const { transactions } = await get<{ transactions: object[] }>(
      `transactions?account=${tally}&sort=asc&include_abi=true`,
    );
    const rows = [
      { in_msg: { abi: increase(7) } },
      { in_msg: { abi: increase(1001) }, description: { compute_ph: { ...exit(), exit_source: source } } },
    ];
    expect(transactions).toMatchObject(rows);
    const { traces } = await get<{ traces: { transactions: Record<string, { account: string }> }[] }>(
      `traces?account=${tally}&sort=asc&include_abi=true`,
    );
    expect(
      traces.flatMap((trace) => Object.values(trace.transactions).filter(({ account }) => account === tally)),
    ).toMatchObject(rows);
    expect(
      await get(
        `actions?account=${tally}&action_type=call_contract&sort=asc&include_abi=true&include_text=true`,
      ),
    ).toMatchObject({
      actions: [
        { abi: increase(7), text: expect.stringMatching(/called Increase of .* \(by 7\)/) },
        { abi: increase(1001), text: expect.stringContaining(stopped) },
        {},
      ],
    });
  });

  it("has them on the streams and in deliveries of webhooks", async () => {
    const receiver = await Receiver.start();
    const { id, secret } = await client.v3.webhooks.create({
      url: receiver.url,
      kind: "transactions",
      accounts: [tally],
      include: ["messages", "abi"],
    });
    const plain = await client.v3.webhooks.create({
      url: `${receiver.url}plain`,
      kind: "transactions",
      accounts: [tally],
      include: ["messages"],
    });
    const stream = RawEventStream.open(devnet.url, {
      types: ["transactions", "actions"],
      addresses: [tally],
      min_finality: "finalized",
      include_abi: true,
      include_text: true,
    });
    onTestFinished(() => stream.close());
    await stream.event("the start", ({ status }) => status === "subscribed");
    const seen: WatchedTransaction[] = [];
    let isLive = false;
    const watched = watch(client).transactions({
      accounts: [tally],
      include: ["messages", "abi"],
      onStatus: (status) => {
        isLive ||= status === "live";
      },
    });
    const watching = (async () => {
      for await (const event of watched) if (seen.push(event)) break;
    })();
    await until("the subscription", () => isLive);

    await call(1002);
    const row = {
      in_msg: { abi: increase(1002) },
      description: { compute_ph: { ...exit(), exit_source: source } },
    };
    await watching;
    expect(seen).toMatchObject([{ transaction: row }]);
    expect(await stream.event("transactions", ({ type }) => type === "transactions")).toMatchObject({
      transactions: [row],
    });
    expect(await stream.event("actions", ({ type }) => type === "actions")).toMatchObject({
      actions: expect.arrayContaining([
        expect.objectContaining({ abi: increase(1002), text: expect.stringContaining(stopped) }),
      ]),
    });
    const secrets: Record<string, string | undefined> = { [id]: secret, [plain.id]: plain.secret };
    const ledger = new Ledger((webhook) => secrets[webhook]!);
    const delivered = (path: string) =>
      until(`a delivery to ${path}`, () => receiver.requests.find((each) => each.path === path));
    expect(await ledger.take(await delivered("/"))).toMatchObject({
      webhook: id,
      events: [{ event: { type: "transaction", transaction: row } }],
    });
    expect((await delivered("/plain")).body).not.toMatch(/"abi"|exit_name|Increase/);
  });

  it("has new names at the next call once the build has changed", async () => {
    const nameOf = async () => {
      const [action] = (
        await get<{ actions: { abi: { message: string } }[] }>(
          `actions?account=${tally}&action_type=call_contract&sort=asc&include_abi=true`,
        )
      ).actions;
      return action?.abi.message;
    };
    expect(await nameOf()).toBe("Increase");
    write(folder, code, { message: "Add", tooLarge: "ERR_BEYOND" });
    await until("the new name", async () => (await nameOf()) === "Add");
    expect(await client.v3.messageStatus({ hash })).toMatchObject({ failure: exit("ERR_BEYOND") });
    expect(
      await get(
        `actions?account=${tally}&action_type=call_contract&sort=asc&include_abi=true&include_text=true`,
      ),
    ).toMatchObject({ actions: [{ text: expect.stringContaining("called Add of") }, {}, {}, {}, {}] });
  });
});
