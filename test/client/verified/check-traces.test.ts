import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Trace, TraceTrace, Transaction } from "../../../client/index.js";
import { type Checked, ProofError } from "../../../client/verified/index.js";
import { isLong, sized } from "../../helpers/effort.js";
import { signedPayment } from "../../helpers/services/devnet-wallet.js";
import { type Claims, checkChanges, type Ends, isNamed, openClaims } from "./claims.js";

type Whole = Trace & {
  trace: TraceTrace;
  transactions: Record<string, Transaction>;
  transactions_order: string[];
};

describe("a check of a trace", () => {
  let claims: Claims;
  let traces: Whole[];
  beforeAll(async () => {
    claims = await openClaims();
    traces = (await claims.plain.v3.traces({ limit: 1000 })).traces as Whole[];
  });
  afterAll(() => claims?.close());

  const check = (trace: object): Promise<Checked> => claims.verified.check({ trace: trace as Trace });
  const refusal = (trace: object) => check(trace).catch((error: unknown) => error);
  const isStarted = ({ trace_id: id, transactions }: Whole) => transactions[id!]?.in_msg?.source === null;
  /** A trace of a message from outside. */
  const traceOf = (least: number, most: number) =>
    traces.find(
      (each) =>
        isStarted(each) &&
        each.trace_info.transactions >= least &&
        each.trace_info.transactions <= most &&
        each.trace_info.trace_state === "complete",
    )!;
  /** A trace without some of its transactions. */
  const without = (trace: Whole, hashes: readonly string[], more: Partial<Whole> = {}): Whole => ({
    ...trace,
    transactions: Object.fromEntries(
      Object.entries(trace.transactions).filter(([hash]) => !hashes.includes(hash)),
    ),
    transactions_order: trace.transactions_order.filter((hash) => !hashes.includes(hash)),
    trace: pruned(trace.trace, hashes),
    ...more,
  });

  it("refuses or names each member that is changed", async () => {
    const sizes = [...traces].sort((a, b) => a.trace_info.transactions - b.trace_info.transactions);
    const chosen = sizes.filter(({ trace_info: { transactions: count } }) => count > 1);
    const ends: Ends[] = [];
    const all = (changes: readonly Ends[]) => changes.reduce((sum, each) => sum + each.changes, 0);
    if (sized(1, 0)) {
      const { transactions, ...rest } = chosen[0]!;
      const claim = (each: unknown) => ({ ...(each as object), transactions });
      ends.push(await checkChanges(claims, "trace", rest, claim));
    }
    for (let at = 0; all(ends) < sized(1, 10_000); at++)
      ends.push(await checkChanges(claims, "trace", chosen[at]!));
    for (const name of ["trace_id", "start_lt", "mc_seqno_end", "end_utime", "external_hash"])
      expect(ends[0]!.refused).toContain(`trace.${name}`);
    expect([...ends[0]!.refused].some((each) => each.startsWith("trace.trace.children"))).toBe(true);
    console.log(`${all(ends)} changed traces`);
  }, 900_000);

  it("refuses one from which everything is withheld", async () => {
    const { transactions: _, trace, ...rest } = traceOf(2, 9);
    const nothing = { ...rest, transactions_order: [], trace_id: Buffer.alloc(32, 7).toString("base64") };
    const info = { ...rest.trace_info, transactions: 0, messages: 0, pending_messages: 0 };
    for (const withheld of [
      { transactions: {}, end_lt: "1", trace_info: info },
      { transactions: {}, trace },
      { transactions: {}, trace: {} },
      { transactions: null, trace: null },
    ])
      expect(await refusal({ ...nothing, ...withheld })).toBeInstanceOf(ProofError);
    expect(await refusal({ ...nothing, is_incomplete: true })).toMatchObject({ code: "too-large" });
  });

  it("refuses one without its root, or with another id", async () => {
    const trace = traceOf(3, 9);
    const [root, ...others] = trace.transactions_order as [string, ...string[]];
    expect(trace.trace.tx_hash).toBe(root);
    for (const wrong of [
      without(trace, [root], { trace: trace.trace }),
      { ...trace, trace_id: others[0]! },
      { ...trace, trace: trace.trace.children[0]! },
      { ...trace, trace: { ...trace.trace, tx_hash: others[0]! } },
    ])
      expect(await refusal(wrong)).toBeInstanceOf(ProofError);
  });

  it("names what is not proven where the tree begins at an internal message", async () => {
    const trace = traceOf(3, 9);
    const [root] = trace.transactions_order as [string];
    const below = trace.trace.children[0]!;
    const kept = hashesIn(below);
    const gone = trace.transactions_order.filter((hash) => !kept.includes(hash));
    expect(gone).toContain(root);
    const { transactions, ...rest } = without(trace, gone, { trace: below });
    for (const trace_id of [below.tx_hash!, trace.trace_id, "AAAA"]) {
      const checked = await check({ ...rest, transactions, trace_id, end_lt: "1", mc_seqno_start: "1" });
      expect(checked.transactions).toBe(kept.length);
      const members = Object.keys(rest).filter((name) => name !== "transactions_order");
      for (const name of [...members, "transactions[].trace_id"])
        expect([name, isNamed(checked, `trace.${name}`)]).toEqual([name, true]);
    }
  });

  it("names each message whose transaction is not there as pending, and refuses a complete trace", async () => {
    for (const trace of [traceOf(2, 2), traceOf(3, 9)]) {
      const leaf = trace.transactions_order.at(-1)!;
      const received = trace.transactions[leaf]!.in_msg!.hash;
      expect(await refusal(without(trace, [leaf]))).toBeInstanceOf(ProofError);
      const { transactions, messages } = trace.trace_info;
      const trace_info = {
        ...trace.trace_info,
        trace_state: "pending" as const,
        transactions: transactions - 1,
        messages: messages - 1 - trace.transactions[leaf]!.out_msgs.length,
        pending_messages: 1,
      };
      // As an index that lags behind has it.
      const earlier = without(trace, [leaf], { end_lt: null, end_utime: null, trace_info });
      const kept = Object.values(earlier.transactions);
      const mc_seqno_end = String(Math.max(...kept.map(({ mc_block_seqno: seqno }) => seqno)));
      const checked = await check({ ...earlier, mc_seqno_end });
      expect(checked.transactions).toBe(transactions - 1);
      const sender = kept.find(({ out_msgs }) => out_msgs.some(({ hash }) => hash === received))!;
      const at = sender.out_msgs.findIndex(({ hash }) => hash === received);
      expect(checked.unproven).toEqual(
        expect.arrayContaining([
          `trace.transactions.${sender.hash}.out_msgs[${at}].in_msg_tx_hash`,
          "trace.trace_info.trace_state",
        ]),
      );
      const { end_lt: _, end_utime: __, ...absent } = earlier;
      expect(await check({ ...absent, mc_seqno_end })).toEqual(checked);
    }
  });

  it("refuses a transaction of another trace, and one that is there twice", async () => {
    const [trace, other] = [traceOf(2, 4), traceOf(5, 9)];
    const [foreign] = Object.values(other.transactions) as [Transaction];
    const { transactions, transactions_order: order } = trace;
    const tree = (child: TraceTrace) => ({ ...trace.trace, children: [...trace.trace.children, child] });
    const node = { tx_hash: foreign.hash, in_msg_hash: foreign.in_msg!.hash, children: [] };
    for (const wrong of [
      { transactions: { ...transactions, [foreign.hash]: foreign } },
      {
        transactions: { ...transactions, [foreign.hash]: foreign },
        transactions_order: [...order, foreign.hash],
        trace: tree(node),
      },
      { trace: tree(trace.trace.children[0]!) },
    ])
      expect(await refusal({ ...trace, ...wrong })).toBeInstanceOf(ProofError);
  });

  it("names all that depends on transactions which are in no block yet", async () => {
    const trace = traceOf(3, 9);
    const leaf = trace.transactions_order.at(-1)!;
    const open = {
      ...trace.transactions[leaf]!,
      emulated: true,
      finality: "pending" as const,
      mc_block_seqno: 0,
    };
    const transactions = { ...trace.transactions, [leaf]: open };
    const shown = { trace_state: "pending", transactions: 7, messages: 7, pending_messages: 0 };
    const { trace_id, start_lt, start_utime } = trace;
    const checked = await check({ ...trace, transactions, trace_info: shown, mc_seqno_start: "0" });
    expect(checked.transactions).toBe(trace.trace_info.transactions - 1);
    const members = ["end_lt", "end_utime", "mc_seqno_start", "mc_seqno_end", "trace_info", "external_hash"];
    for (const name of [...members, "trace", "transactions_order", `transactions.${leaf}`])
      expect([name, isNamed(checked, `trace.${name}`)]).toEqual([name, true]);
    // The root is proven.
    for (const wrong of [{ trace_id: leaf }, { start_lt: `${start_lt}1` }, { start_utime: start_utime + 1 }])
      expect([wrong, await refusal({ ...trace, transactions, ...wrong })]).toEqual([
        wrong,
        expect.any(ProofError),
      ]);
    const all = Object.values(trace.transactions).map((each) => [
      each.hash,
      { ...each, finality: "pending" },
    ]);
    const nothing = await check({ ...trace, transactions: Object.fromEntries(all) });
    expect(nothing.transactions).toBe(0);
    expect(isNamed(nothing, "trace.trace_id")).toBe(trace_id !== null);
  });

  it.runIf(isLong)(
    "proves more of a new trace with each block, until nothing of its tree is open",
    async () => {
      const { service, plain } = claims;
      const to = `0:${"7".repeat(64)}`;
      const boc = await signedPayment(service, to);
      const { message_hash_norm: id } = await plain.v3.message({ boc });

      const [waiting] = (await plain.v3.pendingTraces({ ext_msg_hash: [id!] })).traces;
      const open = await check(waiting!);
      expect(open.transactions).toBe(0);
      for (const name of Object.keys(waiting!).filter((each) => each !== "transactions"))
        expect([name, isNamed(open, `trace.${name}`)]).toEqual([name, true]);
      for (const hash of Object.keys(waiting!.transactions!))
        expect(open.unproven).toContain(`trace.transactions.${hash}`);

      await service.mine(4);
      const [done] = (await plain.v3.traces({ msg_hash: [id!] })).traces;
      expect(done!.trace_info.trace_state).toBe("complete");
      const client = await claims.openAt(service.url);
      const proven = await client.check({ trace: done! });
      client.close();
      expect(proven.transactions).toBe(2);
      expect(proven.unproven.filter((each) => !each.startsWith("trace.transactions[]")).sort()).toEqual([
        "trace.actions",
        "trace.is_incomplete",
        "trace.trace_info.classification_state",
      ]);
    },
  );
});

function pruned(node: TraceTrace, hashes: readonly string[]): TraceTrace {
  const children = node.children.filter(({ tx_hash: hash }) => !hashes.includes(hash!));
  return { ...node, children: children.map((each) => pruned(each, hashes)) };
}

function hashesIn({ tx_hash: hash, children }: TraceTrace): string[] {
  return [hash!, ...children.flatMap(hashesIn)];
}
