import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import {
  type IsMessage,
  type LocateReads,
  locateResult,
  locateSource,
} from "../../../shared/ton/proofs/read/locate-transaction.js";
import { type FoundTransaction, readTransactions } from "../../../shared/ton/proofs/read/transactions.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { startLtOf } from "../../../shared/ton/tlb/block-lt.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { Message as MessageCell } from "../../../shared/ton/tlb/message.js";
import { Address } from "../../../shared/values/address.js";
import { base64ToBytes, bytesEqual, bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Message } from "../../api.js";
import { RpcError } from "../../errors.js";
import { provenLocateReads } from "../locate.js";
import type { ProvenReads } from "../proven-reads.js";
import { receivesImpersonated, startsTrace } from "./beginning.js";
import type { BlocksOfCheck } from "./blocks.js";
import { read, uint64In } from "./claimed.js";
import { compare, contradiction, pathOf, withoutProof } from "./compare.js";
import { messageMembers } from "./members.js";

/** A message in the proven transaction that sent or received it. */
type ProvenMessage = { message: CellOf<MessageCell>; transaction: FoundTransaction; block: BlockIdExt };

type Context = { reads: ProvenReads; blocks: BlocksOfCheck; call: LiteCall; unproven: Set<string> };

const path = pathOf("message");
const field = (name: string) => `${path.name}.${name}`;
const sideOf = { sent: "out_msg_tx_hash", received: "in_msg_tx_hash" } as const;

/**
 * Proves a message by the transactions that sent and received it; one that no transaction sent by its receiver alone.
 * Throws a ProofError for the first member that is wrong.
 */
export async function checkMessage(claimed: Message, context: Context) {
  const { in_msg_tx_hash: receivedBy, out_msg_tx_hash: sentBy, ...members } = claimed;
  const lt = claimed.created_lt ?? null;
  const received = receivedBy ?? undefined;
  const sent = sentBy ?? undefined;
  const createdLt = lt === null ? undefined : read(field("created_lt"), lt, uint64In);
  const isSent = createdLt !== undefined && startLtOf(createdLt) !== createdLt;
  const first = isSent
    ? await senderOf(claimed, createdLt, context)
    : await (createdLt === undefined
        ? receiverOfExternal(claimed, context)
        : receiverOfUnsent(claimed, createdLt, context));
  const { message, transaction, block } = first;
  const globalVersion = await context.blocks.versionOf(block, transaction.address);
  compare(members, messageMembers(message, globalVersion), path, { block, unproven: context.unproven });
  if (isSent) {
    compareSide("sent", sent, first, context);
    return { transactions: 1 + (await checkReceiver(received, first, context)), impersonated: false };
  }
  compareSide("received", received, first, context);
  if (sent !== undefined) throw contradiction(field(sideOf.sent), sent, undefined, block);
  return { transactions: 1, impersonated: receivesImpersonated(transaction) };
}

/** Only messages of lists have the hashes of their transactions; in others these are not proven. */
function compareSide(
  side: keyof typeof sideOf,
  claimed: string | undefined,
  { transaction, block }: Pick<ProvenMessage, "transaction" | "block">,
  { unproven }: Context,
): void {
  const proven = claimed === undefined ? withoutProof : bytesToBase64(transaction.cell.hash());
  compare(claimed, proven, pathOf(field(sideOf[side])), { block, unproven });
}

type Locate = (reads: LocateReads, isMessage: IsMessage) => Promise<FoundTransaction | undefined>;

/** The transaction with a message. Throws if it is not where it must be. */
async function located(claimed: Message, { reads, call }: Context, locate: Locate) {
  const isMessage = withHash(claimed.hash);
  const search = searched(reads, call);
  const transaction = await locate(search.reads, isMessage);
  const block = search.last() ?? (await reads.head(call)).info.last;
  if (!transaction) throw contradiction(field("hash"), claimed.hash, undefined, block);
  return { transaction, block, isMessage };
}

async function senderOf(claimed: Message, createdLt: bigint, context: Context): Promise<ProvenMessage> {
  const source = addressIn("source", claimed.source);
  const { isMessage, ...found } = await located(claimed, context, (reads, isMessage) =>
    locateSource({ source, createdLt }, reads, isMessage),
  );
  const sent = found.transaction.transaction.messages.value.outMsgs.values();
  return { ...found, message: [...sent].find(isMessage)! };
}

/** Number of transactions that prove the receiver: 1, or 0 if none is claimed or it is not where messages usually arrive. */
async function checkReceiver(
  claimed: string | undefined,
  { message, block }: ProvenMessage,
  context: Context,
): Promise<number> {
  const { info } = message.value;
  const name = field(sideOf.received);
  if (info.kind !== "internal") {
    if (claimed === undefined) return 0;
    throw contradiction(name, claimed, undefined, block);
  }
  const { dest: destination, createdLt } = info;
  const search = searched(context.reads, context.call);
  const isMessage = (each: CellOf<MessageCell>) => bytesEqual(each.cell.hash(), message.cell.hash());
  const found =
    claimed !== undefined &&
    destination instanceof Address &&
    (await locateResult({ destination, createdLt }, search.reads, isMessage));
  if (found) compareSide("received", claimed, { transaction: found, block: search.last()! }, context);
  else context.unproven.add(name);
  return found ? 1 : 0;
}

/** The receiver in the block that began at this logical time: no transaction sends a message so early. */
async function receiverOfUnsent(
  claimed: Message,
  createdLt: bigint,
  context: Context,
): Promise<ProvenMessage> {
  const destination = addressIn("destination", claimed.destination);
  const { transaction, block } = await located(claimed, context, async (reads, isMessage) => {
    const found = await locateResult({ destination, createdLt }, reads, isMessage);
    return found && startsTrace(found) ? found : undefined;
  });
  return { message: transaction.transaction.messages.value.inMsg!, transaction, block };
}

const mostSearched = 64;

/** External messages have no logical time, so only the newest transactions of the receiver are searched. */
async function receiverOfExternal(claimed: Message, { reads, call }: Context): Promise<ProvenMessage> {
  const address = addressIn("destination", claimed.destination);
  const { lastTransaction: from } = await reads.account(address, undefined, call);
  const query = { address, from, limit: mostSearched, toLt: 0n };
  const { transactions } = await readTransactions(reads.lite, query, call);
  const isMessage = withHash(claimed.hash);
  for (const transaction of transactions) {
    const { inMsg: message } = transaction.transaction.messages.value;
    if (!message || !isMessage(message)) continue;
    const search = provenLocateReads(reads, call);
    const block = await search.blockAt(address, transaction.transaction.lt);
    if (block) return { message, transaction, block };
  }
  throw new RpcError(
    "unavailable",
    `unproven: the message is in none of the ${transactions.length} newest transactions of its receiver`,
  );
}

/** The reads of a search, and the last block of which it read transactions. */
function searched(reads: ProvenReads, call: LiteCall) {
  const own = provenLocateReads(reads, call);
  let last: BlockIdExt | undefined;
  const transactionsIn: typeof own.transactionsIn = (block, address) => {
    last = block;
    return own.transactionsIn(block, address);
  };
  return { reads: { ...own, transactionsIn }, last: () => last };
}

function withHash(text: string): IsMessage {
  const hash = read(field("hash"), text, base64ToBytes);
  return ({ cell }) => bytesEqual(cell.hash(), hash);
}

function addressIn(name: string, text: string | null): Address {
  return read(field(name), text, (raw) => (raw === null ? undefined : Address.read(raw)?.address));
}
