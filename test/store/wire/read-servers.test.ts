import { describe, expect, it, onTestFinished } from "vitest";
import type { Statement } from "../../../server/store/database.js";
import { openPostgres, openReadServer } from "../../../server/store/wire/postgres.js";
import { type Answer, TalkingPostgres } from "../../helpers/talking-postgres.js";
import { until } from "../../helpers/until.js";

const never = new AbortController().signal;
const one: Statement = { text: "select one", values: [] };
const two: Statement = { text: "select two", values: [] };
const reading = { statementTimeoutMs: 60_000, atOnce: 3 };

type Options = {
  isPooled?: boolean;
  answer?: (text: string) => Answer | undefined;
  /** Whether each connection has a session of its own. */
  keepsSessions?: boolean;
  refusesWith?: string;
};

/** A server that only answers are read from. */
async function serving({
  isPooled = false,
  answer = () => undefined,
  keepsSessions = true,
  refusesWith,
}: Options = {}) {
  const names = new Map<object | undefined, string>();
  const server = await TalkingPostgres.start({
    ...(refusesWith !== undefined && { refusesWith }),
    answer: ({ text, values, session }) => {
      const of = keepsSessions ? session : undefined;
      if (text.startsWith("select set_config('tonwire.session'")) {
        names.set(of, String(values[0]));
        return { rows: [{ set_config: String(values[0]) }] };
      }
      if (text.includes("current_setting('tonwire.session'"))
        return { rows: [{ name: names.get(of) ?? null }] };
      if (text === "select one") return answer(text) ?? { rows: [{ number: "1" }] };
      return answer(text);
    },
  });
  const fallbacks: [string, unknown][] = [];
  const fallback = (reason: string, error: unknown) => void fallbacks.push([reason, error]);
  const readServer = openReadServer(server.url, { isPooled, fallback: fallback as never });
  onTestFinished(async () => {
    server.stop();
    // A test may have closed it.
    await readServer.close().catch(() => {});
  });
  return { server, readServer, fallbacks };
}

const closed = async (server: TalkingPostgres) =>
  until("the ends of all connections", () => server.sessions.every(({ socket }) => socket.closed));

describe("the check of a server for answers", () => {
  it("passes one that keeps sessions, on two connections that end", async () => {
    const { server, readServer } = await serving();
    await readServer.confirm(never);
    expect(server.sessions).toHaveLength(2);
    expect(
      server.sessions[0]!.heard.filter((each) => each.startsWith("parse") || each.startsWith("select")),
    ).toEqual([
      "parse select set_config('tonwire.session', $1, false)",
      "select current_setting('tonwire.session', true) as name",
    ]);
    await closed(server);
  });

  it("refuses one that mixes sessions, and one that refuses parameters of the start", async () => {
    const said =
      /--database-read-urls lead through a pooler in transaction or statement mode: set --database-read-pooled/;
    for (const options of [{ keepsSessions: false }, { refusesWith: "08P01" }]) {
      const { server, readServer } = await serving(options);
      await expect(readServer.confirm(never)).rejects.toThrow(said);
      await closed(server);
    }
  });

  it("fails with any other error", async () => {
    const gone = await serving({ refusesWith: "57P03" });
    await expect(gone.readServer.confirm(never)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("is not made where sessions are known to be mixed", async () => {
    const { server, readServer } = await serving({ isPooled: true, keepsSessions: false });
    await readServer.confirm(never);
    expect(server.sessions).toEqual([]);
  });
});

describe("a server for answers", () => {
  it("has its host as name, and counts its connections until it is closed", async () => {
    const { server, readServer } = await serving();
    expect(readServer.name).toBe(new URL(server.url).host);
    expect(readServer.connections()).toEqual({ open: 0, idle: 0, waiting: 0, waits: 0, waitedSec: 0 });
    const [first, second] = [readServer.sql(reading), readServer.sql(reading)];
    expect(await Promise.all([first.query(one), second.query(one)])).toEqual([
      [{ number: "1" }],
      [{ number: "1" }],
    ]);
    expect(readServer.connections()).toMatchObject({ open: 2, idle: 2, waits: 2 });
    await readServer.close();
    await closed(server);
  });

  it("knows its user by name, and prepares statements once, in sessions with a timeout", async () => {
    const { server, readServer } = await serving();
    const sql = readServer.sql(reading);
    for (let time = 0; time < 2; time++) await sql.query(one);
    const [{ start, heard }] = server.sessions as [(typeof server.sessions)[0]];
    expect(start.get("application_name")).toBe("tonwire");
    expect(heard[0]).toMatch(
      /^select pg_backend_pid\(\) as pid, .* set_config\(.statement_timeout., .60000., false\)$/,
    );
    expect(heard.filter((each) => each === "parse select one")).toHaveLength(1);
  });

  it("behind a pooler prepares statements each time, with a timeout of each snapshot", async () => {
    const { server, readServer } = await serving({ isPooled: true });
    const sql = readServer.sql(reading);
    for (let time = 0; time < 2; time++)
      await sql.transaction((transaction) => transaction.query(one), { snapshot: true });
    const [{ start, heard }] = server.sessions as [(typeof server.sessions)[0]];
    expect(start.has("application_name")).toBe(false);
    expect(heard.some((each) => each.startsWith("select pg_backend_pid"))).toBe(false);
    expect(heard.filter((each) => each === "parse select one")).toHaveLength(2);
    const setting = heard.filter((each) => each.includes("set_config('statement_timeout', '60000', true)"));
    expect(setting).toHaveLength(2);
    expect(setting[0]).toContain("pg_backend_pid() || ' ' || extract(epoch from now())");
  });

  it("has as many connections as answers are read at once, beside slow ones and one to cancel with", async () => {
    const { server, readServer } = await serving({ answer: () => "never" });
    const sql = readServer.sql(reading);
    const answers = Array.from({ length: 8 }, () => sql.query(one).catch((error) => error.code));
    await until("the connections", () => server.heard.filter((each) => each === "execute").length === 6);
    expect(readServer.connections()).toMatchObject({ open: 6, waiting: 2 });
    server.stop();
    await Promise.all(answers);
  });
});

describe("a statement of a caller that has gone", () => {
  /** Its snapshot is of this session and time. */
  const run = "4711 1700000000.5";
  const answers = (cancelled: Answer | undefined) => (text: string) => {
    if (text.includes("pg_cancel_backend")) return cancelled;
    if (text.includes("extract(epoch")) return { rows: [{ a: "", timeout: "60000", run }] };
    return text === "select one" ? ("never" as const) : undefined;
  };

  async function leave(server: TalkingPostgres, read: (signal: AbortSignal) => Promise<unknown>) {
    const controller = new AbortController();
    const answer = read(controller.signal);
    await until("the statement", () => server.heard.includes("parse select one"));
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: "timeout" });
    await until("the cancellation", () => server.heard.some((each) => each.includes("pg_cancel_backend")));
  }

  it("is cancelled behind a pooler by its session and the time of its snapshot", async () => {
    const { server, readServer } = await serving({ isPooled: true, answer: answers(undefined) });
    const sql = readServer.sql(reading);
    await leave(server, (signal) =>
      sql.transaction(
        async (transaction) => {
          await transaction.query(two);
          return transaction.query(one);
        },
        { snapshot: true, signal },
      ),
    );
    expect(server.heard.find((each) => each.includes("pg_cancel_backend"))).toContain("pg_stat_activity");
    await until("the values", () => server.heard.includes("bind 4711, 1700000000.5"));
  });

  it("is left to its timeout behind a pooler if its session is not known", async () => {
    const { server, readServer } = await serving({ isPooled: true, answer: answers(undefined) });
    const controller = new AbortController();
    const answer = readServer.sql(reading).query(one, { signal: controller.signal });
    await until("the statement", () => server.heard.includes("parse select one"));
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: "timeout" });
    await readServer.sql(reading).query(two);
    expect(server.heard.some((each) => each.includes("pg_cancel_backend"))).toBe(false);
  });

  it("is cancelled by the number of its session elsewhere, and a failure of that is reported", async () => {
    const { server, readServer, fallbacks } = await serving({ answer: answers({ error: "42501" }) });
    const sql = readServer.sql(reading);
    await leave(server, (signal) => sql.query(one, { signal }));
    expect(server.heard).toContain("bind 100");
    await until("the report", () => fallbacks.length === 1);
    expect(fallbacks).toMatchObject([["statement-cancel", { code: "42501" }]]);
  });
});

describe("a database", () => {
  it("is concurrent, and emptied by a command without its password", async () => {
    const database = openPostgres("postgres://user:password@127.0.0.1:1/name");
    expect([database.isConcurrent, database.emptyCommand]).toEqual([
      true,
      `tonwire empty-index --database-url "$DATABASE_URL"`,
    ]);
    await database.close();
  });

  it("takes statements of a reader before it has answered the last one, and those of a writer after it", async () => {
    const server = await TalkingPostgres.start({
      answer: ({ text }) => (text === "select one" ? "never" : undefined),
    });
    const database = openPostgres(server.url);
    onTestFinished(() => database.close());
    const both = (options: object, transaction: object) =>
      database
        .sql(options)
        .transaction((queries) => Promise.all([queries.query(one), queries.query(two)]), transaction)
        .catch((error) => error.code);
    const read = both({ statementTimeoutMs: 60_000 }, { snapshot: true });
    await until("both statements", () => server.heard.includes("parse select two"));
    const before = server.heard.length;
    const written = both({}, {});
    await until("the first statement", () => server.heard.slice(before).includes("execute"));
    expect(server.heard.slice(before)).not.toContain("parse select two");
    server.stop();
    expect(await Promise.all([read, written])).toEqual(["unavailable", "unavailable"]);
  });
});
