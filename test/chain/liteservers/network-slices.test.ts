import { describe, expect, test } from "vitest";
import { type NetworkSlice, sliceOfShards } from "../../../server/chain/liteservers/network-slices.js";
import { UnavailableError } from "../../../server/chain/unavailable-error.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { LiteApi, LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { blockId } from "../../helpers/chain/fake-chain.js";
import { passPauses, setUp } from "./fake-liteservers.js";

const body = Uint8Array.of(1, 2, 3);
const unavailable = new UnavailableError();

describe("a server that holds part of the network", () => {
  const account = (first: number) => ({ workchain: 0, id: new Uint8Array(32).fill(first) });
  const [lower, upper] = [0x4000000000000000n, 0xc000000000000000n];
  const bounds = (seqno: number, lt: bigint) => [
    { workchain: -1, shard: wholeShard, seqno, utime: seqno * 10, lt },
    { workchain: 0, shard: wholeShard, seqno: seqno * 3, utime: seqno * 10, lt },
  ];
  const past = { from: bounds(20, 2000n), to: bounds(60, 6000n) };
  /** Returns a function that determines which servers a call went to. */
  async function whoIsAsked(slices: readonly (readonly NetworkSlice[])[]) {
    const { pool, servers } = await setUp([100, 100, 100], undefined, slices);
    for (const server of servers)
      server.answer = ({ method, request }) => {
        if (method === "getTransactions")
          return Promise.resolve({ ids: [], transactions: new Uint8Array(0) });
        if (method === "lookupBlock" && !("bySeqno" in request))
          return Promise.resolve({ id: blockId(1), headerProof: body });
        if (method !== "getAccountState" && method !== "getBlock") return undefined;
        const parts = { shardblk: blockId(1), shardProof: body, proof: body, state: body, data: body };
        return Promise.resolve({ ...(request as object), ...parts });
      };
    return async (ask: (api: LiteApi, call: LiteCall) => Promise<unknown>) => {
      const asked = new Set<number>();
      await ask(pool.api, { asked });
      return [...asked];
    };
  }

  test("gets requests for its shards and the masterchain", async () => {
    const asked = await whoIsAsked([
      [sliceOfShards([{ workchain: 0, shard: lower }])],
      [sliceOfShards([{ workchain: 0, shard: upper }])],
      [sliceOfShards([])],
    ]);
    const transactions = (first: number) => (api: LiteApi, call: LiteCall) =>
      api.getTransactions({ account: account(first), lt: 5n, hash: account(1).id, count: 1 }, call);
    const state = (first: number) => (api: LiteApi, call: LiteCall) =>
      api.getAccountState({ id: blockId(90), account: account(first) }, call);
    const block = (shard: bigint) => (api: LiteApi, call: LiteCall) =>
      api.getBlock({ id: { ...blockId(7), workchain: 0, shard } }, call);
    for (let i = 0; i < 4; i++) {
      expect(await asked(transactions(0x11))).toEqual([0]);
      expect(await asked(transactions(0xee))).toEqual([1]);
      expect(await asked(state(0x11))).toEqual([0]);
      expect(await asked(state(0xee))).toEqual([1]);
      expect(await asked(block(0x2000000000000000n))).toEqual([0]);
      expect(await asked(block(upper))).toEqual([1]);
    }
    const seen = new Set<number>();
    for (let i = 0; i < 3; i++)
      await Promise.all(
        Array.from({ length: 90 }, () =>
          asked((api, call) => api.getBlockHeader({ id: blockId(50) }, call)).then(([one]) => seen.add(one!)),
        ),
      );
    expect(seen).toEqual(new Set([0, 1, 2]));
  });

  test("gets requests for its range of blocks and times", async () => {
    const asked = await whoIsAsked([
      [past],
      [{ from: bounds(61, 6001n), to: [] }],
      [{ from: bounds(5, 0n), to: bounds(19, 1999n) }],
    ]);
    const lookup = (by: { lt: bigint } | { utime: number }) => (api: LiteApi, call: LiteCall) =>
      api.lookupBlock({ id: { workchain: 0, shard: upper, seqno: 0 }, ...by }, call);
    const state = (seqno: number) => (api: LiteApi, call: LiteCall) =>
      api.getAccountState({ id: blockId(seqno), account: account(3) }, call);
    const block = (seqno: number) => (api: LiteApi, call: LiteCall) =>
      api.getBlock({ id: { ...blockId(seqno), workchain: 0 } }, call);
    const transactions = (lt: bigint) => (api: LiteApi, call: LiteCall) =>
      api.getTransactions({ account: account(3), lt, hash: account(1).id, count: 1 }, call);
    const header = (api: LiteApi, call: LiteCall) => api.getBlockHeader({ id: blockId(100) }, call);
    const expected: [Parameters<typeof asked>[0], number][] = [
      [state(19), 2],
      [state(20), 0],
      [state(60), 0],
      [state(61), 1],
      [block(57), 2],
      [block(60), 0],
      [block(180), 0],
      [block(183), 1],
      [transactions(1999n), 2],
      [transactions(2000n), 0],
      [transactions(6001n), 1],
      [lookup({ lt: 6000n }), 0],
      [lookup({ utime: 190 }), 2],
      [lookup({ utime: 610 }), 1],
      [header, 1],
    ];
    for (const [question, server] of expected) expect(await asked(question)).toEqual([server]);
  });

  test("gets no requests for shards that no server holds", async () => {
    const { pool, timers } = await setUp([100], undefined, [
      [sliceOfShards([{ workchain: 0, shard: lower }])],
    ]);
    const question = { account: account(0xee), lt: 5n, hash: account(1).id, count: 1 };
    const refused = expect(pool.api.getTransactions(question)).rejects.toEqual(unavailable);
    await passPauses(timers, 1000);
    await refused;
  });

  test("gets messages to accounts of its shards", async () => {
    const { pool, counts } = await setUp([100, 100, 100], undefined, [
      [sliceOfShards([{ workchain: 0, shard: lower }])],
      [sliceOfShards([{ workchain: 0, shard: upper }])],
    ]);
    // ext_in_msg_info$10 src:addr_none dest:addr_std import_fee:0, no state, an empty body in place.
    const message = beginCell().storeUint(0b10, 2).storeUint(0, 2).storeUint(0b100, 3).storeInt(0, 8);
    message.storeBytes(account(0xee).id).storeUint(0, 4 + 1 + 1);
    await pool.api.sendMessage({ body: serializeBoc(message.endCell()) });
    expect(counts()).toEqual([0, 1, 1]);
  });
});
