import { z } from "zod";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { Library } from "../../../shared/ton/proofs/read/libraries.js";
import type { FoundTransaction } from "../../../shared/ton/proofs/read/transactions.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { decode, TlbError } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { Address } from "../../../shared/values/address.js";
import { base64ToBytes, bytesEqual, bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import type { Timers } from "../../../shared/values/timers.js";
import { findOldest } from "../../chain/liteservers/oldest-block.js";
import { Deadline } from "../../os/deadline.js";
import { type ForkStart, type ListedTokens, maxListed, OriginError, type TransactionPage } from "./origin.js";
import { OriginRequests } from "./origin-requests.js";
import type { Attempt, OriginSource, SourceAccount } from "./origin-source.js";
import { UrlClient } from "./url-client.js";

const bytes = z.string().transform((text, context) => {
  const read = base64ToBytes(text);
  if (read) return read;
  context.addIssue("not base64");
  return z.NEVER;
});
const hash = bytes.refine((each) => each.length === 32);
const seqno = z.int().min(0).max(0xffffffff);
const unsigned64 = z
  .union([z.string().regex(/^\d{1,20}$/), z.int().min(0)])
  .transform((each) => BigInt.asUintN(64, BigInt(each)));

const blockId = z.object({ workchain: z.literal(masterchain), seqno, root_hash: hash, file_hash: hash });
const masterchainInfo = z.object({ last: blockId });
const header = z.object({ global_id: z.int32(), gen_utime: z.uint32(), end_lt: unsigned64 });
const tvmCell = z.object({ bytes });
const configInfo = z.object({ config: tvmCell });
const libraryResult = z.object({ result: z.array(z.object({ hash, data: bytes })).max(64) });
const transactions = z.array(z.object({ data: bytes })).max(1000);

const listed = z.object({ address: z.string().transform((text) => Address.read(text)?.address) });
const tokens = z
  .array(listed)
  .max(maxListed)
  .transform((list) => list.flatMap(({ address }) => address ?? []));
const listedWallets = z.object({ jetton_wallets: tokens }).transform((answer) => answer.jetton_wallets);
const listedItems = z.object({ nft_items: tokens }).transform((answer) => answer.nft_items);

const shard = BigInt.asIntN(64, wholeShard).toString();
/** Limit of each call of the start. */
const startMs = 10_000;
/** Limit of the search for the oldest block. */
const searchMs = 20_000;
/** Read to see whether a state is there. */
const anyAccount = new Address(masterchain, new Uint8Array(32));

type StartCall = <T>(method: string, params: object, as: z.ZodType<T>) => Promise<T>;

/**
 * A network behind a service with TON Center's API v2, and its API v3 if it has one. Answers are believed as far as they are
 * well-formed.
 */
export class UrlSource implements OriginSource {
  readonly hasProofs = false;
  /** Services limit their callers. */
  readonly maxParallel = 4;
  readonly identity: string;
  readonly #client: UrlClient;
  readonly #timers: Timers;

  constructor({ url, key }: { url: string; key?: string | undefined }, timers: Timers) {
    this.#timers = timers;
    this.#client = new UrlClient(url, key);
    this.identity = this.#client.endpoint;
  }

  async start(wanted: number | undefined, signal: AbortSignal): Promise<ForkStart> {
    const timing = { timers: this.#timers, timeoutMs: startMs };
    const requests = new OriginRequests({ maxParallel: 1, ...timing, hasAnswered: true, onChange() {} });
    const call: StartCall = (method, params, as) =>
      requests.run(method, (attempt) => this.#client.call(method, { params, as, attempt }), signal);
    try {
      return await this.#startAt(wanted, call);
    } catch (error) {
      if (wanted === undefined || !(error instanceof OriginError) || error.refusal !== "failed") throw error;
      throw (await this.#whyNot(wanted, call, signal)) ?? error;
    }
  }

  async #startAt(wanted: number | undefined, call: StartCall): Promise<ForkStart> {
    const block = await this.#block(wanted, call);
    const { seqno } = block;
    const place = { workchain: masterchain, shard, seqno };
    const { global_id: globalId, gen_utime: utime, end_lt: lt } = await call("getBlockHeader", place, header);
    const { config } = await this.#needed("getConfigAll", call("getConfigAll", { seqno }, configInfo));
    const root = this.#checked("getConfigAll", () => wholeCell(config.bytes));
    this.#checked("getConfigAll", () => decode(ConfigDictionary, root));
    return { block, isProven: false, source: this.#client.host, globalId, utime, lt, config: root };
  }

  async account({ seqno }: BlockIdExt, address: Address, attempt: Attempt): Promise<SourceAccount> {
    const params = { address: address.toRaw(), seqno };
    const answer = this.#client.call("getShardAccountCell", { params, as: tvmCell, attempt });
    const { bytes } = await this.#needed("getShardAccountCell", answer);
    return this.#checked("getShardAccountCell", () => {
      const entry = decode(ShardAccount, wholeCell(bytes));
      const { value } = entry.account;
      if (!value) return { account: entry.lastTransLt > 0n ? entry : undefined };
      // The address of an anycast account in its state is not the one that it is found by.
      if (value.addr instanceof Address && !value.addr.equals(address))
        throw new TlbError("the account has another address");
      return { account: entry };
    });
  }

  /** The hash identifies a library, so nothing is believed. */
  async libraries(_block: BlockIdExt, hashes: readonly Uint8Array[], attempt: Attempt): Promise<Library[]> {
    const params = { libraries: hashes.map(bytesToBase64) };
    const { result } = await this.#client.call("getLibraries", { params, as: libraryResult, attempt });
    return this.#checked("getLibraries", () =>
      result.map(({ hash, data }) => {
        const cell = wholeCell(data);
        if (!bytesEqual(cell.hash(), hash)) throw new CellError("proof", "the library has another hash");
        return { hash, cell, boc: data };
      }),
    );
  }

  /** Each transaction has the hash of its predecessor, which also proves the answer to those who know the first one. */
  async transactions(
    { address, from, count }: TransactionPage,
    attempt: Attempt,
  ): Promise<FoundTransaction[]> {
    const first = { lt: from.lt.toString(), hash: bytesToBase64(from.hash) };
    const params = { address: address.toRaw(), limit: count, ...first, archival: true };
    const list = await this.#client.call("getTransactions", { params, as: transactions, attempt });
    return this.#checked("getTransactions", () => {
      let next = from;
      return list.map(({ data }) => {
        const cell = wholeCell(data);
        if (!bytesEqual(cell.hash(), next.hash))
          throw new CellError("proof", "a transaction has another hash");
        const transaction = decode(Transaction, cell);
        next = { lt: transaction.prevTransLt, hash: transaction.prevTransHash };
        return { address, cell, transaction };
      });
    });
  }

  /** Undefined if the service has no API v3. */
  async listedTokens(owner: Address, attempt: Attempt): Promise<ListedTokens | undefined> {
    const query = { owner_address: owner.toRaw(), limit: String(maxListed) };
    const [wallets, items] = await Promise.all([
      this.#client.list("jetton/wallets", { query, as: listedWallets, attempt }),
      this.#client.list("nft/items", { query, as: listedItems, attempt }),
    ]);
    return wallets && items && { wallets, items };
  }

  close(): void {
    // Requests have no connection that outlives them.
  }

  async #block(seqno: number | undefined, call: StartCall): Promise<BlockIdExt> {
    const found =
      seqno === undefined
        ? (await call("getMasterchainInfo", {}, masterchainInfo)).last
        : await call("lookupBlock", { workchain: masterchain, shard, seqno }, blockId);
    if (seqno !== undefined && found.seqno !== seqno)
      throw new OriginError(
        "untrusted",
        `${this.#client.host}: lookupBlock found block ${found.seqno}, not ${seqno}`,
      );
    const { root_hash: rootHash, file_hash: fileHash } = found;
    return { workchain: masterchain, shard: wholeShard, seqno: found.seqno, rootHash, fileHash };
  }

  /** Names a method that earlier versions of TON Center lack. */
  async #needed<T>(method: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof OriginError) || error.refusal !== "unknown") throw error;
      throw new OriginError(
        "refused",
        `${this.#client.host} does not have ${method}, which a fork needs: name a service with a newer version of TON ` +
          `Center, or fork over liteservers with --fork (${error.message})`,
        { cause: error, refusal: "unknown" },
      );
    }
  }

  /** Why the service does not answer for a block; undefined if that cannot be found out in time. */
  async #whyNot(wanted: number, call: StartCall, signal: AbortSignal): Promise<OriginError | undefined> {
    const { host } = this.#client;
    const limit = new Deadline(searchMs, signal);
    try {
      const { last } = await call("getMasterchainInfo", {}, masterchainInfo);
      if (wanted > last.seqno)
        return new OriginError(
          "missing",
          `${host} has no block ${wanted} yet: its newest one is ${last.seqno}`,
        );
      const attempt = { signal: limit.signal, deadline: this.#timers.now() + searchMs };
      const oldest = await findOldest(last.seqno, (seqno) => this.#confirmState(seqno, attempt));
      if (oldest <= wanted || oldest === last.seqno) return undefined;
      return new OriginError(
        "missing",
        `${host} does not answer for block ${wanted}; the oldest one whose state it has is block ${oldest}`,
      );
    } catch (error) {
      // The error of the wanted block is shown instead.
      if (error instanceof OriginError) return undefined;
      throw error;
    } finally {
      limit.clear();
    }
  }

  /** Rejects with a `LiteError` if the service has no state of the block. */
  async #confirmState(seqno: number, attempt: Attempt): Promise<void> {
    try {
      const params = { address: anyAccount.toRaw(), seqno };
      await this.#client.call("getShardAccountCell", { params, as: tvmCell, attempt });
    } catch (error) {
      if (!(error instanceof OriginError) || error.refusal !== "failed") throw error;
      throw new LiteError(liteErrorCode.notReady, error.message);
    }
  }

  #checked<T>(method: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CellError || error instanceof TlbError)) throw error;
      throw new OriginError(
        "untrusted",
        `${this.#client.host}: ${method} has an invalid result: ${error.message}`,
        {
          cause: error,
        },
      );
    }
  }
}

/** A cell without pruned parts, which could not be stored in a state. */
function wholeCell(boc: Uint8Array): Cell {
  const cell = parseBocRoot(boc);
  if (cell.levelMask !== 0) throw new CellError("pruned", `cell ${bytesToHex(cell.hash())} has pruned parts`);
  return cell;
}
