import { describe, expect, it, onTestFinished } from "vitest";
import { openPostgres } from "../../../server/store/wire/postgres.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import { type Answer, TalkingPostgres } from "../../helpers/talking-postgres.js";
import { until } from "../../helpers/until.js";

const never = new AbortController().signal;
const another = "ffffffffffff";

const isTry = (text: string) => text.includes("pg_try_advisory_lock");
const isLook = (text: string) => text.includes("clock_timestamp()");
const isEnd = (text: string) => text.includes("pg_terminate_backend");

/** Statements that were heard, each of which ends with a sync. */
const statements = ({ heard }: { heard: readonly string[] }) =>
  heard.filter((each) => each === "sync").length;

/** A server with sessions that beat or do not. Its clock is that of the test. */
class Sessions {
  readonly timers = new ManualTimers();
  /** Sessions that beat, by their number: when they beat last. */
  readonly beats = new Map<number, { beat: number; process: string }>();
  holder: number | undefined;
  /** Values of the statements that end sessions, and those of transactions. */
  readonly ended: string[] = [];
  readonly reported: string[] = [];
  answer: (text: string) => Answer | undefined = () => undefined;

  async open(url?: (url: string) => string) {
    const server = await TalkingPostgres.start({
      answer: ({ text, values }) => this.answer(text) ?? this.#answer(text, values.map(String)),
    });
    const database = openPostgres(url?.(server.url) ?? server.url, {
      timers: this.timers,
      fallback: (reason, error) => this.reported.push(`${reason}: ${(error as Error).message}`),
    });
    onTestFinished(() => database.close());
    return { server, database };
  }

  /** Passes so many seconds, and waits for the statements of each. While a session waits for an answer, its timer is a later one. */
  async pass(server: TalkingPostgres, seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      const before = statements(server);
      await until("the next timer of each session", () => {
        const open = server.sessions.filter(({ socket }) => !socket.closed);
        return this.timers.waiting === open.length && this.timers.last! <= 1000;
      });
      this.timers.pass(1000);
      await until("a statement", () => statements(server) > before);
    }
  }

  #answer(text: string, values: readonly string[]): Answer | undefined {
    if (isTry(text)) {
      if (this.holder !== undefined) return { rows: [] };
      this.holder = 1;
      return { rows: [{ pid: "1" }] };
    }
    const now = String(this.timers.now());
    if (isLook(text))
      return {
        rows: Array.from(this.beats, ([pid, { beat, process }]) => ({
          pid: String(pid),
          started: "10.5",
          beat: String(beat),
          process,
          now,
        })),
      };
    if (!isEnd(text)) return undefined;
    this.ended.push(values.join(" "));
    if (values.length !== 3) return { rows: [] };
    const isSilent = String(this.beats.get(Number(values[0]))?.beat) === values[2];
    if (!isSilent) return { rows: [] };
    this.beats.delete(Number(values[0]));
    if (this.holder === Number(values[0])) this.holder = undefined;
    return { rows: [{ pg_terminate_backend: "t" }] };
  }
}

describe("a process that waits for a lock", () => {
  it("tries to take it every second, and has it when it is free", async () => {
    const sessions = new Sessions();
    const { server, database } = await sessions.open();
    sessions.holder = 9;
    const asked = database.lock(42, never);
    await sessions.pass(server, 3);
    expect(sessions.ended).toEqual([]);
    sessions.holder = undefined;
    await sessions.pass(server, 1);
    const lock = await asked;
    expect(lock.lost.aborted).toBe(false);
    expect(server.sessions).toHaveLength(1);
    await lock.release();
  });

  it("ends the session of the holder after ten seconds of silence, then the holder's transactions", async () => {
    const sessions = new Sessions();
    const { server, database } = await sessions.open();
    sessions.holder = 9;
    sessions.beats.set(9, { beat: 5, process: another });
    sessions.beats.set(8, { beat: 5, process: "eeeeeeeeeeee" });
    const asked = database.lock(42, never);
    const wakes = () => {
      sessions.beats.get(8)!.beat++;
    };
    for (let second = 0; second < 9; second++) {
      await sessions.pass(server, 1);
      wakes();
    }
    expect([sessions.ended, sessions.holder]).toEqual([[], 9]);
    await sessions.pass(server, 2);
    const lock = await asked;
    expect(sessions.ended).toEqual(["9 10.5 5", another]);
    expect(sessions.reported).toEqual([
      `silent-process: the process ${another} (session 9) was silent for 10 s, and its connections were ended`,
    ]);
    await lock.release();
  });

  it("leaves a holder that beats while its session is about to be ended", async () => {
    const sessions = new Sessions();
    const { server, database } = await sessions.open();
    sessions.holder = 9;
    sessions.beats.set(9, { beat: 5, process: another });
    sessions.answer = (text) => {
      if (isEnd(text)) sessions.beats.get(9)!.beat++;
      return undefined;
    };
    const controller = new AbortController();
    const asked = database.lock(42, controller.signal);
    await sessions.pass(server, 12);
    expect([sessions.ended, sessions.holder, sessions.reported]).toEqual([["9 10.5 5"], 9, []]);
    controller.abort(new Error("no longer wanted"));
    await expect(asked).rejects.toThrow("no longer wanted");
  });

  it("reports a session that it may not end, and waits on", async () => {
    const sessions = new Sessions();
    const { server, database } = await sessions.open();
    sessions.holder = 9;
    sessions.beats.set(9, { beat: 5, process: another });
    sessions.answer = (text) => (isEnd(text) ? { error: "42501", text: "must be superuser" } : undefined);
    const asked = database.lock(42, never);
    await sessions.pass(server, 12);
    expect(sessions.reported.length).toBeGreaterThan(0);
    expect(new Set(sessions.reported)).toEqual(new Set(["silent-process: must be superuser"]));
    sessions.holder = undefined;
    await sessions.pass(server, 1);
    await (await asked).release();
  });
});

describe("a connection that waits for a lock", () => {
  it("is given up if it does not answer", async () => {
    const sessions = new Sessions();
    const { server, database } = await sessions.open();
    sessions.answer = () => "never";
    const given = expect(database.lock(42, never)).rejects.toMatchObject({ code: "unavailable" });
    await until("the statement", () => server.heard.includes("bind 42"));
    sessions.timers.pass(10_000);
    await given;
    await until("its end", () => server.sessions.every(({ socket }) => socket.closed));
  });
});

describe("a process that holds a lock", () => {
  it("runs one statement a second on the connection of the lock, and ends other sessions that are silent", async () => {
    const sessions = new Sessions();
    const { server, database } = await sessions.open();
    const lock = await database.lock(42, never);
    sessions.beats.set(9, { beat: 5, process: another });
    await sessions.pass(server, 5);
    expect(statements(server.sessions[0]!)).toBe(1 + 5);
    await sessions.pass(server, 7);
    expect(sessions.ended).toEqual(["9 10.5 5", another]);
    expect(sessions.holder).toBe(1);
    await lock.release();
    expect(sessions.timers.waiting).toBe(0);
  });

  it("runs the next statement at once if the answer to the last one came later than that was due", async () => {
    const sessions = new Sessions();
    const { server, database } = await sessions.open();
    const lock = await database.lock(42, never);
    let isLate = true;
    sessions.answer = (text) => {
      if (isLook(text) && isLate) {
        isLate = false;
        sessions.timers.pass(1000);
      }
      return undefined;
    };
    await sessions.pass(server, 1);
    await until("the next statement", () => statements(server) === 1 + 2);
    await lock.release();
  });

  it("loses it to another session of its own if the connection alone does not answer", async () => {
    const sessions = new Sessions();
    const { server, database } = await sessions.open();
    const lock = await database.lock(42, never);
    const own = /lock ([0-9a-f]{12})$/.exec(server.sessions[0]!.start.get("application_name")!)![1]!;
    sessions.beats.set(1, { beat: 5, process: own });
    sessions.answer = (text) => (isLook(text) && server.sessions.length === 1 ? "never" : undefined);
    await sessions.pass(server, 1);
    for (let second = 1; second < 10; second++) sessions.timers.pass(1000);
    expect([server.sessions.length, lock.lost.aborted]).toEqual([1, false]);
    sessions.timers.pass(1000);
    await until("another session", () => server.sessions.length === 2);
    await sessions.pass(server, 11);
    await until("the loss", () => lock.lost.aborted);
    // Other transactions of this process go on.
    expect(sessions.ended).toEqual(["1 10.5 5"]);
    await until("the end of both", () => server.sessions.every(({ socket }) => socket.closed));
    await lock.release();
  });

  it("keeps it over an outage of the database that is longer than the limit", async () => {
    const sessions = new Sessions();
    const { server, database } = await sessions.open();
    const lock = await database.lock(42, never);
    sessions.answer = (text) => (isLook(text) ? "never" : undefined);
    await sessions.pass(server, 1);
    server.options.refusesWith = "57P03";
    for (let second = 0; second < 60; second++) {
      sessions.timers.pass(1000);
      await new Promise(setImmediate);
    }
    await until("attempts to connect", () => server.sessions.length > 1);
    expect(lock.lost.aborted).toBe(false);
    await lock.release();
  });
});

describe("the sessions of a process", () => {
  it("have its tag in their names, after a name that the URL has", async () => {
    const sessions = new Sessions();
    const { server, database } = await sessions.open((url) => `${url}?application_name=sho%C3%BFp`);
    const lock = await database.lock(42, never);
    await database.sql().query({ text: "select 1", values: [] });
    const [ofLock, ofWork] = server.sessions.map(({ start }) => start.get("application_name")!);
    const [, process] = /^sho\?p lock ([0-9a-f]{12})$/.exec(ofLock!)!;
    expect(ofWork).toBe(`sho?p ${process}`);
    await lock.release();
    const other = await sessions.open();
    await other.database.sql().query({ text: "select 1", values: [] });
    expect(other.server.sessions[0]!.start.get("application_name")).not.toContain(process);
  });
});
