import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SqlOptions, Statement } from "../../../server/store/database.js";
import { ReadTurns } from "../../../server/store/read-turns.js";
import { connectionNumbers, PooledSql } from "../../../server/store/wire/pooled-sql.js";
import { openPostgres } from "../../../server/store/wire/postgres.js";
import { StatementNames } from "../../../server/store/wire/statement-names.js";
import { valueTypes } from "../../../server/store/wire/value-types.js";
import { clientsWith } from "../../../server/store/wire/wire-client.js";
import { type Answer, TalkingPostgres } from "../../helpers/talking-postgres.js";
import { until } from "../../helpers/until.js";

type Answers = (text: string, values: readonly unknown[]) => Answer | undefined;

/** A database of which a test gives the answers. */
async function serving(answer: Answers = () => undefined) {
  const server = await TalkingPostgres.start({ answer: ({ text, values }) => answer(text, values) });
  const database = openPostgres(server.url);
  onTestFinished(() => database.close());
  return { server, database };
}

/** Connections of readers, which are pipelined, and of writers. */
const reading: SqlOptions = { statementTimeoutMs: 60_000, connections: 1 };
const writing: SqlOptions = { connections: 1 };

const one: Statement = { text: "select one", values: [] };
const two: Statement = { text: "select two", values: [2n] };
const numbers: Answers = (text) => {
  if (text === "select one") return { rows: [{ number: "1" }] };
  if (text.includes("set_config")) return { rows: [{ set_config: "on" }] };
  return text === "select two" ? { rows: [{ number: "2" }, { number: null }] } : undefined;
};

describe.each([
  ["a pipelined connection", reading],
  ["a connection that waits for answers", writing],
])("statements over %s", (_what, options) => {
  it("are prepared once, and described once", async () => {
    const { server, database } = await serving(numbers);
    const sql = database.sql(options);
    for (let time = 0; time < 2; time++) {
      expect(await sql.query(two)).toEqual([{ number: "2" }, { number: null }]);
      expect(await sql.query(one)).toEqual([{ number: "1" }]);
    }
    expect(server.heard).toEqual([
      ...["parse select two", "bind 2", "describe", "execute", "sync"],
      ...["parse select one", "bind", "describe", "execute", "sync"],
      ...["bind 2", "execute", "sync"],
      ...["bind", "execute", "sync"],
    ]);
  });

  it("are run between begin and commit", async () => {
    const { server, database } = await serving(numbers);
    const found = await database.sql(options).transaction(async (transaction) => {
      await transaction.script("lock table words");
      return transaction.query(one);
    });
    expect(found).toEqual([{ number: "1" }]);
    expect(server.heard).toEqual([
      "begin; set local jit = off",
      "lock table words",
      ...["parse select one", "bind", "describe", "execute", "sync"],
      "commit",
    ]);
  });

  it("are rolled back after any error, which the caller gets", async () => {
    const { server, database } = await serving((text) =>
      text === "select two" ? { error: "22012", text: "division by zero" } : undefined,
    );
    const sql = database.sql(options);
    const failing = sql.transaction((transaction) => transaction.query(two));
    await expect(failing).rejects.toMatchObject({ code: "22012", message: "division by zero" });
    const own = new Error("changed my mind");
    await expect(
      sql.transaction(async () => {
        throw own;
      }),
    ).rejects.toBe(own);
    const [begin, rollback] = ["begin; set local jit = off", "rollback"];
    expect(server.heard.filter((each) => each === begin || each === rollback)).toEqual([
      begin,
      rollback,
      begin,
      rollback,
    ]);
    expect(server.sessions).toHaveLength(1);
  });

  it("are refused behind their transaction", async () => {
    const { server, database } = await serving(numbers);
    let late: (() => Promise<unknown>) | undefined;
    await database.sql(options).transaction(async (transaction) => {
      late = async () => transaction.query(one);
    });
    await expect(late!()).rejects.toThrow(TypeError);
    expect(server.heard).not.toContain("parse select one");
  });

  it("make their rows of bytes, and fail with what that throws when all were received", async () => {
    const { server, database } = await serving(numbers);
    const sql = database.sql(options);
    const fromBytes = ({ number }: { number: Uint8Array | null }) =>
      number === null ? undefined : `<${number}>`;
    expect(await sql.query({ ...two, fromBytes })).toEqual(["<2>"]);
    const broken = () => {
      throw new RangeError("no such number");
    };
    await expect(sql.query({ ...two, fromBytes: broken })).rejects.toThrow("no such number");
    expect(await sql.query(two)).toHaveLength(2);
    expect(server.sessions).toHaveLength(1);
  });
});

describe.each([true, false])("rows that are read as bytes: %s", (readsBytes) => {
  it("have their values, as texts or as bytes", async () => {
    const row = { word: "naïve", empty: "", nothing: null };
    const server = await TalkingPostgres.start({ answer: () => ({ rows: [row, row] }) });
    const database = openPostgres(server.url, { readsBytes });
    onTestFinished(() => database.close());
    const sql = database.sql(reading);
    expect(await sql.query(one)).toEqual([row, row]);
    const fromBytes = ({ word, empty, nothing }: Record<"word" | "empty" | "nothing", Uint8Array | null>) =>
      [word, empty, nothing].map((bytes) => (bytes === null ? null : `${bytes.length} ${bytes}`));
    const texts = ["6 naïve", "0 ", null];
    expect(await sql.query({ ...one, fromBytes })).toEqual([texts, texts]);
  });
});

describe("a statement that fails", () => {
  /** Fails the second statement until it is mended. */
  async function failing() {
    let isMended = false;
    const { server, database } = await serving((text) =>
      text === "select two" && !isMended ? { error: "22012" } : numbers(text, []),
    );
    const mend = () => {
      isMended = true;
    };
    const heard = async (ask: () => Promise<unknown>) => {
      const before = server.heard.length;
      await ask();
      return server.heard.slice(before);
    };
    return { sql: database.sql(reading), heard, mend };
  }
  const three: Statement = { text: "select three", values: [] };

  it("is closed before it is prepared again, as the server may know it", async () => {
    const { sql, heard, mend } = await failing();
    await expect(sql.query(two)).rejects.toMatchObject({ code: "22012" });
    mend();
    const again = ["close", "parse select two", "bind 2", "describe", "execute", "sync"];
    expect(await heard(() => sql.query(two))).toEqual(again);
    expect(await heard(() => sql.query(two))).toEqual(["bind 2", "execute", "sync"]);
  });

  it("takes those behind it with it, and not those before it", async () => {
    const { sql, heard, mend } = await failing();
    const write = () => sql.transaction((transaction) => transaction.write([one, two, three]));
    await expect(write()).rejects.toMatchObject({ code: "22012" });
    mend();
    expect((await heard(write)).slice(1, -1)).toEqual([
      ...["bind", "execute"],
      ...["close", "parse select two", "bind 2", "execute"],
      ...["close", "parse select three", "bind", "describe", "execute", "sync"],
    ]);
  });

  it("fails others of the message, and no other statement", async () => {
    const { sql } = await failing();
    const outcomes = await Promise.allSettled([sql.query(one), sql.query(two), sql.query(one)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });
});

const plans = (planned: string, sorted: string) =>
  `set_config('plan_cache_mode', '${planned}', true), set_config('enable_sort', '${sorted}', true)`;
const settings = (planned: string, sorted: string) =>
  `select set_config('random_page_cost', '1.1', true), set_config('jit', 'off', true), set_config('enable_memoize', 'off', true), ${plans(planned, sorted)}`;
const begin = "begin isolation level repeatable read read only";
const alone = (text: string) => [`parse ${text}`, "bind", "execute"];

describe("the statements of a snapshot", () => {
  const snapshot = { snapshot: true };

  it("begin it with the first one and end it with the last one, in the same messages", async () => {
    const { server, database } = await serving(numbers);
    const found = await database
      .sql(reading)
      .transaction(
        (queries) => Promise.all([queries.query(one), queries.query({ ...two, isLast: true })]),
        snapshot,
      );
    expect(found).toEqual([[{ number: "1" }], [{ number: "2" }, { number: null }]]);
    expect(server.heard).toEqual([
      ...alone(begin),
      ...alone(settings("force_custom_plan", "on")),
      ...["parse select one", "bind", "describe", "execute", "sync"],
      ...["parse select two", "bind 2", "describe", "execute"],
      ...alone("commit"),
      "sync",
    ]);
  });

  it("end it with a commit if none is the last one", async () => {
    for (const options of [reading, writing]) {
      const { server, database } = await serving(numbers);
      const sql = database.sql(options);
      await sql.transaction((queries) => queries.query(one), snapshot);
      await sql.query(one);
      expect(server.heard.slice(-4)).toEqual(["commit", "bind", "execute", "sync"]);
    }
  });

  it("are planned as each of them says", async () => {
    const { server, database } = await serving(numbers);
    const sql = database.sql(reading);
    const modes: Partial<Statement>[] = [
      { isPlannedOnce: true },
      { isPlannedOnce: true },
      { isPlannedOnce: true, isInOrder: true },
      {},
      { isInOrder: true, isLast: true },
    ];
    await sql.transaction(async (queries) => {
      for (const mode of modes) await queries.query({ ...one, ...mode });
    }, snapshot);
    expect(server.heard.filter((each) => each.includes("plan_cache_mode"))).toEqual([
      `parse ${settings("force_generic_plan", "on")}`,
      `parse select ${plans("force_generic_plan", "off")}`,
      `parse select ${plans("force_custom_plan", "on")}`,
      `parse select ${plans("force_custom_plan", "off")}`,
    ]);
  });

  it("are refused behind the last one", async () => {
    const { server, database } = await serving(numbers);
    const failing = database.sql(reading).transaction(async (queries) => {
      await queries.query({ ...one, isLast: true });
      await queries.query(two);
    }, snapshot);
    await expect(failing).rejects.toThrow(TypeError);
    expect(server.heard).not.toContain("parse select two");
  });

  it("may be none, of which the server hears nothing", async () => {
    const { server, database } = await serving();
    const sql = database.sql(reading);
    expect(await sql.transaction(async () => "nothing", snapshot)).toBe("nothing");
    await expect(
      sql.transaction(async () => {
        throw new Error("nothing found");
      }, snapshot),
    ).rejects.toThrow("nothing found");
    expect(server.heard).toEqual([]);
  });

  it("do not need a database that can be written", async () => {
    const { sql } = await pooled({
      confirmWritable: async () => {
        throw new Error("the disk is full");
      },
    });
    expect(await sql.transaction((queries) => queries.query(one), snapshot)).toEqual([{ number: "1" }]);
    await expect(sql.transaction((queries) => queries.query(one))).rejects.toThrow("the disk is full");
  });
});

describe("what is written", () => {
  const copy = (table: string, rows: string) => ({
    target: { table, columns: ["a", "b"] },
    rows: Buffer.from(rows),
  });

  it("is in the order of its steps, with those of a kind in one message", async () => {
    const { server, database } = await serving();
    await database
      .sql(writing)
      .transaction((transaction) =>
        transaction.write([copy("words", "x"), copy("names", "y"), one, two, copy("last", "z")]),
      );
    expect(server.heard.slice(1, -1)).toEqual([
      "copy words (a, b) from stdin (format binary);\ncopy names (a, b) from stdin (format binary)",
      ...["rows x", "copyDone", "rows y", "copyDone"],
      ...["parse select one", "bind", "execute", "parse select two", "bind 2", "describe", "execute", "sync"],
      "copy last (a, b) from stdin (format binary)",
      ...["rows z", "copyDone"],
    ]);
  });

  it("may be nothing, or have no rows", async () => {
    const { server, database } = await serving();
    await database.sql(writing).transaction(async (transaction) => {
      await transaction.write([]);
      await transaction.write([copy("words", "")]);
    });
    expect(server.heard.slice(1, -1)).toEqual(["copy words (a, b) from stdin (format binary)", "copyDone"]);
  });

  it("is split where rows are long", async () => {
    const { server, database } = await serving();
    const rows = "r".repeat((1 << 20) + 5);
    await database.sql(writing).transaction((transaction) => transaction.write([copy("words", rows)]));
    const pieces = server.heard.filter((each) => each.startsWith("rows "));
    expect(pieces.map((each) => each.length - 5)).toEqual([1 << 20, 5]);
  });

  it("fails with the error of its step", async () => {
    const { database } = await serving((text) => (text === "select one" ? { error: "23505" } : undefined));
    const writes = database.sql(writing).transaction((transaction) => transaction.write([two, one, two]));
    await expect(writes).rejects.toMatchObject({ code: "23505" });
  });

  it("fails with the error of a table that cannot take rows, whose rows the server skips", async () => {
    const { server, database } = await serving((text) =>
      text.startsWith("copy words") ? { error: "42P01", text: "no such table" } : undefined,
    );
    const sql = database.sql(writing);
    const writes = sql.transaction((transaction) => transaction.write([copy("words", "x"), one]));
    await expect(writes).rejects.toMatchObject({ code: "42P01", message: "no such table" });
    expect(server.heard.at(-1)).toBe("rollback");
    await sql.transaction((transaction) => transaction.write([copy("names", "x")]));
    expect(server.sessions).toHaveLength(1);
  });

  it("leaves a connection to a server that became read-only", async () => {
    const { server, database } = await serving((text) =>
      text === "select one" ? { error: "25006" } : undefined,
    );
    const sql = database.sql(writing);
    await expect(sql.transaction((transaction) => transaction.query(one))).rejects.toMatchObject({
      code: "25006",
    });
    await sql.query(two);
    expect(server.sessions).toHaveLength(2);
    // A read may be refused without that.
    await expect(sql.query(one)).rejects.toMatchObject({ code: "25006" });
    await expect(
      sql.transaction((transaction) => transaction.query(one), { snapshot: true }),
    ).rejects.toMatchObject({ code: "25006" });
    await sql.query(two);
    expect(server.sessions).toHaveLength(2);
  });
});

type PoolOptions = ConstructorParameters<typeof PooledSql>[1];

/** A pool of one connection with short times; `select slow` is never answered. */
async function pooled(options: Partial<PoolOptions> = {}) {
  const server = await TalkingPostgres.start({
    answer: ({ text, values }) => (text === "select slow" ? "never" : numbers(text, values)),
  });
  const pool = new pg.Pool({
    Client: clientsWith({ connectionString: server.url, types: valueTypes }, true),
    max: 1,
  });
  pool.on("error", () => {});
  onTestFinished(() => pool.end());
  const cancelled: unknown[] = [];
  const waits = { count: 0, ms: 0 };
  const sql = new PooledSql(pool, {
    session: { names: new StatementNames() },
    waitMs: undefined,
    pipelined: false,
    turns: new ReadTurns({ fast: 1, slow: 0, slowMs: 1 }),
    waits,
    cancel: (client) => cancelled.push(client),
    ...options,
  });
  /** Makes the connection, so that no time of a statement passes for it. */
  const connect = async () => (await pool.connect()).release();
  return { server, pool, sql, cancelled, waits, connect };
}

const slow: Statement = { text: "select slow", values: [] };
const timeout = { code: "timeout" };

describe("a statement that is not answered", () => {
  it.each([true, false])("ends with its time and its connection, pipelined: %s", async (pipelined) => {
    const { server, sql, cancelled, connect } = await pooled({ waitMs: 1, pipelined });
    await connect();
    await expect(sql.query(slow)).rejects.toMatchObject(timeout);
    expect(cancelled).toHaveLength(1);
    await connect();
    const transaction = sql.transaction(async (queries) => {
      await queries.query(slow).catch(() => {});
      await queries.query(one);
    });
    await expect(transaction).rejects.toMatchObject(timeout);
    expect(server.heard).not.toContain("parse select one");
    expect(server.sessions).toHaveLength(2);
  });

  it("ends with its caller", async () => {
    const { server, sql, cancelled } = await pooled();
    const controller = new AbortController();
    const asked = sql.query(slow, { signal: controller.signal });
    await until("the statement", () => server.heard.includes("parse select slow"));
    controller.abort();
    await expect(asked).rejects.toMatchObject(timeout);
    expect(cancelled).toHaveLength(1);
    expect(await sql.query(one)).toHaveLength(1);
    expect(server.sessions).toHaveLength(2);
  });

  it("ends what its transaction asks after it", async () => {
    const { server, sql, connect } = await pooled();
    await connect();
    const controller = new AbortController();
    const transaction = sql.transaction(
      async (queries) => {
        const asked = queries.query(slow).catch(() => {});
        await until("the statement", () => server.heard.includes("parse select slow"));
        controller.abort();
        await asked;
        await queries.query(one);
      },
      { signal: controller.signal },
    );
    await expect(transaction).rejects.toMatchObject(timeout);
    expect(server.heard).not.toContain("parse select one");
  });

  it("ends with the time of its transaction", async () => {
    const { sql, cancelled, connect } = await pooled();
    await connect();
    const read = sql.transaction((queries) => queries.query(slow), { snapshot: true, maxMs: 1 });
    await expect(read).rejects.toMatchObject(timeout);
    expect(cancelled).toHaveLength(1);
  });

  it("ends when another caller waits for its turn", async () => {
    const { sql, waits, connect } = await pooled();
    await connect();
    const caller = (id: string) => ({ caller: { id, maxRunning: 1 }, snapshot: true });
    const slowly = sql.transaction((queries) => queries.query(slow), caller("a"));
    const refused = expect(slowly).rejects.toMatchObject({ code: "rate-limited", data: { retry_after: 1 } });
    expect(await sql.transaction((queries) => queries.query(one), caller("b"))).toHaveLength(1);
    await refused;
    expect(waits.count).toBe(2);
  });

  it("is not sent if its caller has gone before", async () => {
    const { server, sql } = await pooled();
    await expect(sql.query(one, { signal: AbortSignal.abort() })).rejects.toMatchObject(timeout);
    const options = { signal: AbortSignal.abort(), caller: { id: "a", maxRunning: 1 } };
    await expect(sql.transaction((queries) => queries.query(one), options)).rejects.toMatchObject(timeout);
    expect(server.sessions).toHaveLength(0);
  });
});

describe("a caller that waits for a connection", () => {
  /** A connection that somebody has. */
  async function taken(options: Partial<PoolOptions> = {}) {
    const all = await pooled(options);
    const client = await all.pool.connect();
    return { ...all, free: () => client.release() };
  }

  it("gives up after the time", async () => {
    const { sql, free, pool } = await taken({ waitMs: 1 });
    await expect(sql.query(one)).rejects.toMatchObject(timeout);
    free();
    await until("the connection to be free", () => pool.idleCount === 1 && pool.waitingCount === 0);
  });

  it("gives up when it is aborted, and leaves the connection to others", async () => {
    const { sql, free, server } = await taken();
    const controller = new AbortController();
    const asked = sql.query(two, { signal: controller.signal });
    const other = sql.query(one);
    controller.abort();
    await expect(asked).rejects.toMatchObject(timeout);
    free();
    expect(await other).toHaveLength(1);
    expect(server.heard).not.toContain("parse select two");
    expect(server.sessions).toHaveLength(1);
  });

  it("is counted, with its time", async () => {
    const { sql, free, waits } = await taken();
    const asked = sql.query(one);
    const before = performance.now();
    while (performance.now() === before);
    free();
    await asked;
    expect(waits.count).toBe(1);
    expect(waits.ms).toBeGreaterThan(0);
    await sql.query(one);
    expect(waits.count).toBe(2);
  });

  it("is told that the database is not available if it cannot connect", async () => {
    const { sql, server } = await pooled();
    server.stop();
    await expect(sql.query(one)).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("a database", () => {
  it("counts its connections", async () => {
    const server = await TalkingPostgres.start({ answer: ({ text, values }) => numbers(text, values) });
    const database = openPostgres(server.url);
    const [first, second] = [database.sql(reading), database.sql(writing)];
    expect(database.connections()).toEqual({ open: 0, idle: 0, waiting: 0, waits: 0, waitedSec: 0 });
    await Promise.all([first.query(one), first.query(one), second.query(one)]);
    const { waitedSec, ...counts } = database.connections();
    expect(counts).toEqual({ open: 2, idle: 2, waiting: 0, waits: 3 });
    expect(waitedSec).toBeGreaterThan(0);
    await second.transaction(async (transaction) => {
      const waiting = second.query(two);
      expect(database.connections()).toMatchObject({ open: 2, idle: 1, waiting: 1 });
      await transaction.query(one);
      void waiting.catch(() => {});
    });
    await database.close();
    expect(database.connections().open).toBe(0);
  });

  it("counts waits in seconds, of all pools", () => {
    const pool = (open: number) => ({ totalCount: open, idleCount: 1, waitingCount: 2 }) as pg.Pool;
    expect(connectionNumbers([pool(3), pool(4)], { count: 5, ms: 1500 })).toEqual({
      open: 7,
      idle: 2,
      waiting: 4,
      waits: 5,
      waitedSec: 1.5,
    });
  });

  it("names itself to the server, with the time of statements that only read", async () => {
    const { server, database } = await serving(numbers);
    await database.sql(reading).query(one);
    await database.sql(writing).query(one);
    const [reader, writer] = server.sessions.map(({ start }) => start);
    expect(reader!.get("application_name")).toMatch(/^tonwire [0-9a-f]{12}$/);
    expect(writer!.get("application_name")).toBe(reader!.get("application_name"));
    const timeout = "set_config('statement_timeout', '60000', false)";
    const areTimed = server.sessions.map(({ heard }) => heard.some((each) => each.includes(timeout)));
    expect(areTimed).toEqual([true, false]);
  });

  it("cancels the statement of a caller that has gone, over another connection", async () => {
    const { server, database } = await serving((text) => (text === "select slow" ? "never" : undefined));
    const controller = new AbortController();
    const sql = database.sql({ statementTimeoutMs: 60_000 });
    // Its number is known by then.
    await sql.query(one);
    const asked = sql.query(slow, { signal: controller.signal });
    await until("the statement", () => server.heard.includes("parse select slow"));
    controller.abort();
    await expect(asked).rejects.toMatchObject(timeout);
    await until("the cancel", () => server.heard.includes("parse select pg_cancel_backend($1::integer)"));
    await until("its number", () => server.heard.includes("bind 100"));
    expect(server.sessions).toHaveLength(2);
  });
});
