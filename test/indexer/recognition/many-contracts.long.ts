import { expect, onTestFinished, test } from "vitest";
import { LateRecognition } from "../../../server/indexer/follow/late-recognition.js";
import type { RecognitionLimits } from "../../../server/indexer/recognition/recognition-budget.js";
import type { Database } from "../../../server/store/database.js";
import { readQueueLength } from "../../../server/store/queries/upkeep/recognition-queue.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { ton } from "../../helpers/chain/devnet.js";
import { classifier } from "../../helpers/index/classifier.js";
import { dearToken, spawner } from "../../helpers/index/dear-tokens.js";
import {
  type DetectedDevnet,
  idOf,
  openDetectedDevnet,
  place,
  someAddress,
  startDetection,
} from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { dumpTables } from "../../helpers/store/tables.js";

const contracts = 3_000;
const perMessage = 100;
/** Number of codes shared by most contracts. */
const sharedCodes = 4;

/** Low enough that every get-method is expensive. */
const strict: Partial<RecognitionLimits> = {
  codeMs: 0.01,
  accountMs: 1,
  share: 0,
  savedMs: 5,
  trustedMs: Number.POSITIVE_INFINITY,
};
const unstopped = new AbortController().signal;

/** Contracts of four codes; in every fifth hundred each has its own code. */
async function deployAll(devnet: DetectedDevnet): Promise<void> {
  const spawners = Array.from({ length: sharedCodes }, (_, number) => someAddress(0x60 + number));
  const code = await spawner();
  for (const [number, address] of spawners.entries()) {
    await place(devnet, address, code, await dearToken(number));
    await devnet.controls.setBalance(idOf(address), 10_000n * ton);
  }
  for (let number = 0; number < contracts; number += perMessage) {
    const hundred = number / perMessage;
    const order: Cell = beginCell()
      .storeUint(number, 32)
      .storeUint(perMessage, 32)
      .storeBit(hundred % 5 === 4)
      .endCell();
    await devnet.controls.impersonate({
      from: idOf(someAddress(1)),
      to: idOf(spawners[hundred % sharedCodes]!),
      value: 20n * ton,
      body: serializeBoc(order),
    });
  }
  await devnet.controls.mine(20);
}

const queued = async (database: Database) => (await readQueueLength(queriesOf(database))).length;

describeDatabase("3,000 contracts with dear get-methods", (fresh) => {
  test("hold no block up, and are all recognised in the end, also after a restart", async () => {
    const devnet = await openDetectedDevnet();
    await deployAll(devnet);
    const { api: lite, events } = devnet;
    const database = await fresh();
    /** Starts one process's indexer and its dependencies. */
    const start = async () => {
      const { detection, close } = await startDetection(devnet, { limits: strict });
      onTestFinished(close);
      const onError = (error: Error) => {
        throw error;
      };
      const late = new LateRecognition({
        database: database.sql(),
        lite,
        detection,
        classifier,
        share: 1,
        onError,
      });
      return { detection, late };
    };
    const first = await start();
    await indexAll(database, lite, { events, detection: first.detection, classifier, lateShare: 0 });

    const patient = await fresh();
    await indexAll(patient, lite, { events, detection: devnet.detection, classifier });
    const expected = await dumpTables(patient);
    expect(expected["jetton_masters"]!.length).toBe(contracts);
    const stored = await dumpTables(database);
    for (const table of ["blocks", "transactions", "messages", "latest_account_states"])
      expect([table, stored[table]!.length]).toEqual([table, expected[table]!.length]);
    const waiting = await queued(database);
    // Each is recognised or queued, most of them queued.
    expect(stored["jetton_masters"]!.length + waiting).toBe(contracts);
    expect(waiting).toBeGreaterThan(0.9 * contracts);

    while ((await queued(database)) > contracts / 2) await first.late.step(unstopped);
    const second = await start();
    const costs = await queriesOf(database).query<{ code_hash: Uint8Array; balance_ms: number }>({
      text: "select code_hash, balance_ms from recognition_costs where balance_ms <= -100",
      values: [],
    });
    // The codes that had their turn by now depend on the duration of runs here.
    expect(costs.length).toBeGreaterThan(0);
    await second.detection.budget.costs.load(
      queriesOf(database),
      costs.map(({ code_hash }) => Buffer.from(code_hash).toString("latin1")),
    );
    for (const { code_hash, balance_ms } of costs)
      expect(second.detection.budget.costs.balanceMs(Buffer.from(code_hash).toString("latin1"))).toBe(
        balance_ms,
      );

    await second.late.finish(unstopped);
    expect(await queued(database)).toBe(0);
    const end = await dumpTables(database);
    for (const [table, rows] of Object.entries(expected)) expect([table, end[table]]).toEqual([table, rows]);
  });
});
