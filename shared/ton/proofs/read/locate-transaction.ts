import type { Address } from "../../../values/address.js";
import { accountPrefix, type BlockId, type BlockIdExt, sameBlock } from "../../tlb/block-id.js";
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
};

/** A message is received in the block that sends it, or one or two blocks of this length later. */
const blockLt = 1_000_000n;
const arrivalBlocks = [0n, 1n, 2n];

/** Whether a message is the one that is searched for. */
type IsMessage = (message: CellOf<Message>) => boolean;

/** The transaction that received the message. */
export async function locateResult(
  ends: Omit<MessageEnds, "source">,
  reads: LocateReads,
  isMessage: IsMessage,
): Promise<FoundTransaction | undefined> {
  let seen: BlockIdExt | undefined;
  for (const later of arrivalBlocks) {
    const block = await reads.blockAt(ends.destination, ends.createdLt + later * blockLt);
    if (!block) return undefined;
    if (seen && sameBlock(block, seen)) continue;
    seen = block;
    const found = (await reads.transactionsIn(block, ends.destination)).find(({ transaction }) => {
      const { inMsg } = transaction.messages.value;
      return inMsg !== undefined && isMessage(inMsg);
    });
    if (found) return found;
  }
  return undefined;
}

/** The transaction that sent the message. */
export async function locateSource(
  ends: Omit<MessageEnds, "destination">,
  reads: LocateReads,
  isMessage: IsMessage,
): Promise<FoundTransaction | undefined> {
  const block = await reads.blockAt(ends.source, ends.createdLt);
  if (!block) return undefined;
  return (await reads.transactionsIn(block, ends.source)).find(({ transaction }) =>
    [...transaction.messages.value.outMsgs.values()].some(isMessage),
  );
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
