import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { contractOf, type KnownContract } from "../../contracts/methods-at.js";
import { addressFromBytes, addressToBytes } from "../../store/address-bytes.js";
import type { Sql } from "../../store/database.js";
import { advanceState, type BootstrappedState, beginState } from "../../store/queries/upkeep/bootstraps.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import { type FinalAccountState, finalAccountState } from "../decode/account.js";
import { signedShard } from "../decode/values.js";
import { readZeroUtime } from "../follow/zero-state.js";
import { ifStillThere } from "../work/failures.js";
import { changedAt } from "./changed-at.js";
import type { StatePlace } from "./place-state.js";
import type { StateAccount, StateFile } from "./state-file.js";
import type { AccountPage } from "./store-accounts.js";

const defaultAccountsPerPage = 500;
/** A page ends early with so many cells, as all of them are read. */
const maxCells = 100_000;

type StatePagesSetting = {
  database: Sql;
  lite: Pick<LiteApi, "getMasterchainInfo" | "getConfigParams" | "getState">;
  file: StateFile;
  place: StatePlace;
  accountsPerPage?: number | undefined;
};

/** The accounts of a state, page by page in key order. */
export class StatePages {
  readonly #setting: StatePagesSetting;
  #reached: Pick<BootstrappedState, "accounts" | "last_account" | "done"> | undefined;
  #zeroUtime: number | undefined;
  /** Whether contracts may run as of the state's masterchain block. */
  #hasBlock = true;

  constructor(setting: StatePagesSetting) {
    this.#setting = setting;
  }

  /** Accounts looked at, and about how many there are: keys are spread evenly. */
  get progress(): { done: number; all: number } | undefined {
    if (!this.#reached) return undefined;
    const { accounts, last_account: last, done } = this.#reached;
    if (done || !last) return { done: accounts, all: accounts };
    const share = this.#setting.file.shareUpTo(addressFromBytes(last).hash);
    return { done: accounts, all: Math.max(accounts + 1, Math.round(accounts / share)) };
  }

  /** Pages from where an earlier run was. */
  async *pages(): AsyncGenerator<AccountPage> {
    const { database, file, accountsPerPage = defaultAccountsPerPage } = this.#setting;
    // A run that failed may have asked a server that does not have the states of that block any more.
    if (this.#reached) this.#hasBlock = false;
    const begun = await this.#begin();
    if (begun.done) return;
    this.#zeroUtime ??= await readZeroUtime(this.#setting.lite);
    let page: StateAccount[] = [];
    let cells = 0;
    for (const account of file.accountsBehind(
      begun.last_account && addressFromBytes(begun.last_account).hash,
    )) {
      page.push(account);
      cells += account.cells;
      if (page.length < accountsPerPage && cells < maxCells) continue;
      yield await this.#page(page);
      page = [];
      cells = 0;
    }
    if (page.length > 0) yield await this.#page(page);
    const { accounts = 0, last_account } = this.#reached ?? {};
    this.#reached = { accounts, last_account, done: true };
    await database.transaction(async (transaction) => {
      await advanceState(transaction, file.rootHash, this.#reached!);
      await raiseIndexVersion(transaction);
    });
  }

  async #begin(): Promise<BootstrappedState> {
    const { database, file, place } = this.#setting;
    const { shardId, seqno } = file.state;
    const begun = await beginState(database, {
      workchain: shardId.workchain,
      shard: signedShard(shardId.shard),
      seqno,
      root_hash: file.rootHash,
      mc_seqno: place.mcSeqno,
      gen_utime: place.genUtime,
      end_lt: place.endLt,
    });
    this.#reached = begun;
    return begun;
  }

  async #page(page: readonly StateAccount[]): Promise<AccountPage> {
    const { file } = this.#setting;
    const last = page.at(-1)!;
    const reached = {
      accounts: (this.#reached?.accounts ?? 0) + page.length,
      last_account: addressToBytes(last.address),
      done: false,
    };
    return {
      accounts: page.map((account) => this.#storedForm(account)),
      block: await this.#block(),
      keep: async (transaction) => {
        await advanceState(transaction, file.rootHash, reached);
        this.#reached = reached;
      },
    };
  }

  #storedForm({ address, entry, account }: StateAccount): FinalAccountState {
    const { lastTransHash: hash, lastTransLt: lt } = entry;
    const times = { zeroUtime: this.#zeroUtime, stateUtime: this.#setting.file.state.genUtime };
    return finalAccountState(account, {
      address,
      hash: entry.account.cell.hash(),
      timestamp: changedAt(account, lt, times),
      lastTransaction: lt > 0n ? { hash, lt } : undefined,
    });
  }

  /** The block of the state while the chain has its configuration, then the newest one. */
  async #block(): Promise<BlockIdExt> {
    const { lite, place } = this.#setting;
    if (place.block && this.#hasBlock) {
      const config = await ifStillThere(lite.getConfigParams({ id: place.block, paramList: [8] }));
      if (config) return place.block;
      this.#hasBlock = false;
    }
    return (await lite.getMasterchainInfo()).last;
  }
}

/** A contract of the shard as in the state; undefined if another shard would have it. */
export function contractIn(file: StateFile, address: Address): KnownContract | undefined {
  if (!file.covers(address)) return undefined;
  return contractOf(address, file.find(address)?.account.value);
}
