import { ServiceError } from "../../errors.js";
import { LiteError } from "../lite-api.js";
import { lacksData } from "../missing-data.js";
import { isWhole } from "./choose.js";
import type { PoolServer } from "./pool-server.js";
import { type Verdict, verdictOf } from "./verdict.js";

/** Servers without the data that have to be asked before nobody is believed to have it. */
const enoughMissing = 3;
const firstPauseMs = 100;
const maxRounds = 4;

/** What has come of a call so far. */
export class Attempts {
  readonly tried = new Set<PoolServer>();
  #deep: boolean;
  #missing = 0;
  #rounds = 0;
  #problem: { verdict: Verdict; error: unknown } | undefined;

  constructor({ archival = false }: { archival?: boolean | undefined } = {}) {
    this.#deep = archival;
  }

  /** Old data are wanted: a server did not have them, or the caller says so. */
  get deep(): boolean {
    return this.#deep;
  }

  /** Notes a failure; throws it where there is no point in asking another server. `best`: seqno of the newest block. */
  failed(server: PoolServer, error: unknown, best: number): void {
    const verdict = verdictOf(error);
    if (verdict === "final") throw error;
    this.tried.add(server);
    // Errors that servers answer say more than those of connections.
    if (!this.#problem || error instanceof LiteError) this.#problem = { verdict, error };
    if (lacksData(error)) this.#deep = true;
    if (verdict !== "missing") return;
    this.#deep = true;
    this.#missing++;
    if (this.#missing >= enoughMissing || isWhole(server, best)) throw error;
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
