import { expect, test } from "vitest";
import type { DecodedTransaction } from "../../server/indexer/decode/decode-block.js";
import { TraceAssembler } from "../../server/indexer/traces.js";
import { addressToBytes } from "../../server/store/address-bytes.js";
import { traceStates } from "../../server/store/codes.js";
import type { MessageRow, TraceRow, TransactionRow } from "../../server/store/tables.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes, compareBytes } from "../../shared/values/bytes.js";
import { describeWithTraces, type TraceCase } from "../helpers/test-data.js";

type Golden = {
  trace: {
    trace_id: string;
    external_hash: string;
    mc_seqno_start: number;
    mc_seqno_end: number;
    start_lt: string;
    start_utime: number;
    end_lt: string;
    end_utime: number;
    state: string;
    nodes: number;
    edges: number;
    pending_edges: number;
    classification_state: string;
  };
  transactions: GoldenTransaction[];
};
type GoldenTransaction = {
  hash: string;
  account: string;
  lt: string;
  now: number;
  mc_block_seqno: number;
  in_msg: GoldenMessage | null;
  out_msgs: GoldenMessage[];
};
type GoldenMessage = {
  hash: string;
  source: string | null;
  destination: string | null;
  created_lt: string | null;
};

const bytes = (text: string) => base64ToBytes(text)!;
const address = (text: string | null) =>
  text === null ? undefined : addressToBytes(Address.read(text)!.address);

/** Only what traces are made from. */
function messageOf({ hash, source, destination, created_lt }: GoldenMessage): MessageRow {
  return {
    msg_hash: bytes(hash),
    source: address(source),
    destination: address(destination),
    created_lt: created_lt === null ? undefined : BigInt(created_lt),
  } as MessageRow;
}

function transactionOf({ hash, account, lt, now, in_msg, out_msgs }: GoldenTransaction): DecodedTransaction {
  const row = { hash: bytes(hash), account: address(account)!, lt: BigInt(lt), now } as TransactionRow;
  return { row, inMessage: in_msg ? messageOf(in_msg) : undefined, outMessages: out_msgs.map(messageOf) };
}

/** Block by block, as a follower does, each block's transactions in no order. */
function assemble(
  assembler: TraceAssembler,
  transactions: readonly GoldenTransaction[],
): DecodedTransaction[] {
  const seqnos = [...new Set(transactions.map(({ mc_block_seqno }) => mc_block_seqno))].sort((a, b) => a - b);
  return seqnos.flatMap((seqno) => {
    const block = transactions.filter(({ mc_block_seqno }) => mc_block_seqno === seqno).map(transactionOf);
    assembler.take(block.reverse(), seqno);
    return block;
  });
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

const goldenOf = (each: TraceCase) => each.read() as Golden;

describeWithTraces("The assembler of traces", (cases) => {
  test.each(cases.map((each) => [each.id, each] as const))("makes one whole trace of %s", (_id, each) => {
    const { trace, transactions } = goldenOf(each);
    const assembler = new TraceAssembler();
    const taken = assemble(assembler, transactions);
    const changes = assembler.changes();
    const { classification_state: _, ...expected } = trace;
    expect(changes.traces.map(shown)).toEqual([expected]);
    expect(changes.opened).toEqual([]);
    for (const { row, inMessage, outMessages } of taken)
      for (const each of [row, ...(inMessage ? [inMessage] : []), ...outMessages])
        expect(each.trace_id).toEqual(bytes(trace.trace_id));
    expect(assembler.size).toEqual({ edges: 0, traces: 0 });
  });

  test("goes on from what is stored, in the middle of any trace", () => {
    for (const each of cases) {
      const { trace, transactions } = goldenOf(each);
      const seqnos = transactions.map(({ mc_block_seqno }) => mc_block_seqno);
      const middle = (Math.min(...seqnos) + Math.max(...seqnos)) / 2;
      const first = new TraceAssembler();
      assemble(
        first,
        transactions.filter(({ mc_block_seqno }) => mc_block_seqno <= middle),
      );
      const { traces, opened } = first.changes();
      const second = new TraceAssembler({ traces, edges: opened });
      assemble(
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
