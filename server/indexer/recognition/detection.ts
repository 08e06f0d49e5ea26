import { LRUCache } from "lru-cache";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { libraryHash } from "../../../shared/ton/run/code-libraries.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesOfHex, bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { RecentMap } from "../../../shared/values/recent-map.js";
import { outOfGas } from "../../chain/executor/calls.js";
import type { RunCall } from "../../chain/run/method-runner.js";
import { ifOfKind } from "../../contracts/if-of-kind.js";
import { interfacesOf } from "../../contracts/interfaces.js";
import { type ContractAccounts, indexCall, type KnownContract } from "../../contracts/methods-at.js";
import { nominatorPoolCodeHash } from "../../contracts/nominator-pool.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { accountStatuses, codeOf } from "../../store/codes.js";
import type { RowSet } from "../../store/copy/row-set.js";
import type { Queries } from "../../store/database.js";
import type { Columns, Table } from "../../store/declare/table.js";
import { readContractMethods } from "../../store/queries/accounts/contracts.js";
import { tables } from "../../store/tables/all-tables.js";
import type { FinalAccountState } from "../decode/account.js";
import { keyOf } from "../hash-key.js";
import type { AccountTurn } from "./account-turn.js";
import type { Detector, MethodsByCode, PoolRules } from "./detector.js";
import { dexPool } from "./dex-pools.js";
import { jettonMaster, jettonWallet } from "./jettons.js";
import { multisig, multisigOrder } from "./multisig.js";
import { newLink } from "./new-links.js";
import { nftAuction, nftCollection, nftItem, nftSale } from "./nfts.js";
import { nominatorPool } from "./nominator-pools.js";
import { OwnerLinks } from "./owner-links.js";
import { type BatchBudget, RecognitionBudget, type RecognitionLimits } from "./recognition-budget.js";
import { telemintItem } from "./telemint.js";
import { vesting } from "./vesting.js";

/** Chain access for running contracts. */
export type ContractChain = {
  /** Contracts as of a masterchain block, with its configuration and time. Contracts in `known` are not read. */
  at(
    block: BlockIdExt,
    known: (address: Address) => KnownContract | undefined,
    call?: RunCall,
  ): ContractAccounts;
  /** Public libraries; nonexistent ones are absent. */
  libraries(hashes: readonly Uint8Array[]): Promise<readonly { hash: Uint8Array; cell: Cell }[]>;
};

/** Accounts as of a masterchain block, and the methods of codes that are not stored yet. */
type Seen = {
  block: BlockIdExt;
  accounts: readonly FinalAccountState[];
  methods: MethodsByCode;
  /** Confirmed owner links from previous blocks, if the blocks of a range are processed in order. */
  links?: OwnerLinks;
  /** The caller of the runs. Default: the index, with a long deadline. */
  call?: RunCall;
  /** Limits the cost of contracts; accounts above it are deferred and recorded there. Default: no limit. */
  budget?: BatchBudget;
};

/** A recognised contract with its row in the kind's table, or with its link to metadata to fetch. */
export type Found = {
  table: Table;
  account: FinalAccountState;
  row: Readonly<Record<string, unknown>>;
};

/**
 * One per table, so that an account has at most one row in it. Nominator pools are added separately, with codes from
 * settings.
 */
const detectors: readonly Detector[] = [
  jettonMaster,
  jettonWallet,
  nftCollection,
  nftItem,
  nftSale,
  nftAuction,
  telemintItem,
  multisig,
  multisigOrder,
  vesting,
  dexPool,
];

type DetectionOptions = {
  /** Whether to queue metadata links of new tokens for fetching. */
  queuesLinks?: boolean;
  /** Code hashes of additional nominator pools, upper-case hex. */
  poolCodes?: readonly string[];
  /** Replays transactions of pools. */
  retrace?: PoolRules["retrace"];
  /** Limits on get-methods while blocks wait. */
  limits?: Partial<RecognitionLimits> | undefined;
};

const active = codeOf(accountStatuses, "active");
/** Accounts recognised concurrently. */
const concurrency = 16;
const cachedCodes = 10_000;
/** Cache size for accounts that are not processed as consecutive blocks of a range. */
const linksOfOneLook = 1000;
/** Codes whose cells are cached, because blocks prune unchanged code. */
const keptCells = 2000;

/**
 * Recognises contracts: runs the get-methods of changed accounts and collects a row for each kind of contract that an
 * account is.
 */
export class Detection {
  readonly #chain: ContractChain;
  readonly #queuesLinks: boolean;
  readonly #detectors: readonly Detector[];
  /** Rules for following nominator pools. */
  readonly pools: PoolRules;
  /** Possible kinds per code hash. */
  readonly #kinds = new RecentMap<string, readonly Detector[]>(cachedCodes);
  readonly #codes = new LRUCache<string, Cell>({ max: keptCells });
  readonly budget: RecognitionBudget;

  constructor(
    chain: ContractChain,
    { queuesLinks = false, poolCodes = [], retrace, limits }: DetectionOptions = {},
  ) {
    this.#chain = chain;
    this.budget = new RecognitionBudget(limits);
    this.#queuesLinks = queuesLinks;
    const codes = [nominatorPoolCodeHash, ...poolCodes];
    this.#detectors = [...detectors, nominatorPool(codes)];
    this.pools = { codes: new Set(codes.map((hash) => keyOf(bytesOfHex(hash)))), retrace };
  }

  /**
   * Replaces library cells among the codes by the library's code; its methods are stored under the library cell's hash.
   */
  async resolveLibraries(codes: Map<string, Cell>): Promise<void> {
    const wanted = [...codes].filter(([, { type }]) => type === "library");
    if (wanted.length === 0) return;
    const hashes = wanted.map(([, cell]) => libraryHash(cell));
    const found = new Map((await this.#chain.libraries(hashes)).map(({ hash, cell }) => [keyOf(hash), cell]));
    wanted.forEach(([key], place) => {
      const code = found.get(keyOf(itemAt(hashes, place)));
      if (code) codes.set(key, code);
    });
  }

  /** Recognises accounts, adds the rows of their contracts and returns them. */
  async detect(queries: Queries, seen: Seen, rows: RowSet): Promise<Found[]> {
    const found = await this.recognise(queries, seen);
    for (const each of found) addFound(rows, each);
    return found;
  }

  /** Finds accounts that are contracts of a known kind. An account of several kinds is returned once per kind. */
  async recognise(queries: Queries, seen: Seen): Promise<Found[]> {
    const accounts = seen.accounts.filter(isContract);
    const unknown = this.#learnKinds(accounts, seen.methods);
    if (unknown.length > 0)
      for (const { code_hash, methods } of await readContractMethods(queries, unknown))
        this.#kinds.set(keyOf(code_hash), kindsOf(this.#detectors, code_hash, methods));
    return this.#recogniseAll(accounts, seen, queries);
  }

  /** As `recognise`, with the methods of all codes given. */
  recogniseKnown(seen: Seen): Promise<Found[]> {
    const accounts = seen.accounts.filter(isContract);
    this.#learnKinds(accounts, seen.methods);
    return this.#recogniseAll(accounts, seen);
  }

  async #recogniseAll(all: readonly Contract[], seen: Seen, queries?: Queries): Promise<Found[]> {
    const found: Found[] = [];
    const { block, budget, links = new OwnerLinks(linksOfOneLook) } = seen;
    links.follow(seen.accounts);
    const byAddress = new Map(seen.accounts.map((account) => [keyOf(account.state.account), account]));
    const known = (address: Address) => {
      const account = byAddress.get(keyOf(addressToBytes(address)));
      return account && knownContract(account, this.#codeOf(account));
    };
    const accounts = all.filter(({ state }) => this.#kindsOf(state.code_hash).length > 0);
    if (budget && queries)
      await budget.load(
        queries,
        accounts.map(({ state }) => keyOf(state.code_hash)),
      );
    const free = this.#chain.at(block, known, seen.call);
    const recognise = (account: Contract) => {
      if (!budget || !queries) return this.#recogniseOne(account, free, links);
      return budget.turn(account, block, (turn) => {
        const { signal = turn.signal, ...given } = seen.call ?? indexCall;
        const call = { ...given, signal, spent: turn.spent };
        const load = (code: string) => budget.load(queries, [code]);
        const at = (gas: { gasLimit?: number }) => this.#chain.at(block, known, { ...call, ...gas });
        const bounded = withinBudget(at({}), at({ gasLimit: budget.trialGas }), turn, load);
        return this.#recogniseOne(account, bounded, links);
      });
    };
    const waiting = accounts.values();
    const worker = async () => {
      for (const account of waiting) found.push(...((await recognise(account)) ?? []));
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return found;
  }

  async #recogniseOne(account: Contract, contracts: ContractAccounts, links: OwnerLinks): Promise<Found[]> {
    const found: Found[] = [];
    const runs = eachMethodOnce(contracts, account.address);
    for (const kind of this.#kindsOf(account.state.code_hash)) {
      const own = await readFirst(kind, account, runs, links);
      if (!own) continue;
      const common = commonColumns(account);
      const row = { ...common, ...own };
      found.push({ table: kind.table, account, row });
      const { companion } = kind;
      const more = companion && (await ifOfKind(companion.read(runs, account.address, own as never)));
      if (more) found.push({ table: companion.table, account, row: { ...common, ...more } });
      const link = this.#queuesLinks ? newLink(kind.table, row) : undefined;
      if (link) found.push({ table: tables.addressMetadata, account, row: link });
    }
    return found;
  }

  /** Possible kinds of a code; code that is not stored may be any kind. */
  #kindsOf(codeHash: Uint8Array): readonly Detector[] {
    return this.#kinds.get(keyOf(codeHash)) ?? kindsOf(this.#detectors, codeHash, []);
  }

  #codeOf({ code }: FinalAccountState): Cell | undefined {
    if (!code) return undefined;
    const key = keyOf(code.hash);
    const known = this.#codes.get(key);
    if (known || !code.cell) return known;
    // Copied, because a cell keeps the whole block it belongs to in memory.
    const copy = parseBocRoot(serializeBoc(code.cell));
    this.#codes.set(key, copy);
    return copy;
  }

  /** Determines the kinds of codes from their methods. Returns the hashes of codes whose methods must be looked up. */
  #learnKinds(accounts: readonly Contract[], known: MethodsByCode): Uint8Array[] {
    const unknown = new Map<string, Uint8Array>();
    for (const { state } of accounts) {
      const key = keyOf(state.code_hash);
      if (this.#kinds.has(key)) continue;
      const methods = known.get(key);
      if (methods) this.#kinds.set(key, kindsOf(this.#detectors, state.code_hash, methods));
      else unknown.set(key, state.code_hash);
    }
    return [...unknown.values()];
  }
}

export function addFound(rows: RowSet, { table, row }: Found): void {
  // `detector` has checked that the row has the table's columns.
  rows.of<Columns>(table).add(row as never);
}

/**
 * Ids of get-methods such that every recognisable contract with readable code has at least one; `undefined` if a kind
 * requires none.
 */
export function recognisedMethods(): number[] | undefined {
  const needs = [...detectors, nominatorPool([nominatorPoolCodeHash])].flatMap(({ versions }) =>
    versions.map((version) => version.needs),
  );
  if (needs.some((names) => names.length === 0)) return undefined;
  return [...new Set(needs.map(([first]) => methodId(first!)))];
}

type Contract = FinalAccountState & { state: { code_hash: Uint8Array; data_hash: Uint8Array } };

function isContract(account: FinalAccountState): account is Contract {
  const { account_status, code_hash, data_hash } = account.state;
  return account_status === active && code_hash !== undefined && data_hash !== undefined;
}

/** The contract from block data; `undefined` if a part is missing. */
function knownContract(
  { address, state, code: known, data, hasLibraries }: FinalAccountState,
  code: Cell | undefined,
): KnownContract | undefined {
  if (hasLibraries || (known && !code) || (data && !data.cell)) return undefined;
  const currencies = Object.entries(state.balance_extra_currencies ?? {});
  return {
    address,
    balance: state.balance,
    extraCurrencies: new Map(currencies.map(([id, amount]) => [Number(id), BigInt(amount)])),
    code,
    data: data?.cell,
    libraries: undefined,
  };
}

/**
 * Records the cost of runs during an account's turn, and stops running once the account is deferred. Trials have little
 * gas.
 */
function withinBudget(
  contracts: ContractAccounts,
  trials: ContractAccounts,
  turn: AccountTurn,
  load: (code: string) => Promise<void>,
): ContractAccounts {
  return {
    ...contracts,
    async run(address, method, stack) {
      const hash = await contracts.codeHash(address);
      if (!hash) return contracts.run(address, method, stack);
      const code = keyOf(hash);
      await load(code);
      if (!turn.begin(code)) return contracts.run(address, method, stack);
      const outcome = await trials.run(address, method, stack);
      if (outcome.exitCode === outOfGas) turn.failTrial(code);
      return outcome;
    },
  };
}

/** Caches runs of parameterless get-methods on the account itself, which several kinds may read. */
function eachMethodOnce(contracts: ContractAccounts, own: Address): ContractAccounts {
  const outcomes = new Map<string, ReturnType<ContractAccounts["run"]>>();
  return {
    ...contracts,
    run(address, method, stack) {
      if (stack !== undefined && stack.length > 0) return contracts.run(address, method, stack);
      if (!address.equals(own)) return contracts.run(address, method, stack);
      const known = outcomes.get(method);
      if (known) return known;
      const outcome = contracts.run(address, method);
      outcomes.set(method, outcome);
      return outcome;
    },
  };
}

/**
 * Possible kinds of a code, with their versions. Code without a readable method list may be any kind, but most such
 * accounts are wallets of known code.
 */
function kindsOf(
  detectors: readonly Detector[],
  codeHash: Uint8Array,
  methods: readonly number[],
): readonly Detector[] {
  if (methods.length === 0 && isKnownWallet(codeHash)) return [];
  const hash = bytesToHex(codeHash).toUpperCase();
  const listed = new Set(methods);
  const isIn = (name: string) => listed.size === 0 || listed.has(methodId(name));
  return detectors
    .map(({ versions, ...kind }) => ({
      ...kind,
      versions: versions.filter(
        (version) => (version.codeHash ?? hash) === hash && version.needs.every(isIn),
      ),
    }))
    .filter(({ versions }) => versions.length > 0);
}

function isKnownWallet(codeHash: Uint8Array): boolean {
  return interfacesOf(bytesToBase64(codeHash), null).some((name) => /^(wallet|highload|tg)_/.test(name));
}

function commonColumns({ state, lastTransaction, timestamp }: Contract) {
  return {
    address: state.account,
    last_transaction_lt: lastTransaction?.lt ?? 0n,
    timestamp,
    code_hash: state.code_hash,
    data_hash: state.data_hash,
    destroyed: false,
  };
}

/** The columns of the first version that matches the contract. */
async function readFirst(
  kind: Detector,
  account: Contract,
  contracts: ContractAccounts,
  links: OwnerLinks,
): Promise<Record<string, unknown> | undefined> {
  for (const version of kind.versions) {
    const own = await ifOfKind(version.read(contracts, account.address));
    if (!own) {
      const isLast = version.excludesOthers?.(contracts, account.address);
      if (isLast && (await ifOfKind(isLast))) return undefined;
      continue;
    }
    const isConfirmed = await ifOfKind(links.confirm(kind, account, own, contracts).then(() => true));
    if (isConfirmed) return own;
  }
  return undefined;
}
