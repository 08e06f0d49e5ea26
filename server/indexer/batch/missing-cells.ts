import { bytesEqual } from "../../../shared/values/bytes.js";
import type { Queries, Transaction } from "../../store/database.js";
import { holdStoredCells, readStoredCells, type StoredCells } from "../../store/queries/accounts/accounts.js";
import type { KnownCell } from "../decode/account.js";
import { keyOf } from "../hash-key.js";
import type { LatestAccount, RowBatch } from "../rows/row-batch.js";
import type { ChainUnits } from "../units/chain-units.js";
import { ifStillThere } from "../work/failures.js";
import { ClaimLostError } from "../work/ranges.js";

/** Concurrent account reads. At the start of an index, nearly all accounts of a batch are read. */
const askedAtOnce = 16;

/** Accounts whose code or data come from their stored row, because the batch has only hashes. */
type Relied = LatestAccount[];

/**
 * Blocks prune unchanged code and data. If the stored row of an account lacks them too, they are read from the chain,
 * or left empty if the chain no longer has the state. Returns the accounts that rely on their stored row.
 */
export async function findMissingCells(
  queries: Queries,
  batch: Pick<RowBatch, "accounts" | "codes">,
  units: Pick<ChainUnits, "account">,
): Promise<Relied> {
  const incomplete = [...batch.accounts.values()].filter(
    ({ code, data }) => isMissing(code) || isMissing(data),
  );
  if (incomplete.length === 0) return [];
  const accounts = incomplete.map(({ state }) => state.account);
  const stored = await readStoredCells(queries, accounts);
  const storedBy = new Map(stored.map((row) => [keyOf(row.account), row]));
  const relied: Relied = [];
  const wanted: LatestAccount[] = [];
  for (const account of incomplete) {
    const row = storedBy.get(keyOf(account.state.account));
    if (row && (row.last_trans_lt ?? 0n) > (account.lastTransaction?.lt ?? 0n)) continue;
    (row && hasWhatIsMissing(row, account) ? relied : wanted).push(account);
  }
  for (let i = 0; i < wanted.length; i += askedAtOnce)
    await Promise.all(wanted.slice(i, i + askedAtOnce).map((account) => complete(account, batch, units)));
  return relied;
}

/**
 * Keeps others from changing the stored rows of all accounts in the batch. Throws `ClaimLostError` if a row that is relied on
 * has changed.
 */
export async function holdAccounts(
  transaction: Transaction,
  accounts: Iterable<LatestAccount>,
  relied: Relied,
): Promise<void> {
  const all = [...accounts].map(({ state }) => state.account);
  const rows = await holdStoredCells(transaction, all);
  const byAccount = new Map(rows.map((row) => [keyOf(row.account), row]));
  for (const account of relied) {
    const row = byAccount.get(keyOf(account.state.account));
    if (!row || !hasWhatIsMissing(row, account))
      throw new ClaimLostError(`account ${account.address} has been stored by another worker meanwhile`);
  }
}

function isMissing(cell: KnownCell | undefined): boolean {
  return cell !== undefined && cell.cell === undefined;
}

function hasWhatIsMissing({ code_hash, data_hash }: StoredCells, { code, data }: LatestAccount): boolean {
  return covers(code_hash, code) && covers(data_hash, data);
}

function covers(stored: Uint8Array | null, wanted: KnownCell | undefined): boolean {
  return !isMissing(wanted) || (stored !== null && bytesEqual(stored, wanted!.hash));
}

async function complete(
  account: LatestAccount,
  batch: Pick<RowBatch, "accounts" | "codes">,
  units: Pick<ChainUnits, "account">,
): Promise<void> {
  const whole = await ifStillThere(units.account(account.seenAt, account.address));
  if (!whole) return;
  const code = filled(account.code, whole.code);
  const data = filled(account.data, whole.data);
  batch.accounts.set(keyOf(account.state.account), { ...account, code, data });
  if (code?.cell) batch.codes.set(keyOf(code.hash), code.cell);
}

function filled(wanted: KnownCell | undefined, found: KnownCell | undefined): KnownCell | undefined {
  return wanted && found && isMissing(wanted) && bytesEqual(wanted.hash, found.hash) ? found : wanted;
}
