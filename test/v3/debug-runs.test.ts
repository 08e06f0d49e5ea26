import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Wallet } from "../../server/devnet/wallets/wallet.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes, bytesToHex } from "../../shared/values/bytes.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { bocText } from "../helpers/contracts/contracts.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

type Run = V3Result<"debug/transaction">;
type Steps = V3Result<"debug/steps">;
type Trace = V3Result<"debug/trace">;
type Trail = V3Result<"debug/trail">;
type Messages = Run & { trace?: Trace; bundle?: (Run & { trace?: Trace })[] };
type Listed = { hash: string; account: string; lt: string; description: { type: string } };

const runOf = (hash: string) => `tx:${bytesToHex(base64ToBytes(hash)!)}`;

let service: DevnetService;
type WithBody = {
  hash: string;
  in_msg: { abi?: object | null; message_content: { decoded: object | null } } | null;
};

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

  it("reads the received message as lists do", async () => {
    const { transactions } = await service.run<{ transactions: WithBody[] }>("v3.transactions", {
      limit: 40,
      include_abi: true,
    });
    let known = 0;
    for (const { hash, in_msg: message } of transactions) {
      const { message: shown } = await run({ hash });
      expect(shown?.decoded ?? null).toEqual(message?.message_content.decoded ?? null);
      // Lists also have the sender's ABI, and guess at accounts whose code has changed since.
      if (shown?.abi)
        expect(message!.abi).toMatchObject({ message: shown.abi.message, fields: shown.abi.fields });
      known += shown?.abi ? 1 : 0;
    }
    expect(known).toBeGreaterThan(0);
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
      expect(shown.fees!.total).toBe(known!.total_fees);
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

describe("v3.debug.trail", () => {
  it("has all steps of a run in short, and those from any of them on", async () => {
    const { run: asked, steps: count } = await longest();
    const trail = (from?: number) => service.run<Trail>("v3.debug.trail", { run: asked, from });
    expect((await trail()).steps).toHaveLength(count);
    const rest = await trail(count - 2);
    expect([rest.from, rest.steps.length]).toEqual([count - 2, 2]);
  });
});

describe("v3.debug.trace", () => {
  type Traces = {
    traces: { trace_id: string; transactions: Record<string, Listed & { total_fees: string }> }[];
  };
  const trace = (params: object) => service.run<Trace>("v3.debug.trace", params);

  it("has the runs of all transactions, page by page, and sums of the whole", async () => {
    const { traces } = await service.run<Traces>("v3.traces", { limit: 40 });
    const longest = traces.reduce((one, other) =>
      Object.keys(other.transactions).length > Object.keys(one.transactions).length ? other : one,
    );
    const all = Object.values(longest.transactions).sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)));
    const limit = 2;
    const first = await trace({ trace_id: longest.trace_id, limit });
    expect(first).toMatchObject({ trace_id: longest.trace_id, transactions: all.length, missing: [] });
    expect(first.runs.map(({ transaction }) => transaction)).toEqual(
      all.slice(0, limit).map(({ hash }) => hash),
    );
    expect(first.fees).toBe(all.reduce((sum, each) => sum + BigInt(each.total_fees), 0n).toString());
    const second = await trace({ tx_hash: all[1]!.hash, limit, cursor: first.cursor! });
    expect(second.runs.map(({ transaction }) => transaction)).toEqual(
      all.slice(limit, 2 * limit).map(({ hash }) => hash),
    );
    expect(second.gas).toBe(first.gas);
    expect(first.runs[0]).toEqual(await run({ hash: all[0]!.hash }));
  });

  it("names the first transaction that failed", async () => {
    const { actions } = await service.run<{ actions: { trace_id: string; success: boolean }[] }>(
      "v3.actions",
      {
        limit: 200,
      },
    );
    const failed = actions.filter(({ success }) => !success);
    const found: Trace[] = [];
    for (const { trace_id } of failed) found.push(await trace({ trace_id, limit: 1 }));
    const shown = found.find(({ failure }) => failure !== null)!;
    expect(shown.failed_run).toBe(runOf(shown.failure!.hash));
    const { outcome } = await service.run<Run>("v3.debug.transaction", { hash: shown.failure!.hash });
    expect(outcome.success).toBe(false);
  });

  it("refuses traces that are not there", async () => {
    const unknown = await refusal("v3.debug.trace", { trace_id: "ab".repeat(32) });
    expect(unknown).toMatchObject({ data: { code: 404 } });
    expect(await refusal("v3.debug.trace", {})).toMatchObject({ code: -32602 });
  });
});

describe("v3.debug.message", () => {
  const wallet = new TestWallet("debugged", "v4r2");
  const receiver = new TestWallet("paid by a debugged one", "v4r2");
  const message = (params: object) => service.run<Messages>("v3.debug.message", params);
  const order = (seqno: number) =>
    bocText(
      wallet.wallet.order({
        seqno,
        validUntil: 0xffffffff,
        payments: [{ to: receiver.address, value: ton, bounce: false }],
      }),
    );

  beforeAll(async () => {
    await service.run("devnet.faucet", { address: wallet.address.toRaw(), amount: String(10n * ton) });
  });

  it("runs a message that was not sent, and its trace", async () => {
    const boc = order(0);
    const shown = await message({ boc });
    expect(shown).toMatchObject({
      ...{ kind: "message", block: null, account: wallet.address.toRawUpper(), truncated: false },
      outcome: { success: true, exit_code: 0 },
      proof: { level: "none", inputs: { block: null }, differences: [] },
    });
    expect(shown.run).toMatch(/^r1\.[0-9a-f]{64}$/);
    expect(shown).not.toHaveProperty("trace");
    const { mc_block_seqno } = await service.run<{ mc_block_seqno: number }>("v3.emulate.trace", { boc });
    const followed = await message({ boc, mc_block_seqno, follow: true });
    expect(followed.trace!.runs.map(({ account }) => account)).toEqual(
      [wallet, receiver].map(({ address }) => address.toRawUpper()),
    );
    expect(followed.trace).toMatchObject({
      trace_id: null,
      failure: null,
      is_incomplete: false,
      transactions: 2,
    });
    const { trace: _, ...first } = followed;
    expect(followed.trace!.runs[0]).toEqual(first);
    const page = await steps({ run: followed.trace!.runs[1]!.run, include: "stack" });
    expect(page.total).toBe(followed.trace!.runs[1]!.steps);
  });

  it("shows the steps of a message that is not accepted", async () => {
    const key = { publicKey: wallet.wallet.publicKey, sign: () => new Uint8Array(64) };
    const unsigned = new Wallet("v4r2", key as never);
    const payments = [{ to: receiver.address, value: ton, bounce: false }];
    const boc = bocText(unsigned.order({ seqno: 0, validUntil: 0xffffffff, payments }));
    const shown = await message({ boc });
    expect(shown).toMatchObject({
      ...{ kind: "message", transaction: null, fees: null, actions: [] },
      outcome: { success: false, phase: "compute", exit_code: 35, thrown_by: "instruction" },
      gas: { limit: "0", credit: "10000" },
    });
    const { steps: all, total } = await steps({ run: shown.run, limit: 1000 });
    expect(all).toHaveLength(total);
    expect(all.reduce((sum, { gas = 0 }) => sum + gas, 0)).toBe(Number(shown.gas!.used));
    expect(all[shown.outcome.step!]!.error).toMatchObject({ code: 35, caught: false });
    expect((await message({ boc: order(7) })).outcome).toMatchObject({ skipped_reason: "no_state" });
  });

  it("runs the messages of a bundle one after the other", async () => {
    const shown = await message({
      boc: order(0),
      bundle: [{ boc: order(1) }, { boc: order(7) }, { boc: order(2) }],
    });
    expect(shown.bundle!.map(({ outcome }) => outcome.exit_code)).toEqual([0, 33]);
    expect(new Set([shown, ...shown.bundle!].map((each) => each.run)).size).toBe(3);
  });

  it("is made again by any process that gets its parameters, and else forgotten", async () => {
    const boc = order(0);
    const { mc_block_seqno } = await service.run<{ mc_block_seqno: number }>("v3.emulate.trace", { boc });
    const shown = await message({ boc, mc_block_seqno });
    const other = { run: `r1.${"ab".repeat(32)}` };
    expect(await refusal("v3.debug.steps", other)).toMatchObject({
      data: { code: 404, kind: "run-forgotten" },
    });
    const made = JSON.stringify({ boc, mc_block_seqno });
    const wrong = { ...other, message: made };
    expect(await refusal("v3.debug.steps", wrong)).toMatchObject({ data: { kind: "run-forgotten" } });
    for (const message of ["", "[]", "{}", '{"boc":5}'])
      expect(await refusal("v3.debug.steps", { ...other, message })).toMatchObject({ code: -32602 });
    const params = { run: shown.run, message: made, include: "stack", limit: 1000 };
    expect((await steps(params)).steps).toHaveLength(shown.steps);
  });

  it("refuses what no account can receive", async () => {
    expect(await refusal("v3.debug.message", { boc: "AAAA" })).toMatchObject({ data: { code: 500 } });
  });
});

describe("v3.debug.getMethod", () => {
  type Info = { contracts: { kind: string; address: string }[] };
  const method = (params: object) => service.run<Run>("v3.debug.getMethod", params);

  it("shows how a get-method runs, with the result that v3.runGetMethod has", async () => {
    const { contracts } = await service.run<Info>("devnet.info");
    const { address } = contracts.find(({ kind }) => kind === "jetton_master")!;
    const owner = Address.read(address)!.address;
    const asked = { address, method: "get_jetton_data" };
    const shown = await method(asked);
    const plain = await service.run<{ stack: unknown; exit_code: number; gas_used: number }>(
      "v3.runGetMethod",
      asked,
    );
    expect(shown).toMatchObject({
      ...{ kind: "get_method", account: owner.toRawUpper(), transaction: null, message: null, fees: null },
      outcome: { success: true, exit_code: plain.exit_code, phase: null },
      gas: { used: String(plain.gas_used) },
      method: { id: 106_029, stack: plain.stack },
    });
    const { steps: all } = await steps({ run: shown.run, limit: 1000 });
    expect(all).toHaveLength(shown.steps);
    expect(all.reduce((sum, { gas = 0 }) => sum + gas, 0)).toBe(plain.gas_used);
    const again = await steps({
      run: shown.run,
      get_method: JSON.stringify(asked),
      include: "full_stack",
      limit: 1,
    });
    expect(again.steps[0]!.stack).toBeDefined();
  });

  it("says why one fails, and that an account has no code", async () => {
    const { contracts } = await service.run<Info>("devnet.info");
    const { address } = contracts.find(({ kind }) => kind === "jetton_master")!;
    const failed = await method({ address, method: "no_such_method" });
    expect(failed.outcome).toMatchObject({ success: false, exit_code: 11, phase: "compute" });
    const none = await method({ address: `0:${"12".repeat(32)}`, method: "seqno" });
    expect(none).toMatchObject({ gas: null, steps: 0, outcome: { success: false, exit_code: -13 } });
  });
});
