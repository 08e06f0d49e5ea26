import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isLong } from "../helpers/effort.js";
import { RawEventStream } from "../helpers/http/event-stream.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

type Block = { workchain: number; seqno: number; root_hash: string };
type Snapshot = { id: string; block: Block };

const someone = (digit: string) => `0:${digit.repeat(64)}`;

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService({ index: true, anonymousRps: "unlimited" });
  await streamsReady(service);
});
afterAll(() => service?.close());
const last = async ({ run } = service) => (await run<{ last: Block }>("getMasterchainInfo")).last;
const balance = (address: string) => service.run<string>("getAddressBalance", { address });
const snapshots = ({ run } = service) => run<{ id: string; seqno: number }[]>("devnet.snapshots");

async function refusal(method: string, params: object): Promise<[status: number, text: string]> {
  type Refused = { error: { message: string; data: { code: number } } };
  const { error } = (await service.rpc(method, params)) as Refused;
  return [error.data.code, error.message];
}

/** Blocks of the index, by workchain. */
async function blocksAt(seqno: number) {
  const path = `/api/v3/blocks?mc_seqno=${seqno}&limit=10`;
  type Found = { workchain: number; rand_seed: string; gen_utime: string };
  const { blocks } = (await service.get(path)).json as { blocks: Found[] };
  return new Map(blocks.map((block) => [block.workchain, block]));
}

describe("devnet.rollback", () => {
  it("removes the newest blocks with what they did, and the snapshots of them", async () => {
    const address = someone("a");
    await service.mine(2);
    const before = await last();
    const kept = await service.run<Snapshot>("devnet.snapshot");
    await service.run("devnet.faucet", { address, amount: "7000000000" });
    await service.run("devnet.snapshot", { name: "later" });
    await service.mine();
    const after = await last();
    const forgotten = await service.run<{ root_hash: string }>("lookupBlock", {
      workchain: -1,
      shard: "-9223372036854775808",
      seqno: after.seqno,
    });
    expect(await balance(address)).toBe("7000000000");

    const answer = await service.run("devnet.rollback", { blocks: after.seqno - before.seqno });
    expect(answer).toEqual({ block: before, settled: true });
    expect(await last()).toEqual(before);
    expect(await balance(address)).toBe("0");
    expect(await snapshots()).toEqual([{ id: kept.id, seqno: before.seqno }]);
    await service.run("devnet.deleteSnapshot", { id: kept.id });
    // The clock goes on, so that the blocks in their place have later times.
    await service.run("devnet.setBalance", { address, balance: "5" });
    await service.mine(after.seqno - before.seqno - 1);
    expect((await last()).root_hash).not.toBe(forgotten.root_hash);
    expect(await balance(address)).toBe("5");
  });

  it("is announced by streams as a reorganization", async () => {
    const address = someone("b");
    const body = { types: ["transactions"], addresses: [address] };
    const stream = RawEventStream.open(service.url, body, { key: service.key });
    onTestFinished(() => stream.close());
    await until("the stream", () => stream.frames.length === 1);
    const from = await last();
    await service.run("devnet.faucet", { address });
    await until("the payment", () => stream.events.some(({ type }) => type === "transactions"));
    const blocks = (await last()).seqno - from.seqno;
    await service.run("devnet.rollback", { blocks });
    await until("the reorganization", () => stream.events.some(({ type }) => type === "trace_invalidated"));
    const listed = await service.get(`/api/v3/transactions?account=${address}`);
    expect(listed.json).toMatchObject({ transactions: [] });
  });

  it("removes one block by default, and keeps the first one", async () => {
    await service.run("devnet.reset");
    await service.mine(3);
    const { seqno } = await last();
    expect(await service.run("devnet.rollback")).toMatchObject({ block: { seqno: seqno - 1 } });
    expect(await refusal("devnet.rollback", { blocks: seqno - 1 })).toEqual([
      409,
      `the chain has ${seqno - 1} blocks, of which the first one stays`,
    ]);
    expect(await refusal("devnet.rollback", { blocks: 2 ** 31 - 1 })).toEqual([
      409,
      expect.stringContaining("the first one stays"),
    ]);
    expect((await refusal("devnet.rollback", { blocks: 0 }))[0]).toBe(422);
    await service.run("devnet.rollback", { blocks: seqno - 2 });
    expect((await last()).seqno).toBe(1);
  });
});

describe("devnet.fork", () => {
  it("needs a fork, whose tests begin anew at other blocks", async () => {
    const before = await last();
    expect(await refusal("devnet.fork", { block: 1 })).toEqual([
      409,
      "this devnet is not a fork: start it with --fork",
    ]);
    expect(await last()).toEqual(before);
  });
});

describe("devnet.setNextBlockSeed", () => {
  const seed = Buffer.alloc(32, 7).toString("base64");

  it("sets the seed of the next block of both chains, and of no other", async () => {
    const set = await service.run("devnet.setNextBlockSeed", { seed: Buffer.alloc(32, 7).toString("hex") });
    expect(set).toEqual({ seed });
    const next = await blocksAt(await service.mine());
    expect([next.get(-1)?.rand_seed, next.get(0)?.rand_seed]).toEqual([seed, seed]);
    const later = await blocksAt(await service.mine());
    for (const workchain of [-1, 0]) expect(later.get(workchain)?.rand_seed).not.toBe(seed);
  });

  it("is void after the chain goes back", async () => {
    const seqno = await service.mine();
    const { id } = await service.run<Snapshot>("devnet.snapshot");
    const usual = await blocksAt(await service.mine());
    await service.run("devnet.setNextBlockSeed", { seed });
    await service.run("devnet.revert", { id });
    const again = await blocksAt(await service.mine());
    expect((await last()).seqno).toBe(seqno + 1);
    expect(again.get(0)?.rand_seed).toBe(usual.get(0)?.rand_seed);
    await service.run("devnet.clearSnapshots");
  });

  it("refuses what is no seed", async () => {
    for (const bad of ["", "7", "x".repeat(64), Buffer.alloc(33).toString("base64")])
      expect((await refusal("devnet.setNextBlockSeed", { seed: bad }))[0]).toBe(422);
    expect((await refusal("devnet.setNextBlockSeed", {}))[0]).toBe(422);
  });
});

describe("a fixed clock with a step", () => {
  it("gives each block a time one step after that of the block before", async () => {
    const first = Number((await blocksAt(await service.mine())).get(-1)?.gen_utime);
    expect(await service.run("devnet.setClock", { mode: "fixed", step: 30 })).toEqual({
      mode: "fixed",
      step: 30,
      now: first + 30,
    });
    expect(await service.run("devnet.info")).toMatchObject({ clock: "fixed", clock_step: 30 });
    await service.run("devnet.setBalance", { address: someone("c"), balance: "1" });
    const second = await service.run<{ block: Block }>("devnet.setBalance", {
      address: someone("c"),
      balance: "2",
    });
    expect(Number((await blocksAt(second.block.seqno)).get(0)?.gen_utime)).toBe(first + 60);
    // The step stays where it is not named.
    expect(await service.run("devnet.setClock", { mode: "fixed" })).toMatchObject({ step: 30 });
    expect(await service.run("devnet.setClock", { mode: "fixed", step: 1 })).toMatchObject({ step: 1 });
  });

  it("may stand still, and has no step below that", async () => {
    const { now } = await service.run<{ now: number }>("devnet.setClock", { mode: "fixed", step: 0 });
    const { block } = await service.run<{ block: Block }>("devnet.mine", { blocks: 2, interval: 0 });
    expect(Number((await blocksAt(block.seqno)).get(-1)?.gen_utime)).toBe(now);
    await service.run("devnet.setClock", { mode: "fixed", step: 1 });
    expect((await refusal("devnet.setClock", { mode: "fixed", step: -1 }))[0]).toBe(422);
    expect(await refusal("devnet.setClock", { mode: "wall", step: 5 })).toEqual([
      422,
      expect.stringContaining("step is for the fixed clock"),
    ]);
  });
});

describe("devnet.clearSnapshots", () => {
  it("deletes all snapshots, and leaves the chain as it is", async () => {
    await service.run("devnet.clearSnapshots");
    await service.run("devnet.snapshot");
    await service.run("devnet.snapshot", { name: "mine" });
    const before = await last();
    expect(await service.run("devnet.clearSnapshots")).toEqual({ deleted: 2 });
    expect(await snapshots()).toEqual([]);
    expect(await last()).toEqual(before);
    expect(await service.run("devnet.clearSnapshots")).toEqual({ deleted: 0 });
    expect(await service.run("devnet.snapshot", { name: "mine" })).toMatchObject({ id: "mine" });
    await service.run("devnet.clearSnapshots");
  });

  it.runIf(isLong)("deletes them for good", async () => {
    const data = temporaryFolder();
    const first = await startDevnetService({ data });
    await first.run("devnet.snapshot", { name: "gone" });
    await first.run("devnet.clearSnapshots");
    await first.run("devnet.snapshot", { name: "kept" });
    await first.close();
    const second = await startDevnetService({ data });
    onTestFinished(() => second.close());
    expect((await snapshots(second)).map(({ id }) => id)).toEqual(["kept"]);
  });
});

describe("a file of one snapshot", () => {
  it("brings a devnet to the snapshot, with the named snapshots before it", async () => {
    await service.mine(2);
    await service.run("devnet.snapshot", { name: "early" });
    const address = someone("d");
    await service.run("devnet.faucet", { address, amount: "3" });
    const { id, block } = await service.run<Snapshot>("devnet.snapshot");
    await service.run("devnet.faucet", { address, amount: "4" });
    await service.run("devnet.snapshot", { name: "late" });
    const wanted = await last();
    const file = await service.run<{ state: string; block: Block }>("devnet.exportState", { snapshot: id });
    expect(file.block).toEqual(block);
    expect(await last()).toEqual(wanted);

    const imported = await service.run("devnet.importState", { state: file.state });
    expect(imported).toMatchObject({ block });
    expect(await balance(address)).toBe("3");
    expect((await snapshots()).map((each) => each.id)).toEqual(["early"]);
  });

  it("needs a snapshot that exists", async () => {
    expect(await refusal("devnet.exportState", { snapshot: "none" })).toEqual([
      404,
      "there is no snapshot none",
    ]);
  });
});
