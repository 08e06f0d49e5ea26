import { type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { FoundTransaction } from "../../../shared/ton/proofs/read/transactions.js";
import { accountPrefix, type BlockIdExt, sameBlock } from "../../../shared/ton/tlb/block-id.js";
import type { Message } from "../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import type { Address } from "../../../shared/values/address.js";
import { withErrorContext } from "./lite-errors.js";

/** Identifies an internal message. */
export type MessageEnds = { source: Address; destination: Address; createdLt: bigint };

type Reader = Pick<ChainReader, "lookup" | "accountTransactions">;

/** A message is received in the block that sends it, or one or two blocks of this length later. */
const blockLt = 1_000_000n;
const arrivalBlocks = [0n, 1n, 2n];

/** The transaction that received the message. */
export async function locateResult(
  ends: MessageEnds,
  reader: Reader,
  call: LiteCall,
): Promise<FoundTransaction | undefined> {
  let seen: BlockIdExt | undefined;
  for (const later of arrivalBlocks) {
    const block = await blockOf(ends.destination, ends.createdLt + later * blockLt, reader, call);
    if (!block) return undefined;
    if (seen && sameBlock(block, seen)) continue;
    seen = block;
    const found = await transactionIn(block, ends.destination, reader, call, ({ transaction }) => {
      const message = transaction.messages.value.inMsg?.value;
      return message !== undefined && isBetween(message, ends);
    });
    if (found) return found;
  }
  return undefined;
}

/** The transaction that sent the message. */
export async function locateSource(
  ends: MessageEnds,
  reader: Reader,
  call: LiteCall,
): Promise<FoundTransaction | undefined> {
  const block = await blockOf(ends.source, ends.createdLt, reader, call);
  if (!block) return undefined;
  return transactionIn(block, ends.source, reader, call, ({ transaction }) =>
    [...transaction.messages.value.outMsgs.values()].some(({ value }) => isBetween(value, ends)),
  );
}

function isBetween({ info }: Message, { source, destination, createdLt }: MessageEnds): boolean {
  return (
    info.kind === "internal" &&
    info.createdLt === createdLt &&
    isAccount(info.src, source) &&
    isAccount(info.dest, destination)
  );
}

function isAccount(address: Parameters<typeof accountOf>[0], account: Address): boolean {
  return accountOf(address)?.equals(account) ?? false;
}

/** The first block of the account's shard that ends at or after a logical time; undefined if there is none yet. */
async function blockOf(
  { workchain, hash }: Address,
  lt: bigint,
  reader: Reader,
  call: LiteCall,
): Promise<BlockIdExt | undefined> {
  // The last bit lies beyond every shard prefix. Setting it avoids 0, which is not a valid shard.
  const shard = accountPrefix(hash) | 1n;
  const lookup = reader.lookup({ workchain, shard, lt }, call).catch(ignoreNotReady);
  return withErrorContext("failed to lookup block by given lt: ", lookup);
}

function ignoreNotReady(error: unknown): undefined {
  if (error instanceof LiteError && error.code === liteErrorCode.notReady) return undefined;
  throw error;
}

async function transactionIn(
  block: BlockIdExt,
  account: Address,
  reader: Reader,
  call: LiteCall,
  matches: (found: FoundTransaction) => boolean,
): Promise<FoundTransaction | undefined> {
  const transactions = await withErrorContext(
    "failed to get transactions for block: ",
    reader.accountTransactions(block, account, call),
  );
  return transactions.find(matches);
}
