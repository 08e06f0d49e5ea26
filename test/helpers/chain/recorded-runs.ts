import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { bytesKey, cellRef, Dictionary } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { openMerkleProof } from "../../../shared/ton/cells/merkle/proof.js";
import { previousBlocks } from "../../../shared/ton/proofs/make/previous-blocks.js";
import { previousBlockIds } from "../../../shared/ton/proofs/make/shard-links.js";
import type { RetraceReads } from "../../../shared/ton/run/retrace/block-inputs.js";
import { transactionsOf } from "../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex, hexToBytes } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { ChainData, ChainEntry } from "../test-data.js";

/** A recorded block with what its transactions were made with. */
export type RecordedRuns = { block: BlockIdExt; accounts: readonly Address[]; reader: RetraceReads };

type Surroundings = {
  entry: (id: Address) => ShardAccount | undefined;
  config: Cell;
  previous: Awaited<ReturnType<RetraceReads["previousBlocks"]>>;
  library: (hash: Uint8Array) => Cell | undefined;
};

const cellOf = (base64: string): Cell => parseBocRoot(Buffer.from(base64, "base64"));

/** The block of May 2026 with the recorded states of its accounts. */
export function runsOfFixture(chain: ChainData): RecordedRuns | undefined {
  const fixture = chain.one({ kind: "replay_fixture" });
  const { network, workchain, shard, seqno } = fixture;
  const [recorded] = chain.where({ kind: "block", network, workchain, shard, seqno });
  if (!recorded) return undefined;
  const { previous_accounts: rows, config } = JSON.parse(Buffer.from(fixture.read()).toString()) as {
    previous_accounts: { account: string; shard_account_boc_base64: string }[];
    config: {
      config_root_boc_base64: string;
      libraries_boc_base64: string[];
    };
  };
  const accounts = new Map(rows.map((row) => [row.account, row.shard_account_boc_base64]));
  const libraries = Dictionary.loadDirect(
    cellOf(itemAt(config.libraries_boc_base64, 0)),
    bytesKey(32),
    cellRef,
  );
  return runsOf(recorded, {
    entry: (address) => {
      const text = accounts.get(address.toRaw());
      return text === undefined ? undefined : decode(ShardAccount, cellOf(text));
    },
    config: cellOf(config.config_root_boc_base64),
    // No transaction of the block asks for earlier blocks.
    previous: { type: "null" },
    library: (hash) => libraries.get(hash),
  });
}

/** A block of September 2025 with parts of the states before it, as a collator stored them. */
export function runsOfStates(chain: ChainData): RecordedRuns | undefined {
  const [recorded] = chain.where({ kind: "block", network: "mainnet", workchain: 0, seqno: 56_703_839 });
  const partial = (place: { workchain: number; seqno: number }) => {
    const [entry] = chain.where({ kind: "merkle_proof/shard_state", network: "mainnet", ...place });
    return entry && decode(ShardStateUnsplit, openMerkleProof(parseBocRoot(entry.read())));
  };
  const own = partial({ workchain: 0, seqno: 56_703_838 });
  const master = partial({ workchain: masterchain, seqno: 51_641_117 });
  if (!recorded || !own || !master) return undefined;
  const { config, history } = master.custom!.value;
  const { masterRef } = decode(Block, parseBocRoot(recorded.read())).info.value;
  const id = { workchain: masterchain, shard: wholeShard, ...masterRef!.value.master };
  return runsOf(recorded, {
    entry: ({ hash }) => own.accounts.value.get(hash),
    config: config.config.cell.physical,
    previous: previousBlocks(id, history.value),
    library: (hash) => master.totals.value.libraries.get(hash)?.lib.physical,
  });
}

function runsOf(recorded: ChainEntry, { entry, config, previous, library }: Surroundings): RecordedRuns {
  const { workchain, shard, seqno, rootHash, raw } = recorded;
  const root = parseBocRoot(recorded.read());
  const opened = decode(Block, root);
  const block: BlockIdExt = {
    workchain: workchain!,
    shard: BigInt(`0x${shard}`),
    seqno: seqno!,
    rootHash: hexToBytes(rootHash!)!,
    fileHash: hexToBytes(String(raw["block_id_file_hash"]))!,
  };
  const info = opened.info.value;
  const found = [...transactionsOf(opened.extra.value.accountBlocks.value)].map(({ cell, value }) => ({
    address: new Address(block.workchain, value.accountAddr),
    cell,
    transaction: value,
  }));
  const librariesOf = async (hashes: readonly Uint8Array[]) =>
    hashes.flatMap((hash) => {
      const cell = library(hash);
      return cell ? [{ hash, cell, boc: new Uint8Array(0) }] : [];
    });
  const reader = {
    header: async () => ({ id: block, info, previous: previousBlockIds(block, info) }),
    lookup: async () => block,
    randSeed: async () => opened.extra.value.randSeed,
    accountTransactions: async (_: BlockIdExt, { hash }: Address) =>
      found.filter(({ address }) => bytesToHex(address.hash) === bytesToHex(hash)),
    config: async () => ({ root: config, params: decode(ConfigDictionary, config) }),
    previousBlocks: async () => previous,
    librariesAt: (_: BlockIdExt, hashes: readonly Uint8Array[]) => librariesOf(hashes),
    libraries: librariesOf,
    account: async (_: BlockIdExt, address: Address) => {
      const known = entry(address);
      return {
        cell: known?.account.value && known.account.cell.physical,
        lastTransaction: {
          lt: known?.lastTransLt ?? 0n,
          hash: known?.lastTransHash ?? new Uint8Array(32),
        },
      };
    },
    transactions: () => Promise.reject(new Error("no history is recorded")),
  };
  const accounts = new Map(found.map(({ address }) => [address.toRaw(), address]));
  // Only the members that a retrace reads.
  return { block, accounts: [...accounts.values()], reader: reader as unknown as RetraceReads };
}
