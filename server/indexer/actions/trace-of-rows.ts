import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { tgWalletOpcode } from "../../../shared/ton/contracts/tg-wallet.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { mayBeTgWalletRequest } from "../../contracts/tg-wallet-request.js";
import { rawAddressFromBytes } from "../../store/address-bytes.js";
import { accountStatuses, codeOf, directions, skipReasons, transactionKinds } from "../../store/codes.js";
import type { MessageContentRow } from "../../store/tables/messages.js";
import type { MessagePart, TransactionPart } from "../../store/tables/trace-parts.js";
import type { TraceRow } from "../../store/tables/traces.js";
import { keyOf } from "../hash-key.js";
import type { AddressText, HashText, Trace, TraceMessage, TraceTransaction } from "./trace.js";

/** Rows of a trace, from the tables or of a pending or emulated trace. */
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

/** A trace made from rows. Bodies are parsed on first use. */
export function traceOfRows({ trace, transactions, messages, messageContents }: TraceRows): Trace {
  const contents = new Map<string, Uint8Array>();
  for (const { hash, body } of messageContents) contents.set(keyOf(hash), body);
  const addresses = new AddressTexts();
  const known = transactions.map(
    (row): KnownTransaction => ({ row, hash: textOf(row.hash), outMessages: [] }),
  );
  const byHash = new Map(known.map((transaction) => [transaction.hash, transaction]));
  // Sender and receiver of a message each have a row; the receiver's serves both.
  const received = new Map<HashText, TraceMessage>();
  for (const row of messages) {
    if (row.direction !== inbound) continue;
    const message = new StoredMessage(row, contents, addresses);
    received.set(message.hash, message);
    const receiver = byHash.get(textOf(row.tx_hash));
    if (receiver) receiver.inMessage = message;
  }
  for (const row of messages) {
    if (row.direction === inbound) continue;
    const message = received.get(textOf(row.msg_hash)) ?? new StoredMessage(row, contents, addresses);
    byHash.get(textOf(row.tx_hash))?.outMessages.push(message);
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
    transactions: known.map((each) => transactionOf(each, addresses)),
  };
}

type KnownTransaction = {
  readonly row: TransactionPart;
  readonly hash: HashText;
  inMessage?: TraceMessage;
  readonly outMessages: TraceMessage[];
};

function transactionOf(
  { row, hash, inMessage, outMessages }: KnownTransaction,
  addresses: AddressTexts,
): TraceTransaction {
  return {
    hash,
    account: addresses.of(row.account),
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

/** Caches the text of a trace's addresses, which repeat in many rows. */
class AddressTexts {
  readonly #known = new Map<number, { bytes: Uint8Array; text: AddressText }>();

  of(bytes: Uint8Array): AddressText {
    // If two addresses begin alike, only the first is cached.
    const start = (bytes[1]! << 24) | (bytes[2]! << 16) | (bytes[3]! << 8) | bytes[4]!;
    const known = this.#known.get(start);
    if (known && bytesEqual(known.bytes, bytes)) return known.text;
    const text = rawAddressFromBytes(bytes);
    if (!known) this.#known.set(start, { bytes, text });
    return text;
  }
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

  constructor(row: MessagePart, contents: Contents, addresses: AddressTexts) {
    this.hash = textOf(row.msg_hash);
    this.source = row.source && addresses.of(row.source);
    this.destination = row.destination && addresses.of(row.destination);
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

  get requestOpcode(): number | undefined {
    // Most bodies need not be parsed for it.
    if (!this.#bodyBytes || !mayBeTgWalletRequest(this.#bodyBytes)) return undefined;
    return this.body && tgWalletOpcode(this.body);
  }

  get initState(): Cell | undefined {
    if (this.#initBytes) this.#init ??= parseBocRoot(this.#initBytes);
    return this.#init;
  }
}

function textOf(hash: Uint8Array): HashText {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString("base64");
}
