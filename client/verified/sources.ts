import type { Exchange } from "../../shared/ton/lite/exchange.js";
import { keepExchanges } from "../../shared/ton/lite/keep-exchanges.js";
import type { LiteApi, LiteCall, MasterchainInfo } from "../../shared/ton/lite/lite-api.js";
import { type LiteMethod, liteApiFrom } from "../../shared/ton/lite/lite-methods.js";
import { isNotFound, isNotReady } from "../../shared/ton/lite/not-found.js";
import { checkedCalls } from "../../shared/ton/proofs/verify/checked-calls.js";
import { ProofError, proofError } from "../../shared/ton/proofs/verify/proof-error.js";
import type { TrustChain } from "../../shared/ton/proofs/verify/trust-chain.js";
import { isRpcError } from "../errors.js";
import type { Checks } from "./checks.js";
import { settledInTime } from "./settled-in-time.js";

/** The newest block of one service, proven. */
export type ProvenHead = { info: MasterchainInfo; genUtime: number };

/** One service, with the checks of its answers. `seqno`: that of its newest block, -1 until it is known. */
type Source = { raw: LiteApi; checked: ReturnType<typeof checkedCalls>; seqno: number };

type SourceOptions = {
  trust: TrustChain;
  fallOver: boolean;
  onProofError: ((error: ProofError) => void) | undefined;
};

/** The services of a client: each is checked alone, and the one with the freshest proven block is asked first. */
export class Sources {
  readonly #sources: readonly Source[];
  readonly #options: SourceOptions;

  constructor(apis: readonly LiteApi[], options: SourceOptions) {
    this.#options = options;
    const { trust } = options;
    this.#sources = apis.map((raw) => ({
      raw,
      // API v2 does not show the blocks of an account's transactions.
      checked: checkedCalls(raw, trust, { proveTransactionBlocks: false }),
      seqno: -1,
    }));
  }

  /** The freshest newest block. Rejects if no service proves one, or if one lies and the client does not fall over. */
  async head(call: LiteCall): Promise<ProvenHead> {
    const heads = await settledInTime(this.#sources.map((source) => this.#headOf(source, call)));
    const proven = heads.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const errors: unknown[] = heads.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    const lie = errors.find((error) => error instanceof ProofError);
    const [first, ...more] = proven;
    if (!first || (lie && !this.#options.fallOver)) throw lie ?? errors[0];
    return more.reduce((best, each) => (each.info.last.seqno > best.info.last.seqno ? each : best), first);
  }

  async #headOf(source: Source, call: LiteCall): Promise<ProvenHead> {
    source.seqno = -1;
    const bytes: Exchange[] = [];
    const own = keepExchanges(call, bytes);
    try {
      const info = await source.raw.getMasterchainInfo({}, own);
      const { genUtime } = await this.#options.trust.proveInfo(source.raw, info, own);
      source.seqno = info.last.seqno;
      return { info, genUtime };
    } catch (error) {
      throw this.#noted("getMasterchainInfo", error, bytes);
    }
  }

  /** Functions of all services as one: answers are proven. */
  lite<Name extends LiteMethod>(checks: Checks<Name>): Pick<LiteApi, Name> {
    return liteApiFrom(Object.keys(checks) as Name[], (method, request, call) =>
      this.#ask(method as Name, checks[method as Name], request as never, call),
    );
  }

  async #ask<Name extends LiteMethod>(
    method: Name,
    check: Checks<Name>[Name],
    request: Parameters<typeof check>[1],
    call: LiteCall,
  ): Promise<unknown> {
    const order = [...this.#sources].sort((a, b) => b.seqno - a.seqno);
    for (const [index, source] of order.entries()) {
      const bytes: Exchange[] = [];
      const own = keepExchanges(call, bytes);
      try {
        return await source.checked<typeof request, unknown>(method, check)(request, own);
      } catch (error) {
        const noted = this.#noted(method, error, bytes);
        const isLast = index === order.length - 1;
        if (isLast || !this.#mayHelp(method, noted)) throw noted;
      }
    }
    throw new Error("there is no transport");
  }

  /** Whether another service may answer. A message may have been sent, so it is not sent again. */
  #mayHelp(method: LiteMethod, error: unknown): boolean {
    if (error instanceof ProofError) return this.#options.fallOver;
    if (isRpcError(error)) return method === "sendMessage" ? error.unsent === true : error.retryable === true;
    return method !== "sendMessage" && (isNotFound(error) || isNotReady(error));
  }

  /** The error as a ProofError if it shows that an answer is wrong, with all that this service answered. */
  #noted(method: LiteMethod, error: unknown, bytes: readonly Exchange[]): unknown {
    const noted = proofError(method, error);
    if (!(noted instanceof ProofError)) return noted;
    const proven = new ProofError(noted.message, { ...noted.evidence, bytes }, noted);
    this.#options.onProofError?.(proven);
    return proven;
  }
}
