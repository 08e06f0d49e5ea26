import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { AccountState, LiteApi, TransactionList } from "../../../shared/ton/lite/lite-api.js";
import type { Library } from "../../../shared/ton/proofs/read/libraries.js";
import type { FoundTransaction } from "../../../shared/ton/proofs/read/transactions.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import {
  type ForkOrigin,
  type ForkStart,
  type ListedTokens,
  OriginError,
  type OriginStatus,
  type TransactionPage,
} from "./origin.js";
import type { OriginCache } from "./origin-cache.js";
import type { OriginRequests } from "./origin-requests.js";
import { type Attempt, maxLibraries, type OriginSource, type SourceAccount } from "./origin-source.js";

type OriginParts = {
  start: ForkStart;
  source: OriginSource;
  cache: OriginCache;
  requests: OriginRequests;
};

/** An origin whose answers are cached, since those as of a block never change. */
export class KeptOrigin implements ForkOrigin {
  readonly start: ForkStart;
  readonly #source: OriginSource;
  readonly #cache: OriginCache;
  readonly #requests: OriginRequests;
  #cached = 0;

  constructor({ start, source, cache, requests }: OriginParts) {
    this.start = start;
    this.#source = source;
    this.#cache = cache;
    this.#requests = requests;
  }

  get api(): LiteApi | undefined {
    return this.#source.api;
  }

  async account(address: Address, signal?: AbortSignal): Promise<ShardAccount | undefined> {
    return (await this.#account(address, signal)).account;
  }

  async accountProof(address: Address, signal?: AbortSignal): Promise<AccountState | undefined> {
    return this.#source.hasProofs ? (await this.#account(address, signal)).proof : undefined;
  }

  async libraries(hashes: readonly Uint8Array[], signal?: AbortSignal): Promise<Cell[]> {
    const distinct = [...new Map(hashes.map((hash) => [bytesToHex(hash), hash])).values()];
    const known = distinct.map((hash) => ({ hash, library: this.#cache.library(hash) }));
    const unknown = known.filter(({ library }) => !library).map(({ hash }) => hash);
    this.#cached += distinct.length - unknown.length;
    const fetched: Promise<Library[]>[] = [];
    for (let at = 0; at < unknown.length; at += maxLibraries)
      fetched.push(this.#fetchLibraries(unknown.slice(at, at + maxLibraries), signal));
    const found = new Map(
      (await Promise.all(fetched)).flat().map(({ hash, cell }) => [bytesToHex(hash), cell]),
    );
    for (const { hash, library } of known) if (library?.cell) found.set(bytesToHex(hash), library.cell);
    return distinct.flatMap((hash) => {
      const cell = found.get(bytesToHex(hash));
      return cell ? [cell] : [];
    });
  }

  async transactions(page: TransactionPage, signal?: AbortSignal): Promise<FoundTransaction[]> {
    if (page.count <= 0 || page.from.lt === 0n) return [];
    const ask = (attempt: Attempt) => this.#source.transactions(page, attempt);
    try {
      return await this.#requests.run(`transactions ${keyOf(page)}`, ask, signal);
    } catch (error) {
      if (error instanceof OriginError && error.kind === "missing") return [];
      throw error;
    }
  }

  async transactionList(page: TransactionPage, signal?: AbortSignal): Promise<TransactionList | undefined> {
    const source = this.#source;
    const list = source.transactionList?.bind(source);
    return list && this.#requests.run(`list ${keyOf(page)}`, (attempt) => list(page, attempt), signal);
  }

  async listedTokens(owner: Address, signal?: AbortSignal): Promise<ListedTokens | undefined> {
    const source = this.#source;
    const list = source.listedTokens?.bind(source);
    return list && this.#requests.run(`tokens ${owner.toRaw()}`, (attempt) => list(owner, attempt), signal);
  }

  known(address: Address): { account: ShardAccount | undefined } | "unknown" {
    return this.#cache.account(address) ?? "unknown";
  }

  status(): OriginStatus {
    return { ...this.#requests.status, cached: this.#cached, isFull: this.#cache.isFull };
  }

  async close(): Promise<void> {
    this.#requests.close();
    this.#source.close();
    this.#cache.close();
  }

  async #account(address: Address, signal: AbortSignal | undefined): Promise<SourceAccount> {
    const known = this.#cache.account(address);
    if (known) {
      this.#cached++;
      return known;
    }
    const { block } = this.start;
    return this.#requests.run(
      `account ${address.toRaw()}`,
      async (attempt) => {
        const found = await this.#source.account(block, address, attempt);
        this.#cache.addAccount(address, found);
        return found;
      },
      signal,
    );
  }

  #fetchLibraries(hashes: readonly Uint8Array[], signal: AbortSignal | undefined): Promise<Library[]> {
    return this.#requests.run(
      `libraries ${hashes.map(bytesToHex).join()}`,
      async (attempt) => {
        const found = await this.#source.libraries(this.start.block, hashes, attempt);
        const cells = new Map(found.map(({ hash, cell }) => [bytesToHex(hash), cell]));
        for (const hash of hashes) this.#cache.addLibrary(hash, cells.get(bytesToHex(hash)));
        return found;
      },
      signal,
    );
  }
}

function keyOf({ address, from, count }: TransactionPage): string {
  return `${address.toRaw()} ${from.lt} ${bytesToHex(from.hash)} ${count}`;
}
