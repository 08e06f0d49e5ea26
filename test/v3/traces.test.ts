import { describe, expect, it, onTestFinished } from "vitest";
import { codeOf, traceStates } from "../../server/store/codes.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { startIndexApp } from "../helpers/http/index-app.js";
import { describeDatabases } from "../helpers/store/describe-databases.js";
import { accountOf, bytesOf, hashOf, storeRows, transactionRow } from "../helpers/store/rows.js";
import { describeStoryReads } from "../helpers/stories/describe-story.js";

const encoded = encodeURIComponent;

describeStoryReads((story) => {
  describe("v3.events", () => {
    it("is the list of traces with their actions", async () => {
      const { events } = await story.ask("events", "limit=100");
      const { traces } = await story.ask("traces", "limit=100&include_actions=true");
      expect(events).toEqual(traces);
      for (const { actions, trace_info } of events)
        if (trace_info.trace_state === "complete") expect(trace_info.classification_state).toBe("ok");
        else expect(actions).toEqual([]);
    });
  });

  describe("v3.traces", () => {
    it("lists all transactions in whole trees, by the end of the trace", async () => {
      const { traces } = await story.ask("traces", "limit=1000");
      const seen: string[] = [];
      for (const trace of traces) {
        expect(trace.warning).toBeUndefined();
        expect(trace.trace_info.transactions).toBe(trace.transactions_order!.length);
        expect(treeHashes(trace.trace!).sort()).toEqual([...trace.transactions_order!].sort());
        expect(trace.trace!.tx_hash).toBe(trace.trace_id);
        seen.push(...trace.transactions_order!);
      }
      expect(seen.sort()).toEqual(story.all.map(({ hash }) => hash).sort());
      const ends = traces.map(({ end_lt }) => (end_lt === null ? 2n ** 63n : BigInt(end_lt)));
      expect(ends).toEqual([...ends].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
    });

    it("finds a trace by its id, a transaction, a message, an account or a block", async () => {
      const { traces } = await story.ask("traces", "limit=1000&include_actions=true");
      const long = traces.find(({ transactions_order }) => transactions_order!.length > 3)!;
      expect(long.actions!.length).toBeGreaterThan(0);
      const inside = long.transactions![long.transactions_order![2]!]!;
      for (const query of [
        `trace_id=${encoded(long.trace_id!)}`,
        `tx_hash=${encoded(inside.hash)}`,
        `msg_hash=${encoded(inside.in_msg!.hash)}`,
        `msg_hash=${encoded(long.external_hash!)}`,
      ])
        expect((await story.ask("traces", query)).traces).toEqual([{ ...long, actions: undefined }]);
      const ofAccount = await story.ask("traces", `account=${inside.account}&limit=1000`);
      expect(ofAccount.traces.map(({ trace_id }) => trace_id)).toContain(long.trace_id);
      const atBlock = await story.ask("traces", `mc_seqno=${long.mc_seqno_end}&limit=1000`);
      expect(atBlock.traces.map(({ trace_id }) => trace_id)).toContain(long.trace_id);
    });

    it("has the parts of actions, each with what it is part of, on request", async () => {
      const { traces } = await story.ask("traces", "limit=100&include_actions=true");
      const whole = await story.ask("traces", "limit=100&include_actions=true&include_parts=true");
      let parts = 0;
      for (const [at, { actions = [] }] of whole.traces.entries()) {
        const ids = actions.map(({ action_id }) => action_id);
        for (const { parent_action_id: parent } of actions) {
          expect(parent === null || ids.includes(parent!)).toBe(true);
          if (parent !== null) parts++;
        }
        const shown = actions.map(({ parent_action_id: _, ...action }) => action);
        expect(shown).toEqual(expect.arrayContaining(traces[at]!.actions!));
      }
      expect(parts).toBeGreaterThan(0);
    });

    it("answers 404 for a masterchain block that the index does not have", async () => {
      const { status, json } = await story.app.ask("/api/v3/traces?mc_seqno=999999999");
      expect([status, json]).toEqual([404, { error: "masterchain block 999999999 not found" }]);
    });
  });
});

type Node = { tx_hash?: string | undefined; children: Node[] };

function treeHashes({ tx_hash, children }: Node): string[] {
  return [tx_hash!, ...children.flatMap(treeHashes)];
}

describeDatabases("A page of large traces", (fresh) => {
  /** Traces of 4000 transactions each by their counts, of which one is stored. */
  const names = ["a", "b", "c", "d", "e", "f"];
  const rows = names.map((name, i) => {
    const lt = BigInt(names.length - i);
    const transaction = transactionRow({ account: bytesOf(accountOf(name)), lt });
    const trace = {
      trace_id: transaction.hash,
      mc_seqno_start: 1,
      mc_seqno_end: 1,
      start_lt: lt,
      start_utime: 100,
      end_lt: lt,
      end_utime: 100,
      state: codeOf(traceStates, "complete"),
      pending_edges_: 0,
      edges_: 4000,
      nodes_: 4000,
      classification_state: 0,
    };
    return { trace, transaction, id: bytesToBase64(transaction.hash) };
  });
  const oversized = { ...rows[0]!.trace, trace_id: hashOf("oversized"), end_lt: 99n, nodes_: 4001 };

  type Answer = {
    traces: { trace_id: string; is_incomplete: boolean; warning?: string; transactions?: object }[];
  };

  it("has every trace, and as many transactions as fit in an answer", async () => {
    const database = await fresh();
    await storeRows(database, {
      traces: [oversized, ...rows.map(({ trace }) => trace)],
      transactions: rows.map(({ transaction }) => transaction),
    });
    const app = await startIndexApp(database);
    onTestFinished(() => app.close());
    const { traces } = await app.result<Answer>("traces?limit=1000");
    const ids = rows.map(({ id }) => id);
    expect(traces.map(({ trace_id }) => trace_id)).toEqual([bytesToBase64(oversized.trace_id), ...ids]);
    const complete = (id: string) => ({ is_incomplete: false, transactions: { [id]: { hash: id } } });
    expect(traces[0]).toMatchObject({ is_incomplete: true, warning: "trace is too large" });
    for (const [i, trace] of traces.slice(1, 6).entries()) expect(trace).toMatchObject(complete(ids[i]!));
    const last = traces[6]!;
    expect(last).toMatchObject({ is_incomplete: true, warning: expect.stringContaining("by trace_id") });
    expect(last).not.toHaveProperty("transactions");
    const alone = await app.result<Answer>(`traces?trace_id=${encoded(last.trace_id)}`);
    expect(alone.traces).toMatchObject([complete(last.trace_id)]);
  });
});
