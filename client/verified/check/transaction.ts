import type { FoundTransaction } from "../../../shared/ton/proofs/read/transactions.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";
import type { Transaction } from "../../api.js";
import { type BlocksOfCheck, isIn } from "./blocks.js";
import { read, recordIn, seqnoIn, uint64In } from "./claimed.js";
import { compare, contradiction, type Path } from "./compare.js";
import { transactionMembers } from "./members.js";

/** A transaction that a block proves. */
export type ProvenTransaction = { found: FoundTransaction; block: BlockIdExt; mcSeqno: number };

/** Transactions that are not in a block yet have no proof. */
export function isFinal({ emulated, finality, mc_block_seqno: seqno }: Transaction): boolean {
  return emulated !== true && (finality ?? "finalized") === "finalized" && seqno !== 0;
}

/** Proves a finalized transaction by the block that it names. Throws a ProofError for the first member that is wrong. */
export async function checkTransaction(
  claimed: Transaction,
  path: Path,
  blocks: BlocksOfCheck,
  unproven: Set<string>,
): Promise<ProvenTransaction> {
  const field = (name: string) => `${path.name}.${name}`;
  const address = read(field("account"), claimed.account, (text) => Address.read(text)?.address);
  const lt = read(field("lt"), claimed.lt, uint64In);
  const { workchain, shard, seqno } = recordIn(field("block_ref"), claimed.block_ref);
  const ref = {
    workchain: read(field("block_ref.workchain"), workchain, (number) =>
      Number.isInteger(number) ? number : undefined,
    ),
    shard: read(field("block_ref.shard"), shard, (hex) => uint64In(`0x${hex}`)),
    seqno: read(field("block_ref.seqno"), seqno, seqnoIn),
  };
  const block = await blocks.found(ref);
  if (block.shard !== ref.shard || !isIn(block, address))
    throw contradiction(field("block_ref"), claimed.block_ref, "the block of the account's shard", block);
  const found = await blocks.transaction(block, address, lt);
  if (!found) throw contradiction(field("hash"), claimed.hash, undefined, block);
  const mcSeqno = read(field("mc_block_seqno"), claimed.mc_block_seqno, seqnoIn);
  if (!(await blocks.isRegisteredBy(mcSeqno, block, address)))
    throw contradiction(
      field("mc_block_seqno"),
      mcSeqno,
      "the block that registers the shard's block",
      block,
    );
  const globalVersion = await blocks.versionAt(mcSeqno);
  compare(claimed, transactionMembers(found, { block, mcSeqno, globalVersion }), path, { block, unproven });
  return { found, block, mcSeqno };
}
