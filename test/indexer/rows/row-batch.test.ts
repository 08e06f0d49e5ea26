import { expect, test } from "vitest";
import { TimeSlice } from "../../../server/chain/time-slice.js";
import { absentAccount, type FinalAccountState } from "../../../server/indexer/decode/account.js";
import { RowBatch } from "../../../server/indexer/rows/row-batch.js";
import type { MasterchainUnit } from "../../../server/indexer/units/chain-units.js";
import { RowSet } from "../../../server/store/copy/row-set.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";
import { blockRow } from "../../helpers/store/rows.js";

const address = new Address(0, new Uint8Array(32).fill(5));
const hash = new Uint8Array(32);
const id = { workchain: masterchain, shard: wholeShard, seqno: 1, rootHash: hash, fileHash: hash };

function left(balance: bigint, lt: bigint): FinalAccountState {
  const absent = absentAccount(address);
  const stateHash = new Uint8Array(32).fill(Number(balance));
  return { ...absent, state: { ...absent.state, hash: stateHash, balance }, lastTransaction: { hash, lt } };
}

function unitOf(accounts: FinalAccountState[]): MasterchainUnit {
  const row = blockRow({ seqno: 1 });
  const block = { row, transactions: [], contents: [], accounts: { read: accounts, unread: [] } };
  return { seqno: 1, id, previousRootHash: hash, genUtime: 0, blocks: [block], heads: [], accounts };
}

test("a batch keeps the last state of an account, for any order of its shards' blocks", async () => {
  const batch = new RowBatch(new RowSet());
  await batch.add(unitOf([left(1n, 10n), left(2n, 30n), left(3n, 20n)]), new TimeSlice());
  expect([...batch.accounts.values()].map(({ state }) => state.balance)).toEqual([2n]);
  expect(batch.accountStates.size).toBe(3);
});

test("a batch keeps the later one of two states with the same last transaction: it was edited", async () => {
  const batch = new RowBatch(new RowSet());
  await batch.add(unitOf([left(1n, 10n), left(2n, 10n)]), new TimeSlice());
  expect([...batch.accounts.values()].map(({ state }) => state.balance)).toEqual([2n]);
});
