import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { readAccount } from "../../../shared/ton/proofs/read/account.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";
import { SetupError } from "../../errors.js";
import type { Sql } from "../../store/database.js";
import { deleteMeta, readMeta, replaceMeta } from "../../store/queries/upkeep/index-meta.js";
import { type FinalAccountState, snapshotEnd } from "../decode/account.js";
import { readZeroUtime } from "../follow/zero-state.js";
import { changedAt } from "./changed-at.js";
import type { AccountPage } from "./store-accounts.js";

const defaultAccountsPerPage = 200;
/** Accounts read from the chain at once. */
const askedAtOnce = 16;
/** Longest line, in bytes. */
const maxLine = 1000;
const newLine = 10;

type NamedAccountsSetting = {
  database: Sql;
  lite: LiteApi;
  path: string;
  accountsPerPage?: number | undefined;
};

/** Progress of a run in the file with this digest. */
type Cursor = { digest: string; accounts: number };

/** Accounts that a file names, one address a line, as the chain has them. Lines that begin with # are comments. */
export class NamedAccounts {
  readonly #setting: NamedAccountsSetting;
  #progress: { done: number; all: number } | undefined;
  #zeroUtime: number | undefined;

  constructor(setting: NamedAccountsSetting) {
    this.#setting = setting;
  }

  get progress(): { done: number; all: number } | undefined {
    return this.#progress;
  }

  /** Reads the whole file first. Throws a SetupError that names a line without an address. */
  async *pages(signal: AbortSignal): AsyncGenerator<AccountPage> {
    const { database, path, accountsPerPage = defaultAccountsPerPage } = this.#setting;
    const { digest, count } = await survey(path, signal);
    const done = await readCursor(database, digest);
    this.#progress = { done, all: count };
    this.#zeroUtime ??= await readZeroUtime(this.#setting.lite);
    let page: Address[] = [];
    let passed = 0;
    for await (const address of addressesIn(path, signal)) {
      if (++passed <= done) continue;
      page.push(address);
      if (page.length < accountsPerPage && passed < count) continue;
      yield await this.#page(page, { digest, accounts: passed });
      page = [];
    }
    await deleteMeta(database, "named_accounts");
  }

  async #page(addresses: readonly Address[], cursor: Cursor): Promise<AccountPage> {
    const { last: block } = await this.#setting.lite.getMasterchainInfo();
    const accounts: FinalAccountState[] = [];
    for (let i = 0; i < addresses.length; i += askedAtOnce)
      accounts.push(...(await this.#read(addresses.slice(i, i + askedAtOnce), block)));
    return {
      block,
      accounts,
      keep: async (transaction) => {
        await replaceMeta(transaction, "named_accounts", JSON.stringify(cursor));
        this.#progress = { done: cursor.accounts, all: this.#progress?.all ?? cursor.accounts };
      },
    };
  }

  /** The named accounts that exist. */
  async #read(addresses: readonly Address[], block: BlockIdExt): Promise<FinalAccountState[]> {
    const { lite } = this.#setting;
    const snapshots = await Promise.all(addresses.map((address) => readAccount(lite, block, address)));
    return snapshots.flatMap((snapshot) => {
      if (!snapshot.account) return [];
      const times = { zeroUtime: this.#zeroUtime, stateUtime: snapshot.syncUtime };
      const syncUtime = changedAt(snapshot.account, snapshot.lastTransaction.lt, times);
      return snapshotEnd({ ...snapshot, syncUtime });
    });
  }
}

async function readCursor(database: Sql, digest: string): Promise<number> {
  const [row] = await readMeta(database, ["named_accounts"]);
  const cursor = row && (JSON.parse(row.value) as Cursor);
  return cursor?.digest === digest ? cursor.accounts : 0;
}

/** The number of addresses in a file, and what names its content. */
async function survey(path: string, signal: AbortSignal): Promise<{ digest: string; count: number }> {
  const digest = createHash("sha256");
  let count = 0;
  for await (const address of addressesIn(path, signal)) {
    digest.update(address.toRaw());
    count++;
  }
  return { digest: digest.digest("hex"), count };
}

async function* addressesIn(path: string, signal: AbortSignal): AsyncGenerator<Address> {
  let number = 0;
  for await (const line of linesOf(path, signal)) {
    number++;
    const text = line.trim();
    if (text === "" || text.startsWith("#")) continue;
    const parsed = Address.read(text);
    if (!parsed)
      throw new SetupError(`${path}:${number}: ${JSON.stringify(text.slice(0, 80))} is not an address`);
    yield parsed.address;
  }
}

/** Lines of a file of any size. Throws a SetupError for a longer line than addresses and comments have. */
async function* linesOf(path: string, signal: AbortSignal): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    let bytes = Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(newLine); end >= 0; end = bytes.indexOf(newLine)) {
      yield lineOf(path, bytes.subarray(0, end));
      bytes = bytes.subarray(end + 1);
    }
    rest = bytes;
    if (rest.length > maxLine) lineOf(path, rest);
  }
  if (rest.length > 0) yield lineOf(path, rest);
}

function lineOf(path: string, bytes: Buffer): string {
  if (bytes.length > maxLine)
    throw new SetupError(
      `${path} has a line of more than ${maxLine} bytes: it is neither a state nor a list of addresses`,
    );
  return bytes.toString("utf8");
}
