import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StateFeed } from "../../../server/devnet/storage/state-feed.js";
import { CopiedStates } from "../../../server/devnet/thread/copied-states.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { type LiteApi, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { sized } from "../../helpers/effort.js";
import { noFallback, recordedFallback } from "../../helpers/no-fallback.js";
import { sharedStory } from "../../helpers/stories/shared-story.js";

const someone = new Address(0, new Uint8Array(32).fill(0x42));
const nobody = new Address(0, new Uint8Array(32).fill(0x43));
const elsewhere = new Address(5, new Uint8Array(32).fill(0x42));
const elector = new Address(masterchain, new Uint8Array(32).fill(0x33));

let devnet: Awaited<ReturnType<typeof sharedStory>>;
let head: ChainHead;
beforeAll(async () => {
  devnet = await sharedStory();
  head = new ChainHead(await devnet.api.getMasterchainInfo(), () => 0);
  devnet.events.onHead((last) => head.move(last));
});
afterAll(() => devnet.close());

/** The content of a snapshot without cells, which differ by their source. */
const told = ({
  cell,
  code,
  data,
  account,
  libraries,
  extraCurrencies,
  bytes,
  ...rest
}: AccountSnapshot) => ({
  ...rest,
  cell: cell?.hashHex(),
  code: code?.hashHex(),
  data: data?.hashHex(),
  storage: account && { lastTransLt: account.storage.lastTransLt, stat: account.storageStat },
  libraries: libraries && [...libraries.keys()],
  extraCurrencies: [...extraCurrencies.entries()],
});

/** A reader of copied states, and the number of its account requests to the devnet. */
function openReader(feed: StateFeed = devnet.feed, fallback = noFallback) {
  let asked = 0;
  const lite = new Proxy(devnet.api, {
    get: (api, name: keyof LiteApi) => {
      if (name === "getAccountState") asked++;
      return api[name];
    },
  });
  const states = new CopiedStates(feed, () => head.last.seqno, fallback);
  return { reader: new ChainReader({ lite, head, states }), asked: () => asked };
}

async function expectEqual(reader: ChainReader, block: BlockIdExt, address: Address): Promise<void> {
  const proven = await new ChainReader({ lite: devnet.api, head }).account(block, address);
  expect(told(await reader.account(block, address))).toEqual(told(proven));
}

describe("copied states", () => {
  it("have the accounts that proofs show, at each block", async () => {
    const { reader, asked } = openReader();
    const { controls } = devnet;
    const [{ faucet }, contracts] = await Promise.all([controls.info(), controls.contracts()]);
    const known = [...contracts, faucet].map(({ account }) => new Address(account.workchain, account.id));
    for (let seqno = 1; seqno <= head.last.seqno; seqno += sized(30, 12)) {
      const block = await reader.blockAt(seqno);
      for (const address of [...known, elector, nobody, elsewhere]) await expectEqual(reader, block, address);
    }
    expect(asked()).toBe(0);
  });

  it("follow new blocks, edits without a transaction included", async () => {
    const { reader, asked } = openReader();
    await expectEqual(reader, reader.last, someone);
    await devnet.controls.faucet({ workchain: 0, id: someone.hash }, 5n * ton);
    await expectEqual(reader, reader.last, someone);
    await devnet.controls.setBalance({ workchain: 0, id: someone.hash }, 7n * ton);
    expect((await reader.account(reader.last, someone)).balance).toBe(7n * ton);
    // More steps than one answer contains.
    await devnet.controls.mine(sized(130, 300));
    await expectEqual(reader, reader.last, someone);
    expect(asked()).toBe(0);
  });

  it("leave blocks that are far behind to proofs", async () => {
    const { reader, asked } = openReader();
    await expectEqual(reader, await reader.blockAt(1), elector);
    expect(asked()).toBe(1);
  });

  it("are those of the chain after a revert, though its blocks have the same numbers", async () => {
    const { reader, asked } = openReader();
    const before = reader.last;
    const { id: snapshot } = await devnet.controls.snapshot();
    await devnet.controls.setBalance({ workchain: 0, id: someone.hash }, 11n * ton);
    await devnet.controls.mine(2);
    expect((await reader.account(reader.last, someone)).balance).toBe(11n * ton);
    await devnet.controls.revert(snapshot);
    await devnet.controls.setBalance({ workchain: 0, id: someone.hash }, 13n * ton);
    await devnet.controls.mine(2);
    reader.forget();
    for (const seqno of [before.seqno, before.seqno + 1, head.last.seqno]) {
      const block = await reader.lookup({ workchain: masterchain, shard: wholeShard, seqno });
      await expectEqual(reader, block, someone);
    }
    expect((await reader.account(reader.last, someone)).balance).toBe(13n * ton);
    expect(asked()).toBe(0);
  });

  it("are fetched once for concurrent reads", async () => {
    let fetched = 0;
    const until: StateFeed["until"] = (...args) => {
      fetched++;
      return devnet.feed.until(...args);
    };
    const { reader } = openReader({ until });
    await Promise.all([someone, nobody, elector].map((address) => reader.account(reader.last, address)));
    expect(fetched).toBe(1);
  });

  it("are done without while they are too large or cannot be had", async () => {
    let fetched = 0;
    const answers = [
      async () => undefined,
      () => Promise.reject(new LiteError(liteErrorCode.notReady, "the devnet has ended")),
    ];
    for (const answer of answers) {
      const { reader, asked } = openReader({
        until() {
          fetched++;
          return answer();
        },
      });
      await expectEqual(reader, reader.last, someone);
      expect(asked()).toBe(1);
    }
    expect(fetched).toBe(2);
    const { reader } = openReader({
      until() {
        fetched++;
        return answers[0]!();
      },
    });
    for (const address of [someone, nobody, elector]) await expectEqual(reader, reader.last, address);
    expect(fetched).toBe(3);
  });

  it("are done without, and the failure reported, if they cannot be read", async () => {
    const { fallback, failures } = recordedFallback();
    const news = await devnet.feed.until(head.last, undefined);
    const damaged = { ...news!, base: { ...news!.base!, boc: new Uint8Array(7) } };
    const { reader, asked } = openReader({ until: async () => damaged }, fallback);
    await expectEqual(reader, reader.last, someone);
    expect(asked()).toBe(1);
    expect(failures).toEqual([["copied-states", expect.any(CellError)]]);
  });

  it("are done without for a block that was reverted, which is no failure", async () => {
    const { reader, asked } = openReader();
    const block = { ...reader.last, rootHash: new Uint8Array(32) };
    await expect(reader.account(block, someone)).rejects.toThrow();
    expect(asked()).toBe(1);
  });
});
