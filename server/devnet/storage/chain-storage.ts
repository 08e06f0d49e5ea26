import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { BlockPair } from "../collate/block/block-pair.js";
import type { EndLts } from "../collate/step.js";
import type { Genesis } from "../genesis/genesis.js";
import type { NamedSnapshot } from "./chain-records.js";
import type { LogRecord } from "./record-log.js";
import type { ImportedChain, KeptChain } from "./state-file.js";

/** An accepted external message. */
export type StoredMessage = {
  boc: Uint8Array;
  /** Whether its account's checks of signatures succeed whatever is signed. */
  ignoresSignatures: boolean;
};

/** State of a stored chain when it is opened. */
export type StoredChain = {
  /** The newest step; absent if there are only the zero states. */
  last: BlockPair | undefined;
  /** External messages that were accepted but not yet included, oldest first. */
  pending: StoredMessage[];
  /** Named snapshots, oldest first. */
  snapshots: NamedSnapshot[];
  /** The start of a fork that began anew, as `replace` stored it. */
  fork?: Uint8Array | undefined;
};

/**
 * Storage of the chain. A write is durable once its promise resolves; the chain answers its callers only then. Calls do
 * not overlap, except those of `accept`.
 */
export interface ChainStorage {
  /**
   * Called once, first. A new chain starts with `genesis`; a stored one may have started with one of `others`, the zero
   * states of other executors. Throws if it has other zero states.
   */
  open(genesis: Genesis, others?: Iterable<Genesis>): Promise<StoredChain>;
  /** The zero states of the open chain. */
  readonly genesis: Genesis;
  append(pair: BlockPair): Promise<void>;
  /** Adds these blocks to a chain without blocks. Returns the last step. */
  adopt(chain: KeptChain): Promise<BlockPair>;
  /**
   * Replaces all steps and named snapshots at once; changes nothing if that cannot be stored. `fork`: where a fork begins
   * anew; by default that stays as it is.
   */
  replace(chain: ImportedChain, fork?: Uint8Array): Promise<void>;
  /** Stores an accepted external message, because sendBoc's answer promises that it will be tried. */
  accept(message: StoredMessage): Promise<void>;
  /** Forgets an accepted message, by the SHA-256 of its bytes. */
  drop(hash: Uint8Array): Promise<void>;
  /**
   * Removes every step after the masterchain block, and these named snapshots; 0 keeps only the zero states. Returns
   * the last remaining step.
   */
  revert(mcSeqno: number, forgotten?: readonly string[]): Promise<BlockPair | undefined>;
  /** Stores a named snapshot of a masterchain block. A revert to an earlier block drops it. */
  keepSnapshot(snapshot: NamedSnapshot): Promise<void>;
  forgetSnapshots(names: readonly string[]): Promise<void>;
  /** The records of the steps up to this one, by default of all, without reverted ones. */
  records(last?: number): Promise<LogRecord[]>;
  /** State roots after the masterchain block; `undefined` if it does not exist. */
  statesAt(mcSeqno: number): Promise<{ masterchain: Cell; basechain: Cell } | undefined>;
  /** Roots of the step's two blocks; `undefined` if it does not exist. */
  blocksAt(mcSeqno: number): Promise<{ masterchain: Cell; basechain: Cell } | undefined>;
  /** The masterchain block of the step, which must exist. */
  idOf(mcSeqno: number): BlockIdExt;
  /** End lts of both chains after the step; `undefined` if it does not exist. */
  endLts(mcSeqno: number): EndLts | undefined;
  /** Seqno of the step whose block of the workchain covers the logical time. */
  stepAt(workchain: number, lt: bigint): number | undefined;
  /** The last stored election settings, regardless of reverts. */
  readElections(): Promise<string | undefined>;
  writeElections(text: string): Promise<void>;
  close(): Promise<void>;
}
