import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { DebugRuns } from "../../../server/chain/retrace/debug-runs.js";
import { Retrace } from "../../../server/chain/retrace/retrace.js";
import { serveChain } from "../../../server/chain/serve/serve.js";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { type LiteApi, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { computePhaseOf, isFixed } from "../../../shared/ton/run/debug-run.js";
import type { LogDetail } from "../../../shared/ton/run/method-request.js";
import type { ProofLevel } from "../../../shared/ton/run/retrace/block-retrace.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { funded, openTestChain, settleDown, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { frozenAccount } from "../../helpers/chain/frozen-account.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { type RecordedRuns, runsOfFixture, runsOfStates } from "../../helpers/chain/recorded-runs.js";
import { unknownBuild } from "../../helpers/chain/unknown-build.js";
import { isLong, sized } from "../../helpers/effort.js";
import { describeWithChain } from "../../helpers/test-data.js";

const options = { deadlineMs: 300_000 };

let executor: ExecutorThreads;
beforeAll(() => {
  executor = new ExecutorThreads({ threads: 1, deadlineMs: 300_000 });
});
afterAll(() => executor.close());

/** How many transactions have each level, up to so many accounts. */
async function levelsOf(
  { reader, block, accounts }: RecordedRuns,
  count: number,
  { log = "none" as LogDetail, threads = executor } = {},
): Promise<Partial<Record<ProofLevel, number>>> {
  const retrace = new Retrace({ reader, executor: threads });
  const levels: Partial<Record<ProofLevel, number>> = {};
  for (const address of accounts.slice(0, count)) {
    const { transactions } = await retrace.block({ block, address }, { ...options, log, force: true });
    for (const { level } of transactions) levels[level] = (levels[level] ?? 0) + 1;
  }
  return levels;
}

describeWithChain("recorded blocks of mainnet, run again", (chain) => {
  const fixture = runsOfFixture(chain);
  const states = runsOfStates(chain);

  it.skipIf(!fixture)("are exact in a block of 2026 with the recorded accounts", async () => {
    const levels = await levelsOf(fixture!, sized(20, 1000));
    expect(levels).toEqual({ exact: sized(20, 269) });
  });

  it.skipIf(!states)("are exact in a block of 2025 with parts of the states before it", async () => {
    const levels = await levelsOf(states!, sized(10, 1000));
    expect(levels).toEqual({ exact: sized(10, 65) });
  });

  it.runIf(isLong && fixture).each(["steps", "gas", "stack"] as const)(
    "are exact with a log of the detail %s",
    async (log) => {
      expect(await levelsOf(fixture!, 1000, { log })).toEqual({ exact: 269 });
    },
  );

  it.skipIf(!fixture)("have as many steps as the chain counts, with all the gas", async () => {
    const runs = new DebugRuns(new Retrace({ reader: fixture!.reader, executor }));
    let compared = 0;
    for (const address of fixture!.accounts.slice(0, sized(40, 1000)))
      for (const { transaction } of await fixture!.reader.accountTransactions(fixture!.block, address)) {
        const compute = computePhaseOf(transaction);
        if (!compute || isFixed(compute)) continue;
        const place = { address, lt: transaction.lt };
        const { log } = await runs.transaction(place, { force: false, withStacks: false }, {});
        const { vmSteps, gasUsed } = compute;
        let gas = 0;
        for (let n = log.first; n < log.end; n++) gas += log.at(n).gas ?? 0;
        expect({ first: log.first, end: log.end, gas }).toEqual({
          first: 0,
          end: vmSteps,
          gas: Number(gasUsed),
        });
        compared++;
      }
    expect(compared).toBe(sized(7, 52));
  });

  it.runIf(isLong && fixture)("are exact in a build without patches", async () => {
    const threads = new ExecutorThreads({ threads: 1, deadlineMs: 300_000, wasm: unknownBuild() });
    try {
      expect(await levelsOf(fixture!, 1000, { threads })).toEqual({ exact: 269 });
    } finally {
      await threads.close();
    }
  });

  it("end in the same states in the first blocks of mainnet, whose fees differ", async () => {
    const lite = replayOf(chain.folder);
    const reader = new ChainReader({ lite, head: new ChainHead(await lite.getMasterchainInfo(), Date.now) });
    const retrace = new Retrace({ reader, executor });
    const levels: Partial<Record<ProofLevel, number>> = {};
    for (let seqno = 1; seqno <= sized(4, 99); seqno++) {
      const block = await reader.lookup({ workchain: masterchain, shard: wholeShard, seqno });
      const { transactions } = await reader.listBlock({ block, count: 256 });
      for (const id of new Set(transactions.map(({ account }) => bytesToHex(account)))) {
        const address = new Address(masterchain, Buffer.from(id, "hex"));
        const done = await retrace.block({ block, address }, options);
        for (const { level } of done.transactions) levels[level] = (levels[level] ?? 0) + 1;
      }
    }
    // In 2019 a message's fees were divided otherwise; nothing was for ticks and tocks.
    expect(levels).toEqual(isLong ? { exact: 395, state: 692 } : { exact: 15, state: 27 });
  });
});

describe("transactions of a devnet, run again", () => {
  const [ann, ben, cleo, dora] = ["ann", "ben", "cleo", "dora"].map((name) => new TestWallet(name)) as [
    TestWallet,
    TestWallet,
    TestWallet,
    TestWallet,
  ];
  // With the state of its address the account would be uninitialised rather than frozen.
  const frozenState = stateInitOf(dora.wallet.init.code!, Cell.empty);
  const frozenEntry: ShardAccount = {
    account: CellOf.in(Account, frozenAccount(dora.address, frozenState, ton / 5n, 0)),
    lastTransHash: new Uint8Array(32),
    lastTransLt: 0n,
  };
  const pay = (from: TestWallet, to: TestWallet) => from.pay({ to: to.address, value: ton, bounce: false });
  let chain: DevnetChain;
  let lite: LiteApi;
  let blocks: readonly BlockIdExt[];

  beforeAll(async () => {
    const storage = new ChainStore();
    chain = await openTestChain({ accounts: funded([ann, ben]), rewards: true, storage });
    await chain.begin();
    // Two messages of one account in a block; the first creates an account, and others follow in later blocks.
    for (const [from, to] of [
      [ann, ben],
      [ann, cleo],
    ] as const)
      await chain.sendTrusted(pay(from, to));
    await settleDown(chain);
    await chain.sendTrusted(pay(cleo, ann));
    await settleDown(chain);
    for (let order = 0; order < 5; order++) await chain.sendTrusted(pay(ben, ann));
    await settleDown(chain);
    await chain.step({ edits: [{ address: dora.address, change: () => frozenEntry }] });
    const thaw = { to: dora.address, value: 3n * ton, bounce: false, init: frozenState };
    await chain.sendTrusted(ann.pay(thaw));
    await settleDown(chain);
    lite = serveChain(new ServedDevnet(storage), {
      methods: {
        runMethod: () => Promise.reject(new Error("nothing is run here")),
        randomBytes: (count) => new Uint8Array(count),
      },
      sendMessage: () => Promise.reject(new Error("nothing is sent")),
      now: () => 1_800_000_000,
    });
    const { last } = await lite.getMasterchainInfo();
    blocks = await Promise.all(
      [0, masterchain].flatMap((workchain) =>
        Array.from({ length: last.seqno }, async (_, at) => {
          const id = { workchain, shard: wholeShard, seqno: at + 1 };
          return (await lite.lookupBlock({ id, bySeqno: true })).id;
        }),
      ),
    );
    return () => chain.close();
  });

  const retraceOf = async (api: LiteApi) => {
    const reader = new ChainReader({
      lite: api,
      head: new ChainHead(await api.getMasterchainInfo(), Date.now),
    });
    return { reader, retrace: new Retrace({ reader, executor }) };
  };

  /** A service whose servers keep blocks, but no states. */
  const stateless = (): LiteApi => {
    const gone = () => Promise.reject(new LiteError(liteErrorCode.notReady, "state is not in db"));
    return {
      ...lite,
      getAccountState: gone,
      getLibrariesWithProof: gone,
      getConfigParams: gone,
      getConfigAll: (query, call) => (query.fromPrevKeyBlock ? lite.getConfigAll(query, call) : gone()),
    };
  };

  it("are exact: messages, ticks, tocks and creations, and five of an account in a block", async () => {
    const { reader, retrace } = await retraceOf(lite);
    const kinds = new Map<string, number>();
    let most = 0;
    for (const block of blocks) {
      const { transactions } = await reader.blockTransactions({ block, count: 256 });
      const accounts = new Map(transactions.map(({ address }) => [address.toRaw(), address]));
      for (const address of accounts.values()) {
        const done = await retrace.block({ block, address }, options);
        expect(done.level).toBe("exact");
        most = Math.max(most, done.transactions.length);
        for (const { found } of done.transactions) {
          const { kind } = found.transaction.description.value;
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
      }
    }
    expect([...kinds.keys()].sort()).toEqual(["ord", "tickTock"]);
    expect(most).toBeGreaterThanOrEqual(5);
  });

  it("begin with the account's first transaction where no server has a state", async () => {
    const { reader, retrace } = await retraceOf(stateless());
    const { lastTransHash: hash, lastTransLt: lt } = chain.account(0, cleo.address.hash)!;
    const page = await reader.transactions({ address: cleo.address, from: { lt, hash }, limit: 9, toLt: 0n });
    const done = await retrace.block({ block: page.blocks[0]!, address: cleo.address, lt }, options);
    expect(done.level).toBe("exact");
    expect(done.fromBirth).toBeGreaterThan(0);
    const ofGenesis = chain.account(0, ann.address.hash)!;
    const [block] = (
      await reader.transactions({
        address: ann.address,
        from: { lt: ofGenesis.lastTransLt, hash: ofGenesis.lastTransHash },
        limit: 1,
        toLt: 0n,
      })
    ).blocks;
    await expect(retrace.block({ block: block!, address: ann.address }, options)).rejects.toMatchObject({
      kind: "state-unavailable",
    });
  });

  it("are exact where a message brings the state of a frozen account", async () => {
    const { reader, retrace } = await retraceOf(lite);
    const { lastTransLt: lt } = chain.account(0, dora.address.hash)!;
    const block = await retrace.find({ address: dora.address, lt }, {});
    const done = await retrace.block({ block, address: dora.address, lt }, options);
    expect(done.level).toBe("exact");
    const { transaction } = done.transactions.at(-1)!.found;
    expect(transaction).toMatchObject({ origStatus: "frozen", endStatus: "active" });
    const { before } = done.inputs;
    expect((await reader.account(before, dora.address)).status).toBe("frozen");
  });

  it("are refused at a logical time of none", async () => {
    const { retrace } = await retraceOf(lite);
    const wanted = { block: blocks[0]!, address: ann.address, lt: 5n };
    await expect(retrace.block(wanted, options)).rejects.toMatchObject({ kind: "absent" });
  });
});
