import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { knownParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { Address } from "../../../shared/values/address.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import type { Beginning } from "../chain/step-maker.js";
import { whyUnusable } from "../collate/masterchain/next-config.js";
import { unusableConfig } from "../collate/trial-step.js";
import { DevnetError } from "../devnet-error.js";
import { systemContracts } from "../fork/fork-genesis.js";
import { encodeStart } from "../fork/kept-start.js";
import { type ForkOrigin, OriginError } from "../fork/origin.js";
import type { SwitchedOrigin } from "../fork/switched-origin.js";
import type { ClockOffset } from "../moment/clock.js";

type ReforkParts = {
  chain: DevnetChain;
  origin: SwitchedOrigin;
  /** Opens the network at a masterchain block, by default the newest one. */
  open: (block: number | undefined) => Promise<ForkOrigin>;
  /** Whether the fork has begun anew already. */
  isMoved: boolean;
  /** Called when the origin was exchanged. */
  onSwitched: () => void;
};

/** How a chain begins again: the offset that its clock gets, and a function to call once that is stored. */
type Restart = { offset: ClockOffset; reverted: () => void };

/**
 * Begins a fork anew at another block. The zero states stay, so that nothing that depends on them changes: block 2 has the
 * configuration and the contracts of the new block.
 */
export class Refork {
  readonly #parts: ReforkParts;
  #isMoved: boolean;

  constructor(parts: ReforkParts) {
    this.#parts = parts;
    this.#isMoved = parts.isMoved;
  }

  /** Seqno of the first block that stays in a rollback. */
  get firstBlock(): number {
    return this.#isMoved ? 2 : 1;
  }

  /** Whether the fork is at another block than its zero states. */
  get isMoved(): boolean {
    return this.#isMoved;
  }

  /** Begins anew at a block. Nothing has changed if it rejects with a DevnetError. */
  async begin(block: number | undefined, restart: Restart): Promise<void> {
    const { origin, open, onSwitched } = this.#parts;
    const next = await open(block).catch(refuse);
    let previous = next;
    try {
      await this.#restart(next, restart, () => {
        previous = origin.switchTo(next);
        this.#isMoved = true;
        onSwitched();
      });
    } finally {
      // The next one, if the fork could not begin there.
      await previous.close();
    }
  }

  /** Begins again at the current block. Nothing has changed if it rejects with a DevnetError. */
  async reset(restart: Restart): Promise<void> {
    const { chain, origin } = this.#parts;
    if (this.#isMoved) await this.#restart(origin, restart, () => {});
    else await chain.restart(restart.reverted);
  }

  async #restart(next: ForkOrigin, { offset, reverted }: Restart, switched: () => void): Promise<void> {
    const { chain } = this.#parts;
    const { clock } = chain;
    const { utime } = next.start;
    const beginning = await this.#beginningOf(next, offset).catch(refuse);
    await chain.restart(() => {
      switched();
      reverted();
      const last = chain.lastUtime;
      if (clock.next(last) <= utime) clock.set(utime + 1, last);
    }, beginning);
  }

  async #beginningOf(next: ForkOrigin, offset: ClockOffset): Promise<Beginning> {
    const { chain } = this.#parts;
    const { utime, lt: afterLt } = next.start;
    const current = chain.masterchain.master.config.config.value;
    const { config, accounts, libraries } = await systemContracts(next, knownParam(current, 34));
    // A block ignores such a configuration.
    const reason = whyUnusable(encode(ConfigDictionary, config), current);
    if (reason !== undefined) throw unusableConfig(reason);
    const edits = accounts.map(({ id, account }) => ({
      address: new Address(masterchain, id),
      change: () => account,
    }));
    return {
      request: (first) => ({
        ...{ edits, libraries, afterLt },
        utime: Math.max(chain.clock.next(first, 0, offset), utime + 1),
      }),
      start: encodeStart(next.start),
    };
  }
}

/** Errors of origins as those of a call. */
function refuse(error: unknown): never {
  if (!(error instanceof OriginError)) throw error;
  throw new DevnetError(error.kind === "missing" ? "not-found" : "unavailable", error.message);
}
