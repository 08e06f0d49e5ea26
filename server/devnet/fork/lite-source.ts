import { join } from "node:path";
import { accountIdOf } from "../../../shared/ton/lite/account-id.js";
import {
  type AccountState,
  type LiteApi,
  LiteError,
  type TransactionList,
} from "../../../shared/ton/lite/lite-api.js";
import { isNotFound } from "../../../shared/ton/lite/not-found.js";
import { accountIn, shardAccountOf } from "../../../shared/ton/proofs/read/account.js";
import { readConfig } from "../../../shared/ton/proofs/read/config.js";
import { readHeader } from "../../../shared/ton/proofs/read/header.js";
import { type Library, readLibraries } from "../../../shared/ton/proofs/read/libraries.js";
import { type FoundTransaction, readTransactions } from "../../../shared/ton/proofs/read/transactions.js";
import { ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";
import type { TrustChain } from "../../../shared/ton/proofs/verify/trust/trust-chain.js";
import { verifyingLiteApi } from "../../../shared/ton/proofs/verify/verifying-lite-api.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { Timers } from "../../../shared/values/timers.js";
import {
  type GlobalConfig,
  type ListedServer,
  parseGlobalConfig,
  trustedStart,
} from "../../chain/liteservers/global-config.js";
import { Liteservers } from "../../chain/liteservers/liteservers.js";
import { findOldest } from "../../chain/liteservers/oldest-block.js";
import { openTrust } from "../../chain/networks/open-trust.js";
import { newestServers } from "../../chain/networks/server-list.js";
import { UnavailableError } from "../../chain/unavailable-error.js";
import { KeptFiles } from "../../os/kept-files.js";
import { randomSource } from "../../os/random-bytes.js";
import {
  type ForkStart,
  OriginError,
  type OriginLog,
  type OriginOptions,
  type TransactionPage,
} from "./origin.js";
import type { Attempt, OriginSource, SourceAccount } from "./origin-source.js";

type LiteOptions = Extract<OriginOptions, { kind: "liteservers" }>;
type LiteEnvironment = { timers: Timers; log: OriginLog; onFailure(error: unknown): void };

/** The start is given up after this time without a usable server and without progress of the proof. */
const startMs = 15_000;
const lookMs = 1000;
/** Deadline of all reads of the start. */
const readMs = 30_000;

/** A network behind liteservers. Answers are proven from a trusted key block of its global configuration. */
export class LiteSource implements OriginSource {
  readonly hasProofs = true;
  readonly maxParallel = 64;
  readonly identity: string;
  readonly #name: string;
  readonly #timers: Timers;
  readonly #trust: TrustChain;
  readonly #pool: Liteservers;
  readonly #servers: number;

  private constructor(
    { name }: LiteOptions,
    { servers, zeroState }: GlobalConfig,
    { timers, log, trust }: Pick<LiteEnvironment, "timers" | "log"> & { trust: TrustChain },
  ) {
    this.identity = bytesToHex(zeroState.rootHash);
    this.#name = name;
    this.#timers = timers;
    this.#trust = trust;
    this.#servers = servers.length;
    this.#pool = new Liteservers({
      ...{ servers, zeroState, timers, log },
      random: Math.random,
      randomBytes: randomSource(),
      verify: (api) => verifyingLiteApi(api, trust, { proveTransactionBlocks: false }),
    });
  }

  /** Throws a `GlobalConfigError` or a `SetupError`. Connects to the servers without waiting for them. */
  static async open(options: LiteOptions, environment: LiteEnvironment): Promise<LiteSource> {
    const { timers, log } = environment;
    const shipped = parseGlobalConfig(options.config);
    const config = { ...shipped, servers: await newestOf(shipped, options, environment) };
    const trust = await openTrust({
      network: options.name,
      zeroState: config.zeroState,
      start: trustedStart(config),
      directory: options.folder,
      log,
      now: () => Math.floor(timers.now() / 1000),
      timers,
    });
    return new LiteSource(options, config, { ...environment, trust });
  }

  get api(): LiteApi {
    return this.#pool.api;
  }

  /** Proving a chain takes as long as it takes; only standing still ends the wait. */
  async #ready(signal: AbortSignal): Promise<void> {
    let proven = this.#trust.keyBlock.seqno;
    let giveUpAt = this.#timers.now() + startMs;
    while (!(await this.#pool.ready(lookMs))) {
      signal.throwIfAborted();
      if (this.#pool.isForeign)
        throw new OriginError(
          "untrusted",
          `all liteservers of ${this.#name} serve another network than the zero state of the global configuration`,
        );
      if (this.#trust.keyBlock.seqno > proven) giveUpAt = this.#timers.now() + startMs;
      proven = this.#trust.keyBlock.seqno;
      if (this.#timers.now() < giveUpAt) continue;
      throw this.#unusable("can be used; --fork-url forks over HTTP instead");
    }
  }

  #unusable(what: string): OriginError {
    return new OriginError(
      "unavailable",
      `none of the ${this.#servers} liteservers of ${this.#name} ${what}`,
    );
  }

  async start(seqno: number | undefined, signal: AbortSignal): Promise<ForkStart> {
    await this.#ready(signal);
    const attempt = { signal, deadline: this.#timers.now() + readMs };
    return this.#ask(attempt, async (api) => {
      const { last } = await api.getMasterchainInfo({}, attempt);
      const block = seqno === undefined ? last : await this.#find(seqno, last, attempt);
      const [{ info, globalId }, { root: config }] = await Promise.all([
        readHeader(api, block, attempt),
        this.#config(block, last, attempt),
      ]);
      const { genUtime: utime, endLt: lt } = info;
      return { block, isProven: true, source: this.#name, globalId, utime, lt, config };
    });
  }

  account(block: BlockIdExt, address: Address, attempt: Attempt): Promise<SourceAccount> {
    const account = accountIdOf(address);
    return this.#ask(attempt, async (api) => {
      const proof = await api.getAccountState({ id: block, account, proof: true }, attempt);
      return { account: provenAccount(proof, address), proof };
    });
  }

  libraries(block: BlockIdExt, hashes: readonly Uint8Array[], attempt: Attempt): Promise<Library[]> {
    return this.#ask(attempt, (api) => {
      const getLibraries: LiteApi["getLibraries"] = ({ libraryList }, call) =>
        api.getLibrariesWithProof({ id: block, libraryList }, call);
      return readLibraries({ getLibraries }, hashes, attempt);
    });
  }

  transactions({ count: limit, ...page }: TransactionPage, attempt: Attempt): Promise<FoundTransaction[]> {
    return this.#ask(attempt, async (api) => {
      const query = { ...page, limit, toLt: 0n, archival: true };
      return (await readTransactions(api, query, attempt)).transactions;
    });
  }

  transactionList({ address, from, count }: TransactionPage, attempt: Attempt): Promise<TransactionList> {
    const request = { count, account: accountIdOf(address), ...from };
    return this.#ask(attempt, (api) => api.getTransactions(request, { ...attempt, archival: true }));
  }

  close(): void {
    this.#pool.close();
  }

  async #find(seqno: number, last: BlockIdExt, attempt: Attempt): Promise<BlockIdExt> {
    if (seqno > last.seqno)
      throw new OriginError(
        "missing",
        `${this.#name} has no block ${seqno} yet: its newest one is ${last.seqno}`,
      );
    try {
      return await this.#lookup(seqno, attempt);
    } catch (error) {
      throw isNotFound(error) ? await this.#tooOld(seqno, last) : error;
    }
  }

  async #lookup(seqno: number, attempt: Attempt): Promise<BlockIdExt> {
    const id = { workchain: masterchain, shard: wholeShard, seqno };
    return (await this.#pool.api.lookupBlock({ id, bySeqno: true }, attempt)).id;
  }

  async #config(block: BlockIdExt, last: BlockIdExt, attempt: Attempt) {
    try {
      return await readConfig(this.#pool.api, block, attempt);
    } catch (error) {
      throw isNotFound(error) ? await this.#tooOld(block.seqno, last) : error;
    }
  }

  /** Servers keep the headers of blocks for longer than states, so the search reads states. */
  async #tooOld(seqno: number, last: BlockIdExt): Promise<OriginError> {
    const oldest = await findOldest(last.seqno, async (middle) => {
      const attempt = { deadline: this.#timers.now() + startMs };
      const id = { workchain: masterchain, shard: wholeShard, seqno: middle };
      const found = await this.#pool.api.lookupBlock({ id, bySeqno: true }, attempt);
      await this.#pool.api.getConfigParams({ id: found.id, paramList: [0] }, attempt);
    });
    return new OriginError(
      "missing",
      `the liteservers of ${this.#name} no longer have the state of block ${seqno}; the oldest one they have is that of ` +
        `block ${oldest}`,
    );
  }

  async #ask<T>({ deadline }: Attempt, ask: (api: LiteApi) => Promise<T>): Promise<T> {
    try {
      await this.#pool.looked(deadline);
      // Requests to the pool would wait for a server until the deadline.
      if (this.#pool.isDown) throw this.#unusable("can be reached");
      return await ask(this.#pool.api);
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  #errorOf(error: unknown): unknown {
    const isKnown =
      error instanceof LiteError || error instanceof UnavailableError || error instanceof ProofError;
    if (!isKnown) return error;
    const isLie = error instanceof ProofError || error.cause instanceof ProofError;
    const { message } = isLie && error.cause instanceof Error ? error.cause : error;
    const kind = isLie ? "untrusted" : isNotFound(error) ? "missing" : "unavailable";
    return new OriginError(kind, `liteservers of ${this.#name}: ${message}`, { cause: error });
  }
}

/** Nothing but addresses is taken from a list that the package does not contain. */
async function newestOf(
  shipped: GlobalConfig,
  { name: network, listUrl: url, folder }: LiteOptions,
  { log, onFailure }: LiteEnvironment,
): Promise<ListedServer[]> {
  if (url === undefined) return shipped.servers;
  const kept = folder === undefined ? undefined : new KeptFiles(join(folder, "liteservers"), 1, onFailure);
  return [...(await newestServers({ network, shipped, url, kept, log })).servers];
}

/** The account in a liteserver's answer; undefined if it did not exist. */
export function provenAccount(answer: AccountState, address: Address): ShardAccount | undefined {
  const found = accountIn(answer, answer.id, address);
  return found.cell || found.lastTransaction.lt > 0n ? shardAccountOf(found) : undefined;
}
