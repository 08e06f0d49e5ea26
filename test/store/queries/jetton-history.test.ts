import SQL from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../server/store/database.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { type IndexApp, startIndexApp } from "../../helpers/http/index-app.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { ExplainedSql } from "../../helpers/store/explained-sql.js";
import { madeRow } from "../../helpers/store/made-row.js";
import { nodesOf } from "../../helpers/store/measured-reads.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import {
  accountOf,
  bytesOf,
  hashOf,
  messageRow,
  storeRows,
  transactionRow,
} from "../../helpers/store/rows.js";

const count = 230;
/** Four slots have transactions of each wallet. */
const [ltStep, slotWidth] = [1000, 60_000];
const owner = accountOf("o");

/** A wallet that received 1, 2, 3, … units. */
type Story = {
  name: string /** Units that no message brought. */;
  more?: number;
  unknown?: number;
  reborn?: number;
};
const stories: readonly Story[] = [
  { name: "s" },
  // The transaction has a message outside of the standard.
  { name: "u", unknown: count - 5 },
  // The hundredth from the end is the first of a wallet that was made anew.
  { name: "r", reborn: count - 100 },
  { name: "m", more: 1 },
];
const [standard, foreign, reborn, untrue] = stories as [Story, Story, Story, Story];

const jettonOf = ({ name }: Story) => accountOf(name.toUpperCase());
const ltOf = (at: number) => (at + 1) * ltStep;
const sumOf = (first: number, last: number) => ((last + 1) * (last + 2) - first * (first + 1)) / 2;
const balanceOf = ({ more = 0, reborn: first = 0 }: Story) => sumOf(first, count - 1) + more;
const places = Array.from({ length: count }, (_, at) => at);
const bodyOf = (op: number, amount: number) =>
  serializeBoc(beginCell().storeUint(op, 32).storeUint(0, 64).storeCoins(BigInt(amount)).endCell());

function rowsOf(story: Story) {
  const address = bytesOf(accountOf(story.name));
  const transactions = places.map((at) =>
    transactionRow({
      ...{ account: address, lt: BigInt(ltOf(at)), now: (1_700_000_000 + at) as never },
      ...{ block_seqno: at, mc_block_seqno: at, orig_status: at === 0 || at === story.reborn ? 0 : 3 },
    }),
  );
  const bodies = places.map((at) => bodyOf(at === story.unknown ? 1 : 0x178d4519, at + 1));
  return {
    transactions,
    messages: transactions.map(({ hash, lt }, at) =>
      messageRow({
        ...{ tx_hash: hash, tx_lt: lt, msg_hash: hashOf(`${story.name} ${at}`), direction: 0 },
        ...{ destination: address, body_hash: hashOf(`body ${story.name} ${at}`), bounced: false },
      }),
    ),
    messageContents: bodies.map((body, at) => ({ hash: hashOf(`body ${story.name} ${at}`), body })),
    jettonWallets: [
      madeRow("jettonWallets", {
        ...{ address, owner: bytesOf(owner), jetton: bytesOf(jettonOf(story)) },
        ...{ balance: BigInt(balanceOf(story)), last_transaction_lt: BigInt(ltOf(count - 1)) },
      }),
    ],
  };
}

type Answer = {
  history: { lt: string; balance: string }[];
  known_since_lt: string | null;
  next_end_lt: string | null;
};

describePostgres("The balances of a jetton wallet of many transactions", (_fresh, server) => {
  let database: Database;
  let sql: ExplainedSql;
  let app: IndexApp;
  beforeAll(async () => {
    database = openPatiently(await server().databaseWithSchema());
    await queriesOf(database).query(
      SQL`update index_meta set value = ${String(slotWidth)} where key = 'lt_grid'`,
    );
    for (const story of stories) await storeRows(database, rowsOf(story));
    sql = new ExplainedSql(database.sql({ connections: 1 }));
    app = await startIndexApp({ ...database, sql: () => sql });
  });
  afterAll(async () => {
    await app?.close();
    await database?.close();
  });

  const pathOf = (story: Story, rest: string) =>
    `account/balanceHistory?address=${owner.toRaw()}&jetton=${jettonOf(story).toRaw()}&${rest}`;
  /** The points from the last transaction back to one. */
  const pointsTo = (story: Story, first: number) =>
    places
      .slice(first)
      .reverse()
      .map((at) => [String(ltOf(at)), String(balanceOf(story) - sumOf(at + 1, count - 1))]);
  const pointsOf = ({ history }: Answer) => history.map(({ lt, balance }) => [lt, balance]);

  const cases: [Story, first: number, knownSince: number | undefined][] = [
    [standard, 0, undefined],
    [foreign, count - 5, count - 5],
    [reborn, count - 100, count - 100],
    [untrue, count - 1, count - 1],
  ];
  test.each(cases)("are reckoned as far as they are known: %o", async (story, first, knownSince) => {
    const answer = await app.result<Answer>(pathOf(story, "limit=1000"));
    const expected = pointsTo(story, first);
    const known_since_lt = knownSince === undefined ? null : String(ltOf(knownSince));
    expect([pointsOf(answer), answer.known_since_lt]).toEqual([expected, known_since_lt]);
    const page = await app.result<Answer>(pathOf(story, "limit=3"));
    expect([pointsOf(page), page.known_since_lt]).toEqual([expected.slice(0, 3), known_since_lt]);
    expect(page.next_end_lt).toBe(expected[3]?.[0] ?? null);
  });

  test("are read no further where one is not known", async () => {
    const readOf = async (story: Story) => {
      const explained = await sql.explain(() => app.result(pathOf(story, "limit=3")));
      return explained
        .flatMap(({ plan }) => nodesOf(plan))
        .filter((node) => node["Relation Name"]?.startsWith("message_contents"))
        .reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0);
    };
    expect(await readOf(standard)).toBe(count);
    expect(await readOf(foreign)).toBe(100);
  });

  test("change as those of each jetton that is named, in the order of their names, once each", async () => {
    const nobodys = accountOf("z");
    const named = [untrue, standard, foreign].map((story) => `jetton=${jettonOf(story).toRaw()}`);
    const start = `start_lt=${ltOf(count - 3)}`;
    const path = `account/diff?address=${owner.toRaw()}&${start}&${named.join("&")}&${named[0]}&jetton=${nobodys.toRaw()}`;
    const { jettons } = await app.result<{ jettons: object[] }>(path);
    expect(jettons).toEqual(
      [untrue, standard, foreign].map((story) => ({
        jetton: jettonOf(story).toRawUpper(),
        jetton_wallet: accountOf(story.name).toRawUpper(),
        change: String(count + count - 1),
      })),
    );
  });

  test("are searched for at once, however many jettons are named", async () => {
    const statementsFor = async (many: number) => {
      const named = places.slice(0, many).map((at) => `jetton=0:${at.toString(16).padStart(64, "0")}`);
      const path = `account/diff?address=${owner.toRaw()}&start_lt=1&${named.join("&")}`;
      return (await sql.explain(() => app.result(path))).length;
    };
    expect(await statementsFor(20)).toBe(await statementsFor(1));
  });
});
