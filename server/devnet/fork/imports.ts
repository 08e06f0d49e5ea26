import { LRUCache } from "lru-cache";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { valueAt } from "../../../shared/values/lookups.js";
import type { Timers } from "../../../shared/values/timers.js";
import type { StateEdit } from "../collate/block/edits.js";
import type { Arrival, ImportGate } from "../collate/messages/import-gate.js";
import { DevnetError } from "../devnet-error.js";
import { contractCells, fetchLibraries, type References } from "./fetch-account.js";
import { MissingLibraries } from "./missing-libraries.js";
import type { ForkOrigin } from "./origin.js";

/** An account of the origin, or what a message to it needs. */
export type Fetched = { account: ShardAccount | undefined; libraries: Cell[] };

/** Edits and libraries that a step imports. */
export type Import = { edits: StateEdit[]; libraries: Cell[] };

type Need = {
  address: Address;
  /** Libraries that runs at the address need, by hash in hex. */
  references: Map<string, Uint8Array>;
  fetched?: Fetched | undefined;
};

/** The chain's newest state. */
type State = {
  hasAccount(address: Address): boolean;
  library(hash: Uint8Array): Cell | undefined;
};

type Source = Pick<ForkOrigin, "account" | "known" | "libraries">;

const limits = {
  /** Beyond this number messages wait until others are delivered. */
  needs: 2000,
  /** Accounts in one step. */
  perStep: 300,
  absent: 10_000,
  /** Libraries of libraries of libraries. */
  libraryDepth: 8,
} as const;
/** Delay after the first of consecutive failures; it doubles up to the maximum. */
const retryMs = { first: 500, most: 30_000 } as const;

/** Fetches the accounts that a fork needs and holds back messages to them. Blocks never wait for it. */
export class Imports implements ImportGate {
  /** Notifies when held back messages may go on. */
  readonly progress = new Listeners<void>();
  readonly #origin: Source;
  readonly #state: State;
  readonly #timers: Timers;
  readonly #needs = new Map<string, Need>();
  readonly #fetching = new Map<string, Promise<void>>();
  /** Raw addresses of accounts, and hashes of libraries in hex, that the origin does not have. */
  #absent = newAbsent();
  readonly #missing: MissingLibraries;
  #failures = 0;
  #problem: string | undefined;
  #retry: (() => void) | undefined;
  #closed = false;

  constructor(origin: Source, state: State, timers: Timers) {
    this.#origin = origin;
    this.#state = state;
    this.#timers = timers;
    this.#missing = new MissingLibraries({
      library: (hash) => state.library(hash),
      isAbsent: (hash) => this.#absent.has(hash),
    });
  }

  /** Accounts that messages wait for. */
  get waiting(): number {
    return this.#needs.size;
  }

  /** Why the origin did not answer; undefined if it did, or if no message waits for it. */
  get problem(): string | undefined {
    return this.#needs.size > 0 ? this.#problem : undefined;
  }

  holdsBack(destination: Address, { code, message }: Arrival, isStored: boolean): boolean {
    if (!isImported(destination)) return false;
    const libraries = code ? this.#missing.ofCode(code) : new Map<string, Uint8Array>();
    for (const [hash, bytes] of message ? this.#missing.of([message]) : []) libraries.set(hash, bytes);
    if (this.#isThere(destination, isStored) && libraries.size === 0 && !this.#waitsForLibraries(destination))
      return false;
    this.#need(destination, libraries);
    return true;
  }

  expects(destination: Address, message: Cell): void {
    this.holdsBack(destination, { message }, this.#state.hasAccount(destination));
  }

  lacks(destination: Address, cells: readonly Cell[]): boolean {
    const libraries = this.#missing.of(cells);
    if (libraries.size === 0) return false;
    this.#need(destination, libraries);
    return true;
  }

  /** Fetches accounts that the next step needs. Rejects with a DevnetError if the origin does not answer. */
  async ensure(addresses: readonly Address[]): Promise<void> {
    const missing = addresses.filter((each) => !this.isAtHand(each));
    await Promise.all(missing.map((address) => this.#load(this.#need(address, none, limits.needs))));
    if (missing.every((each) => this.isAtHand(each))) return;
    throw noAnswer(this.#problem);
  }

  /** Fetches what a run at the address has missed. Rejects with a DevnetError if the origin does not answer. */
  async fetched(address: Address): Promise<void> {
    const need = this.#need(address, none, limits.needs);
    await this.#load(need);
    if (!need.fetched) throw noAnswer(this.#problem);
  }

  /** Whether the next step can use the account: it is in the state, does not exist, or has been fetched. */
  isAtHand(address: Address): boolean {
    const fetched = this.#needs.get(address.toRaw())?.fetched;
    return fetched !== undefined || this.#isThere(address, this.#state.hasAccount(address));
  }

  /**
   * An account that is not in the state, and the libraries that it and these cells refer to, without importing them.
   * Undefined if the state has all of it.
   */
  async read(address: Address, cells: readonly Cell[]): Promise<Fetched | undefined> {
    if (!isImported(address)) return { account: undefined, libraries: [] };
    const libraries = this.#missing.of(cells);
    if (libraries.size === 0 && this.#state.hasAccount(address)) return undefined;
    try {
      return await this.#fetch(address, libraries);
    } catch (error) {
      throw noAnswer(messageOf(error));
    }
  }

  /** Resolves when the running fetches have ended, whether or not the origin has answered. */
  async answered(): Promise<void> {
    await Promise.all([...this.#fetching.values()]);
  }

  /** As `answered`, but rejects if messages wait for an origin that has not answered. */
  async settled(): Promise<void> {
    await this.answered();
    if (this.problem !== undefined) throw noAnswer(this.problem);
  }

  /** The fetched accounts and libraries that the state lacks; undefined if there are none. */
  take(): Import | undefined {
    const taken: Import = { edits: [], libraries: [] };
    for (const { address, fetched } of this.#needs.values()) {
      if (!fetched) continue;
      const { account } = fetched;
      if (account && !this.#state.hasAccount(address)) taken.edits.push({ address, change: () => account });
      taken.libraries.push(...fetched.libraries.filter((library) => !this.#hasLibrary(library)));
      if (taken.edits.length >= limits.perStep) break;
    }
    return taken.edits.length + taken.libraries.length > 0 ? taken : undefined;
  }

  /** Call after each block: forgets what the state now has. */
  onBlock(): void {
    for (const [key, { address, fetched }] of this.#needs) {
      if (!fetched) continue;
      const hasAccount = !fetched.account || this.#state.hasAccount(address);
      if (hasAccount && fetched.libraries.every((library) => this.#hasLibrary(library)))
        this.#needs.delete(key);
    }
  }

  /** Call after a revert: later blocks announce their needs again. */
  forget(): void {
    this.#needs.clear();
    this.#fetching.clear();
    // The origin may be at another block now.
    this.#absent = newAbsent();
    this.#cancelRetry();
  }

  close(): void {
    this.#closed = true;
    this.forget();
  }

  #isThere(address: Address, isStored: boolean): boolean {
    return isStored || !isImported(address) || this.#isAbsent(address);
  }

  /** Whether an earlier run at the address has missed libraries. */
  #waitsForLibraries(address: Address): boolean {
    const { references } = this.#needs.get(address.toRaw()) ?? {};
    if (!references) return false;
    for (const [hash, bytes] of references) if (!this.#isAtHand(hash, bytes)) return true;
    return false;
  }

  #isAtHand(hash: string, bytes: Uint8Array): boolean {
    return this.#absent.has(hash) || this.#state.library(bytes) !== undefined;
  }

  #isAbsent(address: Address): boolean {
    if (this.#absent.has(address.toRaw())) return true;
    const known = this.#origin.known(address);
    return known !== "unknown" && !known.account;
  }

  #need(address: Address, libraries: References, extra = 0): Need {
    const key = address.toRaw();
    const known = this.#needs.get(key);
    const need: Need = known ?? { address, references: new Map() };
    for (const [hash, bytes] of libraries) {
      if (need.references.has(hash)) continue;
      need.references.set(hash, bytes);
      need.fetched = undefined;
    }
    if (this.#needs.size >= limits.needs + extra && !known) return need;
    this.#needs.set(key, need);
    if (!this.#retry) void this.#load(need);
    return need;
  }

  /** Equal loads run once. Failures are repeated later. */
  #load(need: Need): Promise<void> {
    const key = need.address.toRaw();
    const running = this.#fetching.get(key);
    if (running || need.fetched) return running ?? Promise.resolve();
    const load = this.#loadNow(need).finally(() => {
      if (this.#fetching.get(key) === load) this.#fetching.delete(key);
    });
    this.#fetching.set(key, load);
    return load;
  }

  async #loadNow(need: Need): Promise<void> {
    const { size } = need.references;
    try {
      const fetched = await this.#fetch(need.address, need.references);
      this.#failures = 0;
      this.#problem = undefined;
      if (size === need.references.size) need.fetched = fetched;
      this.onBlock();
      this.progress.notify();
    } catch (error) {
      this.#problem = messageOf(error);
      this.#repeatLater();
    }
  }

  async #fetch(address: Address, references: References): Promise<Fetched> {
    const absent = this.#absent;
    const isStored = this.#state.hasAccount(address);
    const account = isStored ? undefined : await this.#origin.account(address);
    if (!isStored && !account) absent.set(address.toRaw(), true);
    const libraries = new Map<string, Cell>();
    let wanted: References = new Map([...references, ...this.#missing.of(contractCells(account))]);
    for (let depth = 0; wanted.size > 0 && depth < limits.libraryDepth; depth++) {
      const all = wanted;
      const isAtHand = (hash: string) => libraries.has(hash) || this.#isAtHand(hash, valueAt(all, hash));
      const { found, missing } = await fetchLibraries(this.#origin, wanted, isAtHand);
      for (const hash of missing) absent.set(hash, true);
      for (const cell of found) libraries.set(cell.hashHex(), cell);
      wanted = this.#missing.of(found);
    }
    return { account, libraries: [...libraries.values()] };
  }

  #repeatLater(): void {
    if (this.#closed || this.#retry) return;
    const delay = Math.min(retryMs.first * 2 ** this.#failures, retryMs.most);
    this.#failures++;
    this.#retry = this.#timers.after(delay, () => {
      this.#retry = undefined;
      for (const need of this.#needs.values()) void this.#load(need);
    });
  }

  #cancelRetry(): void {
    this.#retry?.();
    this.#retry = undefined;
  }

  #hasLibrary(library: Cell): boolean {
    return this.#state.library(library.hash()) !== undefined;
  }
}

const none: References = new Map();

function newAbsent() {
  return new LRUCache<string, true>({ max: limits.absent });
}

/** Whether the chain has the workchain of the address. */
export function isImported({ workchain }: Address): boolean {
  return workchain === 0 || workchain === masterchain;
}

function noAnswer(reason: string | undefined): DevnetError {
  return new DevnetError("unavailable", `the forked network does not answer: ${reason}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
