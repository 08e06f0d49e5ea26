import { parseBocRoot } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { accountStatuses, codeOf, directions, skipReasons, transactionKinds } from "../../store/codes.js";
import type { MessageContentRow } from "../../store/tables/messages.js";
import type { MessagePart, TransactionPart } from "../../store/tables/trace-parts.js";
import type { TraceRow } from "../../store/tables/traces.js";
import { keyOf } from "../hash-key.js";
import type { AddressText, HashText, Trace, TraceMessage, TraceTransaction } from "./trace.js";

/** Rows of a trace as the tables, pending traces and emulated traces have them. */
export type TraceRows = {
  readonly trace: Pick<
    TraceRow,
    | "trace_id"
    | "external_hash"
    | "external_hash_norm"
    | "start_lt"
    | "start_utime"
    | "end_lt"
    | "end_utime"
    | "mc_seqno_end"
  >;
  readonly transactions: readonly TransactionPart[];
  readonly messages: readonly MessagePart[];
  /** Bodies and state inits of the messages. */
  readonly messageContents: readonly MessageContentRow[];
};

const inbound = codeOf(directions, "in");
const tickTock = codeOf(transactionKinds, "tick_tock");

/** A trace made of rows. Bodies are parsed when they are first read. */
export function traceOfRows({ trace, transactions, messages, messageContents }: TraceRows): Trace {
  const contents = new Map(messageContents.map(({ hash, body }) => [keyOf(hash), body]));
  const sides = new Map<string, { inMessage?: TraceMessage; outMessages: TraceMessage[] }>();
  for (const row of transactions) sides.set(keyOf(row.hash), { outMessages: [] });
  for (const row of messages) {
    const side = sides.get(keyOf(row.tx_hash));
    if (side === undefined) continue;
    const message = new StoredMessage(row, contents);
    if (row.direction === inbound) side.inMessage = message;
    else side.outMessages.push(message);
  }
  return {
    traceId: textOf(trace.trace_id),
    externalHash: trace.external_hash && textOf(trace.external_hash),
    externalHashNorm: trace.external_hash_norm && textOf(trace.external_hash_norm),
    startLt: trace.start_lt,
    startUtime: trace.start_utime,
    endLt: trace.end_lt,
    endUtime: trace.end_utime,
    mcSeqnoEnd: trace.mc_seqno_end,
    transactions: transactions.map((row) => transactionOf(row, sides.get(keyOf(row.hash))!)),
  };
}

function transactionOf(
  row: TransactionPart,
  { inMessage, outMessages }: { inMessage?: TraceMessage; outMessages: TraceMessage[] },
): TraceTransaction {
  return {
    hash: textOf(row.hash),
    account: addressTextOf(row.account),
    lt: row.lt,
    now: row.now,
    mcSeqno: row.mc_block_seqno,
    isTickTock: row.descr === tickTock,
    statusBefore: accountStatuses[row.orig_status]!,
    statusAfter: accountStatuses[row.end_status]!,
    isAborted: row.aborted ?? false,
    skippedReason: row.skipped_reason === undefined ? undefined : skipReasons[row.skipped_reason],
    exitCode: row.compute_exit_code,
    inMessage,
    outMessages,
  };
}

type Contents = ReadonlyMap<string, Uint8Array>;

class StoredMessage implements TraceMessage {
  readonly hash: HashText;
  readonly source: AddressText | undefined;
  readonly destination: AddressText | undefined;
  readonly value: bigint | undefined;
  readonly extraCurrencies: Readonly<Record<string, string>> | undefined;
  readonly createdLt: bigint | undefined;
  readonly createdAt: number | undefined;
  readonly opcode: number | undefined;
  readonly bounce: boolean;
  readonly #bodyBytes: Uint8Array | undefined;
  readonly #initBytes: Uint8Array | undefined;
  #body: Cell | undefined;
  #init: Cell | undefined;

  constructor(row: MessagePart, contents: Contents) {
    this.hash = textOf(row.msg_hash);
    this.source = row.source && addressTextOf(row.source);
    this.destination = row.destination && addressTextOf(row.destination);
    this.value = row.value;
    this.extraCurrencies = row.value_extra_currencies;
    this.createdLt = row.created_lt;
    this.createdAt = row.created_at;
    this.opcode = row.opcode === undefined ? undefined : row.opcode >>> 0;
    this.bounce = row.bounce ?? false;
    this.#bodyBytes = contents.get(keyOf(row.body_hash));
    this.#initBytes = row.init_state_hash && contents.get(keyOf(row.init_state_hash));
  }

  get hasBody(): boolean {
    return this.#bodyBytes !== undefined;
  }

  get body(): Cell | undefined {
    if (this.#bodyBytes) this.#body ??= parseBocRoot(this.#bodyBytes);
    return this.#body;
  }

  get initState(): Cell | undefined {
    if (this.#initBytes) this.#init ??= parseBocRoot(this.#initBytes);
    return this.#init;
  }
}

function textOf(hash: Uint8Array): HashText {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString("base64");
}

/** What `Address.toRawUpper` gives, in a third of the time. */
function addressTextOf(bytes: Uint8Array): AddressText {
  const workchain = (bytes[0]! << 24) >> 24;
  const hash = Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.length - 1);
  return `${workchain}:${hash.toString("hex").toUpperCase()}`;
}
