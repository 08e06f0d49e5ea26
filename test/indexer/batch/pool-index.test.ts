import { setMaxListeners } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import type { Devnet } from "../../../server/devnet/devnet.js";
import { validatorDepositBody } from "../../../server/devnet/story/contracts/nominator-pool.js";
import { RangeIndexer } from "../../../server/indexer/batch/range-indexer.js";
import { joinRanges } from "../../../server/indexer/follow/join-ranges.js";
import { revert } from "../../../server/indexer/follow/revert.js";
import { seedZeroState } from "../../../server/indexer/follow/zero-state.js";
import type { Detection } from "../../../server/indexer/recognition/detection.js";
import { ChainUnits } from "../../../server/indexer/units/chain-units.js";
import {
  type Claim,
  claimHead,
  claimNext,
  planHead,
  planRanges,
} from "../../../server/indexer/work/ranges.js";
import type { Database } from "../../../server/store/database.js";
import { Partitions } from "../../../server/store/slots/partitions.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { RetraceError } from "../../../shared/ton/run/retrace/retrace-error.js";
import { Address } from "../../../shared/values/address.js";
import { TestWallet, ton } from "../../helpers/chain/devnet.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { isLong } from "../../helpers/effort.js";
import { bootstrapAll } from "../../helpers/index/bootstraps.js";
import {
  type DetectedDevnet,
  detectedDevnetOfFile,
  idOf,
  openDetectedDevnet,
  place,
  someAddress,
} from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { pseudoRandom } from "../../helpers/pseudo-random.js";
import { anyKind } from "../../helpers/store/databases.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { dumpTables, validatorTables } from "../../helpers/store/tables.js";

const pool = someAddress(0x77);
const validator = new Address(-1, new Uint8Array(32).fill(9));
const comment = (letter: string) => beginCell().storeUint(0, 32).storeUint(letter.charCodeAt(0), 8).endCell();
const names = [
  "nominator_pools",
  "nominator_pool_events",
  "nominator_pool_validator_events",
  "unreplayed_pools",
];

function emptyPool(): Cell {
  const terms = beginCell()
    .storeBytes(validator.hash)
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

type PoolDevnet = Devnet & { detection: Detection; nominators: Nominators };

/** The code of a contract that sends all it has to whoever asks. */
const leaving = await compile(`
  fun onInternalMessage(in: InMessage) {
    createMessage({ bounce: false, value: 0, dest: in.senderAddress })
      .send(SEND_MODE_CARRY_ALL_BALANCE | SEND_MODE_DESTROY);
  }`);
const settings = { poolCodeHashes: [leaving.hashHex().toUpperCase()] };
const emptyDevnet = detectedDevnetOfFile("empty", settings);

/** A pool with three nominators, who deposit in one block; one withdraws in a later block. */
async function openLiteservers(opening: Promise<DetectedDevnet> = emptyDevnet()): Promise<PoolDevnet> {
  const devnet = await opening;
  const nominators = ["ann", "ben", "cleo"].map((name) => new TestWallet(name)) as unknown as Nominators;
  for (const { address } of nominators) await devnet.controls.faucet(idOf(address), 500n * ton);
  await place(devnet, pool, contractCode("nominator-pool"), emptyPool());
  await devnet.controls.mine(2);
  // Its first transaction.
  const open = Object.assign(devnet, { nominators });
  await pay(open, 0, 11n * ton, "d");
  for (const place of nominators.keys()) await send(open, place, BigInt(place + 2) * 10n * ton + ton, "d");
  await devnet.controls.mine(2);
  await pay(open, 1, ton, "w");
  return open;
}

/** Sends the pool a comment from one of the nominators. */
function send({ api, nominators }: PoolDevnet, who: number, value: bigint, letter: string) {
  const body = nominators[who]!.pay({ to: pool, value, bounce: true, body: comment(letter) });
  return api.sendMessage({ body });
}

/** Sends a payment and makes blocks until it has arrived. */
async function pay(devnet: PoolDevnet, who: number, value: bigint, letter: string): Promise<void> {
  await send(devnet, who, value, letter);
  await devnet.controls.mine(2);
}

const [, openDatabase] = anyKind;

const catchUp = (database: Database, { api, events, detection }: PoolDevnet, special = {}) =>
  indexAll(database, api, { events, detection, ...special });

async function indexed(devnet: PoolDevnet, special = {}): Promise<Database> {
  const { database, close } = await openDatabase();
  onTestFinished(close);
  await catchUp(database, devnet, special);
  return database;
}

const eventsOf = (database: Database) =>
  queriesOf(database).query<{ mc_seqno: number; nominator: Uint8Array; type: number; amount: bigint }>({
    text: "select mc_seqno, nominator, type, amount from nominator_pool_events order by tx_lt, event_index",
    values: [],
  });

test("Several transactions of a pool in one block are separated by replaying them, and shares leave a deleted pool", async () => {
  const devnet = await openLiteservers();
  const database = await indexed(devnet);
  const events = await eventsOf(database);
  const [ann, ben, cleo] = devnet.nominators.map(({ address }) => Buffer.from(address.hash).toString("hex"));
  const short = events.map(({ nominator, type, amount }) => [
    Buffer.from(nominator.subarray(1)).toString("hex"),
    ...[type, BigInt(amount) / ton],
  ]);
  // The order of a block's transactions depends on their messages, not on the order of sending.
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

  // The state of its shard has the same row.
  const { database: head, close } = await openDatabase();
  onTestFinished(close);
  await indexAll(head, devnet.api, { from: (await devnet.api.getMasterchainInfo()).last.seqno });
  await bootstrapAll(head, devnet.api, { detection: devnet.detection });
  const rowsIn = async (index: Database) =>
    (await dumpTables(index, ["nominator_pools"]))["nominator_pools"]!.map((text) => {
      const { first_seen_lt: _, ...row } = JSON.parse(text);
      return row;
    });
  const found = await rowsIn(head);
  expect(found).toMatchObject([{ nominators_count: 2 }]);
  expect(found).toEqual(await rowsIn(database));

  await devnet.controls.setCode(idOf(pool), serializeBoc(leaving));
  await pay(devnet, 0, ton, "w");
  await catchUp(database, devnet);
  const added = (await eventsOf(database)).slice(events.length);
  const left = added.map(({ nominator, type, amount }) => [
    Buffer.from(nominator.subarray(1)).toString("hex"),
    ...[type, BigInt(amount) / ton],
  ]);
  expect(new Set(left.map(String))).toEqual(
    new Set(
      [
        [ann, 3, 30n],
        [cleo, 3, 40n],
      ].map(String),
    ),
  );
});

test.runIf(isLong)("Data of pools do not depend on the number of blocks per batch", async () => {
  const devnet = await openLiteservers();
  const whole = await dumpTables(await indexed(devnet), names);
  expect(whole["nominator_pool_events"]!.length).toBeGreaterThan(4);
  expect(await dumpTables(await indexed(devnet, { limits: { blocks: 1, rows: 1 } }), names)).toEqual(whole);
});

test("A block of which a pool's transactions cannot be run again is noted", async () => {
  const devnet = await openLiteservers();
  const { detection } = devnet;
  // The replay of another network's rules ends with other states.
  const { pools } = detection;
  onTestFinished(() => void Object.assign(detection, { pools }));
  Object.assign(detection, {
    pools: {
      ...pools,
      retrace: { block: () => Promise.reject(new RetraceError("different", "other rules")) },
    },
  });
  const database = await indexed(devnet);
  const dump = await dumpTables(database, names);
  expect(dump["unreplayed_pools"]).toHaveLength(1);
  // Single transactions need no replay.
  expect(dump["nominator_pool_events"]).toHaveLength(2);
});

describeDatabase("Pools and validators", (fresh) => {
  const both = [...names, "validator_events", ...validatorTables];
  const chainOf = ({ api: lite, events, detection }: PoolDevnet) => ({
    lite,
    units: new ChainUnits({ lite, edited: (seqno) => events.edited(seqno) }),
    detection,
  });

  /** Stores a claimed range as far as the chain goes. */
  async function fill(database: Database, devnet: PoolDevnet, claim: Claim): Promise<void> {
    const sql = database.sql();
    const { lite, units, detection } = chainOf(devnet);
    const zeroAccounts = claim.from === 1 ? await seedZeroState(sql, lite, claim) : [];
    const limits = { blocks: 5, rows: 500 };
    const setting = { database: sql, partitions: new Partitions(sql), units, claim, zeroAccounts };
    const indexer = await RangeIndexer.open({ ...setting, detection, limits });
    const { last } = await lite.getMasterchainInfo();
    const { signal } = new AbortController();
    // Each block that is read ahead listens.
    setMaxListeners(0, signal);
    await indexer.indexTo(Math.min(claim.to, last.seqno), signal);
  }

  async function sequential(devnet: PoolDevnet): Promise<{ database: Database; claim: Claim }> {
    const database = await fresh();
    await planHead(database.sql(), 1);
    const claim = await claimHead(database.sql(), "sequential");
    await fill(database, devnet, claim);
    return { database, claim };
  }

  const inOrder = async (devnet: PoolDevnet) => dumpTables((await sequential(devnet)).database, both);

  /** Two elections, a complaint, and a validator and nominators who join and leave meanwhile. */
  async function openElectingPool(): Promise<PoolDevnet> {
    const devnet = await openLiteservers(openDetectedDevnet({}, { elections: "short" }));
    const { elections } = devnet;
    const skip = async (phases: number) => {
      for (let phase = 0; phase < phases; phase++) await elections.skipPhase();
    };
    await skip(3);
    await elections.complain({ validator: 1, fine: 200n * ton });
    await pay(devnet, 0, 31n * ton, "d");
    const deposit = { body: serializeBoc(validatorDepositBody(1)), value: 100n * ton };
    await devnet.controls.impersonate({ from: idOf(validator), to: idOf(pool), ...deposit });
    await skip(3);
    await pay(devnet, 2, ton, "w");
    return devnet;
  }

  test.runIf(isLong)("are the same for any order of filling ranges", async () => {
    const devnet = await openElectingPool();
    const { last } = await devnet.api.getMasterchainInfo();
    const whole = await inOrder(devnet);
    for (const name of both) {
      const rows = whole[name]!.length;
      if (name === "unreplayed_pools") expect(rows).toBe(0);
      else expect(rows, name).toBeGreaterThan(0);
    }
    const numbers = pseudoRandom(5);
    for (const blocks of [3, 7]) {
      const database = await fresh();
      const sql = database.sql();
      await planRanges(sql, { from: 1, to: last.seqno, blocks });
      const claims: Claim[] = [];
      for (let next = await claimNext(sql, "w"); next; next = await claimNext(sql, "w")) claims.push(next);
      const shuffled = claims
        .map((claim) => [numbers.next().value, claim] as const)
        .sort(([a], [b]) => a - b)
        .map(([, claim]) => claim);
      expect(shuffled).not.toEqual(claims);
      for (const claim of shuffled) {
        await fill(database, devnet, claim);
        await joinRanges(sql);
      }
      expect(await dumpTables(database, both)).toEqual(whole);
    }
  });

  test("are those of a block again once the chain went back to it, and go on from there", async () => {
    // Elections and their complaints are taken back in long runs.
    const devnet = await (isLong ? openElectingPool() : openLiteservers());
    const { id } = await devnet.controls.snapshot();
    const wanted = await inOrder(devnet);
    await pay(devnet, 1, 51n * ton, "d");
    if (isLong) {
      await devnet.elections.complain({ validator: 0, fine: 300n * ton });
      await devnet.elections.skipPhase();
    }
    const { database, claim } = await sequential(devnet);
    expect(await dumpTables(database, both)).not.toEqual(wanted);
    const { block } = await devnet.controls.revert(id);
    const { init } = await devnet.api.getMasterchainInfo();
    const zeroState = { ...init, seqno: 0 };
    expect(await revert(database.sql(), claim, { ...chainOf(devnet), zeroState })).toBe(block.seqno);
    expect(await dumpTables(database, both)).toEqual(wanted);

    if (!isLong) return;
    await pay(devnet, 0, 71n * ton, "d");
    await devnet.elections.skipPhase();
    await fill(database, devnet, await claimHead(database.sql(), "again"));
    const again = await dumpTables(database, both);
    expect(again).toEqual(await inOrder(devnet));
  });
});
