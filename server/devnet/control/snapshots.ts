import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { valueAt } from "../../../shared/values/lookups.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import { DevnetError } from "../devnet-error.js";
import type { ClockOffset } from "../moment/clock.js";
import type { NamedSnapshot } from "../storage/chain-records.js";

/** A masterchain seqno and the clock's offset at that time. */
type Snapshot = { seqno: number; offset: ClockOffset };

/** A snapshot, and the masterchain block it was taken at. */
export type SnapshotInfo = { id: string; seqno: number };

/** Maximum number of named snapshots. */
const maxNamed = 1000;

/**
 * Snapshots of a chain, in the order they were taken. Unnamed ones have numbers, which are never reused, and last as
 * long as the process; named ones are stored with the chain.
 */
export class Snapshots {
  readonly #chain: DevnetChain;
  readonly #byId = new Map<string, Snapshot>();
  readonly #named = new Set<string>();
  #lastNumber = 0;

  constructor(chain: DevnetChain) {
    this.#chain = chain;
    this.replace(chain.stored.snapshots);
  }

  /** Oldest first. */
  list(): SnapshotInfo[] {
    return Array.from(this.#byId, ([id, { seqno }]) => ({ id, seqno }));
  }

  /** Takes a snapshot of the newest block. Rejects with "conflict" if the name is taken. */
  take(name: string | undefined): Promise<{ id: string; block: BlockIdExt }> {
    return this.#chain.exclusive(async () => {
      const block = this.#chain.head;
      const { offset } = this.#chain.clock;
      if (name !== undefined) await this.#keep(name, { seqno: block.seqno, offset });
      const id = name ?? `${++this.#lastNumber}`;
      this.#byId.set(id, { seqno: block.seqno, offset });
      return { id, block };
    });
  }

  /** Reverts to a snapshot and drops those taken after it. Rejects with "not-found" for an unknown id. */
  revert(id: string): Promise<BlockIdExt> {
    return this.#chain.exclusive(async (revert) => {
      const { seqno, offset } = this.#find(id);
      const ids = [...this.#byId.keys()];
      const later = ids.slice(ids.indexOf(id) + 1);
      const block = await revert(
        seqno,
        later.filter((each) => this.#named.has(each)),
      );
      this.#remove(later);
      // Otherwise the next block would get a time that was set later.
      this.#chain.clock.restore(offset);
      return block;
    });
  }

  /** Rejects with "not-found" for an unknown id. */
  delete(id: string): Promise<void> {
    return this.#chain.exclusive(async () => {
      this.#find(id);
      if (this.#named.has(id)) await this.#chain.forgetSnapshots([id]);
      this.#remove([id]);
    });
  }

  /** Deletes all snapshots. Returns their number. */
  clear(): Promise<number> {
    return this.#chain.exclusive(async () => {
      const ids = [...this.#byId.keys()];
      await this.#chain.forgetSnapshots([...this.#named]);
      this.#remove(ids);
      return ids.length;
    });
  }

  /** Removes the newest blocks, and the snapshots of them. Rejects with "conflict" unless a block stays. */
  rollback(blocks: number, first = 1): Promise<BlockIdExt> {
    return this.#chain.exclusive(async (revert) => {
      const seqno = this.#chain.head.seqno - blocks;
      if (seqno < first)
        throw new DevnetError(
          "conflict",
          `the chain has ${this.#chain.head.seqno} blocks, of which the first one stays`,
        );
      const later = this.list().flatMap((each) => (each.seqno > seqno ? [each.id] : []));
      const block = await revert(
        seqno,
        later.filter((each) => this.#named.has(each)),
      );
      this.#remove(later);
      return block;
    });
  }

  /** The masterchain seqno of a snapshot. Throws "not-found" for an unknown id. */
  seqnoOf(id: string): number {
    return this.#find(id).seqno;
  }

  /** The snapshots stored with the chain. */
  named(): NamedSnapshot[] {
    return Array.from(this.#named, (name) => {
      const { seqno, offset } = valueAt(this.#byId, name);
      return { name, mcSeqno: seqno, offset };
    });
  }

  /** Call it when the chain was replaced, with its current snapshots. */
  replace(snapshots: readonly NamedSnapshot[]): void {
    this.#byId.clear();
    this.#named.clear();
    for (const { name, mcSeqno, offset } of snapshots) {
      this.#byId.set(name, { seqno: mcSeqno, offset });
      this.#named.add(name);
    }
  }

  async #keep(name: string, { seqno, offset }: Snapshot): Promise<void> {
    if (this.#byId.has(name)) throw new DevnetError("conflict", `there is a snapshot ${name} already`);
    if (this.#named.size >= maxNamed)
      throw new DevnetError("conflict", `there are ${maxNamed} named snapshots already; delete some first`);
    await this.#chain.keepSnapshot({ name, mcSeqno: seqno, offset });
    this.#named.add(name);
  }

  #remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.#byId.delete(id);
      this.#named.delete(id);
    }
  }

  #find(id: string): Snapshot {
    const snapshot = this.#byId.get(id);
    if (snapshot === undefined) throw new DevnetError("not-found", `there is no snapshot ${id}`);
    return snapshot;
  }
}
