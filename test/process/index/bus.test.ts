import { beginCell, external, storeMessage, Address as TonAddress } from "@ton/core";
import SQL from "sql-template-tag";
import { describe, expect, onTestFinished, test } from "vitest";
import { SentMessages } from "../../../server/chain/sent-messages.js";
import { configWith } from "../../../server/config/settings.js";
import type { Bus } from "../../../server/indexer/follow/bus.js";
import { IndexWatch } from "../../../server/indexer/follow/index-watch.js";
import { MessageExchange } from "../../../server/indexer/follow/message-exchange.js";
import { createLog } from "../../../server/observe/log.js";
import { confirmBus, openBus, relayOver } from "../../../server/process/index/bus.js";
import type { Database } from "../../../server/store/database.js";
import { raiseIndexVersion, readIndexVersion } from "../../../server/store/queries/upkeep/index-version.js";
import { IndexVersions } from "../../../server/store/reads/index-versions.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { isLong } from "../../helpers/effort.js";
import { noFallback } from "../../helpers/no-fallback.js";
import { haveRedis, TestRedis } from "../../helpers/peers/redis.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { until } from "../../helpers/until.js";

const available = await haveRedis();

/** An external message of roughly this number of bytes. */
function messageOf(bytes: number): Uint8Array {
  let body = beginCell().endCell();
  for (let i = 0; i < bytes / 126; i++)
    body = beginCell()
      .storeUint(i, 32)
      .storeBuffer(Buffer.alloc(120, i % 251))
      .storeRef(body)
      .endCell();
  const to = new TonAddress(0, Buffer.alloc(32, 7));
  return beginCell()
    .store(storeMessage(external({ to, body })))
    .endCell()
    .toBoc();
}

describe.skipIf(!available)("A bus over Redis", () => {
  describePostgres("for the processes of an index", (_fresh, server) => {
    /** A process's way to its database and to Redis. */
    async function openProcess(url: string, redisUrl: string) {
      const database = openPatiently(url);
      const lines: string[] = [];
      const log = createLog({ level: "info" }, { write: (line) => lines.push(JSON.parse(line).msg) });
      const config = configWith({ bus: "redis", redisUrl, databaseUrl: url });
      const bus = await openBus({ config, log, redisTimeoutMs: 60_000 }, database);
      onTestFinished(async () => {
        await bus.close();
        await database.close();
      });
      return { database, bus, lines, config };
    }

    function watchOf(database: Database, options: { bus?: Bus; relay?: (text: string) => void }) {
      const versions = new IndexVersions();
      let news = 0;
      const watch = IndexWatch.start({
        database,
        network: "devnet",
        zeroState: { rootHash: new Uint8Array(32), fileHash: new Uint8Array(32), workchain: -1 },
        chainSeqno: () => 1,
        now: () => Date.now(),
        versions,
        check: { everyMs: 20, maxMs: 60_000 },
        ...options,
        onReadable: () => {},
        onNews: () => {
          news++;
        },
        onError: (error) => {
          throw error;
        },
      });
      onTestFinished(() => watch.close());
      return { watch, versions, newsOf: () => news };
    }

    const listenersOf = async (database: Database, channel: string) =>
      (
        await queriesOf(database).query<{ pid: number }>(SQL`
          select pid from pg_stat_activity
          where datname = current_database() and query = ${`listen ${channel}`}`)
      ).length;

    function exchangeOf(bus: Bus): SentMessages {
      const sent = new SentMessages({} as LiteApi, () => 0);
      const exchange = MessageExchange.start({ bus, sent, fallback: noFallback });
      onTestFinished(() => exchange.close());
      return sent;
    }

    test("carries sent messages, whole and to this index only, without the database", async () => {
      const redis = await TestRedis.start();
      const url = await server().database();
      const [one, two] = [await openProcess(url, redis.url), await openProcess(url, redis.url)];
      const stranger = await openProcess(await server().database(), redis.url);
      const all = [one, two, stranger];
      await until("the connections", () => all.every(({ bus }) => bus.failure === undefined));
      const [from, to, other] = all.map(({ bus }) => exchangeOf(bus));
      await until("the subscriptions", async () => {
        const names = await redis.ask((client) => client.pubsub("CHANNELS", "*"));
        const numbers = await redis.ask((client) => client.pubsub("NUMSUB", ...(names as string[])));
        return (
          (numbers as unknown[]).filter((each) => typeof each === "number").reduce((a, b) => a + b, 0) === 3
        );
      });
      const messages = [messageOf(100), messageOf(5700), messageOf(60_000), messageOf(300)];
      for (const message of messages) from!.remember(message);
      await until("the last one", async () => (await to!.pending()).length === messages.length);
      expect(await to!.pending()).toEqual(messages.map((message) => new Uint8Array(message)));
      expect(await other!.pending()).toEqual([]);
      expect(await listenersOf(one.database, "tonwire_sent")).toBe(0);
    });

    test("carries news of the index from the process that writes it", async () => {
      const redis = await TestRedis.start();
      const url = await server().databaseWithSchema();
      const [writer, reader] = [await openProcess(url, redis.url), await openProcess(url, redis.url)];
      watchOf(writer.database, { relay: relayOver(writer.bus, writer.config)! });
      const { watch, versions, newsOf } = watchOf(reader.database, { bus: reader.bus });
      await until("the beginning", () => watch.current !== undefined && watch.hears);
      for (let times = 0; times < 3; times++) {
        const told = newsOf();
        await writer.database.sql().transaction(raiseIndexVersion);
        const { n } = await readIndexVersion(writer.database.sql());
        await until("the news", () => versions.newest?.n === n && newsOf() > told);
      }
      expect(await listenersOf(reader.database, "tonwire_index")).toBe(1);
    });

    test.runIf(isLong)(
      "that is away lets nothing be cached, and everything be found in the database",
      async () => {
        const redis = await TestRedis.start();
        const url = await server().databaseWithSchema();
        const [writer, reader] = [await openProcess(url, redis.url), await openProcess(url, redis.url)];
        watchOf(writer.database, { relay: relayOver(writer.bus, writer.config)! });
        const { watch, versions, newsOf } = watchOf(reader.database, { bus: reader.bus });
        await until("the beginning", () => watch.current !== undefined && watch.hears);
        const before = watch.current;

        await redis.stop();
        await until("the loss", () => reader.bus.failure !== undefined);
        expect([watch.current, watch.hears, watch.unavailableReason()]).toEqual([
          undefined,
          false,
          undefined,
        ]);
        for (let times = 0; times < 3; times++) {
          const told = newsOf();
          await writer.database.sql().transaction(raiseIndexVersion);
          const { n } = await readIndexVersion(writer.database.sql());
          await until("the version in the database", () => versions.newest?.n === n && newsOf() > told);
        }
        const warning = /^Redis carries no messages among the processes: /;
        expect(reader.lines.filter((line) => warning.test(line)).length).toBe(1);

        await redis.start();
        await until("the return", () => watch.hears && watch.current !== undefined);
        expect(watch.current).not.toBe(before);
        expect(reader.lines.at(-1)).toBe("Redis carries messages among the processes");
      },
    );

    test.runIf(isLong)("that never was there is away, too", async () => {
      const redis = await TestRedis.start();
      await redis.stop();
      const url = await server().databaseWithSchema();
      const { database, bus, lines } = await openProcess(url, redis.url);
      const { watch, newsOf } = watchOf(database, { bus });
      await until("a look", () => newsOf() > 1 && lines.length > 0);
      expect([watch.current, watch.unavailableReason()]).toEqual([undefined, undefined]);
      await expect(bus.publish("channel", ["text"])).rejects.toThrow();
      await redis.start();
      await until("the connection", () => bus.failure === undefined);
    });
  });
});

test("A bus over Redis needs Redis, and a database that processes share", async () => {
  const refused = async (settings: Parameters<typeof configWith>[0]) =>
    confirmBus(configWith({ bus: "redis", ...settings })).catch((error) => error.message);
  expect(await refused({ databaseUrl: "postgres://host/db" })).toBe("--bus redis needs --redis-url");
  expect(await refused({ redisUrl: "redis://host" })).toBe(
    "--bus redis is for the processes of one --database-url, which is not set",
  );
  await confirmBus(configWith());
});
