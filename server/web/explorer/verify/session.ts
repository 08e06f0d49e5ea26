import type { Caller } from "../../../../client/caller.js";
import { isMissingMethod } from "../../../../client/errors.js";
import { liteApiOver } from "../../../../client/verified/lite-query.js";
import { openReads } from "../../../../client/verified/open-reads.js";
import type { ProofProgress } from "../../../../client/verified/options.js";
import type { ProvenReads } from "../../../../client/verified/proven-reads.js";
import type { Exchange } from "../../../../shared/ton/lite/exchange.js";
import type { LiteApi, LiteCall } from "../../../../shared/ton/lite/lite-api.js";
import { presentBlockId } from "../../../../shared/ton/present/records.js";
import { OtherNetwork, ProofError } from "../../../../shared/ton/proofs/verify/proof-error.js";
import { type BlockIdExt, zeroStateBlock } from "../../../../shared/ton/tlb/block-id.js";
import { sentenceOf } from "../parts/failure.js";
import { Links } from "./links.js";
import { anchoredNetwork, keepStart, keptStart, type StartBlock } from "./start-block.js";

/** The proven chain. */
export type Chain = { readonly reads: ProvenReads; readonly start: StartBlock };

export type Status = {
  /**
   * `replaced`: the service has another network than the start block is of. `impossible`: it answers no queries of
   * liteservers. `wrong`: it does not prove its own newest block. `failed`: a call failed, and the next may not.
   */
  readonly kind: "proving" | "proven" | "replaced" | "impossible" | "wrong" | "failed";
  readonly reason?: string | undefined;
  readonly start?: StartBlock | undefined;
  /** The newest proven block. */
  readonly head?: BlockIdExt | undefined;
  readonly progress?: ProofProgress | undefined;
  readonly warnings: readonly string[];
  /** Whether a devnet has left blocks that were proven before. */
  readonly isReverted: boolean;
};

type Options = { readonly network: string; readonly caller: Pick<Caller, "call">; onStatus(): void };

/** A result with the block that was the newest one, and the answers that prove it. */
export type Proved<T> = {
  readonly result: T;
  readonly head: BlockIdExt;
  readonly exchanges: readonly Exchange[];
};

/** The chain of proofs from a start block to the newest block, for as long as the page is open. */
export class Session {
  readonly #options: Options;
  readonly #lite: LiteApi;
  #opening: Promise<Chain> | undefined;
  status: Status = { kind: "proving", warnings: [], isReverted: false };
  links = new Links();

  constructor(options: Options) {
    this.#options = options;
    this.#lite = liteApiOver(options.caller, options.caller);
  }

  /** Runs checks on the proven chain. Rejects with a ProofError that has all answers if one is wrong. */
  async prove<T>(
    run: (chain: Chain, call: LiteCall, exchanges: Exchange[]) => Promise<T>,
  ): Promise<Proved<T>> {
    const before = this.#opening;
    try {
      return await this.#once(run);
    } catch (error) {
      const mayBeReverted = this.#options.network === "devnet" && error instanceof ProofError;
      if (!mayBeReverted || isOtherNetwork(error)) throw error;
      // A devnet may have been reverted: blocks that were proven then are not of its chain any more.
      this.renew(before);
      const proved = await this.#once(run);
      this.#show({ isReverted: true });
      return proved;
    }
  }

  async #once<T>(
    run: (chain: Chain, call: LiteCall, exchanges: Exchange[]) => Promise<T>,
  ): Promise<Proved<T>> {
    const exchanges: Exchange[] = [];
    const call: LiteCall = { heard: (exchange) => void exchanges.push(exchange) };
    try {
      const { chain, head } = await this.#ready(call);
      const result = await run(chain, call, exchanges);
      this.links.add(exchanges);
      return { result, head, exchanges };
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      throw new ProofError(error.message, { ...error.evidence, bytes: exchanges }, error);
    }
  }

  async #ready(call: LiteCall): Promise<{ chain: Chain; head: BlockIdExt }> {
    try {
      const chain = await this.#opened(call);
      const head = (await chain.reads.head(call)).info.last;
      this.#show({ kind: "proven", reason: undefined, progress: undefined, head, start: chain.start });
      return { chain, head };
    } catch (error) {
      this.#show({ kind: kindOf(error), reason: sentenceOf(error) });
      throw error;
    }
  }

  #opened(call: LiteCall): Promise<Chain> {
    if (!this.#opening) {
      const opening = this.#open(call);
      this.#opening = opening;
      opening.catch(() => {
        // The caller gets the error; the next one tries again.
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  async #open(call: LiteCall): Promise<Chain> {
    const { network } = this.#options;
    const anchored = anchoredNetwork(network);
    const start = keptStart(network) ?? (await this.#firstStart(call));
    this.#show({ start });
    const reads = await openReads(
      [this.#lite],
      {
        ...(start.givenBy === "package" ? { network: anchored } : { trustedBlock: start.block }),
        mayRevert: !anchored,
        onRevert: () => this.#show({ isReverted: true }),
        onProgress: (progress) => this.#show({ progress }),
        onWarning: (text) => this.#show({ warnings: [...this.status.warnings, text].slice(-5) }),
      },
      call,
    );
    return { reads, start };
  }

  /** The zero state that the service names at the first use. */
  async #firstStart(call: LiteCall): Promise<StartBlock> {
    const { init } = await this.#lite.getMasterchainInfo({}, call);
    const start: StartBlock = {
      block: presentBlockId(zeroStateBlock(init)),
      givenBy: "service",
      since: Date.now(),
    };
    keepStart(start);
    return start;
  }

  /** Identifies the chain that is in use now. */
  get chain(): unknown {
    return this.#opening;
  }

  /** Proves the chain again, unless it is another one than this by now. */
  renew(chain: unknown): void {
    if (this.#opening === chain) this.#opening = undefined;
  }

  /** Begins anew: at this block, or at that of the package or of the service. */
  restart(start?: StartBlock): void {
    keepStart(start);
    this.#opening = undefined;
    this.links = new Links();
    this.status = { kind: "proving", warnings: [], isReverted: false };
    this.#options.onStatus();
  }

  #show(change: Partial<Status>): void {
    this.status = { ...this.status, ...change };
    this.#options.onStatus();
  }
}

function kindOf(error: unknown): Status["kind"] {
  if (isOtherNetwork(error)) return "replaced";
  if (error instanceof ProofError) return "wrong";
  return isMissingMethod(error) ? "impossible" : "failed";
}

/** The error is wrapped once the method is known. */
function isOtherNetwork(error: unknown): boolean {
  return error instanceof OtherNetwork || (error instanceof Error && isCause(error));
}

const isCause = ({ cause }: Error): boolean => cause instanceof Error && isOtherNetwork(cause);
