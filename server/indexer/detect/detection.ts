import { LRUCache } from "lru-cache";
import type { Cell } from "../../cells/cell.js";
import { ExecutorError } from "../../chain/executor/executor-error.js";
import { methodId } from "../../chain/executor/method-id.js";
import { StackError } from "../../chain/executor/stack.js";
import { libraryHash } from "../../chain/run/code-libraries.js";
import { RunError } from "../../chain/run/run-error.js";
import { ifSuch } from "../../contracts/get-method.js";
import type { ContractAccounts } from "../../contracts/methods-at.js";
import { accountStatuses, codeOf } from "../../store/codes.js";
import type { RowSet } from "../../store/copy/row-set.js";
import type { Queries } from "../../store/database.js";
import type { Columns } from "../../store/declare/table.js";
import { readContractMethods } from "../../store/queries/contracts.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import type { FinalAccountState } from "../decode/account.js";
import { contractMethods } from "../decode/contract-methods.js";
import { keyOf } from "../hash-key.js";
import type { Detector } from "./detector.js";
import { jettonMaster, jettonWallet } from "./jettons.js";
import { nftAuction, nftCollection, nftItem, nftSale } from "./nfts.js";
import { OwnerLinks } from "./owner-links.js";

/** The chain as contracts see it. */
export type ContractChain = {
  /** Contracts as of a masterchain block, with its configuration and its time. */
  at(block: BlockIdExt): ContractAccounts;
  /** Public libraries; those that do not exist are absent. */
  libraries(hashes: readonly Uint8Array[]): Promise<readonly { hash: Uint8Array; cell: Cell }[]>;
};

/** Accounts as of a masterchain block, and the code cells that are known, by hash. */
export type Seen = {
  block: BlockIdExt;
  accounts: readonly FinalAccountState[];
  codes: Map<string, Cell>;
  /** What is known from the blocks before, if those of a range are seen one after the other. */
  links?: OwnerLinks;
};

/** One per table, so that no account has two rows in it. */
const detectors: readonly Detector[] = [
  jettonMaster,
  jettonWallet,
  nftCollection,
  nftItem,
  nftSale,
  nftAuction,
];

const active = codeOf(accountStatuses, "active");
/** Accounts that are looked at concurrently. */
const concurrency = 16;
const cachedCodes = 10_000;

/**
 * Recognises contracts: runs the get-methods of accounts whose state changed and collects a row for every kind that an
 * account turns out to be.
 */
export class Detection {
  readonly #chain: ContractChain;
  /** The kinds that a code may be, by the code's hash. */
  readonly #kinds = new LRUCache<string, readonly Detector[]>({ max: cachedCodes });

  constructor(chain: ContractChain) {
    this.#chain = chain;
  }

  /** Replaces library cells among the codes by the code they stand for, whose methods are then those of the library cell. */
  async resolveLibraries(codes: Map<string, Cell>): Promise<void> {
    const wanted = [...codes].filter(([, { type }]) => type === "library");
    if (wanted.length === 0) return;
    const hashes = wanted.map(([, cell]) => libraryHash(cell));
    const found = new Map((await this.#chain.libraries(hashes)).map(({ hash, cell }) => [keyOf(hash), cell]));
    wanted.forEach(([key], place) => {
      const code = found.get(keyOf(hashes[place]!));
      if (code) codes.set(key, code);
    });
  }

  /** Adds the rows of all accounts that are contracts of a known kind. */
  async detect(queries: Queries, seen: Seen, rows: RowSet): Promise<void> {
    const accounts = seen.accounts.filter(isContract);
    await this.#learnKinds(queries, accounts, seen.codes);
    const { links = new OwnerLinks() } = seen;
    links.follow(seen.accounts);
    const contracts = this.#chain.at(seen.block);
    const waiting = accounts.values();
    const worker = async () => {
      for (const account of waiting) await this.#detectOne(account, contracts, links, rows);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  async #detectOne(
    account: Contract,
    contracts: ContractAccounts,
    links: OwnerLinks,
    rows: RowSet,
  ): Promise<void> {
    for (const kind of this.#kinds.get(keyOf(account.state.code_hash)) ?? detectors) {
      const own = await readFirst(kind, account, contracts, links);
      // The two together are the columns of the table, which `detector` checks.
      if (own) rows.of<Columns>(kind.table).add({ ...commonColumns(account), ...own } as never);
    }
  }

  /** Finds the kinds of all codes: from their cells, or from the methods that are stored of them. */
  async #learnKinds(queries: Queries, accounts: readonly Contract[], codes: Seen["codes"]): Promise<void> {
    const unknown = new Map<string, Uint8Array>();
    for (const { state } of accounts) {
      const key = keyOf(state.code_hash);
      if (this.#kinds.has(key)) continue;
      const code = codes.get(key);
      if (code) this.#kinds.set(key, kindsOf(contractMethods(code)));
      else unknown.set(key, state.code_hash);
    }
    if (unknown.size === 0) return;
    for (const { code_hash, methods } of await readContractMethods(queries, [...unknown.values()]))
      this.#kinds.set(keyOf(code_hash), kindsOf(methods));
  }
}

type Contract = FinalAccountState & { state: { code_hash: Uint8Array; data_hash: Uint8Array } };

function isContract(account: FinalAccountState): account is Contract {
  const { account_status, code_hash, data_hash } = account.state;
  return account_status === active && code_hash !== undefined && data_hash !== undefined;
}

/** The kinds that a code may be, with the versions of them. Code whose methods cannot be listed may be any. */
function kindsOf(methods: readonly number[]): readonly Detector[] {
  if (methods.length === 0) return detectors;
  const has = new Set(methods);
  return detectors
    .map(({ versions, ...kind }) => ({
      ...kind,
      versions: versions.filter(({ needs }) => needs.every((name) => has.has(methodId(name)))),
    }))
    .filter(({ versions }) => versions.length > 0);
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

/** The columns of the first version that the contract turns out to be. */
async function readFirst(
  kind: Detector,
  account: Contract,
  contracts: ContractAccounts,
  links: OwnerLinks,
): Promise<Record<string, unknown> | undefined> {
  for (const version of kind.versions) {
    const own = await ifOfKind(version.read(contracts, account.address));
    if (!own) continue;
    const isConfirmed = await ifOfKind(links.confirm(kind, account, own, contracts).then(() => true));
    if (isConfirmed) return own;
  }
  return undefined;
}

/** What was read; `undefined` if the contract is of another kind, or cannot be run. */
async function ifOfKind<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await ifSuch(reading);
  } catch (error) {
    if (error instanceof StackError || error instanceof RunError) return undefined;
    if (error instanceof ExecutorError && isOfContract(error)) return undefined;
    throw error;
  }
}

/** Whether a run failed because of the contract, and would fail again. */
function isOfContract({ code }: ExecutorError): boolean {
  return code === "invalid" || code === "crashed" || code === "timeout";
}
