import type { Address } from "../../../values/address.js";
import { accountPrefix, type BlockId, type BlockIdExt, sameBlock } from "../../tlb/block-id.js";
import { blockLts } from "../../tlb/block-lt.js";
import type { CellOf } from "../../tlb/cell-of.js";
import type { Message } from "../../tlb/message.js";
import { accountOf } from "../../tlb/msg-address.js";
import type { FoundTransaction } from "./transactions.js";

/** Identifies an internal message. */
export type MessageEnds = { source: Address; destination: Address; createdLt: bigint };

/** The reads of a search. */
export type LocateReads = {
  /** The first block of the account's shard that ends at or after a logical time; undefined if there is none yet. */
  blockAt(address: Address, lt: bigint): Promise<BlockIdExt | undefined>;
  /** All transactions of an account in a block of its shard. */
  transactionsIn(block: BlockIdExt, address: Address): Promise<readonly FoundTransaction[]>;
  /** On a fork: one of the account's transactions after a logical time that matches, in the network before the fork. */
  beforeFork?(address: Address, afterLt: bigint, matches: Matches): Promise<FoundTransaction | undefined>;
};

export type Matches = (found: FoundTransaction) => boolean;

/** A message is received in the block that sends it, or one or two blocks later. */
const arrivalBlocks = [0n, 1n, 2n];
/** A transaction sends at most this many messages, each with the next logical time. */
const maxSent = 256n;

/** Whether a message is the one that is searched for. */
export type IsMessage = (message: CellOf<Message>) => boolean;

/** The transaction that received the message. */
export async function locateResult(
  { destination, createdLt }: Omit<MessageEnds, "source">,
  reads: LocateReads,
  isMessage: IsMessage,
): Promise<FoundTransaction | undefined> {
  const receives: Matches = ({ transaction }) => {
    const { inMsg } = transaction.messages.value;
    return inMsg !== undefined && isMessage(inMsg);
  };
  let seen: BlockIdExt | undefined;
  for (const later of arrivalBlocks) {
    const block = await reads.blockAt(destination, createdLt + later * blockLts);
    if (!block) break;
    if (seen && sameBlock(block, seen)) continue;
    seen = block;
    const found = (await reads.transactionsIn(block, destination)).find(receives);
    if (found) return found;
  }
  return reads.beforeFork?.(destination, createdLt, receives);
}

/** The transaction that sent the message. */
export async function locateSource(
  { source, createdLt }: Omit<MessageEnds, "destination">,
  reads: LocateReads,
  isMessage: IsMessage,
): Promise<FoundTransaction | undefined> {
  const sends: Matches = ({ transaction }) =>
    [...transaction.messages.value.outMsgs.values()].some(isMessage);
  const block = await reads.blockAt(source, createdLt);
  const found = block && (await reads.transactionsIn(block, source)).find(sends);
  const before = createdLt - maxSent - 1n;
  return found ?? reads.beforeFork?.(source, before > 0n ? before : 0n, sends);
}

/** A place in the shard of an account, for lookups by logical time. */
export function placeOf({ workchain, hash }: Address): Pick<BlockId, "workchain" | "shard"> {
  // The last bit lies beyond every shard prefix. Setting it avoids 0, which is not a valid shard.
  return { workchain, shard: accountPrefix(hash) | 1n };
}

/** The internal message with these ends. */
export function isBetween({ source, destination, createdLt }: MessageEnds): IsMessage {
  return ({ value: { info } }) =>
    info.kind === "internal" &&
    info.createdLt === createdLt &&
    isAccount(info.src, source) &&
    isAccount(info.dest, destination);
}

function isAccount(address: Parameters<typeof accountOf>[0], account: Address): boolean {
  return accountOf(address)?.equals(account) ?? false;
}
