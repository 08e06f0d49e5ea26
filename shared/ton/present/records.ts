import type { z } from "zod";
import type * as schema from "../../schema/v2/records.js";
import type { Address } from "../../values/address.js";
import { bytesToBase64 } from "../../values/bytes.js";
import { toBase64 } from "../cells/base64.js";
import { serializeBoc } from "../cells/boc/boc.js";
import type { Cell } from "../cells/cell.js";
import type { TransactionRef } from "../proofs/read/account.js";
import type { BlockIdExt } from "../tlb/block-id.js";
import type { ExtraCurrencyCollection } from "../tlb/currency-collection.js";
import { accountOf, type MsgAddress } from "../tlb/msg-address.js";

/** The BOC of a cell in base64; empty without a cell. */
export function presentBoc(cell: Cell | undefined): string {
  return cell ? toBase64(serializeBoc(cell)) : "";
}

export function presentHash(hash: Uint8Array | undefined): string {
  return hash ? bytesToBase64(hash) : "";
}

/** Shards are signed on the wire. */
export function presentShard(shard: bigint): string {
  return BigInt.asIntN(64, shard).toString();
}

type PresentedBlockId = Readonly<z.output<typeof schema.blockId>>;

// Module state: a memo by id. Most answers contain the newest block, which is always the same object.
const blockIds = new WeakMap<BlockIdExt, PresentedBlockId>();

export function presentBlockId(id: BlockIdExt): PresentedBlockId {
  let presented = blockIds.get(id);
  if (!presented) {
    presented = {
      "@type": "ton.blockIdExt",
      workchain: id.workchain,
      shard: presentShard(id.shard),
      seqno: id.seqno,
      root_hash: bytesToBase64(id.rootHash),
      file_hash: bytesToBase64(id.fileHash),
    };
    blockIds.set(id, presented);
  }
  return presented;
}

export function presentTransactionId({ lt, hash }: TransactionRef): z.output<typeof schema.transactionId> {
  return { "@type": "internal.transactionId", lt: lt.toString(), hash: bytesToBase64(hash) };
}

/** The friendly form of a sender or receiver; empty for external and variable-length addresses. */
export function presentMsgAddress(address: MsgAddress): string {
  if (address && "kind" in address && address.kind === "variable") return "";
  return accountOf(address)?.toFriendly() ?? "";
}

export function presentAddress(text: string): z.output<typeof schema.accountAddress> {
  return { "@type": "accountAddress", account_address: text };
}

export function presentAccount(address: Address): z.output<typeof schema.accountAddress> {
  return presentAddress(address.toFriendly());
}

export function presentExtraCurrencies(
  extra: ExtraCurrencyCollection,
): z.output<typeof schema.extraCurrencies> {
  if (!extra.root) return [];
  // Currency ids are signed on the wire, but ordered as unsigned.
  return Array.from(extra.entries(), ([id, amount]) => ({
    "@type": "extraCurrency" as const,
    id: id | 0,
    amount: amount.toString(),
  }));
}

export function presentCell(cell: Cell | undefined): z.output<typeof schema.tvmCell> {
  return { "@type": "tvm.cell", bytes: presentBoc(cell) };
}
