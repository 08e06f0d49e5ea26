import { ServiceError } from "../../errors.js";
import { LiteError } from "../lite-api.js";
import type { PoolServer } from "./pool-server.js";
import { type Verdict, verdictOf } from "./verdict.js";

/** Servers without the data that have to be asked before nobody is believed to have it. */
const enoughMissing = 3;
const firstPauseMs = 100;
const maxRounds = 4;

/** What has come of a call so far. */
export class Attempts {
  readonly tried = new Set<PoolServer>();
  #missing = 0;
  #rounds = 0;
  #problem: { verdict: Verdict; error: unknown } | undefined;

  /** A server did not have the data. */
  get deep(): boolean {
    return this.#missing > 0;
  }

  /** Notes a failure; throws it where there is no point in asking another server. */
  failed(server: PoolServer, error: unknown): void {
    const verdict = verdictOf(error);
    if (verdict === "final") throw error;
    this.tried.add(server);
    // Errors that servers answer say more than those of connections.
    if (!this.#problem || error instanceof LiteError) this.#problem = { verdict, error };
    if (verdict !== "missing") return;
    this.#missing++;
    if (this.#missing >= enoughMissing || server.oldest === 1) throw error;
  }

  /** After how long all servers can be asked again, as what is needed may be there then. */
  nextRound(): number | undefined {
    if (this.#problem?.verdict !== "behind" || ++this.#rounds >= maxRounds) return undefined;
    this.tried.clear();
    return firstPauseMs * 2 ** (this.#rounds - 1);
  }

  /** What the caller is told when nobody is left to ask. */
  get problem(): unknown {
    const error = this.#problem?.error;
    return error instanceof LiteError ? error : unavailable(error);
  }
}

export function unavailable(cause?: unknown): ServiceError {
  return new ServiceError("unavailable", undefined, { cause });
}
