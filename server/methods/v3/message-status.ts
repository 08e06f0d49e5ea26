import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { messageStatusMethods } from "../../../shared/methods/v3/message-status.js";
import type { MessageStatus } from "../../../shared/schema/v3/message-status.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { Address } from "../../../shared/values/address.js";
import { bytesOfBase64 } from "../../../shared/values/bytes.js";
import type { ArtifactStore } from "../../artifacts/store.js";
import type { ChainReads } from "../../chain/run/supposed-chain.js";
import { ServiceError } from "../../errors.js";
import { withStatusText } from "../../present/v3/texts.js";
import { requireBoc } from "../input/cells.js";
import { expectedTrace } from "./messages/expected.js";
import { FailureTrials, type TraceOrigin, type TrialDeps } from "./messages/failure-trial.js";
import { readKnownMessage } from "./messages/known-message.js";
import { type AskedMessage, type MessageDeps, messageStatusOf } from "./messages/status.js";

export type MessageStatusDeps = MessageDeps &
  TrialDeps & { reader: ChainReads; artifacts: Pick<ArtifactStore, "abisOf" | "guesses" | "isEmpty"> };

export const messageStatusHandlers: Handlers<typeof messageStatusMethods, MessageStatusDeps> = {
  async messageStatus({ hash, boc, include_text, include_hint }, deps, call) {
    const asked = boc === undefined ? { hash: hash! } : readAsked(boc);
    const known = await messageStatusOf(asked, deps, call);
    const status = include_hint ? await withTrial(known, deps, call) : known;
    const isStored =
      status.status === "completed" || (status.status === "included" && status.finality === "finalized");
    // Statuses of messages outside of the index can change between its blocks, and so can ABIs.
    const isByAbi = "failures" in status && status.failures.length > 0 && !deps.artifacts.isEmpty;
    if (!isStored || !deps.hasIndex || isByAbi || include_hint) call.provisional = true;
    return include_text
      ? withStatusText(status, deps.book, deps.hasIndex ? (work) => deps.index.read(call, work) : undefined)
      : status;
  },
};

type WithTransaction = Extract<MessageStatus, { failures: unknown }>;

/** A status with what trials show of its first failure. */
async function withTrial(status: MessageStatus, deps: MessageStatusDeps, call: Call): Promise<MessageStatus> {
  const trials = new FailureTrials(deps, call);
  if (status.status === "pending" && status.expected) {
    const origin = (call: Call) => originOfExpected(bytesOfBase64(status.message_hash), deps, call);
    const failures = await trials.of(status.expected.failures, origin);
    return { ...status, expected: { ...status.expected, failure: failures[0] ?? null, failures } };
  }
  if (!("failures" in status)) return status;
  const failures = await trials.of(status.failures, (call) => originInBlock(status, deps, call));
  return { ...status, ...("failure" in status && { failure: failures[0] ?? null }), failures };
}

/** Before the block that has the first transaction. */
async function originInBlock(
  { transaction, mc_block_seqno: seqno }: WithTransaction,
  { reader }: MessageStatusDeps,
  call: Call,
): Promise<TraceOrigin | undefined> {
  const { address } = Address.read(transaction.account)!;
  const from = { lt: BigInt(transaction.lt), hash: bytesOfBase64(transaction.hash) };
  const { transactions } = await reader.transactions({ address, from, limit: 1, toLt: 0n }, call);
  const [found] = transactions;
  const block = seqno ? await reader.blockAt(seqno - 1, call) : reader.last;
  return found && { first: CellOf.in(Transaction, found.cell), chain: reader, block };
}

async function originOfExpected(
  hash: Uint8Array,
  { reader, pending }: MessageStatusDeps,
  call: Call,
): Promise<TraceOrigin | undefined> {
  const trace = await expectedTrace(hash, pending, call);
  return trace?.first && { first: trace.first, chain: reader, block: reader.last };
}

function readAsked(boc: Uint8Array): AskedMessage {
  const content = readKnownMessage(requireBoc("boc", boc));
  if (!content) throw new ServiceError("bad-boc", "boc is not a message");
  return { content };
}
