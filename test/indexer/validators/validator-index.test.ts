import { beforeAll, describe, expect, test } from "vitest";
import { Executor } from "../../../server/chain/executor/executor.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { BlockRetries } from "../../../server/indexer/validators/block-retries.js";
import {
  addSnapshotAt,
  type LookOutcome,
  ValidatorIndex,
} from "../../../server/indexer/validators/validator-index.js";
import { CombinedRows } from "../../../server/store/copy/combined-rows.js";
import { RowSet } from "../../../server/store/copy/row-set.js";
import type { Database } from "../../../server/store/database.js";
import { deleteAfter } from "../../../server/store/queries/upkeep/revert.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { sized } from "../../helpers/effort.js";
import { electionConfig } from "../../helpers/elections/elections.js";
import { ElectorChain } from "../../helpers/elections/elector-chain.js";
import { readElector } from "../../helpers/elections/elector-data.js";
import { noElections } from "../../helpers/elections/electors.js";
import { pseudoRandom } from "../../helpers/pseudo-random.js";
import { describeDatabase, type Fresh } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { dumpTables, validatorTables } from "../../helpers/store/tables.js";

const rowsOf = (database: Database) => dumpTables(database, validatorTables);

/** Fills a range in batches. */
async function fill(
  database: Database,
  chain: ElectorChain,
  { from, to, atOnce }: { from: number; to: number; atOnce: number },
): Promise<void> {
  const index = new ValidatorIndex(chain, { isFirst: true });
  for (let first = from; first <= to; first += atOnce) {
    const target = { rows: new RowSet(), validators: new CombinedRows() };
    for (let seqno = first; seqno < first + atOnce && seqno <= to; seqno++)
      await index.add(chain.unit(seqno), target);
    await write(database, target);
  }
}

async function write(
  database: Database,
  { rows, validators }: { rows: RowSet; validators: CombinedRows },
): Promise<void> {
  validators.addTo(rows);
  await database.sql().transaction((transaction) => transaction.write(rows.finish()));
}

let chain: ElectorChain;
beforeAll(async () => {
  chain = ElectorChain.ofElections(await Executor.create(), 5, 11);
});

async function filled(
  fresh: Fresh,
  ranges: readonly (readonly [from: number, to: number])[],
  atOnce: number,
) {
  const database = await fresh();
  for (const [from, to] of ranges) await fill(database, chain, { from, to, atOnce });
  return rowsOf(database);
}

describeDatabase("Elections, cycles and complaints", (fresh) => {
  test("are the same for any order of filling ranges", async () => {
    const whole = await filled(fresh, [[1, chain.length]], 20);
    for (const name of validatorTables) expect(whole[name]!.length, name).toBeGreaterThan(2);
    const numbers = pseudoRandom(3);
    for (let round = 0; round < sized(1, 3); round++) {
      const cuts = Array.from({ length: 5 }, () => 2 + Math.floor(numbers.next().value * (chain.length - 2)));
      const starts = [...new Set([1, ...cuts])].sort((a, b) => a - b);
      const ranges = starts.map((from, i) => [from, (starts[i + 1] ?? chain.length + 1) - 1] as const);
      const shuffled = ranges
        .map((range) => [numbers.next().value, range] as const)
        .sort(([a], [b]) => a - b)
        .map(([, range]) => range);
      expect(await filled(fresh, shuffled, 7)).toEqual(whole);
    }
  });

  test("are those of a block again once the chain went back to it", async () => {
    const back = Math.floor(chain.length / 2);
    const wanted = await filled(fresh, [[1, back]], 20);
    const database = await fresh();
    await fill(database, chain, { from: 1, to: chain.length, atOnce: 20 });
    expect(await rowsOf(database)).not.toEqual(wanted);
    await database.sql().transaction((transaction) => deleteAfter(transaction, back, []));
    const validators = new CombinedRows();
    await addSnapshotAt(chain, chain.id(back), validators);
    await write(database, { rows: new RowSet(), validators });
    expect(await rowsOf(database)).toEqual(wanted);
  });

  test("follow the elector's data", async () => {
    const database = await fresh();
    await fill(database, chain, { from: 1, to: chain.length, atOnce: 50 });
    const { data } = await chain.account(chain.id(chain.length));
    const { election, pastElections } = readElector(data!.cell!);
    const stakesOf = async (electionId: number) => {
      const rows = await queriesOf(database).query<{ pubkey: Uint8Array; stake: bigint }>({
        text: "select pubkey, stake from validator_election_participants where election_id = $1",
        values: [electionId],
      });
      return new Map(rows.map(({ pubkey, stake }) => [bytesToHex(pubkey), BigInt(stake)]));
    };
    expect(await stakesOf(election!.electAt)).toEqual(election!.stakes);
    const [held] = await queriesOf(database).query<{ total: bigint; failed: boolean; finished: boolean }>({
      text: "select total_stake as total, failed, finished from validator_elections where election_id = $1",
      values: [election!.electAt],
    });
    const { totalStake, failed, finished } = election!;
    expect({ ...held, total: BigInt(held!.total) }).toEqual({ total: totalStake, failed, finished });
    const cycles = await queriesOf(database).query<{ id: bigint; total: bigint }>({
      text: "select election_id as id, total_stake as total from validator_cycles where total_stake is not null",
      values: [],
    });
    const totals = new Map(cycles.map(({ id, total }) => [Number(id), BigInt(total)]));
    // Fines have been taken off since.
    for (const [id, past] of pastElections) expect(totals.get(id)! >= past.totalStake).toBe(true);
    const complaints = await queriesOf(database).query<{ id: bigint; hash: Uint8Array }>({
      text: "select election_id as id, complaint_hash as hash from validator_complaints",
      values: [],
    });
    const stored = new Set(complaints.map(({ id, hash }) => `${id} ${bytesToHex(hash)}`));
    for (const [id, past] of pastElections)
      for (const hash of past.complaints) expect(stored).toContain(`${id} ${bytesToHex(hash)}`);
  });
});

describe("A chain that lacks states for a while", () => {
  /** Number of rows, and the outcomes of reads. `isMissing`: states that the chain does not have. */
  async function look(isMissing: (seqno: number) => boolean) {
    const check = (seqno: number) => {
      if (isMissing(seqno)) throw new LiteError(liteErrorCode.notReady, "the state is gone");
    };
    const units = {
      account: async (id: BlockIdExt) => {
        check(id.seqno);
        return chain.account(id);
      },
      config: async (id: BlockIdExt) => {
        check(id.seqno);
        return chain.config(id);
      },
    };
    const told: LookOutcome[] = [];
    const index = new ValidatorIndex(units, { isFirst: true, onLook: (outcome) => told.push(outcome) });
    const target = { rows: new RowSet(), validators: new CombinedRows() };
    for (let seqno = 1; seqno <= chain.length; seqno++) {
      const unit = chain.unit(seqno);
      // Blocks that prune the data, as large ones do.
      const accounts = unit.accounts.map(({ data, ...rest }) => ({
        ...rest,
        data: data && { ...data, cell: undefined },
      }));
      await index.add({ ...unit, accounts }, target);
    }
    const rows = new RowSet();
    target.validators.addTo(rows);
    const [cycles, complaints] = [rows.of(tables.validatorCycles), rows.of(tables.validatorComplaints)];
    return { told, cycles: cycles.rows, complaints: complaints.rows };
  }

  test("is asked again some blocks later, and has the same complaints in the end", async () => {
    const whole = await look(() => false);
    expect(whole.told).toEqual([]);
    expect(whole.complaints).toBeGreaterThan(2);
    const late = Math.floor(chain.length / 2);
    const missed = await look((seqno) => seqno > late - 6 && seqno <= late);
    expect(missed.told.slice(0, -1)).toContain("missed");
    expect(missed.told.at(-1)).toBe("made_up");
    expect(missed.told).not.toContain("given_up");
    expect([missed.complaints, missed.cycles]).toEqual([whole.complaints, whole.cycles]);
  });

  test("is asked for the elector's code less and less often until it is given up", async () => {
    const { told, complaints } = await look(() => true);
    expect(complaints).toBe(0);
    expect(told.length).toBeGreaterThan(3);
    expect(told.length).toBeLessThan(chain.length / 4);
    expect(new Set(told)).toEqual(new Set(["missed"]));
  });
});

test("Retries get rarer, and end", () => {
  const attempts = new BlockRetries();
  const tried: number[] = [];
  for (let seqno = 1; seqno < 100_000; seqno++) {
    if (!attempts.isDue(seqno)) continue;
    tried.push(seqno);
    attempts.failed(seqno);
  }
  expect(tried.slice(0, 4)).toEqual([1, 3, 7, 15]);
  expect(tried).toHaveLength(12);
  expect(attempts.isOver).toBe(true);
});

describe("A network", () => {
  const config = electionConfig().root!;
  const elector = contractCode("elections-elector");
  const rowsIn = async (states: ConstructorParameters<typeof ElectorChain>) => {
    const network = new ElectorChain(...states);
    const validators = new CombinedRows();
    const rows = new RowSet();
    const index = new ValidatorIndex(network, { isFirst: true });
    for (let seqno = 1; seqno <= network.length; seqno++)
      await index.add(network.unit(seqno), { rows, validators });
    validators.addTo(rows);
    return rows.finish();
  };

  test("whose elector has never held elections has no cycles", async () => {
    expect(await rowsIn([[{ data: noElections, config }], elector])).toEqual([]);
  });

  test("whose elector is another contract has nothing", async () => {
    const { data } = await chain.account(chain.id(chain.length));
    const state = { data: data!.cell!, config };
    expect(await rowsIn([[state], contractCode("multisig-order")])).toEqual([]);
    expect(await rowsIn([[state], elector])).not.toEqual([]);
  });

  test("whose elector's data cannot be read has nothing, and goes on", async () => {
    const { data } = await chain.account(chain.id(chain.length));
    const junk = beginCell().storeUint(7, 40).endCell();
    expect(await rowsIn([[{ data: junk, config }]])).toEqual([]);
    const states = [
      { data: junk, config },
      { data: data!.cell!, config },
    ];
    expect(await rowsIn([states])).not.toEqual([]);
  });
});
