import { expect, onTestFinished, test } from "vitest";
import { beginCell } from "../../../server/cells/builder.js";
import type { Cell } from "../../../server/cells/cell.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import type { Devnet } from "../../../server/devnet/devnet.js";
import type { Detection } from "../../../server/indexer/detect/detection.js";
import type { Database } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate.js";
import { openPglite } from "../../../server/store/pglite.js";
import { idOf, openDetectedDevnet, place, someAddress } from "../../helpers/detection.js";
import { TestWallet, ton } from "../../helpers/devnet.js";
import { indexAll } from "../../helpers/index-chain.js";
import { queriesOf } from "../../helpers/queries-of.js";
import { allowSlowTests } from "../../helpers/slow-tests.js";
import { dumpTables } from "../../helpers/tables.js";

allowSlowTests();

const pool = someAddress(0x77);
const comment = (letter: string) => beginCell().storeUint(0, 32).storeUint(letter.charCodeAt(0), 8).endCell();
const names = [
  "nominator_pools",
  "nominator_pool_events",
  "nominator_pool_validator_events",
  "unreplayed_pools",
];

function emptyPool(): Cell {
  const terms = beginCell()
    .storeUint(9, 256)
    .storeUint(4000, 16)
    .storeUint(40, 16)
    .storeCoins(1000n)
    .storeCoins(ton)
    .endCell();
  return beginCell()
    .storeUint(0, 8 + 16)
    .storeCoins(0n)
    .storeCoins(0n)
    .storeRef(terms)
    .storeUint(0, 1 + 1 + 32 + 256 + 8 + 32 + 32 + 1)
    .endCell();
}

type Nominators = readonly [TestWallet, TestWallet, TestWallet];

/** A pool with three nominators, who deposit in one block; one withdraws in a later block. */
async function openPool(): Promise<Devnet & { detection: Detection; nominators: Nominators }> {
  const devnet = await openDetectedDevnet();
  const nominators = ["ann", "ben", "cleo"].map((name) => new TestWallet(name)) as unknown as Nominators;
  for (const { address } of nominators) await devnet.controls.faucet(idOf(address), 500n * ton);
  await place(devnet, pool, contractCode("nominator-pool"), emptyPool());
  await devnet.controls.mine(2);
  const pay = (from: TestWallet, value: bigint, letter: string) =>
    devnet.api.sendMessage({
      body: from.pay({ to: pool, value, bounce: true, body: comment(letter) }),
    });
  // Its first transaction.
  await pay(nominators[0], 11n * ton, "d");
  await devnet.controls.mine(2);
  for (const [place, nominator] of nominators.entries())
    await pay(nominator, BigInt(place + 2) * 10n * ton + ton, "d");
  await devnet.controls.mine(2);
  await pay(nominators[1], ton, "w");
  await devnet.controls.mine(2);
  return Object.assign(devnet, { nominators });
}

async function indexed(devnet: Devnet & { detection: Detection }, limits?: { blocks: number; rows: number }) {
  const database = await openPglite();
  onTestFinished(() => database.close());
  await migrate(database.sql());
  await indexAll(database, devnet.api, {
    ...{ events: devnet.events, detection: devnet.detection },
    ...(limits && { limits }),
  });
  return database;
}

const eventsOf = (database: Database) =>
  queriesOf(database).query<{ mc_seqno: number; nominator: Uint8Array; type: number; amount: bigint }>({
    text: "select mc_seqno, nominator, type, amount from nominator_pool_events order by tx_lt, event_index",
    values: [],
  });

test("Transactions of a pool in one block are told apart by running them again", async () => {
  const devnet = await openPool();
  const database = await indexed(devnet);
  const events = await eventsOf(database);
  const [ann, ben, cleo] = devnet.nominators.map(({ address }) => Buffer.from(address.hash).toString("hex"));
  const short = events.map(({ nominator, type, amount }) => [
    Buffer.from(nominator.subarray(1)).toString("hex"),
    ...[type, BigInt(amount) / ton],
  ]);
  // The order of the block's transactions follows from their messages, not from who sent first.
  expect(new Set(short.map(String))).toEqual(
    new Set(
      [
        [ann, 2, 10n],
        [ann, 2, 20n],
        [ben, 2, 30n],
        [cleo, 2, 40n],
        [ben, 3, 30n],
      ].map(String),
    ),
  );
  expect(short.at(-1)).toEqual([ben, 3, 30n]);
  const inOneBlock = events.slice(1, 4).map(({ mc_seqno }) => mc_seqno);
  expect(new Set(inOneBlock).size).toBe(1);
  const [row] = await queriesOf(database).query<{ count: number; members: { balance: string }[] }>({
    text: "select nominators_count as count, members from nominator_pools",
    values: [],
  });
  expect(row!.count).toBe(2);
  expect(row!.members.map(({ balance }) => BigInt(balance) / ton).sort()).toEqual([30n, 40n]);
  expect((await dumpTables(database, names))["unreplayed_pools"]).toEqual([]);
});

test("What is known of pools does not depend on how many blocks are stored at once", async () => {
  const devnet = await openPool();
  const whole = await dumpTables(await indexed(devnet), names);
  expect(whole["nominator_pool_events"]!.length).toBeGreaterThan(4);
  expect(await dumpTables(await indexed(devnet, { blocks: 1, rows: 1 }), names)).toEqual(whole);
});

test("A block of which a pool's transactions cannot be run again is noted", async () => {
  const devnet = await openPool();
  const { detection } = devnet;
  // The replay of another network's rules ends with other states.
  Object.assign(detection, { pools: { ...detection.pools, replay: { statesAfter: async () => undefined } } });
  const database = await indexed(devnet);
  const dump = await dumpTables(database, names);
  expect(dump["unreplayed_pools"]).toHaveLength(1);
  // Single transactions need no replay.
  expect(dump["nominator_pool_events"]).toHaveLength(2);
});
