import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { knownParam } from "../../../shared/ton/tlb/config/config-param.js";
import { Address } from "../../../shared/values/address.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import type { StepRequest } from "../chain/step-maker.js";
import { DevnetError } from "../devnet-error.js";
import { systemContracts } from "./fork-genesis.js";
import { type ForkOrigin, OriginError } from "./origin.js";
import type { SwitchedOrigin } from "./switched-origin.js";

type ReforkParts = {
  chain: DevnetChain;
  origin: SwitchedOrigin;
  /** Opens the network at a masterchain block, by default the newest one. */
  open: (block: number | undefined) => Promise<ForkOrigin>;
  /** Whether the chain has a data folder. */
  isStored: boolean;
  /** Called when the origin was exchanged. */
  onSwitched: () => void;
};

/**
 * Begins a fork anew at another block. The zero states stay, so that nothing that depends on them changes: block 2 has the
 * configuration and the contracts of the new block.
 */
export class Refork {
  readonly #parts: ReforkParts;
  #beginning: StepRequest | undefined;

  constructor(parts: ReforkParts) {
    this.#parts = parts;
  }

  /** Seqno of the first block that stays in a rollback. */
  get firstBlock(): number {
    return this.#beginning ? 2 : 1;
  }

  /** Whether the fork is at another block than its zero states. */
  get isMoved(): boolean {
    return this.#beginning !== undefined;
  }

  /** Calls `reverted` once the chain is back at its zero states. Nothing has changed if it rejects with a DevnetError. */
  async begin(block: number | undefined, reverted: () => void): Promise<void> {
    const { chain, origin, open, isStored, onSwitched } = this.#parts;
    if (isStored)
      throw new DevnetError(
        "conflict",
        "a fork with a data folder keeps its block: start it with --fork-block and another folder",
      );
    const next = await open(block).catch(refuse);
    const beginning = await this.#beginningOf(next).catch(async (error) => {
      await next.close();
      return refuse(error);
    });
    let previous = next;
    await chain.restart(() => {
      previous = origin.switchTo(next);
      this.#beginning = beginning;
      onSwitched();
      reverted();
    });
    await this.restore();
    await previous.close();
  }

  /** Call after a reset: makes the block with which the fork began anew. */
  async restore(): Promise<void> {
    const { chain, origin } = this.#parts;
    if (!this.#beginning) return;
    const { utime } = origin.start;
    if (chain.clock.next(chain.lastUtime) <= utime) chain.clock.set(utime + 1, chain.lastUtime);
    await chain.step(this.#beginning);
  }

  async #beginningOf(next: ForkOrigin): Promise<StepRequest> {
    const { chain } = this.#parts;
    const set = knownParam(chain.masterchain.master.config.config.value, 34);
    const { accounts, libraries } = await systemContracts(next, set);
    return {
      edits: accounts.map(({ id, account }) => ({
        address: new Address(masterchain, id),
        change: () => account,
      })),
      libraries,
    };
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof OriginError)) throw error;
  throw new DevnetError(error.kind === "missing" ? "not-found" : "unavailable", error.message);
}
