import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { RunEnvironment } from "../../../shared/ton/run/method-request.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../shared/values/address.js";
import type { ExternalMessage } from "./mempool.js";
import type { TrialRuns } from "./trial-runs.js";

/** An account and the lowest logical time of its next transaction. */
export type ReadyAccount = { shardAccount: Cell; lt: bigint };

/** Runs of messages on an account in the coming block. */
export type AccountRuns = { runs: TrialRuns; environment: RunEnvironment & { config: Cell } };

/** `tried`: file hashes of the messages that were run, accepted or not. */
type Expected = ReadyAccount & { tried: string[] };

/** Account states after their waiting messages, as long as no block changes the accounts. */
export class ExpectedAccounts {
  readonly #accounts = new Map<string, Expected>();

  /** Call after each block. */
  clear(): void {
    this.#accounts.clear();
  }

  /** The account after its waiting messages, oldest first; refused ones change nothing. */
  after(
    address: Address,
    committed: ReadyAccount,
    waiting: readonly ExternalMessage[],
    runs: AccountRuns,
  ): ReadyAccount {
    const expected = this.#resume(address, committed, waiting);
    for (const message of waiting.slice(expected.tried.length)) {
      Object.assign(expected, afterMessage(message, expected, runs));
      expected.tried.push(message.fileHash);
    }
    return expected;
  }

  /** Starts over if a message that was run is no longer waiting. */
  #resume(address: Address, committed: ReadyAccount, waiting: readonly ExternalMessage[]): Expected {
    const name = address.toRaw();
    const known = this.#accounts.get(name);
    if (known?.tried.every((fileHash, index) => waiting[index]?.fileHash === fileHash)) return known;
    const fresh = { ...committed, tried: [] };
    this.#accounts.set(name, fresh);
    return fresh;
  }
}

function afterMessage(
  { root: message, ignoresSignatures }: ExternalMessage,
  { shardAccount, lt }: ReadyAccount,
  { runs, environment }: AccountRuns,
): ReadyAccount | undefined {
  const ignoreSignatures = ignoresSignatures || undefined;
  const result = runs.runTransaction({ shardAccount, message, lt, ...environment, ignoreSignatures });
  if (result.outcome !== "done") return undefined;
  const { outMsgCount } = decode(Transaction, result.transaction);
  return { shardAccount: result.shardAccount, lt: lt + 1n + BigInt(outMsgCount) };
}
