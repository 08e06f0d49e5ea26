import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { BlockPair } from "../../../server/devnet/collate/block/block-pair.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { variants } from "../../helpers/effort.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { SyntheticChain } from "./synthetic-chain.js";

/** A step without its cells, for comparisons. */
function plain(pair: BlockPair | undefined) {
  if (!pair) return undefined;
  const withoutCells = ({ root, state, ...block }: BlockPair["masterchain"]) => ({
    ...block,
    boc: new Uint8Array(block.boc),
    root: root.hashHex(),
    state: state.hashHex(),
  });
  return {
    ...pair,
    basechain: withoutCells(pair.basechain),
    masterchain: withoutCells(pair.masterchain),
    edited: pair.edited.map(String),
    signatures: {
      ...pair.signatures,
      signatures: pair.signatures.signatures.map(({ signature }) => bytesToHex(signature)),
    },
    finished: pair.finished.map(({ hash, included }) => ({ hash: bytesToHex(hash), included })),
  };
}

async function filled(store: ChainStore, chain: SyntheticChain, steps: number): Promise<BlockPair[]> {
  const pairs: BlockPair[] = [];
  for (let step = 0; step < steps; step++) {
    const pair = chain.step();
    await store.append(pair);
    pairs.push(pair);
  }
  return pairs;
}

function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(bytes).digest());
}

/** Small enough that a short chain has recent, stored and rebuilt states. */
const limits = { recent: 4, interval: 10 };

for (const where of variants(["a directory"], ["memory"])) {
  const newStore = () => new ChainStore(where === "memory" ? undefined : temporaryFolder(), limits);

  describe(`blocks kept in ${where}`, () => {
    test("a new chain has no steps, but the zero states", async () => {
      const chain = new SyntheticChain();
      const store = newStore();
      expect(await store.open(chain.genesis)).toEqual({ last: undefined, pending: [], snapshots: [] });
      expect(store.index.lastSeqno).toBe(0);
      expect((await store.statesAt(0))?.masterchain.hashHex()).toBe(
        chain.genesis.masterchain.state.hashHex(),
      );
      expect(await store.statesAt(1)).toBeUndefined();
      await store.close();
    });

    test("every step is found by seqno, logical time and unix time", async () => {
      const chain = new SyntheticChain();
      const store = newStore();
      await store.open(chain.genesis);
      const pairs = await filled(store, chain, 25);
      for (const pair of pairs) {
        const { id, startLt, endLt, genUtime } = pair.masterchain;
        const read = await store.pair(id.seqno);
        expect(new Uint8Array(read.masterchain.boc)).toEqual(pair.masterchain.boc);
        expect(read.roots.basechain.hashHex()).toBe(pair.basechain.root.hashHex());
        expect(read.signatures).toEqual(pair.signatures);
        for (const lt of [startLt, endLt]) expect(store.index.findByLt(-1, lt)?.id).toEqual(id);
        expect(store.index.findByLt(0, endLt - 1_000_000n + 1n)?.id).toEqual(pair.basechain.id);
        expect(store.index.findByUtime(-1, genUtime)?.id).toEqual(id);
        expect(store.index.findByUtime(-1, genUtime - 1)?.id).toEqual(id);
        expect(store.index.get(id.seqno)?.edited).toEqual(pair.edited);
      }
      expect(store.index.findByLt(0, 1n << 60n)).toBeUndefined();
      expect([store.index.keyBlockAtOrBefore(9), store.index.keyBlockAtOrBefore(19)]).toEqual([0, 10]);
      expect([store.index.keyBlockAfter(10), store.index.keyBlockAfter(20)]).toEqual([20, undefined]);
      await store.close();
    });

    test("old states of any age are rebuilt from the updates", async () => {
      const chain = new SyntheticChain();
      const store = newStore();
      await store.open(chain.genesis);
      const hashes = (await filled(store, chain, 33)).map(({ masterchain, basechain }) => ({
        masterchain: masterchain.state.hashHex(),
        basechain: basechain.state.hashHex(),
      }));
      for (const seqno of [1, 5, 9, 10, 11, 28, 29, 30, 33, 5]) {
        const states = await store.statesAt(seqno);
        expect(
          { masterchain: states!.masterchain.hashHex(), basechain: states!.basechain.hashHex() },
          `step ${seqno}`,
        ).toEqual(hashes[seqno - 1]);
      }
      await store.close();
    });

    test("the first read of an old state succeeds, also at and next to cached states", async () => {
      const chain = new SyntheticChain();
      const sparse = { recent: 2, interval: 1000 };
      const store = new ChainStore(where === "memory" ? undefined : temporaryFolder(), sparse);
      await store.open(chain.genesis);
      const hashes = (await filled(store, chain, 60)).map(({ masterchain }) => masterchain.state.hashHex());
      const read = async (seqno: number) => (await store.statesAt(seqno))!.masterchain.hashHex();
      // The second read is in flight when the first one passes its step.
      expect(await Promise.all([read(55), read(50)])).toEqual([hashes[54], hashes[49]]);
      expect(await read(25)).toBe(hashes[24]);
      await store.close();
    });

    test("after a revert the later steps are gone and can be replaced", async () => {
      const chain = new SyntheticChain();
      const store = newStore();
      await store.open(chain.genesis);
      const pairs = await filled(store, chain, 12);
      let changes = 0;
      store.changes.add(() => changes++);
      expect(plain(await store.revert(7))).toEqual(plain(pairs[6]));
      expect(store.index.lastSeqno).toBe(7);
      expect(await store.statesAt(8)).toBeUndefined();
      await expect(store.pair(8)).rejects.toThrow("there is no step 8");
      expect(store.index.keyBlockAtOrBefore(12)).toBe(0);
      chain.continueFrom(7, (await store.statesAt(7))!);
      const other = chain.step(500);
      await store.append(other);
      expect((await store.pair(8)).masterchain.id).toEqual(other.masterchain.id);
      expect(changes).toBe(2);
      expect(await store.revert(0)).toBeUndefined();
      await expect(store.revert(1)).rejects.toThrow("there is no step 1 to go back to");
      await store.close();
    });

    test("a step that is not the next one is refused", async () => {
      const chain = new SyntheticChain();
      const store = newStore();
      await store.open(chain.genesis);
      const first = chain.step();
      await expect(store.append(chain.step())).rejects.toThrow("step 1 has blocks 2 ");
      await store.append(first);
      expect(store.index.lastSeqno).toBe(1);
      await store.close();
    });
  });
}

const signed = (...bytes: number[]) => ({ boc: Uint8Array.of(...bytes), ignoresSignatures: false });

describe("a chain in a directory", () => {
  test("continues after a restart, with its edits, messages and reverts", async () => {
    const path = temporaryFolder();
    const chain = new SyntheticChain();
    const first = new ChainStore(path);
    await first.open(chain.genesis);
    await filled(first, chain, 15);
    await first.revert(11);
    chain.continueFrom(11, (await first.statesAt(11))!);
    const messages = ["one", "two", "three", "four"].map((text) => ({
      boc: new TextEncoder().encode(text),
      ignoresSignatures: text === "three",
    }));
    for (const message of messages) await first.accept(message);
    const last = chain.step(9, [{ hash: sha256(messages[1]!.boc), included: true }]);
    await first.append(last);
    await first.drop(sha256(messages[3]!.boc));
    await first.close();

    const second = new ChainStore(path);
    const stored = await second.open(new SyntheticChain().genesis);
    expect(plain(stored.last)).toEqual(plain(last));
    expect(stored.pending).toEqual([messages[0], messages[2]]);
    for (const seqno of [3, 6, 9, 12])
      expect(second.index.get(seqno)?.edited.map(String), `edits of ${seqno}`).toHaveLength(1);
    const next = chain.step();
    await second.append(next);
    await second.close();

    const third = new ChainStore(path);
    expect(plain((await third.open(chain.genesis)).last)).toEqual(plain(next));
    await third.close();
  });

  test("messages accepted before a revert are not sent again", async () => {
    const path = temporaryFolder();
    const chain = new SyntheticChain();
    const store = new ChainStore(path);
    await store.open(chain.genesis);
    await store.accept(signed(1, 2, 3, 4));
    await store.revert(0);
    await store.accept(signed(5, 6, 7, 8));
    await store.close();
    const again = new ChainStore(path);
    expect((await again.open(chain.genesis)).pending).toEqual([signed(5, 6, 7, 8)]);
    await again.close();
  });

  test("keeps the last two snapshots and starts from the newest", async () => {
    const path = temporaryFolder();
    const chain = new SyntheticChain();
    const store = new ChainStore(path, limits);
    await store.open(chain.genesis);
    await filled(store, chain, 35);
    const at = async (kept: ChainStore, seqno: number) => (await kept.statesAt(seqno))!.masterchain.hashHex();
    const expected = [await at(store, 15), await at(store, 29), await at(store, 35)];
    await store.close();
    const snapshots = () =>
      readdirSync(path)
        .filter((name) => name.startsWith("state-"))
        .sort();
    expect(snapshots()).toEqual(["state-20.boc", "state-30.boc"]);

    const again = new ChainStore(path, limits);
    await again.open(chain.genesis);
    expect([await at(again, 15), await at(again, 29), await at(again, 35)]).toEqual(expected);
    await again.revert(25);
    expect(snapshots()).toEqual(["state-20.boc"]);
    await again.close();

    // Snapshots that do not belong to a block of the chain or are invalid are skipped.
    writeFileSync(join(path, "state-24.boc"), readFileSync(join(path, "state-20.boc")));
    writeFileSync(join(path, "state-25.boc"), readFileSync(join(path, "state-20.boc")).subarray(0, 100));
    const third = new ChainStore(path, limits);
    const { last } = await third.open(chain.genesis);
    expect(last!.masterchain.id.seqno).toBe(25);
    expect(await at(third, 15)).toBe(expected[0]);
    await third.close();
  });

  test("belongs to one chain: opening it with another seed throws", async () => {
    const path = temporaryFolder();
    const store = new ChainStore(path);
    await store.open(new SyntheticChain().genesis);
    await store.close();
    const meta = JSON.parse(readFileSync(join(path, "meta.json"), "utf8"));
    expect(meta).toMatchObject({
      format: 1,
      seed: "synthetic",
      zero_state: { masterchain: {}, basechain: {} },
    });
    const other = new ChainStore(path);
    await expect(other.open(new SyntheticChain("other").genesis)).rejects.toThrow(
      `${path} holds a devnet with the seed "synthetic", not "other"; set --devnet-seed to continue it`,
    );
    const again = new ChainStore(path);
    await again.open(new SyntheticChain().genesis);
    await again.close();
  });

  test("is used by one process at a time, and survives a dead one", async () => {
    const path = temporaryFolder();
    const { genesis } = new SyntheticChain();
    const store = new ChainStore(path);
    await store.open(genesis);
    const second = new ChainStore(path);
    await expect(second.open(genesis)).rejects.toThrow(`is held by process ${process.pid}`);
    await store.close();
    writeFileSync(join(path, "lock"), "999999999 1");
    const third = new ChainStore(path);
    await third.open(genesis);
    await third.close();
  });

  test("an emptied log does not count as a new chain", async () => {
    const path = temporaryFolder();
    const chain = new SyntheticChain();
    const store = new ChainStore(path);
    await store.open(chain.genesis);
    await filled(store, chain, 3);
    await store.close();
    for (const spoil of [
      () => writeFileSync(join(path, "chain.log"), ""),
      () => rmSync(join(path, "chain.log")),
    ]) {
      spoil();
      const again = new ChainStore(path);
      await expect(again.open(chain.genesis)).rejects.toMatchObject({
        isSetupError: true,
        message: `${join(path, "chain.log")} is empty, but it has held a chain: restore it, or remove the folder to begin a new chain`,
      });
    }
  });

  test("a directory whose process ended before its first block is reused", async () => {
    const path = temporaryFolder();
    const chain = new SyntheticChain();
    const store = new ChainStore(path);
    await store.open(chain.genesis);
    await store.close();
    const again = new ChainStore(path);
    expect(await again.open(chain.genesis)).toEqual({ last: undefined, pending: [], snapshots: [] });
    await filled(again, chain, 2);
    await again.close();
  });

  test("a damaged block makes opening throw", async () => {
    const path = temporaryFolder();
    const chain = new SyntheticChain();
    const store = new ChainStore(path);
    await store.open(chain.genesis);
    await filled(store, chain, 5);
    const { position } = store.index.get(3)!;
    await store.close();
    const log = readFileSync(join(path, "chain.log"));
    log[position + 100]! ^= 1;
    writeFileSync(join(path, "chain.log"), log);
    const again = new ChainStore(path);
    // The accounts edited in a step are a record before it.
    await expect(again.open(chain.genesis)).rejects.toThrow(`damaged at byte ${position}`);
  });
});
