import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { TransactionRequest, TransactionResult } from "../../../shared/ton/run/account-request.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import type { Executor } from "../../chain/executor/executor.js";

/** Each result takes a few kilobytes. */
const maxKept = 2000;

type Run = { readonly request: TransactionRequest; readonly result: TransactionResult };

/**
 * Runs transactions, and caches trial runs of messages: a block that runs such a message under the same conditions
 * reuses the result.
 */
export class TrialRuns implements Pick<Executor, "runTransaction" | "runTickTock"> {
  readonly #executor: Pick<Executor, "runTransaction" | "runTickTock">;
  readonly #kept = new Map<string, Run>();

  constructor(executor: Pick<Executor, "runTransaction" | "runTickTock">) {
    this.#executor = executor;
  }

  /** Runs an external message under the expected conditions of the next block. */
  tryOut(request: TransactionRequest): TransactionResult {
    const result = this.#executor.runTransaction(request);
    if (result.outcome === "done" && this.#kept.size < maxKept)
      this.#kept.set(request.message.hashHex(), { request, result });
    return result;
  }

  runTransaction(request: TransactionRequest): TransactionResult {
    const kept = this.#kept.size > 0 ? this.#kept.get(request.message.hashHex()) : undefined;
    return kept && isSameRun(kept.request, request) ? kept.result : this.#executor.runTransaction(request);
  }

  runTickTock: Executor["runTickTock"] = (request) => this.#executor.runTickTock(request);

  /** Call after each block: the next one has another random seed. */
  clear(): void {
    this.#kept.clear();
  }
}

function isSameRun(one: TransactionRequest, other: TransactionRequest): boolean {
  return (
    one.now === other.now &&
    one.lt === other.lt &&
    bytesEqual(one.randSeed, other.randSeed) &&
    one.previousBlocks === other.previousBlocks &&
    one.ignoreSignatures === other.ignoreSignatures &&
    one.log === other.log &&
    one.shardAccount.equals(other.shardAccount) &&
    one.config.equals(other.config) &&
    areSame(one.libraries, other.libraries)
  );
}

const areSame = (one: Cell | undefined, other: Cell | undefined) =>
  one === other || (one !== undefined && other !== undefined && one.equals(other));
