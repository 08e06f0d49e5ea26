import type { Call } from "../../../../shared/methods/define.js";
import type { MessageStatus } from "../../../../shared/schema/v3/message-status.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { ChainReader } from "../../../../shared/ton/proofs/read/reader.js";
import type { Address } from "../../../../shared/values/address.js";
import type { Sent } from "../../../chain/sent-messages.js";
import type { IndexDeps } from "../../../present/v3/answer-extras.js";
import type { AbisOf } from "../../../present/v3/failed-contracts.js";
import { presentNames } from "../../../present/v3/message-status.js";
import type { PendingDeps } from "../../../present/v3/pending-traces.js";
import { knownNames } from "../../../present/v3/texts.js";
import type { Queries } from "../../../store/database.js";
import { reads } from "../../../store/reads/index-reads.js";
import { withV2Errors } from "../../v2/lite-errors.js";
import { type HistoryDeps, readHistory, seqnoUserIn, statusInHistory } from "./chain-status.js";
import { expectedTrace, statusOfExpected } from "./expected.js";
import { type Fate, fateOf, type Receiver } from "./fate.js";
import { indexedStatus } from "./indexed-message.js";
import { hashesOf, type KnownMessage, readKnownMessage } from "./known-message.js";
import { type IndexedReceiver, readIndexedReceiver, stateOf } from "./receiver.js";
import { findSeqnoUser, type SeqnoUser } from "./seqno-user.js";

/** Lookup of sent messages. */
type SentLookup = {
  /** By hash, as sent or normalized. */
  find(hash: Uint8Array): Sent | undefined;
  /** How long a sent message may wait for a block, ms. */
  readonly lifetimeMs: number;
  /** Unix time, ms. */
  now(): number;
};

export type MessageDeps = Pick<IndexDeps, "index" | "book"> &
  HistoryDeps & {
    hasIndex: boolean;
    artifacts: AbisOf;
    reader: Pick<ChainReader, "blockAt">;
    /** Absent if messages are not emulated. */
    pending: PendingDeps["pending"] | undefined;
    /** Whether the index lags so far that it may lack messages that no longer wait. */
    isIndexLate(): boolean;
    sent: SentLookup;
  };

/** A message by its hash, with its receiver if known, or by its content. */
export type AskedMessage =
  | { readonly hash: Uint8Array; readonly to?: Address }
  | { readonly content: KnownMessage };

/** The status of a message. Errors of the chain are mapped as for calls, wherever it is read. */
export function messageStatusOf(asked: AskedMessage, deps: MessageDeps, call: Call): Promise<MessageStatus> {
  return withV2Errors(deps.hasIndex ? withIndex(asked, deps, call) : withoutIndex(asked, deps, call));
}

async function withIndex(asked: AskedMessage, deps: MessageDeps, call: Call): Promise<MessageStatus> {
  const known = await knownNames(deps.book.texts);
  const inMemory = contentOf(asked, deps);
  const first = await deps.index.read(call, async (queries) => {
    const hashes = inMemory ? hashesOf(inMemory) : hashesAsked(asked);
    const status = await indexedStatus(queries, hashes, { ...deps, names: known });
    if (status) return { status };
    const content = inMemory?.sending ? inMemory : ((await keptContent(queries, hashes)) ?? inMemory);
    return { content, receiver: content?.to && (await readIndexedReceiver(queries, content.to)) };
  });
  if (first.status) return first.status;
  const { content } = first;
  if (!content?.to || !first.receiver) return unknown(asked, content);
  const receiver = await completed(first.receiver, content.to, deps, call);
  const fate = fateOf(content, receiver, patienceOf(deps));
  const findUser = (wallet: Wallet) =>
    deps.index.read(call, (queries, bookmarks) => findSeqnoUser(queries, bookmarks, content.to!, wallet));
  const read = <T>(work: (queries: Queries) => Promise<T>) => deps.index.read(call, work);
  return statusOfFate(fate, content, { deps, call, findUser, read });
}

async function withoutIndex(asked: AskedMessage, deps: MessageDeps, call: Call): Promise<MessageStatus> {
  const content = contentOf(asked, deps);
  if ("hash" in asked && asked.to) {
    const message = { hash: asked.hash, hashNorm: undefined };
    const status = await statusInHistory(deps, await readHistory(deps, asked.to, call), message, call);
    if (status) return status;
  }
  if (!content?.to) return unknown(asked, content);
  const history = await readHistory(deps, content.to, call);
  const status = await statusInHistory(deps, history, content, call);
  if (status) return status;
  const fate = fateOf(content, history.receiver, patienceOf(deps));
  const findUser = async (wallet: Wallet) => seqnoUserIn(deps, history, wallet);
  return statusOfFate(fate, content, { deps, call, findUser, read: undefined });
}

type Wallet = Extract<Fate, { kind: "expired" }>["wallet"];

type Finding = {
  deps: MessageDeps;
  call: Call;
  findUser: (wallet: Wallet) => Promise<SeqnoUser | undefined>;
  read: (<T>(work: (queries: Queries) => Promise<T>) => Promise<T>) | undefined;
};

async function statusOfFate(
  fate: Fate,
  content: KnownMessage,
  { deps, call, findUser, read }: Finding,
): Promise<MessageStatus> {
  const names = presentNames(content.hash, content.hashNorm);
  const { wallet } = fate;
  switch (fate.kind) {
    case "unknown":
      return { status: "unknown", ...names, wallet, reason: fate.reason };
    case "dropped":
      return { status: "dropped", ...names, wallet, sent_utime: fate.sentUtime };
    case "expired":
      return { status: "expired", ...names, wallet: fate.wallet, reason: "valid_until", replaced_by: null };
    case "replaced": {
      const user = await findUser(fate.wallet);
      if (!user && !fate.isCertain) return { status: "unknown", ...names, wallet, reason: "before_index" };
      const replaced_by = user ?? null;
      return { status: "expired", ...names, wallet: fate.wallet, reason: "seqno", replaced_by };
    }
    case "pending": {
      const trace = await expectedTrace(content.hash, deps.pending, call);
      return statusOfExpected(names, wallet, trace, {
        read,
        artifacts: deps.artifacts,
        names: await knownNames(deps.book.texts),
      });
    }
  }
}

/** The content of the message with its sending time; `undefined` if unknown. */
function contentOf(asked: AskedMessage, { sent }: MessageDeps): KnownMessage | undefined {
  const content = "content" in asked ? asked.content : undefined;
  for (const hash of content ? hashesOf(content) : hashesAsked(asked)) {
    const found = sent.find(hash);
    if (found)
      return readKnownMessage(parseBocRoot(found.message), { at: found.at, isVoid: false }) ?? content;
  }
  return content;
}

/** The content of a message sent some time ago, or through another process. */
async function keptContent(
  queries: Queries,
  hashes: readonly Uint8Array[],
): Promise<KnownMessage | undefined> {
  const [kept] = await reads.findSent(queries, hashes);
  return kept && readKnownMessage(parseBocRoot(kept.boc), { at: kept.sent_at, isVoid: kept.is_void });
}

function hashesAsked(asked: AskedMessage): Uint8Array[] {
  return "hash" in asked ? [asked.hash] : hashesOf(asked.content);
}

function unknown(asked: AskedMessage, content: KnownMessage | undefined): MessageStatus {
  const [hash] = hashesAsked(asked);
  const names = presentNames(content?.hash ?? hash!, content?.hashNorm);
  const reason = content ? "not_external" : "not_found";
  return { status: "unknown", ...names, wallet: null, reason };
}

/** Reads an account missing in the index from the chain, as of the same block. */
async function completed(
  { seqno, state, ...receiver }: IndexedReceiver,
  to: Address,
  { reader }: MessageDeps,
  call: Call,
): Promise<Receiver> {
  const known = state ?? stateOf(await reader.account(await reader.blockAt(seqno, call), to, call));
  return { ...receiver, ...known };
}

/** A lagging index may lack the block with the message. */
function patienceOf({ sent, isIndexLate }: MessageDeps) {
  const lifetimeMs = isIndexLate() ? Number.POSITIVE_INFINITY : sent.lifetimeMs;
  return { now: sent.now(), lifetimeMs };
}
