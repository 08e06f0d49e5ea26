import type { Exchange } from "../../shared/ton/lite/exchange.js";
import { keepExchanges } from "../../shared/ton/lite/keep-exchanges.js";
import type { LiteApi, LiteCall, MasterchainInfo } from "../../shared/ton/lite/lite-api.js";
import { type LiteMethod, liteApiFrom } from "../../shared/ton/lite/lite-methods.js";
import { isNotFound, isNotReady } from "../../shared/ton/lite/not-found.js";
import { presentBlockId } from "../../shared/ton/present/records.js";
import { checkedCalls } from "../../shared/ton/proofs/verify/checked-calls.js";
import { verifyLookup } from "../../shared/ton/proofs/verify/lookups.js";
import { ProofError, proofError } from "../../shared/ton/proofs/verify/proof-error.js";
import type { TrustChain } from "../../shared/ton/proofs/verify/trust/trust-chain.js";
import { type BlockIdExt, sameBlock } from "../../shared/ton/tlb/block-id.js";
import { isRpcError, RpcError } from "../errors.js";
import type { Checks } from "./checks.js";
import type { Revert } from "./options.js";
import { settledInTime } from "./settled-in-time.js";

/** The newest block of one service, proven. `isReverted`: it does not follow the one before. */
export type ProvenHead = { info: MasterchainInfo; genUtime: number; isReverted?: boolean };

/** One service, with the checks of its answers. `seqno`: that of its newest block, -1 until it is known. */
type Source = { raw: LiteApi; checked: ReturnType<typeof checkedCalls>; seqno: number };

type SourceOptions = {
  trust: TrustChain;
  /** Whether the chain may be reverted, as a devnet. */
  mayRevert: boolean;
  onRevert: ((revert: Revert) => void) | undefined;
  fallOver: boolean;
  onProofError: ((error: ProofError) => void) | undefined;
};

/** The newest block of a service is not used: it does not follow the one that was proven before. */
class OlderHead extends Error {
  readonly source: Source;
  readonly info: MasterchainInfo;

  constructor(source: Source, info: MasterchainInfo, floor: BlockIdExt) {
    const text = `the service's newest block, ${info.last.seqno}, does not follow block ${floor.seqno}, which was proven before`;
    super(`${text}: the service lags, or hides newer blocks`);
    this.source = source;
    this.info = info;
  }
}

/** The services of a client: each is checked alone, and the one with the freshest proven block is asked first. */
export class Sources {
  readonly #sources: readonly Source[];
  readonly #options: SourceOptions;
  #reverting: Promise<ProvenHead> | undefined;

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

  /**
   * The freshest newest block. Rejects if no service proves one, if one lies and the client does not fall over, or if all are
   * older than the one that was proven before, which only the chain of a devnet may be.
   */
  async head(call: LiteCall): Promise<ProvenHead> {
    const { trust, fallOver, mayRevert } = this.#options;
    const { floor } = trust;
    const heads = await settledInTime(this.#sources.map((source) => this.#headOf(source, floor, call)));
    const proven = heads.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const errors: unknown[] = heads.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    const lie = errors.find((error) => error instanceof ProofError);
    const [first, ...more] = proven;
    if (lie && !(first && fallOver)) throw lie;
    if (!first) {
      const older = errors.filter((error) => error instanceof OlderHead);
      const [freshest] = older.sort((a, b) => b.info.last.seqno - a.info.last.seqno);
      if (!freshest) throw errors[0];
      if (mayRevert) return this.#reverted(freshest, floor!, call);
      throw new RpcError("unavailable", freshest.message, { retryable: true });
    }
    const best = more.reduce((a, b) => (b.info.last.seqno > a.info.last.seqno ? b : a), first);
    if (best.info.last.seqno > (trust.floor?.seqno ?? -1)) await trust.keepHead(best.info.last);
    return best;
  }

  /** Concurrent calls share it. */
  #reverted(older: OlderHead, floor: BlockIdExt, call: LiteCall): Promise<ProvenHead> {
    if (this.#options.trust.floor !== floor) return this.head(call);
    this.#reverting ??= this.#revert(older, floor, call).finally(() => {
      this.#reverting = undefined;
    });
    return this.#reverting;
  }

  /** Nothing tells a chain that was reverted from a service that hides newer blocks. */
  async #revert({ source, info }: OlderHead, floor: BlockIdExt, call: LiteCall): Promise<ProvenHead> {
    const { trust, onRevert } = this.#options;
    trust.revert(info.last.seqno);
    const head = await this.#headOf(source, undefined, call, info);
    onRevert?.({ from: presentBlockId(floor), to: presentBlockId(info.last) });
    await trust.keepHead(info.last);
    return { ...head, isReverted: true };
  }

  async #headOf(
    source: Source,
    floor: BlockIdExt | undefined,
    call: LiteCall,
    known?: MasterchainInfo,
  ): Promise<ProvenHead> {
    source.seqno = -1;
    const bytes: Exchange[] = [];
    const own = keepExchanges(call, bytes);
    try {
      const info = known ?? (await source.raw.getMasterchainInfo({}, own));
      if (floor && !(await this.#follows(source, info.last, floor, own)))
        throw new OlderHead(source, info, floor);
      const { genUtime } = await this.#options.trust.proveInfo(source.raw, info, own);
      source.seqno = info.last.seqno;
      return { info, genUtime };
    } catch (error) {
      throw this.#noted("getMasterchainInfo", error, bytes);
    }
  }

  /** With a network, a newer block follows by its signatures; otherwise it must list the one before, if anyone asks. */
  async #follows({ raw }: Source, last: BlockIdExt, floor: BlockIdExt, call: LiteCall): Promise<boolean> {
    if (last.seqno <= floor.seqno) return sameBlock(last, floor);
    if (!this.#options.onRevert) return true;
    const request = { id: floor, bySeqno: true, mcBlockId: last };
    const answer = await raw.lookupBlockWithProof(request, call);
    verifyLookup(request, answer);
    return sameBlock(answer.id, floor);
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
