import { describe, expect, it } from "vitest";
import { describeStory } from "../helpers/describe-story.js";

const encoded = encodeURIComponent;

describeStory((story) => {
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
      expect(long.actions).toEqual([]);
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
