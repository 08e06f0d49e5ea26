import { beforeAll, expect, it } from "vitest";
import { type LiteApi, LiteError } from "../../../../../shared/ton/lite/lite-api.js";
import { ChainHead } from "../../../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../../../shared/ton/proofs/read/reader.js";
import { Address } from "../../../../../shared/values/address.js";
import { firstBlocks } from "../../../../helpers/http/chain-app.js";
import { describeWithChain } from "../../../../helpers/test-data.js";

const elector = new Address(-1, new Uint8Array(32).fill(0x33));

describeWithChain("a chain reader", (data) => {
  let api: LiteApi;
  beforeAll(() => {
    api = firstBlocks(data);
  });

  /** A reader, and the liteserver functions it called. */
  async function open(change: (api: LiteApi) => LiteApi = (same) => same) {
    const calls: string[] = [];
    const changed = change(api);
    const lite = new Proxy(changed, {
      get(target, name: keyof LiteApi) {
        const method = target[name] as (...args: unknown[]) => unknown;
        return (...args: unknown[]) => {
          calls.push(name);
          return method(...args);
        };
      },
    });
    const head = new ChainHead(await api.getMasterchainInfo(), () => 0);
    return { reader: new ChainReader({ lite, head }), head, calls };
  }

  it("has the last block without a call, and looks up an earlier one once", async () => {
    const { reader, calls } = await open();
    expect(await reader.blockAt(undefined)).toBe(reader.last);
    expect(await reader.blockAt(99)).toBe(reader.last);
    expect(calls).toEqual([]);
    expect(await reader.blockAt(5)).toEqual(await reader.blockAt(5));
    expect(calls).toEqual(["lookupBlock"]);
  });

  it("reads an account at a block once", async () => {
    const { reader, calls } = await open();
    const account = await reader.account(reader.last, elector);
    expect(await reader.account(reader.last, elector)).toBe(account);
    expect(await reader.account(await reader.blockAt(98), elector)).not.toBe(account);
    expect(calls).toEqual(["getAccountState", "lookupBlock", "getAccountState"]);
  });

  it("reads the configuration once per key block, also for concurrent calls", async () => {
    const { reader, calls } = await open();
    const blocks = await Promise.all([90, 95, 99].map((seqno) => reader.blockAt(seqno)));
    const configs = await Promise.all([...blocks, ...blocks].map((block) => reader.config(block)));
    for (const config of configs) expect(config).toBe(configs[0]);
    expect(calls.filter((name) => name === "getConfigAll")).toHaveLength(1);
  });

  it("does not cache failures", async () => {
    let fail = true;
    const { reader } = await open((same) => ({
      ...same,
      getConfigAll: (...args) =>
        fail ? Promise.reject(new LiteError(652, "timeout")) : same.getConfigAll(...args),
    }));
    await expect(reader.config(reader.last)).rejects.toThrow("timeout");
    fail = false;
    expect((await reader.config(reader.last)).params.has(34)).toBe(true);
  });

  it("drops everything cached by seqno after a revert", async () => {
    const { reader, calls } = await open();
    await reader.blockAt(5);
    await reader.config(reader.last);
    calls.length = 0;
    reader.forget();
    await reader.blockAt(5);
    await reader.config(reader.last);
    expect(calls).toEqual(["lookupBlock", "getConfigAll"]);
  });

  it("does not cache answers that were in flight during a revert", async () => {
    let answer = () => {};
    const { reader, calls } = await open((same) => ({
      ...same,
      lookupBlock: (...args) =>
        new Promise((resolve, reject) => {
          answer = () => same.lookupBlock(...args).then(resolve, reject);
        }),
    }));
    const early = reader.blockAt(5);
    reader.forget();
    answer();
    await early;
    const late = reader.blockAt(5);
    answer();
    await late;
    expect(calls).toEqual(["lookupBlock", "lookupBlock"]);
  });

  it("continues with a longer history where one ends, and ends the page where no server has more", async () => {
    const whole = (await open()).reader;
    const { lastTransaction: from } = await whole.account(whole.last, elector);
    const query = { address: elector, from, limit: 30, toLt: 0n };
    const { transactions } = await whole.transactions(query);
    const lts = transactions.map(({ transaction }) => transaction.lt);
    const asked: [archival: boolean | undefined, count: number][] = [];
    let archived = 10;
    const { reader, calls } = await open((same) => ({
      ...same,
      async getTransactions(request, call) {
        asked.push([call?.archival, request.count]);
        const left = (call?.archival ? archived : 3) - lts.indexOf(request.lt);
        if (left <= 0)
          throw new LiteError(-400, "cannot compute block with specified transaction: lt not in db");
        return same.getTransactions({ ...request, count: Math.min(request.count, left) });
      },
    }));
    const ltsOf = async (changes: { limit?: number; archival?: boolean; toLt?: bigint } = {}) => {
      asked.length = 0;
      const page = await reader.transactions({ ...query, ...changes });
      return page.transactions.map(({ transaction }) => transaction.lt);
    };
    expect(await ltsOf()).toEqual(lts.slice(0, 10));
    expect(asked).toEqual([
      [undefined, 16],
      [true, 16],
      [true, 16],
    ]);
    expect(await ltsOf({ archival: true, limit: 5 })).toEqual(lts.slice(0, 5));
    expect(asked).toEqual([[true, 5]]);
    archived = 16;
    expect(await ltsOf({ archival: true })).toEqual(lts.slice(0, 16));
    expect(asked).toEqual([
      [true, 16],
      [true, 14],
    ]);
    archived = 3;
    const cut = await reader.transactions(query);
    expect(cut.previous.lt).toBe(cut.transactions[2]!.transaction.prevTransLt);
    calls.length = 0;
    expect(await ltsOf({ toLt: from.lt })).toEqual([]);
    expect(calls).toEqual([]);
    archived = 0;
    await expect(ltsOf({ archival: true })).rejects.toThrow("lt not in db");
  });

  it("reads a whole page from servers that send one transaction at a time", async () => {
    const whole = (await open()).reader;
    const { lastTransaction: from } = await whole.account(whole.last, elector);
    const query = { address: elector, from, limit: 7, toLt: 0n };
    const { reader, calls } = await open((same) => ({
      ...same,
      getTransactions: (request) => same.getTransactions({ ...request, count: 1 }),
    }));
    const ltsOf = async (source: typeof reader) =>
      (await source.transactions(query)).transactions.map(({ transaction }) => transaction.lt);
    expect(await ltsOf(reader)).toEqual(await ltsOf(whole));
    expect(calls).toEqual(Array.from({ length: 7 }, () => "getTransactions"));
  });

  it("stops at a list that is empty but marked incomplete", async () => {
    const { reader, calls } = await open((same) => ({
      ...same,
      listBlockTransactions: async (request) => ({
        id: request.id,
        reqCount: request.count,
        incomplete: true,
        ids: [],
        proof: new Uint8Array(0),
      }),
    }));
    expect(await reader.listBlock({ block: reader.last, count: 5 })).toEqual({
      transactions: [],
      incomplete: true,
    });
    expect(calls).toEqual(["listBlockTransactions"]);
  });

  it("finds all transactions of an account in a block, for any page size of the server", async () => {
    const block = (await (await open()).reader.blockAt(1))!;
    const whole = (await open()).reader;
    const wanted = (await whole.blockTransactions({ block, count: 1000 })).transactions.filter(
      ({ address }) => address.equals(elector),
    );
    const { reader } = await open((same) => ({
      ...same,
      listBlockTransactionsExt: (request) => same.listBlockTransactionsExt({ ...request, count: 1 }),
    }));
    const found = await reader.accountTransactions(block, elector);
    expect(found.map(({ transaction }) => transaction.lt)).toEqual(
      wanted.map(({ transaction }) => transaction.lt),
    );
    expect(found.length).toBeGreaterThan(1);
  });

  it("aborts a read when its caller's signal aborts", async () => {
    const { reader } = await open();
    const signal = AbortSignal.abort();
    await expect(reader.account(reader.last, elector, { signal })).rejects.toMatchObject({ code: 653 });
  });
});

describeWithChain("the head of a chain", (data) => {
  it("moves forward and back, and has another key for another block with the same seqno", async () => {
    const api = firstBlocks(data);
    let now = 1000;
    const info = await api.getMasterchainInfo();
    const head = new ChainHead(info, () => now);
    const before = head.current;
    const { id } = await api.lookupBlock({ id: { ...info.last, seqno: 98 }, bySeqno: true });
    now = 2000;
    head.move(info.last);
    expect([head.current, head.seenAt]).toEqual([before, 1000]);
    head.move(id);
    expect([head.last, head.seenAt]).toEqual([id, 2000]);
    const at98 = head.current;
    head.move({ ...id, rootHash: info.last.rootHash });
    expect(head.current).not.toBe(at98);
    head.move(info.last);
    expect(head.current).toBe(before);
  });
});
