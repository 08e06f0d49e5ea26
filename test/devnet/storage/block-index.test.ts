import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { BlockIndex } from "../../../server/devnet/storage/block-index.js";
import type { StoredBlock, StoredPair } from "../../../server/devnet/storage/chain-records.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";

const hashOf = (text: string) => new Uint8Array(createHash("sha256").update(text).digest());

function blockOf(workchain: number, seqno: number, note: string): StoredBlock {
  const name = `${note} ${workchain} ${seqno}`;
  return {
    id: {
      workchain,
      shard: wholeShard,
      seqno,
      rootHash: hashOf(`root ${name}`),
      fileHash: hashOf(`file ${name}`),
    },
    boc: new Uint8Array(0),
    genUtime: 4_000_000_000 + seqno,
    startLt: (1n << 60n) + BigInt(seqno) * 1_000_000n,
    endLt: (1n << 60n) + BigInt(seqno) * 1_000_000n + 7n,
    transactionCount: 0,
  };
}

function pairOf(seqno: number, note = ""): StoredPair {
  return {
    basechain: blockOf(0, seqno, note),
    masterchain: blockOf(masterchain, seqno, note),
    keyBlock: seqno % 1000 === 1,
    signatures: { validatorListHashShort: 0, catchainSeqno: 0, signatures: [] },
    finished: [],
  };
}

/** More than two pages. */
const length = 2100;
const positionOf = (seqno: number) => 2 ** 40 + seqno;
const edited = [new Address(0, hashOf("edited"))];

function filled(): BlockIndex {
  const index = new BlockIndex();
  for (let seqno = 1; seqno <= length; seqno++)
    index.add(positionOf(seqno), pairOf(seqno), seqno === 1500 ? edited : []);
  return index;
}

test("an index knows where the blocks of each step end, and the zero states", () => {
  const index = filled();
  for (const seqno of [1, 1024, 1025, length]) {
    const { masterchain, basechain } = pairOf(seqno);
    expect(index.endLts(seqno)).toEqual({ masterchain: masterchain.endLt, basechain: basechain.endLt });
  }
  expect(index.endLts(0)).toEqual({ masterchain: 0n, basechain: 0n });
  expect(index.endLts(length + 1)).toBeUndefined();
});

test("an index of many steps has each of them", () => {
  const index = filled();
  for (const seqno of [1, 2, 1023, 1024, 1025, 1500, 2048, 2049, length]) {
    const pair = pairOf(seqno);
    const { id, startLt, endLt, genUtime } = pair.basechain;
    expect(index.get(seqno)).toEqual({
      position: positionOf(seqno),
      basechain: { id, startLt },
      masterchain: { id: pair.masterchain.id, startLt },
      edited: seqno === 1500 ? edited : [],
    });
    expect(index.block(masterchain, seqno)?.id).toEqual(pair.masterchain.id);
    expect(index.findByLt(0, endLt)?.id).toEqual(id);
    expect(index.findByUtime(0, genUtime)?.id).toEqual(id);
  }
  for (const seqno of [-1, 0, length + 1]) expect(index.get(seqno)).toBeUndefined();
  expect(index.findByUtime(0, 4_000_000_000 + length + 1)).toBeUndefined();
});

test.each([0, 1023, 1024, 1025, 1499])("an index of many steps goes on after step %i", (last) => {
  const index = filled();
  index.truncate(last);
  expect(index.lastSeqno).toBe(last);
  expect(index.get(last + 1)).toBeUndefined();
  expect(() => index.add(0, pairOf(last + 2), [])).toThrow(`step ${last + 1} has blocks ${last + 2} `);
  for (let seqno = last + 1; seqno <= length; seqno++) index.add(seqno, pairOf(seqno, "other"), []);
  expect(index.get(1500)?.edited).toEqual([]);
  expect(index.get(last + 1)?.basechain.id).toEqual(pairOf(last + 1, "other").basechain.id);
  if (last > 0) expect(index.get(last)?.basechain.id).toEqual(pairOf(last).basechain.id);
  expect(index.keyBlockAfter(0)).toBe(1);
});
