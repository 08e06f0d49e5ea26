import type { GetMethods } from "../../../shared/ton/contracts/get-method.js";
import { type LiteCall, LiteError } from "../../../shared/ton/lite/lite-api.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { Address } from "../../../shared/values/address.js";
import { ExecutorError } from "../../chain/executor/executor-error.js";
import type { MethodRunner, RunCall } from "../../chain/run/method-runner.js";
import { getMethodsAt } from "../methods-at.js";
import type { Add, Candidate } from "./candidates.js";
import { accountsOfToken } from "./token-kinds.js";

/**
 * How tokens are found: the request names their addresses or their masters, a setting names the masters, messages in
 * the owner's transactions lead to them, or the network's API v3 lists them.
 */
export type Way = "request" | "setting" | "transactions" | "v3";

export type Outcome = {
  /** The ways by which tokens were found. */
  by: readonly Way[];
  /** Why the search is incomplete. */
  problem?: string | undefined;
};

/** A way to find candidates. */
export type Source = { way: Way; find(add: Add, call: LiteCall): Promise<void> };
type Noted = { candidate: Candidate; ways: Set<Way> };

export type SearchParts = {
  reader: Pick<ChainReader, "last" | "blockAt" | "account">;
  runner: Pick<MethodRunner, "run">;
  /** Has accounts imported, and waits for the index. Rejects with a LiteError. */
  store(accounts: readonly Address[]): Promise<void>;
};

/** Candidates of a search; further ones are left out, and the answer is partial in any case. */
const maxCandidates = 1000;
const concurrency = 8;
/** Of one run. Jettons and NFTs need less than a fifth of it. */
const gasLimit = 100_000;
/** Candidates that cannot be read before the search ends. */
const maxFailures = 8;

/** A search for tokens: candidates of all sources, of which those that their masters and collections confirm are stored. */
export class TokenSearch {
  readonly #parts: SearchParts;
  readonly #call: RunCall;
  readonly #methods: GetMethods;
  readonly #candidates = new Map<string, Noted>();
  readonly #confirmed = new Map<string, Address>();
  readonly #by = new Set<Way>();
  #failures = 0;
  #problem: string | undefined;

  /** The signal of the call ends the search, which then stores what it has found. */
  constructor(parts: SearchParts, call: RunCall) {
    this.#parts = parts;
    this.#call = { ...call, gasLimit };
    this.#methods = getMethodsAt(parts.reader.last, parts, this.#call);
  }

  /** `owner`: tokens of others do not count. */
  async run(sources: readonly Source[], owner: Address | undefined): Promise<Outcome> {
    await Promise.all(sources.map((source) => this.#tried(() => this.#collect(source))));
    const waiting = this.#candidates.values();
    const worker = async () => {
      for (const each of waiting) {
        if (this.#call.signal?.aborted || this.#failures >= maxFailures) return;
        await this.#tried(() => this.#confirm(each, owner));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    const accounts = [...this.#confirmed.values()];
    if (accounts.length > 0) await this.#tried(() => this.#parts.store(accounts));
    return { by: [...this.#by], problem: this.#problem };
  }

  async #collect({ way, find }: Source): Promise<void> {
    const add = (candidate: Candidate) => {
      const { kind } = candidate;
      const key = "address" in candidate ? `${kind} ${candidate.address.toRaw()}` : candidate.master.toRaw();
      const known = this.#candidates.get(key);
      if (known) known.ways.add(way);
      else if (this.#candidates.size < maxCandidates)
        this.#candidates.set(key, { candidate, ways: new Set([way]) });
    };
    await find(add, this.#call);
  }

  async #confirm({ candidate, ways }: Noted, owner: Address | undefined): Promise<void> {
    const accounts = await accountsOfToken(candidate, this.#methods, owner);
    if (!accounts) return;
    for (const account of accounts) this.#confirmed.set(account.toRaw(), account);
    for (const way of ways) this.#by.add(way);
  }

  /** Notes why the chain cannot be read, or contracts cannot be run. Contracts that fail are no tokens. */
  async #tried(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const isLate = this.#call.signal?.aborted;
      if (!isLate && !(error instanceof LiteError || error instanceof ExecutorError)) throw error;
      this.#failures++;
      this.#problem ??= isLate ? "the search has taken too long" : (error as Error).message;
    }
  }
}
