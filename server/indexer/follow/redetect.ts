import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { bytesEqual, bytesOfHex, bytesToHex } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { addressFromBytes } from "../../store/address-bytes.js";
import { RowSet } from "../../store/copy/row-set.js";
import type { Database, Lock, Sql, Transaction } from "../../store/database.js";
import { writeAndSettle } from "../../store/queries/accounts/contracts.js";
import { deleteMeta, readMeta, replaceMeta } from "../../store/queries/upkeep/index-meta.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import {
  type ContractState,
  countAccounts,
  lockStates,
  readAccountsBehind,
  readContractStates,
} from "../../store/queries/upkeep/redetection.js";
import { lockNumbers } from "../../store/sql/locks.js";
import { contractTables } from "../../store/tables/all-tables.js";
import { underLock } from "../../store/under-lock.js";
import type { FinalAccountState } from "../decode/account.js";
import { keyOf } from "../hash-key.js";
import { addFound, type Detection, type Found, recognisedMethods } from "../recognition/detection.js";
import { OwnerLinks } from "../recognition/owner-links.js";
import type { ChainUnits } from "../units/chain-units.js";
import { RateMeter } from "../work/progress.js";
import { retried } from "../work/retried.js";

/** Progress over all accounts of the index. */
export type RedetectionProgress = {
  accounts: number;
  missing: number;
  accountsPerSec: number;
  remainingSec: number | undefined;
};

export type RedetectionSetting = {
  database: Database;
  lite: Pick<LiteApi, "getMasterchainInfo">;
  units: Pick<ChainUnits, "account">;
  detection: Pick<Detection, "recognise">;
  accountsPerPage?: number;
  /** Wall clock, milliseconds. */
  now: () => number;
  /** Called with failures that are retried. */
  onError: (error: Error) => void;
};

const defaultAccountsPerPage = 500;
/** Increment when detectors recognise more contracts of existing kinds. */
const edition = 2;
/** The kinds covered by a run: a stored run with other kinds is restarted. */
const kinds = [...contractTables.map(({ name }) => name), edition].join(" ");

/**
 * Recognises the contracts of an index that was filled without recognition, or with fewer kinds. Examines accounts in
 * key order with their stored states, page by page; each page is a transaction that also stores the cursor, so that the
 * next run continues there.
 */
export class Redetection {
  readonly #setting: RedetectionSetting;
  readonly #database: Sql;
  readonly #rate: RateMeter;
  #accounts: number | undefined;
  #done = 0;

  constructor(setting: RedetectionSetting) {
    this.#setting = setting;
    this.#database = setting.database.sql({ connections: 1 });
    this.#rate = new RateMeter(setting.now);
  }

  /** `undefined` until the accounts are counted. */
  get progress(): RedetectionProgress | undefined {
    if (this.#accounts === undefined) return undefined;
    // The indexer adds accounts meanwhile.
    const missing = Math.max(0, this.#accounts - this.#done);
    return {
      accounts: this.#accounts,
      missing,
      accountsPerSec: this.#rate.perSec,
      remainingSec: this.#rate.remainingSec(missing),
    };
  }

  /** Resolves when every account has been examined. Waits for a run of another process first. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, onError } = this.#setting;
    const run = () =>
      underLock(database, lockNumbers.redetection, signal, (held, lock) => this.#lookAtAll(held, lock));
    await retried(run, signal, onError);
  }

  async #lookAtAll(signal: AbortSignal, lock: Lock): Promise<void> {
    const { accountsPerPage = defaultAccountsPerPage } = this.#setting;
    let last = await readCursor(this.#database);
    const counted = await countAccounts(this.#database, last);
    this.#accounts = counted.all;
    this.#done = counted.before;
    this.#rate.begin(this.#done);
    for (;;) {
      signal.throwIfAborted();
      const page = await readAccountsBehind(this.#database, last, accountsPerPage);
      if (page.length === 0) break;
      await this.#lookAt(page, lock);
      last = itemAt(page, -1);
      this.#done += page.length;
      this.#rate.reached(this.#done);
    }
    await this.#database.transaction(async (transaction) => {
      await lock.confirm(transaction);
      await deleteMeta(transaction, "redetection");
    });
  }

  async #lookAt(page: readonly Uint8Array[], lock: Lock): Promise<void> {
    const { lite, detection } = this.#setting;
    const { last: block } = await lite.getMasterchainInfo();
    const states = await readContractStates(this.#database, page, recognisedMethods());
    const accounts = await this.#wholeAccounts(states, block);
    const seen = { block, accounts, methods: new Map(), links: new OwnerLinks() };
    const found = await detection.recognise(this.#database, seen);
    await this.#database.transaction(async (transaction) => {
      await lock.confirm(transaction);
      if (found.length > 0) await storeUnchanged(transaction, found);
      await writeCursor(transaction, itemAt(page, -1));
    });
  }

  /** The accounts with their cells. Missing cells are read from the chain, if it has the same state. */
  async #wholeAccounts(states: readonly ContractState[], block: BlockIdExt): Promise<FinalAccountState[]> {
    const accounts = await Promise.all(
      states.map(async (each) => {
        const stored = storedAccount(each);
        if (stored.code?.cell && stored.data?.cell) return stored;
        const { state, code, data } = await this.#setting.units.account(block, stored.address);
        return bytesEqual(state.hash, each.state.hash) ? { ...stored, code, data } : undefined;
      }),
    );
    return accounts.filter((account) => account !== undefined);
  }
}

function storedAccount({ state: row, code }: ContractState): FinalAccountState {
  const { account, last_trans_hash: hash, last_trans_lt: lt, code_hash, data_hash, data_boc } = row;
  return {
    address: addressFromBytes(account),
    state: { ...row, lt: lt ?? 0n },
    code: code_hash && { hash: code_hash, cell: code && parseBocRoot(code) },
    data: data_hash && { hash: data_hash, cell: data_boc && parseBocRoot(data_boc) },
    // The index does not store libraries.
    hasLibraries: false,
    timestamp: row.timestamp,
    lastTransaction: hash && lt !== undefined ? { hash, lt } : undefined,
  };
}

/** Stores the rows of accounts unchanged by the indexer; it has recognised the others itself. */
async function storeUnchanged(transaction: Transaction, found: readonly Found[]): Promise<void> {
  const addresses = found.map(({ account }) => account.state.account);
  const states = await lockStates(transaction, addresses);
  const byAccount = new Map(states.map((state) => [keyOf(state.account), state]));
  const unchanged = found.filter(({ account: { state, timestamp } }) => {
    const stored = byAccount.get(keyOf(state.account));
    return stored && bytesEqual(stored.hash, state.hash) && stored.timestamp === timestamp;
  });
  const rows = await RowSet.for(transaction);
  for (const each of unchanged) addFound(rows, each);
  const accounts = unchanged.map(({ account }) => account.state.account);
  await writeAndSettle(transaction, rows.finish(), accounts);
  await raiseIndexVersion(transaction);
}

type Cursor = { kinds: string; account: string };

/** The cursor of an unfinished run; below all accounts if there is none. */
async function readCursor(database: Sql): Promise<Uint8Array> {
  const [row] = await readMeta(database, ["redetection"]);
  const cursor = row && (JSON.parse(row.value) as Cursor);
  return cursor?.kinds === kinds ? bytesOfHex(cursor.account) : new Uint8Array(0);
}

async function writeCursor(transaction: Transaction, account: Uint8Array): Promise<void> {
  await replaceMeta(transaction, "redetection", JSON.stringify({ kinds, account: bytesToHex(account) }));
}
