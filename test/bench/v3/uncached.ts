// Pages requested for the first time, on a PostgreSQL server: processor time of this process, which answers, and of the
// server.

import pg from "pg";
import { ArtifactStore } from "../../../server/artifacts/store.js";
import { actionHandlers } from "../../../server/methods/v3/actions.js";
import { blockchainHandlers } from "../../../server/methods/v3/blockchain.js";
import { jettonHandlers } from "../../../server/methods/v3/jettons.js";
import { messageStatusHandlers } from "../../../server/methods/v3/message-status.js";
import { nftHandlers } from "../../../server/methods/v3/nfts.js";
import { traceHandlers } from "../../../server/methods/v3/traces.js";
import { implement } from "../../../server/rpc/bind.js";
import type { Database } from "../../../server/store/database.js";
import { noGaps } from "../../../server/store/queries/upkeep/index-gaps.js";
import { IndexReader } from "../../../server/store/reads/index-reader.js";
import { greatest, least } from "../../../server/store/sql/where.js";
import type { Call } from "../../../shared/methods/define.js";
import { actionMethods } from "../../../shared/methods/v3/actions.js";
import { blockchainMethods } from "../../../shared/methods/v3/blockchain.js";
import { jettonMethods } from "../../../shared/methods/v3/jettons.js";
import { nftMethods } from "../../../shared/methods/v3/nfts.js";
import { traceMethods } from "../../../shared/methods/v3/traces.js";
import { sized } from "../../helpers/effort.js";
import { bytesOf } from "../../helpers/store/rows.js";
import type { Row, Spent } from "../harness.js";
import { backendNanos, oursName } from "./backend-time.js";
import {
  busyAccounts,
  externalOf,
  ltStep,
  perTrace,
  storeBusyChain,
  storeTrace,
  tokensOfAccount,
  transactionHash,
} from "./busy-chain.js";

const transactions = sized(2000, 30_000);
/** Pages per measurement. */
const pagesAtOnce = 8;

type ReadPage = (number: number) => Promise<unknown>;
type Pages = {
  title: string;
  ours: ReadPage;
  plain: ReadPage;
  /** Comes before each page and is not measured. */
  before?: () => Promise<void>;
};

/** What both processors take together must not exceed what plain queries take by much. */
const goalOfBoth = { floor: 0.5, aim: 1 };

/**
 * Pages of an index of so many slots. Baselines are the same rows by named queries of pg, stringified. They have no address
 * book, decode nothing and nest nothing.
 */
export async function uncachedRows(
  database: Database,
  url: string,
  slots: number,
): Promise<{ rows: Row[]; close(): Promise<void> }> {
  await storeBusyChain(database, { transactions, slots });
  const client = new pg.Client({ connectionString: url, application_name: plainName });
  await client.connect();
  const index = new IndexReader();
  index.connect(database.sql({ statementTimeoutMs: 30_000 }));
  const pages: Pages[] = [
    ...[10, 100, 1000].flatMap((limit) => [ofAccounts(index, client, limit), ofLt(index, client, limit)]),
    ...[10, 100].map((limit) => ofMessages(index, client, limit)),
    ofTraces(index, client, 10),
    ofActions(index, client, 10),
    ofWallets(index, client, 10),
    ofItems(index, client, 10),
    ...ofPolls(database, index, client, 10),
  ];
  const watch = new pg.Client(url);
  await watch.connect();
  const rows = pages.flatMap(({ title, ours, plain, before }): Row[] => {
    const both = numbered({ ours, plain });
    const of = slots === 1 ? title : `${title} in ${slots} slots`;
    return [
      {
        title: `${of}, processor time of this process`,
        ours: () => spentHere(both.ours, before),
        baseline: () => spentHere(both.plain, before),
      },
      {
        title: `${of}, processor time of PostgreSQL`,
        ours: () => spentThere(watch, oursName, both.ours, before),
        baseline: () => spentThere(watch, plainName, both.plain, before),
      },
      {
        title: `${of}, both processors`,
        ours: () => spentByBoth(watch, oursName, both.ours, before),
        baseline: () => spentByBoth(watch, plainName, both.plain, before),
        goal: goalOfBoth,
      },
    ];
  });
  return {
    rows: [...rows, ...(slots === 1 ? statusRows(index, watch) : [])],
    async close() {
      await client.end();
      await watch.end();
    },
  };
}

/** The status of a final message, beside its trace. */
function statusRows(index: IndexReader, watch: pg.Client): Row[] {
  const { messageStatus } = messageStatusHandlers;
  const { traces: list } = implement(traceHandlers, { index, book });
  const notAsked = (): never => {
    throw new Error("the status of a final message needs nothing but the index");
  };
  const deps = {
    ...{ index, hasIndex: true, pending: undefined, isIndexLate: () => false, rowOf: notAsked },
    reader: {
      last: undefined as never,
      account: notAsked,
      transactions: notAsked,
      lookup: notAsked,
      blockAt: notAsked,
      config: notAsked,
      header: notAsked,
      previousBlocks: notAsked,
      libraries: notAsked,
    },
    ...{ emulator: { on: notAsked }, emulation: { limited: notAsked }, fallback: notAsked },
    sent: { find: () => undefined, lifetimeMs: 0, now: () => 0 },
    book: { testOnly: false },
    artifacts: new ArtifactStore(),
  };
  const both = numbered({
    ours: async (number) => {
      const status = await messageStatus(
        { hash: externalOf(traceAt(number)), boc: undefined, include_text: false, include_hint: false },
        deps,
        call,
      );
      if (JSON.parse(JSON.stringify(status)).status !== "completed")
        throw new Error("the message is not final");
    },
    plain: async (number) => {
      const tx_hash = [Buffer.from(transactionHash(traceAt(number))).toString("base64")];
      await list(traceMethods.traces.params.parse({ tx_hash }), call);
    },
  });
  // At most 1.5 times the cost.
  const goal = { floor: 0.67, aim: 1 };
  const title = "messageStatus of a final message (baseline: traces by tx_hash)";
  return [
    {
      title: `${title}, processor time of this process`,
      ours: () => spentHere(both.ours),
      baseline: () => spentHere(both.plain),
      goal,
    },
    {
      title: `${title}, processor time of PostgreSQL`,
      ours: () => spentThere(watch, oursName, both.ours),
      baseline: () => spentThere(watch, oursName, both.plain),
      goal,
    },
  ];
}

/** The first transaction of a trace. */
function traceAt(number: number): number {
  const traces = transactions / perTrace;
  return ((number * 7919) % traces) * perTrace;
}

const plainName = "baseline";

/** Each page is another one: both sides read the same pages, one after the other. */
function numbered({ ours, plain }: Pick<Pages, "ours" | "plain">) {
  const counting = (read: ReadPage) => {
    let next = 0;
    return () => read(next++);
  };
  return { ours: counting(ours), plain: counting(plain) };
}

async function spentHere(read: () => Promise<unknown>, before?: Pages["before"]): Promise<Spent> {
  const units = before ? 1 : pagesAtOnce;
  await before?.();
  const start = process.cpuUsage();
  for (let i = 0; i < units; i++) await read();
  const { user, system } = process.cpuUsage(start);
  return { units, micros: user + system };
}

/** By the kernel's count of its processes. */
async function spentThere(
  watch: pg.Client,
  name: string,
  read: () => Promise<unknown>,
  before?: Pages["before"],
): Promise<Spent> {
  const units = before ? 1 : pagesAtOnce;
  await before?.();
  const start = await backendNanos(watch, name);
  for (let i = 0; i < units; i++) await read();
  return { units, micros: ((await backendNanos(watch, name)) - start) / 1000 };
}

/** The sum of both. */
function spentByBoth(
  watch: pg.Client,
  name: string,
  read: () => Promise<unknown>,
  before?: Pages["before"],
): Promise<Spent> {
  let here = 0;
  const counted = async () => {
    const start = process.cpuUsage();
    await read();
    const { user, system } = process.cpuUsage(start);
    here += user + system;
  };
  return spentThere(watch, name, counted, before).then(({ units, micros }) => ({
    units,
    micros: micros + here,
  }));
}

const call: Call = { options: {}, asked: new Set<number>(), signal: new AbortController().signal };
const indexGaps = () => noGaps;
const book = { testOnly: false };

/** The first lt of a page; the pages of a walk are all over the index. */
function startOf(number: number, length: number): bigint {
  const places = Math.floor((transactions - length) / perTrace);
  return ltStep * BigInt(((number * 7919) % places) * perTrace + 1);
}

function ofAccounts(index: IndexReader, client: pg.Client, limit: number): Pages {
  const { transactions: list } = implement(blockchainHandlers, { index, book, indexGaps });
  const given = (number: number) => ({
    account: busyAccounts[number % busyAccounts.length]!,
    limit,
    offset: Math.floor(number / busyAccounts.length),
  });
  return {
    title: `${limit} transactions of an account`,
    ours: async (number) => {
      const { account, ...page } = given(number);
      await list(blockchainMethods.transactions.params.parse({ account: account.toRaw(), ...page }), call);
    },
    plain: async (number) => {
      const { account, offset } = given(number);
      const text = "select * from transactions where account = $1 order by lt desc limit $2 offset $3";
      await plainTransactions(client, { name: "account", text, values: [bytesOf(account), limit, offset] });
    },
  };
}

function ofLt(index: IndexReader, client: pg.Client, limit: number): Pages {
  const { transactions: list } = implement(blockchainHandlers, { index, book, indexGaps });
  return {
    title: `${limit} transactions from an lt on`,
    ours: async (number) => {
      const given = { start_lt: String(startOf(number, limit)), limit, sort: "asc" };
      await list(blockchainMethods.transactions.params.parse(given), call);
    },
    plain: async (number) => {
      const text = "select * from transactions where lt >= $1 order by lt limit $2";
      await plainTransactions(client, { name: "lt", text, values: [startOf(number, limit), limit] });
    },
  };
}

function ofMessages(index: IndexReader, client: pg.Client, limit: number): Pages {
  const { messages: list } = implement(blockchainHandlers, { index, book, indexGaps });
  return {
    title: `${limit} messages from an lt on`,
    ours: async (number) => {
      const given = { start_lt: String(startOf(number, limit)), limit, sort: "asc" };
      await list(blockchainMethods.messages.params.parse(given), call);
    },
    plain: async (number) => {
      const { rows } = await client.query({
        name: "messages by lt",
        text: `select m.*, b.body, r.tx_hash as received from messages m
          left join messages r on r.msg_hash = m.msg_hash and r.direction = 0 and r.tx_lt between $1 and $3
          join slots s on m.tx_lt >= s.from_lt and m.tx_lt < s.to_lt
          left join message_contents b on b.hash = m.body_hash and b.from_lt = s.from_lt
          where m.created_lt >= $1 and m.tx_lt between $1 and $3 and m.direction = 1 order by m.created_lt limit $2`,
        values: [startOf(number, limit), limit, startOf(number, limit) + ltStep * BigInt(3 * limit)],
      });
      JSON.stringify(rows);
    },
  };
}

function ofTraces(index: IndexReader, client: pg.Client, limit: number): Pages {
  const { traces: list } = implement(traceHandlers, { index, book });
  return {
    title: `${limit} traces from an lt on`,
    ours: async (number) => {
      const start_lt = String(startOf(number, limit * perTrace));
      const given = { start_lt, limit, sort: "asc", include_actions: false };
      await list(traceMethods.traces.params.parse(given), call);
    },
    plain: (number) =>
      plainTraces(client, {
        name: "traces",
        text: "select * from traces where sort_lt >= $1 order by sort_lt limit $2",
        values: [startOf(number, limit * perTrace), limit],
      }),
  };
}

function ofActions(index: IndexReader, client: pg.Client, limit: number): Pages {
  const { actions: list } = implement(actionHandlers, { index, book });
  const lengthOf = Math.ceil(limit / (perTrace - 1)) * perTrace;
  return {
    title: `${limit} actions from an lt on`,
    ours: async (number) => {
      const given = { start_lt: String(startOf(number, lengthOf)), limit, sort: "asc" };
      await list(actionMethods.actions.params.parse(given), call);
    },
    plain: async (number) => {
      const { rows } = await client.query({
        name: "actions",
        text: "select * from actions where trace_end_lt >= $1 order by trace_end_lt, hash_prefix(action_id) limit $2",
        values: [startOf(number, lengthOf), limit],
      });
      JSON.stringify(rows);
    },
  };
}

function ofWallets(index: IndexReader, client: pg.Client, limit: number): Pages {
  const { jetton } = implement(jettonHandlers, { index, book });
  return ofTokens(client, limit, {
    title: `${limit} jetton wallets of an owner`,
    list: (given) => jetton.wallets(jettonMethods.jetton.wallets.params.parse(given), call),
    text: `select * from jetton_wallets where owner = $1 and not destroyed
      order by balance desc, address limit $2 offset $3`,
  });
}

function ofItems(index: IndexReader, client: pg.Client, limit: number): Pages {
  const { nft } = implement(nftHandlers, { index, book });
  return ofTokens(client, limit, {
    title: `${limit} NFT items of an owner`,
    list: (given) => nft.items(nftMethods.nft.items.params.parse(given), call),
    text: `select * from nft_items i left join nft_collections c on c.address = i.collection_address
      where i.owner_address = $1 and not i.destroyed
      order by i.last_transaction_lt desc, i.address limit $2 offset $3`,
  });
}

type Tokens = { title: string; list: (given: object) => unknown; text: string };

function ofTokens(client: pg.Client, limit: number, { title, list, text }: Tokens): Pages {
  const given = (number: number) => ({
    owner: busyAccounts[number % busyAccounts.length]!,
    offset: Math.floor(number / busyAccounts.length) % (tokensOfAccount - limit),
  });
  return {
    title,
    ours: async (number) => {
      const { owner, offset } = given(number);
      await list({ owner_address: [owner.toRaw()], limit, offset });
    },
    plain: async (number) => {
      const { owner, offset } = given(number);
      const { rows } = await client.query({ name: title, text, values: [bytesOf(owner), limit, offset] });
      JSON.stringify(rows);
    },
  };
}

/** The newest of an account that got one new transaction, in one new trace, since its page was read last. */
function ofPolls(database: Database, index: IndexReader, client: pg.Client, limit: number): Pages[] {
  const { transactions: list } = implement(blockchainHandlers, { index, book, indexGaps });
  const { traces } = implement(traceHandlers, { index, book });
  let newest = transactions - 1;
  const before = async () => {
    newest++;
    if (newest % perTrace === 0) await storeTrace(database, newest);
  };
  const polled = () => busyAccounts[newest % busyAccounts.length]!;
  return [
    {
      title: `the poll, ${limit} transactions`,
      ours: async () => {
        const given = { account: polled().toRaw(), limit };
        await list(blockchainMethods.transactions.params.parse(given), call);
      },
      plain: () => {
        const text = "select * from transactions where account = $1 order by lt desc limit $2";
        return plainTransactions(client, { name: "polled", text, values: [bytesOf(polled()), limit] });
      },
      before,
    },
    {
      title: `the poll, ${limit} traces`,
      ours: async () => {
        const given = { account: polled().toRaw(), limit, include_actions: false };
        await traces(traceMethods.traces.params.parse(given), call);
      },
      plain: () =>
        plainTraces(client, {
          name: "polled traces",
          text: `select t.* from account_traces a join traces t on t.trace_id = a.trace_id and t.sort_lt = a.end_lt
            where account_key(a.account) = account_key($1) and a.account = $1 order by a.end_lt desc limit $2`,
          values: [bytesOf(polled()), limit],
        }),
      before,
    },
  ];
}

/** The rows of an answer, with minimal overhead: traces, then their transactions. */
async function plainTraces(client: pg.Client, search: pg.QueryConfig): Promise<void> {
  const { rows } = await client.query<{ trace_id: Buffer; start_lt: string; end_lt: string }>(search);
  JSON.stringify(rows);
  const lts = rows.flatMap(({ start_lt, end_lt }) => [BigInt(start_lt), BigInt(end_lt)]);
  await plainTransactions(client, {
    name: "of traces",
    text: "select * from transactions where trace_id = any($1) and lt between $2 and $3 order by lt",
    values: [rows.map(({ trace_id }) => trace_id), least(lts), greatest(lts)],
  });
}

/** The rows of an answer, with minimal overhead: transactions, then their messages and states. */
export async function plainTransactions(client: pg.Client, search: pg.QueryConfig): Promise<void> {
  const { rows } = await client.query(search);
  const messages = await client.query({
    name: "messages",
    text: `select * from messages m join slots s on m.tx_lt >= s.from_lt and m.tx_lt < s.to_lt
      left join message_contents b on hash_prefix(b.hash) = hash_prefix(m.body_hash) and b.hash = m.body_hash
        and b.from_lt = s.from_lt
      left join message_contents i on hash_prefix(i.hash) = hash_prefix(m.init_state_hash) and i.hash = m.init_state_hash
        and i.from_lt = s.from_lt
      where tx_hash = any($1) and tx_lt = any($2)`,
    values: [rows.map(({ hash }) => hash), rows.map(({ lt }) => lt)],
  });
  const states = await client.query({
    name: "states",
    text: `select * from account_states
      where account_key = any(array(select account_key(account) from unnest($1::bytea[]) account)) and lt = any($2)`,
    values: [
      [...new Map(rows.map(({ account }) => [account.toString("hex"), account])).values()],
      rows.flatMap(({ lt, prev_trans_lt }) => [lt, prev_trans_lt]),
    ],
  });
  JSON.stringify([rows, messages.rows, states.rows]);
}
