import type { Executor } from "../../../server/chain/executor/executor.js";
import { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { ChainSide } from "../../../server/devnet/collate/chain-side.js";
import { createForkGenesis } from "../../../server/devnet/fork/fork-genesis.js";
import {
  type ForkOrigin,
  type ForkStart,
  OriginError,
  type OriginStatus,
} from "../../../server/devnet/fork/origin.js";
import { ChainClock } from "../../../server/devnet/moment/clock.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import type { GenesisAccount } from "../../../server/devnet/wallets/devnet-wallets.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { FoundTransaction } from "../../../shared/ton/proofs/read/transactions.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { ManualTimers } from "../manual-timers.js";
import { sharedExecutor } from "./shared-executor.js";

/** The state of another devnet as the origin of a fork. Tests make it slow or take it away. */
export class DevnetOrigin implements ForkOrigin {
  readonly start: ForkStart;
  readonly api: LiteApi | undefined;
  /** Raw addresses of the accounts that were asked for, each once. */
  readonly asked: string[] = [];
  /** Rejects requests while it is set. */
  isGone = false;
  /** Accounts besides those of the devnet, by raw address. */
  readonly placed = new Map<string, ShardAccount>();
  /** Public libraries besides those of the devnet. */
  readonly published: Cell[] = [];
  readonly #sides: { masterchain: ChainSide; basechain: ChainSide };
  readonly #known = new Map<string, ShardAccount | undefined>();
  #gate: Promise<void> = Promise.resolve();

  /** `api`: the devnet's, if it answers for all its blocks. */
  constructor({ tip, genesis }: Pick<DevnetChain, "tip" | "genesis">, api?: LiteApi) {
    this.api = api;
    this.#sides = { masterchain: new ChainSide(tip.masterchain), basechain: new ChainSide(tip.basechain) };
    const { state, master } = this.#sides.masterchain;
    this.start = {
      block: tip.masterchain.id,
      isProven: true,
      source: "another devnet",
      globalId: genesis.globalId,
      utime: state.genUtime,
      lt: state.genLt,
      config: master.config.config.cell,
    };
  }

  /** Requests wait until the returned function is called. */
  hold(): () => void {
    let release = () => {};
    this.#gate = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  async account(address: Address): Promise<ShardAccount | undefined> {
    const key = address.toRaw();
    if (this.#known.has(key)) return this.#known.get(key);
    await this.#ask();
    this.asked.push(key);
    const account = this.at(address);
    this.#known.set(key, account);
    return account;
  }

  /** The account, without a request. */
  at(address: Address): ShardAccount | undefined {
    const { workchain, hash } = address;
    const placed = this.placed.get(address.toRaw());
    if (placed) return placed;
    const side = workchain === masterchain ? this.#sides.masterchain : this.#sides.basechain;
    return side.state.accounts.value.get(hash);
  }

  known(address: Address): { account: ShardAccount | undefined } | "unknown" {
    const key = address.toRaw();
    return this.#known.has(key) ? { account: this.#known.get(key) } : "unknown";
  }

  async libraries(hashes: readonly Uint8Array[]): Promise<Cell[]> {
    await this.#ask();
    const { libraries } = this.#sides.masterchain.state.totals.value;
    const more = (hash: Uint8Array) => this.published.find((cell) => bytesEqual(cell.hash(), hash));
    return hashes.flatMap((hash) => libraries.get(hash)?.lib ?? more(hash) ?? []);
  }

  async accountProof(): Promise<undefined> {
    return undefined;
  }

  async transactions(): Promise<FoundTransaction[]> {
    return [];
  }

  async transactionList(): Promise<undefined> {
    return undefined;
  }

  async listedTokens(): Promise<undefined> {
    return undefined;
  }

  status(): OriginStatus {
    return {
      requests: this.asked.length,
      failures: 0,
      durationMs: 0,
      cached: 0,
      isFull: false,
      waiting: 0,
      problem: undefined,
    };
  }

  async close(): Promise<void> {}

  async #ask(): Promise<void> {
    await this.#gate;
    if (this.isGone) throw new OriginError("unavailable", "the origin is gone");
  }
}

type ForkOptions = {
  seed?: string;
  accounts?: readonly GenesisAccount[];
  executor?: Executor;
  storage?: ChainStore;
  timers?: ManualTimers;
};

/** A fork in memory whose blocks are made when a test asks. Its first block is made. */
export async function openTestFork(origin: ForkOrigin, options: ForkOptions = {}): Promise<DevnetChain> {
  const { seed = "fork", accounts = [], storage = new ChainStore() } = options;
  const { executor = await sharedExecutor(), timers = new ManualTimers() } = options;
  const genesis = await createForkGenesis(origin, { seed, accounts });
  const chain = await DevnetChain.open({
    ...{ genesis, storage, executor, origin, timers },
    clock: new ChainClock("fixed", () => 0),
    nowMs: () => 0,
  });
  if (chain.head.seqno === 0) await chain.begin();
  return chain;
}

/** Makes blocks until nothing waits, and waits for what they need from the origin. Returns the number of steps. */
export async function settleFork(chain: DevnetChain, limit = 100): Promise<number> {
  let steps = 0;
  for (; chain.hasWork && steps < limit; steps++) {
    await chain.step();
    await chain.fork?.imports.settled();
  }
  return steps;
}
