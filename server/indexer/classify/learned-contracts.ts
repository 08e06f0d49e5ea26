import { rawAddressFromBytes } from "../../store/address-bytes.js";
import type { Queries, Sql } from "../../store/database.js";
import { readAccountHistories } from "../../store/queries/accounts/account-histories.js";
import { holdSchema } from "../../store/queries/cluster/divided-clauses.js";
import { readActionContracts } from "../../store/queries/traces/action-contracts.js";
import {
  lockTraces,
  moveUnknownContracts,
  readGrownChain,
  readUnknownContracts,
  unclassifyTraces,
} from "../../store/queries/upkeep/unknown-contracts.js";
import { lockForTransaction } from "../../store/sql/locks.js";
import type { UnknownContractRow } from "../../store/tables/unknown-contracts.js";
import { keyOf } from "../hash-key.js";
import { activeSince } from "../rows/account-history.js";
import { StoredChains } from "../rows/stored-chains.js";
import { contractsOf } from "./contracts.js";

/** Unknown contracts examined per transaction. */
const groupSize = 500;

/**
 * Re-examines unknown contracts for which earlier blocks were stored since, and marks the affected traces for
 * reclassification. Continues where another process stopped. Returns the number of contracts examined.
 */
export function learnContracts(database: Sql): Promise<number> {
  return database.transaction(async (transaction) => {
    await holdSchema(transaction);
    await lockForTransaction(transaction, "join");
    const chain = await readGrownChain(transaction);
    if (!chain) return 0;
    const rows = await readUnknownContracts(transaction, chain, groupSize);
    await lockTraces(
      transaction,
      rows.map(({ trace_id }) => trace_id),
    );
    const known = await told(transaction, rows);
    await unclassifyTraces(
      transaction,
      known.map(({ trace_id }) => trace_id),
    );
    // A reclassified trace records its unknown contracts anew.
    await moveUnknownContracts(transaction, rows, chain.from);
    return rows.length;
  });
}

/** The contracts identified by earlier blocks. */
async function told(queries: Queries, rows: readonly UnknownContractRow[]): Promise<UnknownContractRow[]> {
  const chains = await StoredChains.read(queries);
  const accounts = [...new Map(rows.map(({ account }) => [keyOf(account), account])).values()];
  const found = await readAccountHistories(queries, accounts);
  const histories = new Map(found.map((row) => [keyOf(row.account), row]));
  const sinceOf = (account: Uint8Array) => activeSince(histories.get(keyOf(account)), chains);
  const others = accounts.filter((account) => sinceOf(account) === undefined);
  const recognised = contractsOf(await readActionContracts(queries, others));
  return rows.filter(({ account, chain_from }) => {
    const since = sinceOf(account);
    if (since === undefined) return recognised.has(rawAddressFromBytes(account));
    return since < chain_from;
  });
}
