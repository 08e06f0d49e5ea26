import { beginCell, Cell, external, storeMessage, Address as TonAddress } from "@ton/core";
import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { SentMessages } from "../../../server/chain/sent-messages.js";
import { databaseBus } from "../../../server/indexer/follow/bus.js";
import { MessageExchange } from "../../../server/indexer/follow/message-exchange.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { noFallback } from "../../helpers/no-fallback.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { messageListeners } from "../../helpers/store/message-listeners.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { until } from "../../helpers/until.js";

/** An external message of roughly this number of bytes. */
function messageOf(bytes: number, seed = 1): Uint8Array {
  let body = beginCell().storeUint(seed, 32).endCell();
  for (let i = 0; i < bytes / 126; i++) {
    const part = Buffer.alloc(120, i % 251);
    body = beginCell().storeUint(i, 32).storeBuffer(part).storeRef(body).endCell();
  }
  const to = new TonAddress(0, Buffer.alloc(32, 7));
  return beginCell()
    .store(storeMessage(external({ to, body })))
    .endCell()
    .toBoc();
}

describePostgres("Messages that the chain has taken", (_fresh, server) => {
  /** A process's sent messages, and the exchange that keeps them up to date. */
  function start(url: string) {
    const database = openPatiently(url);
    const sent = new SentMessages({} as LiteApi, () => 0);
    const exchange = MessageExchange.start({ bus: databaseBus(database), sent, fallback: noFallback });
    onTestFinished(async () => {
      await exchange.close();
      await database.close();
    });
    return { sent, database };
  }

  async function startTwo() {
    const url = await server().database();
    const both = [start(url), start(url)] as const;
    await until("both to listen", async () => (await messageListeners(both[0].database)).length === 2);
    return { both };
  }

  const hashes = async (sent: SentMessages) =>
    (await sent.pending()).map((message) => Cell.fromBoc(Buffer.from(message))[0]!.hash().toString("hex"));
  const hashOf = (message: Uint8Array) => Cell.fromBoc(Buffer.from(message))[0]!.hash().toString("hex");

  test("by one process are known to the others, whole, however long they are", async () => {
    const { both } = await startTwo();
    const [one, other] = both;
    const messages = [messageOf(100), messageOf(5700), messageOf(60_000), messageOf(300, 2)];
    for (const message of messages) one.sent.remember(message);
    await until("the last one", async () => (await other.sent.pending()).length === messages.length);
    expect(await other.sent.pending()).toEqual(messages.map((message) => new Uint8Array(message)));
    other.sent.remember(messageOf(100, 3));
    await until("an answer", async () => (await one.sent.pending()).length === messages.length + 1);
  });

  test("do not return to the process that sent and has since forgotten them", async () => {
    const { both } = await startTwo();
    const [one, other] = both;
    const forgotten = messageOf(6000);
    one.sent.remember(forgotten);
    one.sent.forget();
    await until("the other to hear", async () => (await other.sent.pending()).length === 1);
    // Heard behind it, on the same connection.
    other.sent.remember(messageOf(100, 2));
    await until("the next one", async () => (await one.sent.pending()).length > 0);
    expect(await hashes(one.sent)).toEqual([hashOf(messageOf(100, 2))]);
  });

  test("are heard of again after the connection was lost", async () => {
    const { both } = await startTwo();
    const [one, other] = both;
    const before = await messageListeners(one.database);
    await one.database
      .sql()
      .query(SQL`select pg_terminate_backend(pid) from unnest(${before}::integer[]) as pids(pid)`);
    await until("both to listen again", async () => {
      const after = await messageListeners(one.database);
      return after.length === 2 && !after.some((pid) => before.includes(pid));
    });
    one.sent.remember(messageOf(100));
    await until("the message", async () => (await other.sent.pending()).length === 1);
  });

  test("are kept when they are messages, and only then", async () => {
    const { both } = await startTwo();
    const [one, other] = both;
    const queries = queriesOf(one.database);
    const say = (text: string) => queries.query(SQL`select pg_notify('tonwire_sent', ${text})`);
    const cell = beginCell().storeUint(1, 3).endCell().toBoc().toString("base64");
    const long = Array.from({ length: 40 }, (_, i) => `c ${99 - i} AAAA`);
    for (const text of ["", "a", "a 0", "a 0 !!", "a 0 AAAA", `b 0 ${cell}`, ...long, "c 0 AAAA"])
      await say(text);
    one.sent.remember(messageOf(100));
    await until("the message", async () => (await other.sent.pending()).length > 0);
    expect(await hashes(other.sent)).toEqual([hashOf(messageOf(100))]);
  });
});
