import type { Call } from "../../../shared/methods/define.js";
import type { AbiBody } from "../../../shared/schema/v3/abi.js";
import type { Action } from "../../../shared/schema/v3/actions.js";
import type { MessageList } from "../../../shared/ton/abi/model.js";
import { Work } from "../../../shared/ton/abi/work.js";
import { opcodeOf } from "../../../shared/ton/bodies/payload.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { StateInit } from "../../../shared/ton/tlb/state-init.js";
import { bytesOfBase64, bytesToBase64 } from "../../../shared/values/bytes.js";
import { hasSucceeded } from "../../../shared/values/exit-codes/kinds.js";
import type { Abis, ChosenAbi } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
import { rawAddressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { OffsetBookmarks } from "../../store/queries/slots/offset-bookmarks.js";
import { reads } from "../../store/reads/index-reads.js";
import type { MessageRecord } from "../../store/tables/message-record.js";
import { abiBodyOf, abiMeaning } from "./abi.js";
import { type BookSettings, readBookRows } from "./answer-extras.js";
import { type TransactionRecord, takeTransaction } from "./transaction.js";

// What ABIs say of the records of an answer. The code of an account is that before the transaction, where the answer has
// the transaction, else its current one.

/** Without `queries` only the codes in the records are known. `call`: absent for streams, whose events nobody pays for. */
export type AbiSource = {
  queries: Queries | undefined;
  book: Pick<BookSettings, "artifacts">;
  call?: Pick<Call, "signal" | "spent">;
};

/** The source of an answer to a call; a later one may have other ABIs. */
export function provisional<Source extends { call: Pick<Call, "provisional"> }>(source: Source): Source {
  source.call.provisional = true;
  return source;
}

/** Code hashes in base64 by the hash of a message; undefined where no code ran. */
type Codes = ReadonlyMap<string, string | undefined>;
type Sides = { readonly received: Codes; readonly sent: Codes };

/** Transactions of actions that are read for their messages. */
const maxTransactions = 20_000;

/** Messages with `abi`. */
export async function messagesByAbi(
  messages: readonly MessageRecord[],
  source: AbiSource,
): Promise<MessageRecord[]> {
  const named = await namesOf(messages, { received: new Map(), sent: new Map() }, source);
  return messages.map(named);
}

/** Transactions with `abi` in their messages, and with the meanings that ABIs give to their exit codes. */
export async function transactionsByAbi(
  records: readonly TransactionRecord[],
  source: AbiSource,
): Promise<TransactionRecord[]> {
  const codes = new Map(records.map((record) => [record.hash, codeBefore(record)]));
  const messages = records.flatMap(({ in_msg, out_msgs }) => (in_msg ? [in_msg, ...out_msgs] : out_msgs));
  const received = new Map(
    records.flatMap(({ hash, in_msg }) => (in_msg ? [[in_msg.hash, codes.get(hash)]] : [])),
  );
  const sent = new Map(
    records.flatMap(({ hash, out_msgs }) => out_msgs.map((message) => [message.hash, codes.get(hash)])),
  );
  const named = await namesOf(messages, { received, sent }, source);
  const paid = paidTurns(source.call);
  const described: TransactionRecord[] = [];
  for (const record of records)
    described.push({
      ...record,
      description: await paid(() => withExit(record, codes.get(record.hash), source.book.artifacts)),
      in_msg: record.in_msg && named(record.in_msg),
      out_msgs: record.out_msgs.map(named),
    });
  return described;
}

/** Actions of type `call_contract` with `abi`. `known`: transactions that were read by ABIs; others are read. */
export async function actionsByAbi(
  actions: readonly Action[],
  source: AbiSource,
  known: readonly TransactionRecord[] = [],
): Promise<Action[]> {
  const hashes = new Set(known.map(({ hash }) => hash));
  const own = actions.flatMap((action) => (action.type === "call_contract" ? action.transactions : []));
  const missing = [...new Set(own)].filter((hash) => !hashes.has(hash)).slice(0, maxTransactions);
  const read = await transactionsByAbi(await readTransactions(missing, source), source);
  return actionsIn(actions, [...known, ...read]);
}

/** The same, of transactions that are all known. */
export function actionsIn(actions: readonly Action[], known: readonly TransactionRecord[]): Action[] {
  const byHash = new Map(known.map((record) => [record.hash, record]));
  return actions.map((action) => {
    if (action.type !== "call_contract") return action;
    const { source: sender = null, destination } = action.details;
    const received = action.transactions
      .map((hash) => byHash.get(hash))
      .find((record) => record?.account === destination && record?.in_msg?.source === sender);
    const abi = received?.in_msg?.abi;
    return { ...action, abi: abi ? inShort(abi) : null };
  });
}

async function readTransactions(
  hashes: readonly string[],
  { queries, book }: AbiSource,
): Promise<TransactionRecord[]> {
  if (!queries || !book.artifacts || book.artifacts.isEmpty || hashes.length === 0) return [];
  const filter = { hash: hashes.map((hash) => bytesOfBase64(hash)) };
  const page = { limit: hashes.length, offset: 0, sort: "asc" } as const;
  const found = await reads.listTransactions(queries, filter, page, new OffsetBookmarks(), takeTransaction);
  return found.map(({ record }) => record);
}

const shown = { fields: 8, characters: 128 } as const;

/** A message without long and nested values. */
function inShort(abi: AbiBody): AbiBody {
  const isShort = (value: unknown) =>
    typeof value === "string"
      ? value.length <= shown.characters
      : typeof value !== "object" || value === null;
  const fields = Object.entries(abi.fields).filter(([, value]) => isShort(value));
  return { ...abi, fields: Object.fromEntries(fields.slice(0, shown.fields)) };
}

/** Adds `abi` to messages among the given ones. */
async function namesOf(messages: readonly MessageRecord[], sides: Sides, source: AbiSource) {
  const { artifacts } = source.book;
  const bodies = new Map<string, AbiBody | null>();
  if (artifacts && !artifacts.isEmpty) {
    // A trace has a message twice.
    const each = new Map(messages.map((message) => [message.hash, message]));
    const latest = await readCodes([...each.values()], sides, source);
    const reader = new BodyReader(artifacts, sides, latest);
    const paid = paidTurns(source.call);
    for (const [hash, message] of each) bodies.set(hash, await paid(() => reader.body(message)));
  }
  return (message: MessageRecord): MessageRecord => ({ ...message, abi: bodies.get(message.hash) ?? null });
}

/** Current code hashes by raw address, of accounts whose transactions are not among the records. */
async function readCodes(
  messages: readonly MessageRecord[],
  { received, sent }: Sides,
  { queries }: AbiSource,
): Promise<Codes> {
  const accounts = messages.flatMap(({ hash, source, destination }) => [
    ...(source !== null && !sent.has(hash) ? [source] : []),
    ...(destination !== null && !received.has(hash) ? [destination] : []),
  ]);
  if (!queries || accounts.length === 0) return new Map();
  const rows = await readBookRows(queries, [...new Set(accounts)].map(rawAddressToBytes));
  return new Map(Array.from(rows, ([account, { code_hash }]) => [account, code_hash ?? undefined]));
}

type Role = "receiver" | "sender" | "guess";
/** ABIs of a contract, and the messages in them that a message may be. */
type Knowing = readonly [abis: Iterable<ChosenAbi>, lists: readonly MessageList[]];

/** The messages of an ABI that a message may be, by what its ABI is chosen for. */
export const internal = {
  receiver: ["incoming"],
  sender: ["outgoing"],
  guess: ["incoming", "outgoing"],
} as const;
export const external = { receiver: ["external"], sender: [], guess: ["external"] } as const;
/** Tact's ABIs do not divide events from sent messages. */
export const event = { receiver: [], sender: ["events", "outgoing"], guess: ["events", "outgoing"] } as const;

/** A body by the first ABI that fits it: those of the contracts in order, then those with a message of its opcode. */
export function bodyByAbis(
  body: Cell,
  { contracts, guess }: { contracts: readonly Knowing[]; guess: readonly MessageList[] },
  artifacts: Abis,
): AbiBody | null {
  const work = Work.onCell(body);
  for (const [abis, lists] of contracts) {
    const read = abiBodyOf(abis, body, lists, work);
    if (read) return read;
  }
  const opcode = guess.length === 0 ? undefined : opcodeOf(body);
  return opcode === undefined ? null : abiBodyOf(artifacts.guesses(opcode), body, guess, work);
}

/** Reads bodies of messages by the ABI of the receiver, then by that of the sender, then by the opcode alone. */
class BodyReader {
  readonly #artifacts: Abis;
  readonly #sides: Sides;
  readonly #latest: Codes;

  constructor(artifacts: Abis, sides: Sides, latest: Codes) {
    this.#artifacts = artifacts;
    this.#sides = sides;
    this.#latest = latest;
  }

  body(message: MessageRecord): AbiBody | null {
    const { source, destination, bounced, message_content: content } = message;
    // A bounced body is only the beginning of another one.
    const body =
      content && !bounced ? ifReadable(() => parseBocRoot(bytesOfBase64(content.body))) : undefined;
    if (!body) return null;
    const lists: Readonly<Record<Role, readonly MessageList[]>> =
      source === null ? external : destination === null ? event : internal;
    const { received, sent } = this.#sides;
    const contracts: Knowing[] = [
      [this.#abisOf(destination, this.#codeOf(message, destination, received)), lists.receiver],
      [this.#abisOf(source, this.#codeOf(message, source, sent)), lists.sender],
    ];
    return bodyByAbis(body, { contracts, guess: lists.guess }, this.#artifacts);
  }

  #abisOf(account: string | null, codeHash: string | undefined) {
    return account === null ? [] : this.#artifacts.abisOf({ codeHash, account });
  }

  #codeOf(message: MessageRecord, account: string | null, known: Codes): string | undefined {
    if (account === null) return undefined;
    if (known.has(message.hash)) return known.get(message.hash);
    return this.#latest.get(account) ?? (account === message.destination ? codeOfInit(message) : undefined);
  }
}

/** The code that ran: that of the account, or that which came with the message. */
function codeBefore({ account_state_before: before, in_msg }: TransactionRecord): string | undefined {
  return before.code_hash ?? (in_msg ? codeOfInit(in_msg) : undefined);
}

function codeOfInit({ init_state: init }: MessageRecord): string | undefined {
  const code: Cell | undefined =
    init === null
      ? undefined
      : ifReadable(() => decode(StateInit, parseBocRoot(bytesOfBase64(init.body))).code);
  return code && bytesToBase64(code.hash());
}

function withExit(
  { account, description }: TransactionRecord,
  codeHash: string | undefined,
  artifacts: Abis | undefined,
): TransactionRecord["description"] {
  const { compute_ph: phase } = description;
  if (!artifacts || !phase || phase.skipped || hasSucceeded(phase.exit_code)) return description;
  const meaning = abiMeaning(artifacts.abisOf({ codeHash, account }), phase.exit_code);
  if (!meaning) return description;
  const { name, text, source } = meaning;
  const named = { ...phase, exit_name: name, exit_meaning: text, exit_source: source };
  return { ...description, compute_ph: named };
}
