import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { LiteApi } from "../../../../../shared/ton/lite/lite-api.js";
import { TrustChain, type TrustOptions } from "../../../../../shared/ton/proofs/verify/trust/trust-chain.js";
import type { TrustRecord, TrustStore } from "../../../../../shared/ton/proofs/verify/trust/trust-record.js";
import { blockAt } from "../../../../helpers/chain/contract/target.js";
import { countedApi } from "../../../../helpers/chain/counted-api.js";
import { KeyBlockChain } from "../../../../helpers/chain/key-block-chain.js";
import { zeroStateOf } from "../../../../helpers/chain/trusted.js";

const chain = await KeyBlockChain.open();
const fork = await KeyBlockChain.open();
afterAll(() => Promise.all([chain.close(), fork.close()]));
beforeEach(() => Promise.all([chain.revert(0), fork.revert(0)]));

/** A store in memory, which does not take what `refuses` says. */
class MemoryStore implements TrustStore {
  readonly name = "memory";
  readonly written: TrustRecord[] = [];
  refuses = false;

  async read(): Promise<TrustRecord | undefined> {
    return this.written.at(-1);
  }

  async write(record: TrustRecord): Promise<void> {
    if (this.refuses) throw new Error("no room");
    this.written.push(record);
  }
}

const told: string[] = [];
beforeEach(() => {
  told.length = 0;
});
const tell = (_facts: object, text: string) => void told.push(text);

async function trusting(more: Partial<TrustOptions> = {}): Promise<TrustChain> {
  const zeroState = await zeroStateOf(chain.api);
  const network = { network: "test", zeroState, start: zeroState };
  return TrustChain.open({ ...network, log: { info: tell, warn: tell }, now: () => 1_735_690_000, ...more });
}

/** What is asked of a server. */
function listening(api: LiteApi): { api: LiteApi; asked: string[] } {
  const asked: string[] = [];
  return { api: countedApi(api, asked), asked };
}

const count = (asked: readonly string[], name: string) => asked.filter((each) => each === name).length;

describe("steps of trust", () => {
  test("to newer blocks run one after the other, so that servers with the same block ask for one proof", async () => {
    await chain.keyBlocks(1);
    const stops: number[] = [];
    const timers = { after: () => () => void stops.push(1) };
    const trust = await trusting({ timers });
    const { api, asked } = listening(chain.api);
    const heads = await Promise.all([1, 2, 3].map(() => trust.newest(api, {})));
    expect(heads.map(({ last }) => last)).toEqual([trust.head, trust.head, trust.head]);
    expect(count(asked, "getBlockProof")).toBe(1);
    // No timer of a step that has ended is left.
    expect(stops.length).toBeGreaterThan(0);
  });

  test("to older blocks wait for no other one", async () => {
    await chain.blocks(3);
    const trust = await trusting({ timers: { after: () => () => {} } });
    await trust.newest(chain.api, {});
    await chain.blocks(1);
    const silent = { ...chain.api, getBlockProof: () => new Promise<never>(() => {}) };
    void trust.newest(silent, {});
    const older = await blockAt(chain.api, 2);
    await trust.prove(chain.api, older, {});
    expect(trust.head?.seqno).toBe(3);
  });

  test("to older key blocks keep the newest one", async () => {
    await chain.keyBlocks(3);
    const store = new MemoryStore();
    await (await trusting({ store })).newest(chain.api, {});
    const trust = await trusting({ store });
    await trust.prove(chain.api, await blockAt(chain.api, 1), {});
    expect(trust.keyBlock.seqno).toBe(3);
  });

  test("warn once of a start without stakes, whatever key blocks follow", async () => {
    const trust = await trusting({ now: () => 1_735_689_600 + 90 * 86_400 });
    for (let turn = 0; turn < 3; turn++) {
      await chain.keyBlocks(1);
      await trust.newest(chain.api, {});
      await chain.blocks(1);
      await trust.newest(chain.api, {});
    }
    expect(told).toEqual([expect.stringMatching(/^trust starts at a block that is 90 days old/)]);
  });
});

describe("a kept record", () => {
  test("of another network is named with its network and zero state", async () => {
    const store = new MemoryStore();
    const zeroState = { ...(await zeroStateOf(chain.api)), rootHash: new Uint8Array(32) };
    store.written.push({
      ...{ network: "other", zeroState, start: zeroState, keyBlock: zeroState },
      ...{ genUtime: 0, verifiedAt: 0 },
    });
    await expect(trusting({ store })).rejects.toMatchObject({
      name: "OtherNetworkKept",
      message: expect.stringMatching(
        /^memory is of another network, other with the zero state \(-1,8000000000000000,0\):0{64}/,
      ),
      kept: { network: "other" },
    });
  });

  test("is compared with the servers' chain once, and written only if its start changes", async () => {
    await chain.keyBlocks(3);
    const store = new MemoryStore();
    const start = await blockAt(chain.api, 1);
    await (await trusting({ store, start })).newest(chain.api, {});
    const { length } = store.written;
    const { api, asked } = listening(chain.api);
    const trust = await trusting({ store, start });
    await Promise.all([trust.newest(api, {}), trust.newest(api, {})]);
    expect([count(asked, "lookupBlock"), count(asked, "lookupBlockWithProof")]).toEqual([1, 0]);
    expect(store.written).toHaveLength(length);
    const elsewhere = listening(chain.api);
    await (await trusting({ store, start: await blockAt(chain.api, 2) })).newest(elsewhere.api, {});
    expect(count(elsewhere.asked, "lookupBlockWithProof")).toBe(1);
    expect(store.written.slice(length).map((record) => record.start.seqno)).toEqual([2]);
  });

  test("has the newest block that was shown, unless the store took nothing last time", async () => {
    await chain.keyBlocks(1);
    const store = new MemoryStore();
    const trust = await trusting({ store });
    store.refuses = true;
    await trust.newest(chain.api, {});
    await chain.keyBlocks(1);
    await trust.newest(chain.api, {});
    const unwritable = "memory cannot be written: the next start takes longer";
    expect(told).toEqual([unwritable]);
    store.refuses = false;
    await trust.keepHead(trust.head!);
    expect([store.written, trust.floor]).toEqual([[], trust.head]);
    await chain.keyBlocks(1);
    await trust.newest(chain.api, {});
    await trust.keepHead(trust.head!);
    expect(store.written.map(({ head }) => head?.seqno)).toEqual([2, 3]);
    store.refuses = true;
    await trust.keepHead(trust.head!);
    expect(told).toEqual([unwritable, unwritable]);
  });
});

describe("after a revert of the chain", () => {
  test("to the key block or a later one, the proof goes on from it, once a server still has it", async () => {
    await chain.keyBlocks(2);
    await chain.blocks(1);
    const trust = await trusting();
    await trust.newest(chain.api, {});
    await chain.revert(2);
    await chain.keyBlocks(1);
    trust.revert(2);
    expect([trust.head, trust.keyBlock.seqno]).toEqual([undefined, 2]);
    const { api, asked } = listening(chain.api);
    expect((await trust.newest(api, {})).last).toEqual(await blockAt(chain.api, 3));
    expect(count(asked, "lookupBlock")).toBe(1);
  });

  test("to before the key block, the proof begins anew", async () => {
    await chain.keyBlocks(2);
    const trust = await trusting();
    await trust.newest(chain.api, {});
    await chain.revert(1);
    trust.revert(1);
    expect([trust.head, trust.keyBlock.seqno]).toEqual([undefined, 0]);
    const { api, asked } = listening(chain.api);
    await trust.prove(api, await zeroStateOf(chain.api), {});
    expect(asked).toEqual([]);
    expect((await trust.newest(api, {})).last).toEqual(await blockAt(chain.api, 1));
    expect(count(asked, "lookupBlock")).toBe(0);
  });

  test("servers of another chain replace what was kept without a store, too", async () => {
    await chain.keyBlocks(1);
    await fork.blocks(1);
    await fork.keyBlocks(1);
    const trust = await trusting();
    await trust.newest(chain.api, {});
    trust.revert(1);
    expect((await trust.newest(fork.api, {})).last).toEqual(await blockAt(fork.api, 2));
    expect(told).toEqual(["the record is of another chain than the liteservers and is replaced"]);
  });
});
