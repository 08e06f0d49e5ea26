import SQL from "sql-template-tag";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Devnet, DevnetConfig } from "../../server/devnet/devnet.js";
import { DevnetThread } from "../../server/devnet/thread/devnet-thread.js";
import { publishedSeed } from "../../server/devnet/wallets/published-keys.js";
import { takeTransaction } from "../../server/present/v3/transaction.js";
import { addressFromBytes } from "../../server/store/address-bytes.js";
import type { Database } from "../../server/store/database.js";
import { OffsetBookmarks } from "../../server/store/queries/slots/offset-bookmarks.js";
import { listTransactions } from "../../server/store/queries/transactions/transactions.js";
import { readAccount } from "../../shared/ton/proofs/read/account.js";
import { Address } from "../../shared/values/address.js";
import { ton } from "../helpers/chain/devnet.js";
import { follow, indexAll } from "../helpers/index/index-chain.js";
import { describeDatabases } from "../helpers/store/describe-databases.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { dumpTables, traceTables } from "../helpers/store/tables.js";
import { startStoryDevnet } from "../helpers/stories/story-devnet.js";

const config: DevnetConfig = {
  seed: publishedSeed,
  mining: { mode: "manual", intervalMs: 1000 },
  clock: "fixed",
  rewards: false,
  story: false,
};

/** One devnet for all tests of the file. */
function devnetOfFile(start: (onError: (error: Error) => void) => Promise<Devnet>): () => Devnet {
  const errors: Error[] = [];
  let devnet: Devnet | undefined;
  beforeAll(async () => {
    devnet = await start((error) => errors.push(error));
  });
  afterAll(async () => {
    await devnet?.close();
    expect(errors).toEqual([]);
  });
  return () => devnet!;
}

const story = devnetOfFile(startStoryDevnet);
/** For edits, which would change the story. */
const empty = devnetOfFile((onError) => DevnetThread.start(config, { onError }));

/** The tables except contents by hash, which a reverted block may leave behind. */
const chainTables = [...traceTables, "latest_account_states"];

/** Every account of the index against the chain itself. */
async function expectAccountsOfChain(database: Database, { api }: Devnet): Promise<void> {
  const { last } = await api.getMasterchainInfo();
  const rows = await database.sql().query<{
    account: Uint8Array;
    hash: Uint8Array;
    balance: bigint;
    last_trans_lt: bigint | null;
    code: boolean;
    data: boolean;
  }>(SQL`
    select account, hash, balance, last_trans_lt,
      coalesce(code_hash in (select code_hash from contract_codes), false) as code, data_boc is not null as data
    from latest_account_states`);
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    const own = await readAccount(api, last, addressFromBytes(row.account));
    expect(row).toMatchObject({
      hash: own.cell ? Buffer.from(own.cell.hash()) : row.hash,
      balance: own.balance,
      last_trans_lt: own.lastTransaction.lt > 0n ? own.lastTransaction.lt : row.last_trans_lt,
      code: own.code !== undefined,
      data: own.data !== undefined,
    });
  }
}

describeDatabases("The index of a devnet", (fresh) => {
  test("has the whole story, every account and no open end", async () => {
    const devnet = story();
    const database = await fresh();
    await devnet.controls.faucet({ workchain: 0, id: new Uint8Array(32).fill(9) }, ton);
    await devnet.controls.mine(3);
    await indexAll(database, devnet.api, { events: devnet.events });
    await expectAccountsOfChain(database, devnet);
    const states = await database.sql().query(SQL`
      select distinct state from traces`);
    expect(states).toEqual([{ state: 1 }]);
    expect(await database.sql().query(SQL`select from open_edges`)).toEqual([]);
  });

  test("follows blocks as they come, and edits", async () => {
    const devnet = empty();
    const database = await fresh();
    const { follower, reaches } = follow(database, devnet.api, { events: devnet.events, mayRevert: true });
    onTestFinished(() => follower.close());
    const account = { workchain: 0, id: new Uint8Array(32).fill(7) };
    const { block } = await devnet.controls.faucet(account, 3n * ton);
    await reaches(block.seqno);
    const edit = await devnet.controls.setBalance(account, 5n * ton);
    await reaches(edit.block.seqno);
    await expectAccountsOfChain(database, devnet);
    const later = await devnet.controls.faucet(account, ton);
    await reaches(later.block.seqno);
    const filter = { account: [new Address(account.workchain, account.id)] };
    const newest = { limit: 1, offset: 0, sort: "desc" } as const;
    const [found] = await listTransactions(
      queriesOf(database),
      filter,
      newest,
      new OffsetBookmarks(),
      takeTransaction,
    );
    expect(found!.record.account_state_before.balance).toBe(String(5n * ton));
    expect(follower.failure).toBe(undefined);
  });

  test("reverts the blocks that the chain reverts", async () => {
    const devnet = empty();
    const database = await fresh();
    const { follower, reaches } = follow(database, devnet.api, { events: devnet.events, mayRevert: true });
    onTestFinished(() => follower.close());
    const accounts = [1, 2, 3].map((byte) => ({ workchain: 0, id: new Uint8Array(32).fill(byte) }));
    await devnet.controls.faucet(accounts[0]!, ton);
    const snapshot = await devnet.controls.snapshot();
    await devnet.controls.faucet(accounts[0]!, ton);
    await devnet.controls.setBalance(accounts[1]!, ton);
    const { block } = await devnet.controls.faucet(accounts[1]!, ton);
    await reaches(block.seqno);
    await devnet.controls.revert(snapshot.id);
    await devnet.controls.faucet(accounts[2]!, 2n * ton);
    // Further than before, because an equal seqno would prove nothing.
    const after = await devnet.controls.mine(4);
    await reaches(after.block.seqno);
    await follower.close();
    const reverted = await dumpTables(database, chainTables);
    await expectAccountsOfChain(database, devnet);
    const clean = await fresh();
    await indexAll(clean, devnet.api, { events: devnet.events });
    expect(reverted).toEqual(await dumpTables(clean, chainTables));
  });

  test("reverts an edit in a block with the time of the block before", async () => {
    const devnet = empty();
    const database = await fresh();
    const { follower, reaches } = follow(database, devnet.api, { events: devnet.events, mayRevert: true });
    onTestFinished(() => follower.close());
    const [edited, paid] = [4, 5].map((byte) => ({ workchain: 0, id: new Uint8Array(32).fill(byte) }));
    await devnet.controls.faucet(paid!, ton);
    const snapshot = await devnet.controls.snapshot();
    await devnet.controls.setNextBlockTime((await devnet.controls.info()).now - 1);
    const { block } = await devnet.controls.setBalance(edited!, ton);
    await reaches(block.seqno);
    await devnet.controls.revert(snapshot.id);
    const after = await devnet.controls.mine(3);
    await reaches(after.block.seqno);
    await follower.close();
    const clean = await fresh();
    await indexAll(clean, devnet.api, { events: devnet.events });
    expect(await dumpTables(database, chainTables)).toEqual(await dumpTables(clean, chainTables));
  });

  test("has an account without a state again, and a trace that went on after the block", async () => {
    const devnet = empty();
    const [from, absent] = [0, -1].map((workchain) => ({ workchain, id: new Uint8Array(32).fill(6) }));
    // Bounces, and comes back with the next block.
    const { block: kept } = await devnet.controls.impersonate({ from: from!, to: absent!, value: ton });
    const before = await fresh();
    await indexAll(before, devnet.api, { events: devnet.events });
    const expected = await dumpTables(before, chainTables);
    expect(expected["open_edges"]).toHaveLength(1);
    const database = await fresh();
    const { follower, reaches } = follow(database, devnet.api, { events: devnet.events, mayRevert: true });
    onTestFinished(() => follower.close());
    const snapshot = await devnet.controls.snapshot();
    const { block } = await devnet.controls.faucet(absent!, ton);
    await reaches(block.seqno);
    await devnet.controls.revert(snapshot.id);
    await reaches(kept.seqno);
    await follower.close();
    expect(await dumpTables(database, chainTables)).toEqual(expected);
  });

  test("starts again when the chain does", async () => {
    const devnet = empty();
    const database = await fresh();
    const { follower, reaches } = follow(database, devnet.api, { events: devnet.events, mayRevert: true });
    onTestFinished(() => follower.close());
    const account = { workchain: 0, id: new Uint8Array(32).fill(1) };
    const { block } = await devnet.controls.faucet(account, ton);
    await reaches(block.seqno);
    const { block: first } = await devnet.controls.reset();
    await reaches(first.seqno);
    await follower.close();
    const reset = await dumpTables(database, chainTables);
    const clean = await fresh();
    await indexAll(clean, devnet.api, { events: devnet.events });
    expect(reset).toEqual(await dumpTables(clean, chainTables));
  });
});
