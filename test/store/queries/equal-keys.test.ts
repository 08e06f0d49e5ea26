import { expect, test } from "vitest";
import { withBodies } from "../../../server/present/v3/message.js";
import { readTransaction } from "../../../server/present/v3/transaction.js";
import type { Database, Queries } from "../../../server/store/database.js";
import type { MessageListFilter } from "../../../server/store/queries/messages/message-filter.js";
import { listMessages } from "../../../server/store/queries/messages/messages.js";
import { OffsetBookmarks } from "../../../server/store/queries/slots/offset-bookmarks.js";
import { jettonTransferList } from "../../../server/store/queries/tokens/jettons.js";
import { listTokenEvents } from "../../../server/store/queries/tokens/token-events.js";
import { listTraces } from "../../../server/store/queries/traces/traces.js";
import { listTransactions } from "../../../server/store/queries/transactions/transactions.js";
import { keepText } from "../../../server/store/sql/row-bytes.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { isLong, sized } from "../../helpers/effort.js";
import { describeDatabases } from "../../helpers/store/describe-databases.js";
import { madeRow } from "../../helpers/store/made-row.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import {
  accountOf,
  bytesOf,
  hashOf,
  messageRow,
  storeRows,
  traceRow,
  transactionRow,
} from "../../helpers/store/rows.js";

/** Hashes of which the first eight bytes are equal, in their order. */
const hashes = Array.from({ length: 6 }, (_, i) => {
  const hash = new Uint8Array(32).fill(0xab);
  hash[8] = i;
  return hash;
});
const names = hashes.map(bytesToBase64);
const receiver = accountOf("r");
const sorts = ["asc", "desc"] as const;

/** Transactions at one lt with one message each to the same account; `i` is in the hash of each. */
const senders = hashes.map((_, i) => bytesOf(accountOf(String.fromCharCode(97 + i))));
const transactions = hashes.map((hash, i) =>
  transactionRow({ account: senders[i]!, lt: 5n, hash, now: 100 }),
);
const sent = (hash: Uint8Array, { account, hash: tx_hash }: (typeof transactions)[number]) =>
  messageRow({
    tx_hash,
    tx_lt: 5n,
    msg_hash: hash,
    direction: 1,
    source: account,
    destination: bytesOf(receiver),
    created_lt: 5n,
    created_at: 100,
    body_hash: hash,
    opcode: 7,
  });
const messages = hashes.map((hash, i) => sent(hash, transactions[i]!));

/** Pending, so that they have one place. */
const traces = hashes.map((trace_id) =>
  traceRow({ trace_id, external_hash: hashOf("external"), start_lt: 5n, state: 0, pending_edges_: 1 }),
);

type Asked = { limit: number; offset: number; sort: "asc" | "desc" };

/** Rows of pages of two, one after the other. */
async function paged<T>(sort: Asked["sort"], read: (page: Asked) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let offset = 0; offset < hashes.length + 2; offset += 2)
    found.push(...(await read({ limit: 2, offset, sort })));
  return found;
}

const sorted = (list: readonly string[], sort: "asc" | "desc") =>
  sort === "asc" ? [...list] : list.toReversed();

/** Both directions, each with bookmarks from the first page on, or without any. */
function* searches(): Generator<{ sort: Asked["sort"]; bookmarks: OffsetBookmarks }> {
  const froms = [0, Number.POSITIVE_INFINITY];
  for (const [place, sort] of sorts.entries())
    for (const fromOffset of isLong ? froms : [froms[place]!])
      yield { sort, bookmarks: new OffsetBookmarks({ fromOffset }) };
}

async function expectMessages(
  queries: Queries,
  filter: MessageListFilter,
  { sort, bookmarks }: { sort: Asked["sort"]; bookmarks: OffsetBookmarks },
): Promise<void> {
  const read = async (page: Asked) =>
    (await listMessages(queries, filter, page, bookmarks, keepText)).map(
      ({ text }) => (JSON.parse(withBodies(text)) as { hash: string }).hash,
    );
  expect(await paged(sort, read)).toEqual(sorted(names, sort));
}

const firstPage = { limit: 10, offset: 0, sort: "asc" } as const;

async function expectMessage(queries: Queries, filter: MessageListFilter, name: string): Promise<void> {
  const found = await listMessages(queries, filter, firstPage, new OffsetBookmarks(), keepText);
  expect(found.map(({ text }) => JSON.parse(withBodies(text)).hash)).toEqual([name]);
}

describeDatabases("Rows with equal keys", (fresh) => {
  test("are found by their whole values, each once over all pages, in the order of these", async () => {
    const database = await fresh();
    await storeRows(database, { transactions, messages, traces });
    const queries = queriesOf(database);
    const filters: MessageListFilter[] = [
      {},
      { opcode: 7 },
      { destination: receiver },
      { destination: receiver, opcode: 7 },
      { start_utime: 1 },
      { destination: receiver, start_utime: 1 },
    ];
    for (const search of searches()) {
      const { sort, bookmarks } = search;
      for (const filter of filters) await expectMessages(queries, filter, search);
      for (const filter of [{}, { start_utime: 1 }]) {
        const read = async (page: Asked) =>
          (await listTransactions(queries, filter, page, bookmarks, keepText)).map(
            (text) => readTransaction(text).hash,
          );
        expect(await paged(sort, read)).toEqual(sorted(names, sort));
      }
      const read = async (page: Asked) =>
        (await listTraces(queries, {}, page)).map(({ id }) => bytesToBase64(id));
      expect(await paged(sort, read)).toEqual(sorted(names, sort));
    }
    for (const [i, hash] of [...hashes.entries()].slice(0, sized(2, hashes.length))) {
      for (const filter of [
        { body_hash: hash },
        { msg_hash: [hash] },
        { destination: receiver, body_hash: hash },
      ])
        await expectMessage(queries, filter, names[i]!);
      for (const filter of [{ hash: [hash] }, { msg_hash: [hash] }, { body_hash: hash }]) {
        const found = await listTransactions(queries, filter, firstPage, new OffsetBookmarks(), keepText);
        expect(found.map((text) => readTransaction(text).hash)).toEqual([names[i]]);
      }
      const found = await listTraces(queries, { trace_id: [hash] }, firstPage);
      expect(found.map(({ id }) => bytesToBase64(id))).toEqual([names[i]]);
    }
  });

  test("of one transaction too: the messages that it sent to an account are listed by both", async () => {
    const database = await fresh();
    const [transaction] = transactions;
    const own = hashes.map((hash) => sent(hash, transaction!));
    await storeRows(database, { transactions: [transaction!], messages: own });
    const queries = queriesOf(database);
    const source = accountOf("a");
    const filters: MessageListFilter[] = [
      { source },
      { source, destination: receiver },
      { source, start_utime: 1 },
    ];
    for (const search of searches())
      for (const filter of filters) await expectMessages(queries, filter, search);
    for (const [i, hash] of [...hashes.entries()].slice(0, sized(2, hashes.length)))
      await expectMessage(queries, { source, body_hash: hash }, names[i]!);
  });

  test("of accounts too, which anybody can make: all accounts of a trace list it", async () => {
    const database = await fresh();
    const queries = queriesOf(database);
    await giveOneKey(database);
    const trace_id = hashes[0]!;
    const accounts = ["a", "b", "c"].map(accountOf);
    const each = accounts.map((account, i) => ({ account, hash: hashes[i]!, to: accounts[(i + 1) % 3]! }));
    await storeRows(database, {
      transactions: each.map(({ account, hash }) =>
        transactionRow({ account: bytesOf(account), lt: 5n, hash, trace_id, now: 100 }),
      ),
      messages: each.map(({ account, hash, to }) =>
        messageRow({
          tx_hash: hash,
          tx_lt: 5n,
          msg_hash: hash,
          direction: 1,
          source: bytesOf(account),
          destination: bytesOf(to),
          created_lt: 5n,
          created_at: 100,
        }),
      ),
      traces: [traces[0]!],
    });
    const page = { limit: 10, offset: 0, sort: "asc" } as const;
    for (const { account, hash, to } of each) {
      const name = bytesToBase64(hash);
      const listed = await listTraces(queries, { account }, page);
      expect(listed.map(({ id }) => bytesToBase64(id))).toEqual([names[0]]);
      expect(await listTraces(queries, { tx_hash: [hash] }, page)).toHaveLength(1);
      for (const filter of [{ source: account }, { destination: to }, { source: account, destination: to }]) {
        const found = await listMessages(queries, filter, page, new OffsetBookmarks(), keepText);
        expect(found.map(({ text }) => JSON.parse(withBodies(text)).hash)).toEqual([name]);
      }
      const filter = { account: [account], start_utime: 1 };
      const found = await listTransactions(queries, filter, firstPage, new OffsetBookmarks(), keepText);
      expect(found.map((text) => readTransaction(text).hash)).toEqual([name]);
    }
  });

  test("of token events too: each is listed for its own accounts, and stored once", async () => {
    const database = await fresh();
    const queries = queriesOf(database);
    await giveOneKey(database);
    const accounts = hashes.map((_, i) => bytesOf(accountOf(String.fromCharCode(97 + i))));
    const jettonTransfers = hashes.map((tx_hash, i) =>
      madeRow("jettonTransfers", {
        ...{ tx_hash, tx_lt: 5n, tx_now: 100, trace_id: tx_hash, source: accounts[i]! },
        destination: accounts[(i + 1) % accounts.length],
        jetton_wallet_address: accounts[(i + 2) % accounts.length]!,
        jetton_master_address: accounts[(i + 3) % accounts.length]!,
      }),
    );
    await storeRows(database, { transactions, jettonTransfers });
    await storeRows(database, { jettonTransfers });
    const list = async (filter: Parameters<typeof listTokenEvents>[2], page: Asked) =>
      (await listTokenEvents(queries, jettonTransferList, filter, page)).map(
        ({ transaction_hash }) => transaction_hash,
      );
    for (const sort of sorts)
      for (const times of [{}, { start_utime: 1 }])
        expect(await paged(sort, (page) => list({ accounts: {}, ...times }, page))).toEqual(
          sorted(names, sort),
        );
    const page = { limit: 10, offset: 0, sort: "asc" } as const;
    for (const [i, each] of jettonTransfers.entries()) {
      const owners = [each.source];
      expect(await list({ owners, direction: "out", accounts: {} }, page)).toEqual([names[i]]);
      expect(await list({ owners, start_utime: 1, direction: "out", accounts: {} }, page)).toEqual([
        names[i],
      ]);
      for (const column of ["jetton_wallet_address", "jetton_master_address"] as const)
        expect(await list({ accounts: { [column]: [each[column]] } }, page)).toEqual([names[i]]);
    }
  });
});

/** Gives all accounts the same key. The database must have none yet. */
async function giveOneKey(database: Database): Promise<void> {
  await queriesOf(database).transaction((transaction) =>
    transaction.script(
      "create or replace function account_key(bytea) returns bigint language sql immutable parallel safe return 5::bigint",
    ),
  );
}
