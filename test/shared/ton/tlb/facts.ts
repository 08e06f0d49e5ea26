import { updateHashes } from "../../../../shared/ton/cells/merkle/merkle-update.js";
import { transactionsOf } from "../../../../shared/ton/tlb/account-block.js";
import type { Block } from "../../../../shared/ton/tlb/block.js";
import type { ExtBlkRef } from "../../../../shared/ton/tlb/block-ref.js";
import type { CurrencyCollection } from "../../../../shared/ton/tlb/currency-collection.js";
import { registeredShards } from "../../../../shared/ton/tlb/shard-hashes.js";
import { isBalanced, type ValueFlow } from "../../../../shared/ton/tlb/value-flow.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";

// Converts decoded values to the records in the index of the test data, so that whole records can be compared.

export function headerFacts(block: Block): Record<string, unknown> {
  const info = block.info.value;
  const { genSoftware, masterRef } = info;
  return {
    global_id: block.globalId,
    version: info.version,
    vert_seqno: info.vertSeqno,
    flags: info.flags,
    ...(genSoftware && {
      gen_software: { version: genSoftware.version, capabilities: genSoftware.capabilities.toString() },
    }),
    key_block: info.keyBlock,
    not_master: info.notMaster,
    after_merge: info.afterMerge,
    after_split: info.afterSplit,
    before_split: info.beforeSplit,
    want_split: info.wantSplit,
    want_merge: info.wantMerge,
    gen_utime: info.genUtime,
    start_lt: info.startLt.toString(),
    end_lt: info.endLt.toString(),
    gen_validator_list_hash_short: info.genValidatorListHashShort,
    gen_catchain_seqno: info.genCatchainSeqno,
    min_ref_mc_seqno: info.minRefMcSeqno,
    prev_key_block_seqno: info.prevKeyBlockSeqno,
    ...(masterRef && { master_ref: blockRefFacts(masterRef.value.master) }),
    prev: info.prevRef.value.map(blockRefFacts),
  };
}

function blockRefFacts(ref: ExtBlkRef): Record<string, unknown> {
  return {
    end_lt: ref.endLt.toString(),
    seqno: ref.seqno,
    root_hash: bytesToHex(ref.rootHash),
    file_hash: bytesToHex(ref.fileHash),
  };
}

export function valueFlowFacts(flow: ValueFlow): Record<string, unknown> {
  return {
    from_prev_blk: currencyFacts(flow.fromPrevBlk),
    to_next_blk: currencyFacts(flow.toNextBlk),
    imported: currencyFacts(flow.imported),
    exported: currencyFacts(flow.exported),
    fees_collected: currencyFacts(flow.feesCollected),
    ...(flow.burned && { burned: currencyFacts(flow.burned) }),
    fees_imported: currencyFacts(flow.feesImported),
    recovered: currencyFacts(flow.recovered),
    created: currencyFacts(flow.created),
    minted: currencyFacts(flow.minted),
  };
}

function currencyFacts({ coins, extra }: CurrencyCollection): Record<string, unknown> {
  const others = [...extra.entries()].map(([id, amount]) => [id, amount.toString()]);
  return { grams: coins.toString(), ...(others.length > 0 && { extra: Object.fromEntries(others) }) };
}

export function stateUpdateFacts(block: Block): Record<string, unknown> {
  const { from, to } = updateHashes(block.stateUpdate);
  return { old_hash: bytesToHex(from), new_hash: bytesToHex(to) };
}

export function shardFacts(block: Block): Record<string, unknown>[] | undefined {
  const custom = block.extra.value.custom?.value;
  return (
    custom &&
    [...registeredShards(custom.shardHashes)].map(({ workchain, descr }) => ({
      workchain,
      shard_seqno: descr.seqno,
      root_hash: bytesToHex(descr.rootHash),
      file_hash: bytesToHex(descr.fileHash),
      start_lt: descr.startLt.toString(),
      end_lt: descr.endLt.toString(),
      gen_utime: descr.genUtime,
      reg_mc_seqno: descr.regMcSeqno,
    }))
  );
}

/** A block as described by the lists beside the archive packages. */
export function archivedBlockFacts(block: Block) {
  const info = block.info.value;
  const flow = block.valueFlow.value;
  const { accountBlocks, createdBy, custom } = block.extra.value;
  const { old_hash, new_hash } = stateUpdateFacts(block);
  return {
    workchain: info.shardId.workchain,
    shard: info.shardId.shard.toString(16).padStart(16, "0"),
    seqno: info.seqno,
    gen_utime: info.genUtime,
    start_lt: info.startLt.toString(),
    end_lt: info.endLt.toString(),
    key_block: info.keyBlock,
    ...(info.afterSplit && { after_split: true }),
    n_accounts: [...accountBlocks.value.keys()].length,
    n_txs: [...transactionsOf(accountBlocks.value)].length,
    value_flow_balanced: isBalanced(flow),
    fees_collected: flow.feesCollected.coins.toString(),
    created: flow.created.coins.toString(),
    state_old: old_hash,
    state_new: new_hash,
    created_by: bytesToHex(createdBy),
    ...(custom && {
      shards: [...registeredShards(custom.value.shardHashes)].map(
        ({ workchain, descr }) => `${workchain}:${descr.seqno}:${bytesToHex(descr.rootHash).slice(0, 16)}`,
      ),
    }),
  };
}
