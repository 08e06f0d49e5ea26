import type { Address } from "../../../shared/values/address.js";
import { systemTimers, type Timers } from "../../../shared/values/timers.js";
import type { MadeStep } from "../collate/collate-step.js";
import { LibrariesMissing } from "../collate/messages/import-gate.js";
import { DevnetError } from "../devnet-error.js";
import type { ExternalMessage } from "../mempool/mempool.js";
import type { StepRequest } from "../moment/step-request.js";
import { storedAccount, type Tip } from "../moment/tip.js";
import { contractCells } from "./fetch-account.js";
import { type Fetched, type Import, Imports } from "./imports.js";
import type { ForkOrigin } from "./origin.js";

/** Attempts at a step that lacks libraries. Each imports all libraries that are known to be missing. */
const maxTries = 8;

/** The forked network as a chain uses it. */
export class ChainFork {
  readonly imports: Imports;
  readonly #origin: ForkOrigin;
  readonly #tip: () => Tip;
  #isStalled = false;

  constructor(origin: ForkOrigin, tip: () => Tip, timers: Timers = systemTimers) {
    this.#origin = origin;
    this.#tip = tip;
    const state = {
      hasAccount: (address: Address) => this.#stored(address) !== undefined,
      library: (hash: Uint8Array) => tip().masterchain.state.totals.value.libraries.get(hash)?.lib,
    };
    this.imports = new Imports(origin, state, timers);
    this.imports.progress.add(() => {
      this.#isStalled = false;
    });
  }

  /** Logical time at the fork block. */
  get startLt(): bigint {
    return this.#origin.start.lt;
  }

  /** Whether all waiting messages wait for the origin, so that another block would deliver none of them. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Reads the receiver of a message, if the state has no entry of it, and the libraries that it lacks. */
  async receiverOf({ root, destination }: ExternalMessage): Promise<Fetched | undefined> {
    return this.imports.read(destination, [root, ...contractCells(this.#stored(destination))]);
  }

  /** Fetches the accounts that a step changes. Rejects with a DevnetError if the origin does not answer. */
  ensure(request: StepRequest): Promise<void> {
    return this.imports.ensure(changedBy(request));
  }

  /** Makes a step that cannot do without libraries, again once they are fetched. */
  async repeated<T>(make: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await make();
      } catch (error) {
        if (!(error instanceof LibrariesMissing)) throw error;
        if (tries === maxTries) throw new DevnetError("conflict", error.message);
        await this.imports.fetched(error.destination);
      }
    }
  }

  /**
   * Imports what the origin has answered, before a step. Throws if accounts that the step changes are missing, because
   * the chain was reverted meanwhile.
   */
  async prepare(request: StepRequest, make: (taken: Import) => Promise<unknown>): Promise<void> {
    for (let taken = this.imports.take(); taken; taken = this.imports.take()) await make(taken);
    if (changedBy(request).every((address) => this.imports.isAtHand(address))) return;
    throw new DevnetError("conflict", "the chain was reverted meanwhile; send the request again");
  }

  /** Resolves when another block can deliver messages. Rejects if they wait for an origin that does not answer. */
  async goesOn(): Promise<void> {
    if (this.#isStalled) await this.imports.settled();
  }

  /** Call after each step except imports. */
  onStep({ deliveries, pair }: MadeStep): void {
    const hasMoved = deliveries.length + pair.finished.length > 0;
    this.#isStalled = !hasMoved && this.imports.waiting > 0 && !this.imports.take();
  }

  /** Call when a message was accepted. */
  onMessage(): void {
    this.#isStalled = false;
  }

  /** Call after a revert. */
  forget(): void {
    this.#isStalled = false;
    this.imports.forget();
  }

  close(): void {
    this.imports.close();
  }

  #stored({ workchain, hash }: Address) {
    return storedAccount(this.#tip(), workchain, hash);
  }
}

function changedBy({ edits = [], injected = [] }: StepRequest): Address[] {
  return [...edits.map(({ address }) => address), ...injected.map(({ to }) => to)];
}
