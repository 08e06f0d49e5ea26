import { expect, test } from "vitest";
import { TimeSlice } from "../../../server/chain/time-slice.js";
import type { DecodedTransaction } from "../../../server/indexer/decode/decode-block.js";
import { TraceAssembler } from "../../../server/indexer/traces/trace-assembler.js";
import { traceStates } from "../../../server/store/codes.js";
import type { TraceRow } from "../../../server/store/tables/traces.js";
import { compareBytes } from "../../../shared/values/bytes.js";
import { bytesOf, type GoldenTransaction, goldenCase } from "../../helpers/index/golden-case.js";
import { describeWithTraces } from "../../helpers/test-data.js";
import { goldenTransaction } from "../golden-chain.js";

/** Block by block, as a follower does, each block's transactions in no order. */
async function assemble(
  assembler: TraceAssembler,
  transactions: readonly GoldenTransaction[],
): Promise<DecodedTransaction[]> {
  const seqnos = [...new Set(transactions.map(({ mc_block_seqno }) => mc_block_seqno))].sort((a, b) => a - b);
  const taken: DecodedTransaction[] = [];
  for (const seqno of seqnos) {
    const block = transactions
      .filter(({ mc_block_seqno }) => mc_block_seqno === seqno)
      .map((each) => goldenTransaction(each, seqno));
    await assembler.take(block.reverse(), seqno, new TimeSlice());
    taken.push(...block);
  }
  return taken;
}

function shown(row: TraceRow) {
  return {
    trace_id: Buffer.from(row.trace_id).toString("base64"),
    external_hash: Buffer.from(row.external_hash!).toString("base64"),
    mc_seqno_start: row.mc_seqno_start,
    mc_seqno_end: row.mc_seqno_end,
    start_lt: String(row.start_lt),
    start_utime: row.start_utime,
    end_lt: String(row.end_lt),
    end_utime: row.end_utime,
    state: traceStates[row.state],
    nodes: row.nodes_,
    edges: row.edges_,
    pending_edges: row.pending_edges_,
  };
}

describeWithTraces("The assembler of traces", (cases) => {
  test.each(cases.map((each) => [each.id, each] as const))(
    "makes one whole trace of %s",
    async (_id, each) => {
      const { trace, transactions } = goldenCase(each);
      const assembler = new TraceAssembler();
      const taken = await assemble(assembler, transactions);
      const changes = assembler.changes();
      const { classification_state: _, ...expected } = trace;
      expect(changes.traces.map(shown)).toEqual([expected]);
      expect(changes.opened).toEqual([]);
      for (const { row } of taken) expect(row.trace_id).toEqual(bytesOf(trace.trace_id));
      const received = taken.flatMap(({ inMessage }) => (inMessage?.is_first ? [inMessage.msg_hash] : []));
      expect(received).toEqual([bytesOf(trace.external_hash)]);
      expect(assembler.size).toEqual({ edges: 0, traces: 0 });
    },
  );

  test("continues from the stored rows, in the middle of any trace", async () => {
    for (const each of cases) {
      const { trace, transactions } = goldenCase(each);
      const seqnos = transactions.map(({ mc_block_seqno }) => mc_block_seqno);
      const middle = (Math.min(...seqnos) + Math.max(...seqnos)) / 2;
      const first = new TraceAssembler();
      await assemble(
        first,
        transactions.filter(({ mc_block_seqno }) => mc_block_seqno <= middle),
      );
      const { traces, opened } = first.changes();
      const second = new TraceAssembler({ traces, edges: opened });
      await assemble(
        second,
        transactions.filter(({ mc_block_seqno }) => mc_block_seqno > middle),
      );
      const later = second.changes();
      const stored = new Map([...traces, ...later.traces].map((row) => [shown(row).trace_id, shown(row)]));
      const { classification_state: _, ...expected } = trace;
      expect([...stored.values()]).toEqual([expected]);
      expect(later.closed.sort(compareBytes)).toEqual(
        opened.map(({ msg_hash }) => msg_hash).sort(compareBytes),
      );
    }
  });
});
