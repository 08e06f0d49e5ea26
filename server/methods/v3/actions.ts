import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { actionMethods } from "../../../shared/methods/v3/actions.js";
import { supportedTypes } from "../../../shared/schema/action-sets.js";
import type { Action } from "../../../shared/schema/v3-actions.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import { ServiceError } from "../../errors.js";
import type { Queries } from "../../store/database.js";
import { readBalanceChanges } from "../../store/queries/accounts/balance-changes.js";
import type { OffsetBookmarks } from "../../store/queries/slots/offset-bookmarks.js";
import { type ActionTypes, listActions, readAction } from "../../store/queries/traces/actions.js";
import { listTraces } from "../../store/queries/traces/traces.js";
import { listTransactions } from "../../store/queries/transactions/transactions.js";
import type { ActionRow } from "../../store/tables/actions.js";
import { withExtras } from "./answer-extras.js";
import { ofMasterchainBlock } from "./blockchain.js";
import type { IndexDeps } from "./deps.js";
import { nameMarketplaces } from "./marketplaces.js";
import { addressesOfAction, presentAction } from "./present/action.js";
import { presentBalanceChanges } from "./present/balance-changes.js";
import { addressesOf, takeTransaction } from "./present/transaction.js";

/** Transactions per answer, as for traces. */
const maxTransactions = 20_000;

export const actionHandlers: Handlers<typeof actionMethods, IndexDeps> = {
  actions: (params, { index, book }, call) =>
    index.read(call, async (queries, bookmarks) => {
      const types = {
        ...shownTypes(params.supported_action_types, call, params.action_type),
        excluded: params.exclude_action_type,
      };
      const rows = await ofMasterchainBlock(queries, params.mc_seqno, () =>
        listActions(queries, { ...params, types }, params),
      );
      const presented = rows.map((row) => presentAction(row, { accounts: params.include_accounts }));
      const found = await nameMarketplaces(queries, presented);
      const { actions, addresses } = params.include_transactions
        ? await withTransactions(queries, bookmarks, found)
        : { actions: found, addresses: [] };
      const shown = [...actions.flatMap(addressesOfAction), ...addresses];
      return withExtras({ actions }, shown, { queries, call, book });
    }),

  balanceChanges: ({ trace_id, action_id }, { index }, call) =>
    index.read(call, async (queries) => {
      const action = action_id && (await readAction(queries, action_id));
      const named = action_id ? action?.trace_id : trace_id;
      const [trace] = named
        ? await listTraces(queries, { trace_id: [named] }, { limit: 1, offset: 0, sort: "desc" })
        : [];
      if (!trace) throw new ServiceError("absent", "trace or action not found");
      const changes = await readBalanceChanges(queries, {
        trace_id: trace.id,
        from: trace.from,
        to: trace.to,
        ...(action && { hashes: action.tx_hashes }),
      });
      return presentBalanceChanges(changes);
    }),
};

/** The action types for a caller: the named types, else the supported ones. */
export function shownTypes(
  supported: readonly string[] | undefined,
  { options }: Pick<Call, "options">,
  named: readonly string[] = [],
): ActionTypes {
  const ancestors = supportedTypes(options.actionsVersion ? [options.actionsVersion] : (supported ?? []));
  // Named types are deduplicated, so that each is searched once.
  return named.length > 0
    ? { wanted: [...new Set(named)], ancestors, areNamed: true }
    : { wanted: ancestors, ancestors };
}

/** Whether an action has a shown type and is no part of another shown action. */
export function isShown(
  { type, ancestor_type }: Pick<ActionRow, "type" | "ancestor_type">,
  { wanted, ancestors }: ActionTypes,
): boolean {
  return wanted.includes(type) && !ancestor_type.some((ancestor) => ancestors.includes(ancestor));
}

/** The actions with their transactions, and the raw addresses in these. */
async function withTransactions(
  queries: Queries,
  bookmarks: OffsetBookmarks,
  actions: readonly Action[],
): Promise<{ actions: Action[]; addresses: Iterable<string> }> {
  const hashes = [...new Set(actions.flatMap(({ transactions }) => transactions))];
  if (hashes.length === 0) return { actions: [...actions], addresses: [] };
  if (hashes.length > maxTransactions) {
    throw new ServiceError(
      "too-large",
      `the actions have ${hashes.length} transactions, at most ${maxTransactions} are included: ask for fewer actions`,
    );
  }
  const filter = { hash: hashes.map((hash) => base64ToBytes(hash)!) };
  const page = { limit: hashes.length, offset: 0, sort: "asc" } as const;
  const found = await listTransactions(queries, filter, page, bookmarks, takeTransaction);
  const byHash = new Map(found.map(({ record }) => [record.hash, record]));
  return {
    actions: actions.map((action) => {
      const own = action.transactions.flatMap((hash) => byHash.get(hash) ?? []);
      return own.length === 0 ? action : { ...action, transactions_full: own };
    }),
    addresses: addressesOf(found),
  };
}
