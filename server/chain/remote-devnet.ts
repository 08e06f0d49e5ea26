import {
  type LiteApi,
  LiteError,
  liteErrorCode,
  type MasterchainInfo,
} from "../../shared/ton/lite/lite-api.js";
import { invokerOf, liteApiFrom } from "../../shared/ton/lite/lite-methods.js";
import { liteMethods } from "../../shared/ton/tl/lite-functions.js";
import { type BlockIdExt, masterchain, sameBlock, wholeShard } from "../../shared/ton/tlb/block-id.js";
import { Listeners } from "../../shared/values/listeners.js";
import type { Timers } from "../../shared/values/timers.js";
import type { Fallback } from "../observe/fallback.js";
import { pause } from "../os/pause.js";
import type { ClientEnvironment, ServerAddress } from "./adnl/client.js";
import { ConnectionError } from "./adnl/connection-error.js";
import type { ChainEvents } from "./chain-events.js";
import { remoteLiteApi } from "./liteservers/remote-lite-api.js";
import { ServerConnection } from "./liteservers/server-connection.js";
import { UnavailableError } from "./unavailable-error.js";

type RemoteDevnetOptions = ClientEnvironment & {
  address: ServerAddress;
  zeroState: BlockIdExt;
  /** 0 to 1. */
  random(): number;
  fallback: Fallback;
};

/** Waiting for the next block does not notice a revert, so each wait is short. */
const waitMs = 2000;
const callMs = 10_000;
const pauseMs = 500;

/**
 * The devnet of another process, read through its liteserver. Unlike a pool it does not verify proofs, and follows
 * reverts. Edits of accounts are not announced to other processes: they show with the account's next transaction. The
 * owner must `close` it.
 */
export class RemoteDevnet {
  /** Rejects with an UnavailableError while the devnet cannot be reached. */
  readonly api: LiteApi;
  readonly events: ChainEvents;
  readonly #options: RemoteDevnetOptions;
  readonly #timers: Timers;
  readonly #connection: ServerConnection;
  readonly #heads = new Listeners<BlockIdExt>();
  readonly #reverts = new Listeners<number>();
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #head: BlockIdExt | undefined;
  #isOther = false;

  constructor(options: RemoteDevnetOptions) {
    this.#options = options;
    this.#timers = options.timers;
    this.#connection = new ServerConnection(options);
    const invoke = invokerOf(remoteLiteApi(this.#connection, options.timers));
    this.api = liteApiFrom(liteMethods, (...call) => invoke(...call).catch(rethrow));
    this.events = {
      onHead: (listener) => this.#heads.add(listener),
      onReverted: (listener) => this.#reverts.add(listener),
      edited: async () => [],
    };
    this.#ended = this.#follow();
  }

  /** Resolves to whether the devnet was reached within the time. */
  async ready(withinMs: number): Promise<boolean> {
    const deadline = this.#timers.now() + withinMs;
    while (!this.#head && !this.#isOther && this.#timers.now() < deadline)
      await pause(pauseMs / 10, this.#ending.signal, this.#timers);
    return this.#head !== undefined;
  }

  /** The reason why it cannot be read now; undefined if it can. */
  unavailableReason(): string | undefined {
    if (this.#isOther) return "The liteserver's chain is not the one of the global configuration";
    return this.#head && this.#connection.isUp ? undefined : "The devnet cannot be reached";
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#connection.close();
    await this.#ended;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        const { last, init } = await this.#newest();
        this.#isOther = !sameBlock({ ...this.#options.zeroState, ...init }, this.#options.zeroState);
        if (this.#isOther) await pause(callMs, signal, this.#timers);
        else await this.#moveTo(last);
      } catch (error) {
        // `unavailableReason` then reports that it cannot be reached.
        if (!isOutage(error) && !signal.aborted) this.#options.fallback("remote-devnet", error);
        await pause(pauseMs, signal, this.#timers);
      }
    }
  }

  /** Waits for a block after the head, for 2 s at most; returns the newest block. */
  async #newest(): Promise<MasterchainInfo> {
    const { signal } = this.#ending;
    const soon = { signal, deadline: this.#timers.now() + (this.#head ? waitMs : callMs) };
    if (!this.#head) return this.api.getMasterchainInfo({}, soon);
    try {
      return await this.api.getMasterchainInfo({}, { ...soon, waitSeqno: this.#head.seqno + 1 });
    } catch (error) {
      if (!(error instanceof LiteError) || error.code !== liteErrorCode.timeout) throw error;
      return this.api.getMasterchainInfo({}, { signal });
    }
  }

  async #moveTo(last: BlockIdExt): Promise<void> {
    const before = this.#head;
    if (before && sameBlock(before, last)) return;
    const wentBack = before !== undefined && !(await this.#isIn(before, last));
    this.#head = last;
    // The common ancestor is unknown, so everything after the zero state is dropped.
    if (wentBack) this.#reverts.notify(0);
    this.#heads.notify(last);
  }

  async #isIn({ seqno, ...block }: BlockIdExt, last: BlockIdExt): Promise<boolean> {
    if (last.seqno <= seqno) return false;
    const asked = { workchain: masterchain, shard: wholeShard, seqno };
    const { signal } = this.#ending;
    const { id } = await this.api.lookupBlock({ id: asked, bySeqno: true }, { signal });
    return sameBlock(id, { seqno, ...block });
  }
}

/** It has ended, starts, or was cut off. */
function isOutage(error: unknown): boolean {
  return error instanceof UnavailableError || error instanceof LiteError;
}

function rethrow(error: unknown): never {
  if (!(error instanceof ConnectionError)) throw error;
  throw new UnavailableError("The devnet cannot be reached", error);
}
