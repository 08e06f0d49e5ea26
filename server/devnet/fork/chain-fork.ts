import { decode } from "../../../shared/ton/tlb/codec.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import type { Address } from "../../../shared/values/address.js";
import { systemTimers, type Timers } from "../../../shared/values/timers.js";
import type { StepRequest } from "../chain/step-maker.js";
import type { Tip } from "../chain/tip.js";
import type { MadeStep } from "../collate/collate-step.js";
import { DevnetError } from "../devnet-error.js";
import type { ExternalMessage } from "../mempool/mempool.js";
import { storedAccount } from "../mempool/receiver.js";
import { type Fetched, type Import, Imports } from "./imports.js";
import type { ForkOrigin } from "./origin.js";

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
      hasLibrary: (hash: Uint8Array) => tip().masterchain.state.totals.value.libraries.has(hash),
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
    const init = decode(Message, root).init?.value;
    const isStored = this.#stored(destination) !== undefined;
    if (isStored && !init) return undefined;
    return this.imports.read(destination, init);
  }

  /** Fetches the accounts that a step changes. Rejects with a DevnetError if the origin does not answer. */
  ensure(request: StepRequest): Promise<void> {
    return this.imports.ensure(changedBy(request));
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
