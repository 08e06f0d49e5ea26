import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { isNotFound } from "../../../shared/ton/lite/not-found.js";
import { ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";
import { NoAnswerError } from "../no-answer-error.js";
import { UnavailableError } from "../unavailable-error.js";
import { type FailureKind, failureKind } from "./failure-kind.js";
import type { Liteserver } from "./liteserver.js";

/** A refusal carries no proof, so it is passed on only after this many servers have refused (or all there are). */
const enoughRefusals = 3;
const firstPauseMs = 100;
const maxRounds = 4;

/** The caller gets the failure with the highest weight. */
const weights: Record<FailureKind, number> = { lost: 0, lie: 0, busy: 1, missing: 2, behind: 3, final: 4 };

type AttemptsOptions = {
  /** Prefer servers with a long history from the first attempt on. */
  archival?: boolean | undefined;
  /** The requested block is past the newest one of all servers, so the first refusal is passed on. */
  isFuture?: boolean;
};

/** The attempts of one call: which servers were tried, how they failed, and whether to try on. */
export class Attempts {
  readonly tried = new Set<Liteserver>();
  readonly #enough: number;
  #deep: boolean;
  #fresh = false;
  #refusals = 0;
  #rounds = 0;
  #isFinalRound = false;
  #isAnswered = false;
  readonly #unconfirmedLies: { server: Liteserver; error: ProofError }[] = [];
  #problem: { kind: FailureKind; error: unknown } | undefined;

  constructor({ archival = false, isFuture = false }: AttemptsOptions = {}) {
    this.#deep = archival;
    this.#enough = isFuture ? 1 : enoughRefusals;
  }

  /** Prefer servers with a long history: the caller requested it, or a server did not have the data. */
  get deep(): boolean {
    return this.#deep;
  }

  /** Prefer servers at the newest block: a server that lags behind did not have the data. */
  get fresh(): boolean {
    return this.#fresh;
  }

  /**
   * Records a failure. Throws it if trying another server is pointless. `isLagging`: the server does not have the
   * newest block yet, so "not found" may mean "not yet".
   */
  failed(server: Liteserver, error: unknown, isLagging = false): void {
    if (error instanceof ProofError) this.#accuse(server, error);
    const said = failureKind(error);
    if (said === "final" && !(error instanceof LiteError)) throw error;
    const isMissing = said === "missing" || isNotFound(error);
    const kind = isMissing && isLagging ? "behind" : said;
    this.tried.add(server);
    if (!this.#problem || weights[kind] >= weights[this.#problem.kind]) this.#problem = { kind, error };
    if (isMissing && isLagging) this.#fresh = true;
    else if (isMissing) this.#deep = true;
    if (kind !== "missing" && kind !== "final") return;
    if (++this.#refusals >= this.#enough) throw error;
  }

  /**
   * Records an answer with a valid proof: bans the servers whose proofs failed. If no proof holds, the request or our
   * own check may be at fault, so no server is banned: no caller can get every server banned.
   */
  answered(): void {
    this.#isAnswered = true;
    for (const { server, error } of this.#unconfirmedLies.splice(0)) server.ban(error);
  }

  /** Failed proofs while no other server's proof has held. */
  get unconfirmedLies(): readonly { server: Liteserver; error: ProofError }[] {
    return this.#unconfirmedLies;
  }

  #accuse(server: Liteserver, error: ProofError): void {
    if (this.#isAnswered) server.ban(error);
    else this.#unconfirmedLies.push({ server, error });
  }

  /** Every server was silent before: an attempt now may take until the caller's deadline. */
  get isFinalRound(): boolean {
    return this.#isFinalRound;
  }

  /**
   * Milliseconds to wait before all servers are retried, because the data may arrive or because they were silent;
   * undefined to give up. Silent servers are retried once.
   */
  nextRound(): number | undefined {
    if (this.#problem?.error instanceof NoAnswerError && !this.#isFinalRound) {
      this.#isFinalRound = true;
      this.tried.clear();
      return 0;
    }
    if (this.#problem?.kind !== "behind" || ++this.#rounds >= maxRounds) return undefined;
    this.tried.clear();
    return firstPauseMs * 2 ** (this.#rounds - 1);
  }

  /** The error for the caller when no server is left to try. */
  get problem(): unknown {
    const error = this.#problem?.error;
    return error instanceof LiteError ? error : unavailable(error);
  }
}

export function unavailable(cause?: unknown): UnavailableError {
  return new UnavailableError(undefined, cause);
}
