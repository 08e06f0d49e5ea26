import type { Database, Lock } from "../../store/database.js";
import { lockNumbers } from "../../store/sql/locks.js";
import { underLock } from "../../store/under-lock.js";
import type { Detection } from "../recognition/detection.js";
import { RateMeter } from "../work/progress.js";
import { retried } from "../work/retried.js";
import { type AccountPage, storeAccounts } from "./store-accounts.js";

/** Accounts in an order, of which a run continues where the last one ended. */
interface AccountPages {
  /** Accounts that are done, of about so many; undefined before the first look. */
  readonly progress: { done: number; all: number } | undefined;
  /** The pages that are left. Each must be stored before the next one is taken. */
  pages(signal: AbortSignal): AsyncIterable<AccountPage>;
}

/** Progress over cells of a file, or over accounts. */
export type BootstrapProgress = {
  of: "cells" | "accounts";
  all: number;
  missing: number;
  perSec: number;
  remainingSec: number | undefined;
};

type BootstrapSetting = {
  database: Database;
  detection: Pick<Detection, "recognise" | "resolveLibraries">;
  accounts: AccountPages;
  /** Wall clock, milliseconds. */
  now: () => number;
  /** Called with failures that are retried. */
  onError: (error: Error) => void;
};

/** Stores accounts that no block of the index has, beside a process that follows the chain. */
export class Bootstrap {
  readonly #setting: BootstrapSetting;
  readonly #rate: RateMeter;

  constructor(setting: BootstrapSetting) {
    this.#setting = setting;
    this.#rate = new RateMeter(setting.now);
  }

  get progress(): BootstrapProgress | undefined {
    const { progress } = this.#setting.accounts;
    return progress && progressBy(this.#rate, "accounts", progress);
  }

  /** Resolves when all accounts are stored. Waits for a run of another process first. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, onError } = this.#setting;
    const run = () =>
      underLock(database, lockNumbers.bootstrap, signal, (held, lock) => this.#storeAll(held, lock));
    await retried(run, signal, onError);
  }

  async #storeAll(signal: AbortSignal, lock: Lock): Promise<void> {
    const { database, detection, accounts } = this.#setting;
    const store = {
      database: database.sql({ connections: 1 }),
      isConcurrent: database.isConcurrent,
      detection,
      lock,
    };
    this.#rate.begin(accounts.progress?.done ?? 0);
    for await (const page of accounts.pages(signal)) {
      signal.throwIfAborted();
      await storeAccounts(store, page);
      this.#rate.reached(accounts.progress?.done ?? 0);
    }
  }
}

/** Progress with the rate of a meter that knows what is done. */
export function progressBy(
  rate: RateMeter,
  of: BootstrapProgress["of"],
  { done, all }: { done: number; all: number },
): BootstrapProgress {
  const missing = all - done;
  return { of, all, missing, perSec: rate.perSec, remainingSec: rate.remainingSec(missing) };
}
