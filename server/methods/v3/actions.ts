import type { Handlers } from "../../../shared/methods/define.js";
import type { actionMethods } from "../../../shared/methods/v3/actions.js";
import type { Action } from "../../../shared/schema/v3/actions.js";
import { bytesOfBase64 } from "../../../shared/values/bytes.js";
import { ServiceError } from "../../errors.js";
import { addressesOfAction, presentAction } from "../../present/v3/action.js";
import { type IndexDeps, shownExtras, withExtras } from "../../present/v3/answer-extras.js";
import { presentBalanceChanges } from "../../present/v3/balances/balance-changes.js";
import { nameMarketplaces } from "../../present/v3/marketplaces.js";
import {
  type AbiSource,
  actionsByAbi,
  provisional,
  transactionsByAbi,
} from "../../present/v3/record-abis.js";
import { shownTypes } from "../../present/v3/shown-actions.js";
import { readTexts, withTexts } from "../../present/v3/texts.js";
import { addressesOf, type TransactionRecord, takeTransaction } from "../../present/v3/transaction.js";
import type { Queries } from "../../store/database.js";
import type { OffsetBookmarks } from "../../store/queries/slots/offset-bookmarks.js";
import { reads } from "../../store/reads/index-reads.js";
import { ofMasterchainBlock } from "./blockchain.js";

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
        reads.listActions(queries, { ...params, types }, params),
      );
      const presented = rows.map((row) => presentAction(row, { accounts: params.include_accounts }));
      const found = await nameMarketplaces(queries, presented);
      const source = { queries, call, book };
      const full = params.include_transactions
        ? await withTransactions(found, { bookmarks, ...source, ...params })
        : { actions: found, addresses: [] };
      const actions = params.include_abi
        ? await actionsByAbi(full.actions, provisional(source), full.transactions)
        : full.actions;
      const shown = [...actions.flatMap(addressesOfAction), ...full.addresses];
      if (!params.include_text) return withExtras({ actions }, shown, { queries, call, book });
      // Texts need the extras of all accounts, which the answer may leave out.
      const extras = await withExtras({}, shown, { queries, call: { options: {} }, book, isLast: false });
      const texts = await readTexts(queries, actions, { book, call, stored: extras });
      return { actions: withTexts(actions, texts), ...shownExtras(extras, call) };
    }),

  balanceChanges: ({ trace_id, action_id }, { index }, call) =>
    index.read(call, async (queries) => {
      const action = action_id && (await reads.readAction(queries, action_id));
      const named = action_id ? action?.trace_id : trace_id;
      const [trace] = named
        ? await reads.listTraces(queries, { trace_id: [named] }, { limit: 1, offset: 0, sort: "desc" })
        : [];
      if (!trace) throw new ServiceError("absent", "trace or action not found");
      const changes = await reads.readBalanceChanges(queries, {
        trace_id: trace.id,
        from: trace.from,
        to: trace.to,
        ...(action && { hashes: action.tx_hashes }),
      });
      return presentBalanceChanges(changes);
    }),
};

type Full = { actions: Action[]; transactions?: TransactionRecord[]; addresses: Iterable<string> };
type FullSource = AbiSource & { queries: Queries; bookmarks: OffsetBookmarks; include_abi: boolean };

/** The actions with their transactions, and the raw addresses in these. */
async function withTransactions(
  actions: readonly Action[],
  { queries, bookmarks, include_abi, ...source }: FullSource,
): Promise<Full> {
  const hashes = [...new Set(actions.flatMap(({ transactions }) => transactions))];
  if (hashes.length === 0) return { actions: [...actions], addresses: [] };
  if (hashes.length > maxTransactions) {
    throw new ServiceError(
      "too-large",
      `the actions have ${hashes.length} transactions, at most ${maxTransactions} are included: ask for fewer actions`,
    );
  }
  const filter = { hash: hashes.map((hash) => bytesOfBase64(hash)) };
  const page = { limit: hashes.length, offset: 0, sort: "asc" } as const;
  const found = await reads.listTransactions(queries, filter, page, bookmarks, takeTransaction);
  const records = found.map(({ record }) => record);
  const transactions = include_abi ? await transactionsByAbi(records, { queries, ...source }) : records;
  const byHash = new Map(transactions.map((record) => [record.hash, record]));
  return {
    transactions,
    actions: actions.map((action) => {
      const own = action.transactions.flatMap((hash) => byHash.get(hash) ?? []);
      return own.length === 0 ? action : { ...action, transactions_full: own };
    }),
    addresses: addressesOf(found),
  };
}
