import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { type AccountSnapshot, changedAccount } from "../../../shared/ton/proofs/read/account.js";
import type { ConfigView } from "../../../shared/ton/proofs/read/config.js";
import type { BlockHeader } from "../../../shared/ton/proofs/read/header.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../shared/values/address.js";
import { type AccountFields, emptyAccount, withFields, withStorage } from "../account-fields.js";
import type { BlockEnd } from "./coming-blocks.js";

/** The reads of a chain that runs of contracts need. */
export type ChainReads = Pick<
  ChainReader,
  | "last"
  | "blockAt"
  | "account"
  | "config"
  | "header"
  | "previousBlocks"
  | "transactions"
  | "lookup"
  | "libraries"
>;

/** The changes of a call. */
export type Suppositions = {
  /** By raw address. */
  accounts: ReadonlyMap<string, AccountFields>;
  /** Unix time of runs, and of the first block of an emulation. */
  now: number | undefined;
  params: readonly (readonly [number: number, value: Cell])[];
};

/** An emulated trace: its transactions with the accounts after them, and the end of its last block. */
type Followed = {
  transactions: readonly {
    address: Address;
    transaction: CellOf<Transaction>;
    after: CellOf<Account> | undefined;
  }[];
  end: BlockEnd | undefined;
};

/** The chain as it is. */
export const nothingSupposed: Suppositions = { accounts: new Map(), now: undefined, params: [] };

/**
 * A chain with changes that one call supposes, and with the transactions that it has emulated on it. Made for that call:
 * nothing of it is in the caches of the chain that it changes.
 */
export class SupposedChain implements ChainReads {
  readonly #chain: ChainReads;
  readonly #supposed: Suppositions;
  readonly #accounts = new Map<string, AccountSnapshot>();
  readonly #entries = new Map<string, ShardAccount>();
  readonly #configs = new WeakMap<ConfigView, ConfigView>();
  #now: number | undefined;
  #end: Partial<BlockEnd> = {};
  /** Libraries of codes that are run for this call. */
  readonly codeLibraries: CodeLibraries;

  constructor(chain: ChainReads, supposed: Suppositions) {
    this.#chain = chain;
    this.#supposed = supposed;
    this.#now = supposed.now;
    if (chain instanceof SupposedChain) this.#end = chain.end;
    if (supposed.now !== undefined) this.#end = { utime: supposed.now - 1 };
    this.codeLibraries = new CodeLibraries(this);
  }

  /** Whether it differs from the chain before any transaction. */
  get isChanged(): boolean {
    const { accounts, now, params } = this.#supposed;
    const isOwn = accounts.size > 0 || now !== undefined || params.length > 0;
    return isOwn || (this.#chain instanceof SupposedChain && this.#chain.isChanged);
  }

  /** The chain as it is now: it does not follow the later traces of this one. */
  copy(): SupposedChain {
    const copy = new SupposedChain(this.#chain, this.#supposed);
    for (const [raw, entry] of this.#entries) copy.#entries.set(raw, entry);
    copy.#now = this.#now;
    copy.#end = this.#end;
    return copy;
  }

  /** The end of the block that the next emulation follows, as far as it differs from the chain's. */
  get end(): Partial<BlockEnd> {
    return this.#end;
  }

  get last(): BlockIdExt {
    return this.#chain.last;
  }

  async account(block: BlockIdExt, address: Address, call?: LiteCall): Promise<AccountSnapshot> {
    const raw = address.toRaw();
    const known = this.#accounts.get(raw);
    if (known?.block === block) return known;
    const account = this.#changed(raw, await this.#chain.account(block, address, call));
    this.#accounts.set(raw, account);
    return account;
  }

  #changed(raw: string, found: AccountSnapshot): AccountSnapshot {
    const entry = this.#entries.get(raw) ?? this.#supposedEntry(raw, found);
    const account = entry ? changedAccount(found, entry) : found;
    return this.#now === undefined ? account : { ...account, syncUtime: this.#now };
  }

  #supposedEntry(raw: string, { address, account, ...found }: AccountSnapshot): ShardAccount | undefined {
    const fields = this.#supposed.accounts.get(raw);
    if (!fields) return undefined;
    const before = account ?? emptyAccount(address, this.#now ?? found.syncUtime);
    const changed = withStorage(before, withFields(before.storage, fields));
    const { lt, hash } = found.lastTransaction;
    return { account: CellOf.of(Account, changed), lastTransHash: hash, lastTransLt: lt };
  }

  async config(block: BlockIdExt): Promise<ConfigView> {
    const view = await this.#chain.config(block);
    const { params } = this.#supposed;
    if (params.length === 0) return view;
    const known = this.#configs.get(view);
    if (known) return known;
    const changed = view.params.update(params);
    const supposed = { root: encode(ConfigDictionary, changed), params: changed };
    this.#configs.set(view, supposed);
    return supposed;
  }

  async header(id: BlockIdExt, call?: LiteCall): Promise<BlockHeader> {
    const header = await this.#chain.header(id, call);
    return this.#now === undefined ? header : { ...header, info: { ...header.info, genUtime: this.#now } };
  }

  /** Later reads and emulations see the accounts after a trace. */
  follow({ transactions, end }: Followed): void {
    for (const { address, transaction, after } of transactions)
      if (after)
        this.#entries.set(address.toRaw(), {
          account: after,
          lastTransHash: transaction.cell.hash(),
          lastTransLt: transaction.value.lt,
        });
    this.#end = end ?? this.#end;
    this.#now = end?.utime ?? this.#now;
    this.#accounts.clear();
  }

  blockAt: ChainReads["blockAt"] = (seqno, call) => this.#chain.blockAt(seqno, call);
  previousBlocks: ChainReads["previousBlocks"] = (block) => this.#chain.previousBlocks(block);
  transactions: ChainReads["transactions"] = (query, call) => this.#chain.transactions(query, call);
  lookup: ChainReads["lookup"] = (by, call) => this.#chain.lookup(by, call);
  libraries: ChainReads["libraries"] = (hashes, call) => this.#chain.libraries(hashes, call);
}

/** Parts of a chain that runs on it use. */
export function partsOn(chain: SupposedChain) {
  return { reader: chain, libraries: chain.codeLibraries, isSupposed: chain.isChanged };
}
