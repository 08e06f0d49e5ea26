import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { SharedLimits } from "../../access/access.js";
import type { AddedChange } from "../../artifacts/store.js";
import type { AskedCalls, PastCall } from "../../observe/call-history.js";

/** A block that is waited for. */
export type Reach = { readonly block: BlockIdExt; readonly maxMs: number };

/** The other processes of the same service, as one of them sees them. */
export interface Siblings {
  /** The number of this process, from 1 on; the first one does what one process must do alone. */
  readonly number: number;
  readonly count: number;
  readonly limits: SharedLimits;
  /** Resolves when the others serve the block and all earlier events of the devnet, or after the time. */
  reached(block: BlockIdExt, maxMs: number): Promise<void>;
  /** `reaches` waits for this process, when another one asks. */
  onReach(reaches: (block: BlockIdExt, maxMs: number) => Promise<unknown>): void;
  /** The newest calls of all processes, the newest first. */
  calls(own: readonly PastCall[], asked: AskedCalls): Promise<readonly PastCall[]>;
  /** `newest` reads this process's calls, when another one asks. */
  onCalls(newest: (asked: AskedCalls) => readonly PastCall[]): void;
  /** Passes on which files of contracts a caller has added or removed. */
  changeArtifacts(change: AddedChange): Promise<void>;
  /** `change` makes the changes of the others in this process. */
  onArtifacts(change: (change: AddedChange) => Promise<void>): void;
  /** Reports how many connections this process has open. */
  hasConnections(open: number): void;
  /** Notifies of the mean number of connections of a process. */
  onMeanConnections(listener: (mean: number) => void): void;
}

/** Answers of a process to the others, once its parts have started. */
export class SiblingAnswers {
  #reaches: Parameters<Siblings["onReach"]>[0] = async () => {};
  #newest: Parameters<Siblings["onCalls"]>[0] = () => [];
  #change: (change: AddedChange) => Promise<void> = async () => {};
  #onMean: (mean: number) => void = () => {};

  readonly register: Pick<Siblings, "onReach" | "onCalls" | "onArtifacts" | "onMeanConnections"> = {
    onReach: (reaches) => {
      this.#reaches = reaches;
    },
    onCalls: (newest) => {
      this.#newest = newest;
    },
    onArtifacts: (change) => {
      this.#change = change;
    },
    onMeanConnections: (listener) => {
      this.#onMean = listener;
    },
  };

  async reached({ block, maxMs }: Reach): Promise<void> {
    await this.#reaches(block, maxMs);
  }

  calls(asked: AskedCalls): readonly PastCall[] {
    return this.#newest(asked);
  }

  async artifacts(change: AddedChange): Promise<void> {
    await this.#change(change);
  }

  meanConnections(mean: number): void {
    this.#onMean(mean);
  }
}

/** The newest of several lists, the newest first. */
export function newestOf(
  lists: readonly (readonly PastCall[])[],
  { limit }: Pick<AskedCalls, "limit">,
): PastCall[] {
  return lists
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, limit);
}
