import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { base64ToBytes, bytesToHex } from "../../shared/values/bytes.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

type Run = V3Result<"debug/transaction">;
type Steps = V3Result<"debug/steps">;
type Listed = { hash: string; account: string; lt: string; description: { type: string } };

const runOf = (hash: string) => `tx:${bytesToHex(base64ToBytes(hash)!)}`;

let service: DevnetService;
let listed: Listed[];
beforeAll(async () => {
  service = await sharedService("story");
  const { transactions } = await service.run<{ transactions: Listed[] }>("v3.transactions", { limit: 200 });
  listed = transactions;
});
afterAll(() => service.close());

const run = (params: object) => service.run<Run>("v3.debug.transaction", params);
const steps = (params: object) => service.run<Steps>("v3.debug.steps", params);

/** The error of a call. */
async function refusal(method: string, params: object): Promise<unknown> {
  return ((await service.rpc(method, params)) as { error: unknown }).error;
}

/** The transaction of the story with the most steps among a few. */
async function longest(): Promise<Run> {
  const runs: Run[] = [];
  for (const { hash } of listed.filter(({ description }) => description.type === "ord").slice(0, 12))
    runs.push(await run({ hash }));
  return runs.reduce((one, other) => (other.steps > one.steps ? other : one));
}

describe("v3.debug.transaction", () => {
  it("is exact for transactions of every kind", async () => {
    const kinds = new Map(listed.map((each) => [each.description.type, each]));
    expect([...kinds.keys()].sort()).toEqual(["ord", "tick_tock"]);
    for (const { hash, account, lt } of kinds.values()) {
      const byHash = await run({ hash });
      expect(byHash).toMatchObject({ run: runOf(hash), transaction: hash, account, lt, truncated: false });
      expect(byHash.proof).toMatchObject({ level: "exact", differences: [] });
      expect(await run({ account, lt })).toEqual(byHash);
      const answer = await service.get(`/api/v3/debug/transaction?hash=${encodeURIComponent(hash)}`);
      expect([answer.status, answer.json]).toEqual([200, byHash]);
    }
  });

  it("has the gas, the fees and the actions that the chain has", async () => {
    for (const { hash } of listed.slice(0, 20)) {
      const shown = await run({ hash });
      const [known] = (
        await service.run<{
          transactions: {
            total_fees: string;
            out_msgs: { hash: string }[];
            description: { compute_ph?: { gas_used?: string; vm_steps?: number } };
          }[];
        }>("v3.transactions", { hash })
      ).transactions;
      expect(shown.fees.total).toBe(known!.total_fees);
      expect(shown.gas?.used).toBe(known!.description.compute_ph?.gas_used);
      if (shown.gas && !shown.gas.fixed) expect(shown.steps).toBe(known!.description.compute_ph!.vm_steps);
      const sent = shown.actions.flatMap(({ sent: one }) => one ?? []);
      expect(known!.out_msgs.map((message) => message.hash)).toEqual(expect.arrayContaining(sent));
      // A highload wallet makes the list itself: no step queued its actions.
      const queued = shown.actions.filter(({ step }) => step !== null);
      expect([0, shown.actions.length]).toContain(queued.length);
    }
  });

  it("refuses what is not there, and parameters that do not go together", async () => {
    const unknown = await refusal("v3.debug.transaction", { hash: "ab".repeat(32) });
    expect(unknown).toMatchObject({ data: { code: 404, kind: "transaction" } });
    const { account } = listed[0]!;
    const none = await refusal("v3.debug.transaction", { account, lt: 5 });
    expect(none).toMatchObject({ data: { code: 404, kind: "transaction" } });
    for (const params of [{}, { account }, { hash: listed[0]!.hash, account, lt: 5 }])
      expect(await refusal("v3.debug.transaction", params)).toMatchObject({ code: -32602 });
  });
});

describe("v3.debug.steps", () => {
  it("has all steps, page by page in both directions", async () => {
    const shown = await longest();
    const forth: Steps["steps"] = [];
    for (let from: number | null = 0; from !== null; ) {
      const page: Steps = await steps({ run: shown.run, from, limit: 50 });
      expect(page).toMatchObject({ total: shown.steps, first_step: 0, truncated: false });
      forth.push(...page.steps);
      from = page.next;
    }
    expect(forth.map(({ n }) => n)).toEqual(forth.map((_, index) => index));
    expect(forth).toHaveLength(shown.steps);
    expect(forth.reduce((sum, { gas = 0 }) => sum + gas, 0)).toBe(Number(shown.gas!.used));
    const back = await steps({ run: shown.run, limit: 5, backward: true });
    expect(back.steps).toEqual(forth.slice(-5));
    expect(back.next).toBe(forth.length - 6);
    for (const [index, { step }] of shown.actions.entries())
      if (step !== null) expect(forth[step]!.action).toBe(index);
  });

  it("has the stack, and the cells on it", async () => {
    const { run: name, steps: total } = await longest();
    const page = await steps({ run: name, limit: 1000, include: "full_stack,stack,cells" });
    expect(page.steps).toHaveLength(total);
    for (const [index, { stack, pops, pushes }] of page.steps.entries()) {
      const next = page.steps[index + 1];
      if (!stack || !pops || !pushes || !next?.stack) continue;
      expect([...stack.slice(0, stack.length - pops.length), ...pushes]).toEqual(next.stack);
    }
    const named = page.steps.flatMap(({ stack }) => stack ?? []).flatMap(({ hash }) => hash ?? []);
    expect(named.length).toBeGreaterThan(0);
    for (const hash of named) expect(page.cells).toHaveProperty(bytesToHex(base64ToBytes(hash)!));
    const plain = await steps({ run: name, limit: 1000 });
    const bare = page.steps.map(({ stack: _, pops: __, pushes: ___, ...step }) => step);
    expect(plain.steps).toEqual(bare);
  });

  it("refuses names of no run", async () => {
    expect(await refusal("v3.debug.steps", { run: "tx:5" })).toMatchObject({ code: -32602 });
    const unknown = await refusal("v3.debug.steps", { run: `tx:${"ab".repeat(32)}` });
    expect(unknown).toMatchObject({ data: { kind: "transaction" } });
  });
});
