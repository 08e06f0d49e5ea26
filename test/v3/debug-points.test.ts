import { expect, it } from "vitest";
import type { DebugRuns } from "../../server/chain/retrace/debug-runs.js";
import { type RunOfDeps, runOf } from "../../server/methods/v3/debug-run-of.js";
import { runsWithin } from "../../server/methods/v3/debug-traces.js";
import type { TransactionRecord } from "../../server/present/v3/transaction.js";
import { ReadTurns } from "../../server/store/read-turns.js";
import type { Call } from "../../shared/methods/define.js";
import type { TransactionRun } from "../../shared/ton/run/debug-run.js";
import { bytesOfHex, bytesToBase64 } from "../../shared/values/bytes.js";
import { someAddress } from "../helpers/index/detection.js";

const hash = "ab".repeat(32);

it("A run costs two points besides that of its call, and none while it is known; equal ones are made once", async () => {
  const known = new Map<string, TransactionRun>();
  const debugRuns: Pick<DebugRuns, "known" | "transaction"> = {
    known: (id, withStacks) => known.get(`${id} ${withStacks}`),
    async transaction(_, { withStacks }) {
      const run = {
        kind: "transaction",
        own: { found: { cell: { hash: () => bytesOfHex(hash) } } },
      } as unknown as TransactionRun;
      known.set(`tx:${hash} ${withStacks}`, run);
      return run;
    },
  };
  // Only what the run of a place needs.
  const deps = { debugRuns, debugTurns: new ReadTurns({ fast: 2, slow: 0 }) } as unknown as RunOfDeps;
  const charged: number[] = [];
  const call = {
    signal: new AbortController().signal,
    charge: (points: number) => void charged.push(points),
  } as unknown as Call;
  const asked = { run: `tx:${hash}`, account: someAddress(1), lt: 5n, force: false };
  const ask = (withStacks: boolean) => runOf(asked, { withStacks }, deps, call);
  await Promise.all([ask(false), ask(false)]);
  await ask(false);
  expect(charged).toEqual([2]);
  await ask(true);
  expect(charged).toEqual([2, 2]);
});

it("A trace's page ends where its runs have used up its CPU time", async () => {
  const msOfRun = 2500;
  const debugRuns = {
    known: () => undefined,
    async transaction(_: unknown, __: unknown, { spent }: Call) {
      spent?.(msOfRun);
      return { kind: "transaction", own: { found: { cell: { hash: () => bytesOfHex(hash) } } } };
    },
  };
  const deps = { debugRuns, debugTurns: new ReadTurns({ fast: 2, slow: 0 }) } as unknown as RunOfDeps;
  const paid: number[] = [];
  const call = {
    signal: new AbortController().signal,
    spent: (ms: number) => void paid.push(ms),
  } as unknown as Call;
  const record = { hash: bytesToBase64(bytesOfHex(hash)), account: someAddress(1).toRawUpper(), lt: "5" };
  const records = new Array<TransactionRecord>(8).fill(record as TransactionRecord);
  let runs = 0;
  for await (const { run, call: own } of runsWithin(records, deps, call)) {
    expect(run).toMatchObject({ kind: "transaction" });
    // What is done with a run counts too.
    if (runs++ === 0) own.spent?.(1100);
  }
  expect([runs, paid]).toEqual([2, [msOfRun, 1100, msOfRun]]);
});
