import { ServiceError } from "../../errors.js";
import { LiteError } from "../lite-api.js";
import { isNotFound } from "../not-found.js";
import { LyingServerError } from "../verify/failed-proof.js";
import { type FailureKind, failureKind } from "./failure-kind.js";
import type { PoolServer } from "./pool-server.js";

/** No proof shows what a server cannot or will not answer, so as many have to say the same, or all there are. */
const enoughRefusals = 3;
const firstPauseMs = 100;
const maxRounds = 4;

/** Which of several failures the caller is told: the one that says most. */
const weights: Record<FailureKind, number> = { lost: 0, lie: 0, busy: 1, missing: 2, behind: 3, final: 4 };

export type AttemptsOptions = {
  /** Old data are wanted. */
  archival?: boolean | undefined;
  /** Nobody can have what is wanted, so the first who says so is believed. */
  isFuture?: boolean;
};

/** What has come of a call so far. */
export class Attempts {
  readonly tried = new Set<PoolServer>();
  readonly #enough: number;
  #deep: boolean;
  #fresh = false;
  #refusals = 0;
  #rounds = 0;
  #isAnswered = false;
  readonly #unconfirmedLies: { server: PoolServer; error: LyingServerError }[] = [];
  #problem: { kind: FailureKind; error: unknown } | undefined;

  constructor({ archival = false, isFuture = false }: AttemptsOptions = {}) {
    this.#deep = archival;
    this.#enough = isFuture ? 1 : enoughRefusals;
  }

  /** Old data are wanted: a server did not have them, or the caller says so. */
  get deep(): boolean {
    return this.#deep;
  }

  /** New data are wanted: a server did not have them that did not have the newest block either. */
  get fresh(): boolean {
    return this.#fresh;
  }

  /**
   * Notes a failure; throws it where there is no point in asking another server. Of a server that is late, what it
   * does not have may be what it does not have yet.
   */
  failed(server: PoolServer, error: unknown, isLagging = false): void {
    if (error instanceof LyingServerError) this.#accuse(server, error);
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
   * A server had an answer that holds. Only then are those punished whose answers did not: when nobody's answer holds it
   * is the question that is to blame, or we are, and a caller must not be able to have every server banned.
   */
  answered(): void {
    this.#isAnswered = true;
    for (const { server, error } of this.#unconfirmedLies.splice(0)) server.ban(error);
  }

  /** Answers that did not hold, as long as there is none that does. */
  get unconfirmedLies(): readonly { server: PoolServer; error: LyingServerError }[] {
    return this.#unconfirmedLies;
  }

  #accuse(server: PoolServer, error: LyingServerError): void {
    if (this.#isAnswered) server.ban(error);
    else this.#unconfirmedLies.push({ server, error });
  }

  /** After how long all servers can be asked again, as what is needed may be there then. */
  nextRound(): number | undefined {
    if (this.#problem?.kind !== "behind" || ++this.#rounds >= maxRounds) return undefined;
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
