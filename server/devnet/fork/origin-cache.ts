import { LRUCache } from "lru-cache";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { AccountState } from "../../../shared/ton/lite/lite-api.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToCharacters } from "../../../shared/values/bytes.js";
import type { KeptAnswers } from "./kept-answers.js";
import { provenAccount } from "./lite-source.js";
import type { SourceAccount } from "./origin-source.js";

/** Records have keys of one length: a workchain and an account id, or zeros and a hash. */
export const keyLength = 33;
/** An account without proof, an account with proof, a library. */
const kinds = { account: 1, proof: 2, library: 3 } as const;
const proofName = "liteServer.accountState";
/** Decoded answers in memory, without a file the only ones. */
const memoryBytes = 64 * 1024 * 1024;
const bytesPerEntry = 500;

const inMemory = {
  maxSize: memoryBytes,
  sizeCalculation: ({ bytes }: { bytes: number }) => bytes + bytesPerEntry,
};

type CachedAccount = SourceAccount & { bytes: number };
/** `cell` is undefined if there is no such library. */
type CachedLibrary = { cell: Cell | undefined; bytes: number };

type CacheOptions = {
  answers: KeptAnswers | undefined;
  /** The file cannot be used, or an answer in it: it is requested again. */
  onFailure(error: unknown): void;
  /** Called once, when the file is full. */
  onFull(): void;
};

/** Answers of an origin, in memory and in a file. */
export class OriginCache {
  readonly #options: CacheOptions;
  readonly #accounts = new LRUCache<string, CachedAccount>(inMemory);
  readonly #libraries = new LRUCache<string, CachedLibrary>(inMemory);
  #isFull = false;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  account(address: Address): SourceAccount | undefined {
    const key = accountKey(address);
    const id = bytesToCharacters(key);
    const known = this.#accounts.get(id) ?? this.#tried(() => this.#keptAccount(key, address));
    if (known) this.#accounts.set(id, known);
    return known;
  }

  addAccount(address: Address, found: SourceAccount): void {
    const key = accountKey(address);
    const { account, proof } = found;
    const bytes = proof ? wire.encode(proofName, { ...proof }) : account && bocOf(account);
    this.#accounts.set(bytesToCharacters(key), { ...found, bytes: bytes?.length ?? 0 });
    const kind = proof ? kinds.proof : kinds.account;
    this.#write(kind, key, bytes ?? new Uint8Array(0));
  }

  library(hash: Uint8Array): CachedLibrary | undefined {
    const id = bytesToCharacters(hash);
    const known = this.#libraries.get(id) ?? this.#tried(() => this.#keptLibrary(hash));
    if (known) this.#libraries.set(id, known);
    return known;
  }

  /** Only libraries that exist are written to the file. */
  addLibrary(hash: Uint8Array, cell: Cell | undefined): void {
    const boc = cell && serializeBoc(cell);
    this.#libraries.set(bytesToCharacters(hash), { cell, bytes: boc?.length ?? 0 });
    if (boc) this.#write(kinds.library, libraryKey(hash), boc);
  }

  /** Whether the file has no room for more answers. */
  get isFull(): boolean {
    return this.#isFull;
  }

  close(): void {
    this.#options.answers?.close();
  }

  #keptAccount(key: Uint8Array, address: Address): CachedAccount | undefined {
    const { answers } = this.#options;
    const proven = answers?.read(kinds.proof, key);
    if (proven) {
      const proof = wire.decode(proven).value as unknown as AccountState;
      return { account: provenAccount(proof, address), proof, bytes: proven.length };
    }
    const boc = answers?.read(kinds.account, key);
    if (!boc) return undefined;
    const account = boc.length > 0 ? decode(ShardAccount, parseBocRoot(boc)) : undefined;
    return { account, bytes: boc.length };
  }

  #keptLibrary(hash: Uint8Array): CachedLibrary | undefined {
    const boc = this.#options.answers?.read(kinds.library, libraryKey(hash));
    return boc && { cell: parseBocRoot(boc), bytes: boc.length };
  }

  #write(kind: number, key: Uint8Array, answer: Uint8Array): void {
    const { answers, onFull } = this.#options;
    this.#tried(() => answers?.write(kind, key, answer));
    if (this.#isFull || !answers?.isFull) return;
    this.#isFull = true;
    onFull();
  }

  #tried<T>(use: () => T): T | undefined {
    try {
      return use();
    } catch (error) {
      this.#options.onFailure(error);
      return undefined;
    }
  }
}

function bocOf(account: ShardAccount): Uint8Array {
  return serializeBoc(encode(ShardAccount, account));
}

function accountKey({ workchain, hash }: Address): Uint8Array {
  const key = new Uint8Array(keyLength);
  key[0] = workchain;
  key.set(hash, 1);
  return key;
}

function libraryKey(hash: Uint8Array): Uint8Array {
  const key = new Uint8Array(keyLength);
  key.set(hash, 1);
  return key;
}
