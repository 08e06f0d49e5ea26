import { describe, expect, it, onTestFinished } from "vitest";
import { whyUnsupported } from "../../../server/store/wire/confirm-server.js";
import { openPostgres } from "../../../server/store/wire/postgres.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import { type Answer, TalkingPostgres } from "../../helpers/talking-postgres.js";
import { until } from "../../helpers/until.js";

const never = new AbortController().signal;
/** The answer to an attempt to take a lock that is free. */
const taken: Answer = { rows: [{ pid: "7" }] };
const isTry = (text: string) => text.includes("pg_try_advisory_lock");

/** A server that says this of itself. */
async function serving({
  isReadOnly = false,
  isOtherNode = false,
  version = 170_002,
  answer = () => undefined,
  timers = new ManualTimers(),
  ...options
}: {
  isReadOnly?: boolean;
  /** Whether it is a node of a cluster, and not the coordinator. */
  isOtherNode?: boolean;
  version?: number;
  answer?: (text: string) => Answer | undefined;
  dropsNotifications?: boolean;
  refusesWith?: string;
  timers?: ManualTimers;
} = {}) {
  const server = await TalkingPostgres.start({
    ...options,
    answer: ({ text }) => {
      if (text.includes("server_version_num"))
        return { rows: [{ read_only: isReadOnly ? "on" : "off", version: `${version}` }] };
      if (text.includes("is_other")) return { rows: [{ is_other: String(isOtherNode) }] };
      return answer(text) ?? (isTry(text) ? taken : undefined);
    },
  });
  const database = openPostgres(server.url, { timers });
  onTestFinished(() => database.close());
  return { server, database };
}

const closed = async (server: TalkingPostgres) =>
  until("the ends of all connections", () => server.sessions.every(({ socket }) => socket.closed));

describe("the check of a server", () => {
  it.each([true, false])("passes one whose notifications arrive, writes: %s", async (writes) => {
    const { server, database } = await serving();
    await database.confirm({ writes }, never);
    const [listener, notifier] = server.sessions;
    const [, channel] = /^listen (tonwire_[0-9a-f]{32})$/.exec(listener!.heard[0]!)!;
    expect(notifier!.heard[0]).toBe(`notify ${channel}`);
    expect(listener!.heard.some((each) => each.includes("server_version_num"))).toBe(writes);
    // Poolers refuse parameters of the start message that they do not know.
    expect(listener!.start.has("statement_timeout")).toBe(false);
    await closed(server);
  });

  it("refuses a node of a cluster that is not the coordinator", async () => {
    const { server, database } = await serving({ isOtherNode: true });
    await expect(database.confirm({ writes: false }, never)).rejects.toThrow(
      /not its coordinator: use the address of the coordinator/,
    );
    await closed(server);
  });

  it("refuses one that loses notifications", async () => {
    const { server, database } = await serving({ dropsNotifications: true });
    await expect(database.confirm({ writes: false }, never)).rejects.toThrow(
      /pooler in transaction or statement mode.*use the address of PostgreSQL itself/,
    );
    await closed(server);
  });

  it("refuses a database that is read-only, to a process that writes", async () => {
    const { database } = await serving({ isReadOnly: true });
    await expect(database.confirm({ writes: true }, never)).rejects.toThrow(
      "--database-url is a read-only database: this process writes the index",
    );
    await database.confirm({ writes: false }, never);
  });

  it("refuses a standby, which does not let listen", async () => {
    const { database } = await serving({
      answer: (text) => (text.startsWith("listen") ? { error: "25006" } : undefined),
    });
    await expect(database.confirm({ writes: false }, never)).rejects.toThrow(
      "--database-url is a read-only standby: use the address of the primary server",
    );
  });

  it("refuses an old version to a process that writes", async () => {
    const { database } = await serving({ version: 140_011 });
    await expect(database.confirm({ writes: true }, never)).rejects.toThrow(
      "--database-url leads to PostgreSQL 14, and tonwire needs 15 or later: upgrade the server",
    );
    expect([150_000, 149_999, 90_624].map(whyUnsupported)).toEqual([
      undefined,
      expect.stringContaining("PostgreSQL 14,"),
      expect.stringContaining("PostgreSQL 9,"),
    ]);
  });

  it("explains a pooler that does not know a parameter of the start", async () => {
    const { database } = await serving({ refusesWith: "08P01" });
    await expect(database.confirm({ writes: true }, never)).rejects.toThrow(/leads through a pooler/);
  });

  it("fails with any other error as it is", async () => {
    const { database } = await serving({
      answer: (text) => (text.startsWith("notify") ? { error: "42501", text: "not permitted" } : undefined),
    });
    await expect(database.confirm({ writes: true }, never)).rejects.toMatchObject({ code: "42501" });
    const refused = await serving({ refusesWith: "57P03" });
    await expect(refused.database.confirm({ writes: true }, never)).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});

describe("a lock", () => {
  it("is taken on a connection of its own and ends with it", async () => {
    const { server, database } = await serving();
    const lock = await database.lock(42, never);
    expect(server.heard).toContain("bind 42");
    expect(server.heard.some((each) => each.startsWith("parse ") && isTry(each))).toBe(true);
    expect(lock.lost.aborted).toBe(false);
    await lock.release();
    await closed(server);
    expect(lock.lost.aborted).toBe(true);
  });

  it("is lost with its connection", async () => {
    const { server, database } = await serving();
    const lock = await database.lock(42, never);
    server.sessions[0]!.socket.destroy();
    await until("the loss", () => lock.lost.aborted);
    expect(lock.lost.reason).toMatchObject({ code: "unavailable" });
    await lock.release();
  });

  it("is given up when its signal fires while it is waited for", async () => {
    const { server, database } = await serving({
      answer: (text) => (isTry(text) ? "never" : undefined),
    });
    const controller = new AbortController();
    const asked = database.lock(42, controller.signal);
    await until("the statement", () => server.heard.includes("bind 42"));
    controller.abort(new Error("no longer wanted"));
    await expect(asked).rejects.toThrow("no longer wanted");
    await closed(server);
  });

  it("is not asked for if its signal has fired", async () => {
    const { server, database } = await serving();
    await expect(database.lock(42, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
    expect(server.heard).toEqual([]);
  });

  it("fails as a database that is not available if the server is gone, or ends while it connects", async () => {
    for (const refusesWith of ["57P01", "53300"]) {
      const { database } = await serving({ refusesWith });
      await expect(database.lock(42, never)).rejects.toMatchObject({ code: "unavailable" });
    }
    const { server, database } = await serving();
    server.stop();
    await expect(database.lock(42, never)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("fails with the error of its statement", async () => {
    const { server, database } = await serving({
      answer: (text) => (isTry(text) ? { error: "42501" } : undefined),
    });
    await expect(database.lock(42, never)).rejects.toMatchObject({ code: "42501" });
    await closed(server);
  });
});

describe("a subscription", () => {
  it("receives the texts of its channel until it is released", async () => {
    const { server, database } = await serving();
    const heard: string[] = [];
    const subscription = await database.listen("news", (text) => heard.push(text), never);
    expect(server.heard).toEqual(["listen news"]);
    server.notify("other", "no");
    server.notify("news", "first");
    server.notify("news", "");
    await until("the news", () => heard.length === 2);
    expect(heard).toEqual(["first", ""]);
    await subscription.release();
    await closed(server);
  });

  it("is lost with its connection", async () => {
    const { server, database } = await serving();
    const subscription = await database.listen("news", () => {}, never);
    expect(subscription.lost.aborted).toBe(false);
    server.sessions[0]!.socket.destroy();
    await until("the loss", () => subscription.lost.aborted);
    expect(subscription.lost.reason).toMatchObject({ code: "unavailable" });
  });
});
