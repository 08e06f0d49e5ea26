import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import type { Queries } from "../../../server/store/database.js";
import { listBlocks } from "../../../server/store/queries/blocks/block-list.js";
import { listMessages } from "../../../server/store/queries/messages/messages.js";
import { OffsetBookmarks } from "../../../server/store/queries/slots/offset-bookmarks.js";
import { jettonTransferList } from "../../../server/store/queries/tokens/jettons.js";
import { listTokenEvents } from "../../../server/store/queries/tokens/token-events.js";
import { listActions } from "../../../server/store/queries/traces/actions.js";
import { listTraces } from "../../../server/store/queries/traces/traces.js";
import { listTransactions } from "../../../server/store/queries/transactions/transactions.js";
import { keepText } from "../../../server/store/sql/row-bytes.js";
import type { TimeBounds } from "../../../server/store/sql/where.js";
import type { Content } from "../../helpers/store/databases.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { madeRow } from "../../helpers/store/made-row.js";
import { accountOf, bytesOf, hashOf, storeRows } from "../../helpers/store/rows.js";
import {
  sampleAccounts,
  sampleActionTypes,
  sampleIndex,
  storeInSlots,
  withTraces,
} from "../../helpers/store/sample-index.js";

/** After so many plans for given values a server may choose one for all by itself. */
const trials = 6;
const page = { limit: 1, offset: 0, sort: "desc" } as const;

const account = sampleAccounts[0]!;
const types = { wanted: sampleActionTypes, ancestors: [] };
const owner = bytesOf(accountOf("owner"));
const transfer = madeRow("jettonTransfers", {
  ...{ tx_hash: hashOf("transfer"), tx_lt: 5n, tx_now: 100, trace_id: hashOf("trace"), source: owner },
  jetton_wallet_address: bytesOf(accountOf("wallet")),
  jetton_master_address: bytesOf(accountOf("master")),
});
const bookmarks = new OffsetBookmarks();
type List = [name: string, byTime: boolean, read: (queries: Queries, filter: TimeBounds) => Promise<unknown>];
/** Lists whose rows no index has in the order of time: a statement in the order of lt comes before. */
const searchedByLt = ["traces of an account", "actions of an account"];

const lists: List[] = [false, true].flatMap((byTime): List[] => [
  ["transactions", byTime, (queries, filter) => listTransactions(queries, filter, page, bookmarks, keepText)],
  ["messages", byTime, (queries, filter) => listMessages(queries, filter, page, bookmarks, keepText)],
  ["blocks", byTime, (queries, filter) => listBlocks(queries, filter, page, bookmarks)],
  ["traces", byTime, (queries, filter) => listTraces(queries, filter, page)],
  ["traces of an account", byTime, (queries, filter) => listTraces(queries, { account, ...filter }, page)],
  ["actions", byTime, (queries, filter) => listActions(queries, { types, ...filter }, page)],
  [
    "actions of an account",
    byTime,
    (queries, filter) => listActions(queries, { types, account, ...filter }, page),
  ],
  [
    "token events",
    byTime,
    (queries, filter) =>
      listTokenEvents(queries, jettonTransferList, { ...filter, owners: [owner], accounts: {} }, page),
  ],
]);

const sample: Content = {
  name: "traced-index",
  async fill(database) {
    await storeInSlots(database, withTraces(sampleIndex()), { width: 1000 });
    await storeRows(database, { jettonTransfers: [transfer] });
  },
};

describePostgres("Answers", (fresh) => {
  test.each(lists)(
    "are searched and read by plans that serve all values: %s, by time: %s",
    async (name, byTime, list) => {
      const database = await fresh(sample);
      const queries = database.sql({ connections: 1 });
      for (let i = 0; i < trials; i++)
        expect(
          await queries.transaction((snapshot) => list(snapshot, byTime ? { start_utime: 1 } : {}), {
            snapshot: true,
          }),
        ).toHaveLength(1);
      const plans = await queries.query(SQL`
        select custom_plans as custom, generic_plans as generic from pg_prepared_statements
        where statement like '%limit $%' and statement not like '%pg_prepared_statements%'`);
      const plan = { custom: 0n, generic: BigInt(trials) };
      expect(plans).toEqual(byTime && searchedByLt.includes(name) ? [plan, plan] : [plan]);
    },
  );
});
