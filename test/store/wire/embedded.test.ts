import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEmbedded } from "../../../server/store/wire/postgres.js";
import { type Answer, TalkingPostgres } from "../../helpers/talking-postgres.js";
import { until } from "../../helpers/until.js";

/** A database whose sessions are connections to a server, as those of PGlite are to an engine in this process. */
async function embedded(answer: (text: string) => Answer | undefined = () => undefined) {
  const server = await TalkingPostgres.start({ answer: ({ text }) => answer(text) });
  const sockets: Socket[] = [];
  let isWritable = true;
  const database = openEmbedded({
    connect: () => {
      const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1" });
      sockets.push(socket);
      // Its user connects it.
      socket.connect = () => socket;
      return socket;
    },
    confirmWritable: async () => {
      if (!isWritable) throw new Error("the disk is full");
    },
  });
  onTestFinished(() => database.close().catch(() => {}));
  const setWritable = (is: boolean) => {
    isWritable = is;
  };
  return { server, database, sockets, setWritable };
}

const one = { text: "select one", values: [] };
const numbers = (text: string): Answer | undefined =>
  text === "select one" ? { rows: [{ number: "1" }] } : undefined;

describe("a database in this process", () => {
  it("has one session for all of its users", async () => {
    const { server, database } = await embedded(numbers);
    const [reader, writer] = [database.sql({ statementTimeoutMs: 60_000 }), database.sql()];
    const answers = await Promise.all([reader.query(one), writer.query(one), reader.query(one)]);
    expect(answers).toEqual(Array(3).fill([{ number: "1" }]));
    expect(server.sessions).toHaveLength(1);
    expect(server.heard.filter((each) => each === "parse select one")).toHaveLength(1);
    expect(database.connections()).toMatchObject({ open: 1, idle: 1, waiting: 0, waits: 3 });
  });

  it("has the session of the owner of PGlite, until it is closed", async () => {
    const { server, database } = await embedded(numbers);
    await database.sql().query(one);
    const { start, socket } = server.sessions[0]!;
    expect([start.get("user"), start.get("database")]).toEqual(["postgres", "postgres"]);
    await database.close();
    await until("the end", () => socket.closed);
  });

  it("does not begin to write while it cannot", async () => {
    const { server, database, setWritable } = await embedded(numbers);
    setWritable(false);
    const write = () => database.sql().transaction((transaction) => transaction.query(one));
    await expect(write()).rejects.toThrow("the disk is full");
    expect(await database.sql().query(one)).toHaveLength(1);
    expect(server.heard).not.toContain("begin; set local jit = off");
    setWritable(true);
    expect(await write()).toHaveLength(1);
  });

  it("is connected again after its session has ended", async () => {
    const { server, database } = await embedded(numbers);
    const sql = database.sql();
    await sql.query(one);
    server.sessions[0]!.socket.destroy();
    await until("the end", () => database.connections().open === 0);
    expect(await sql.query(one)).toHaveLength(1);
    expect(server.sessions).toHaveLength(2);
  });

  it("gives up a statement that takes too long", async () => {
    const { database } = await embedded((text) => (text === "select one" ? "never" : undefined));
    await expect(database.sql({ statementTimeoutMs: 1 }).query(one)).rejects.toMatchObject({
      code: "timeout",
    });
  });
});

describe("subscriptions of a database in this process", () => {
  it("receive the texts of their channels, also over a later session", async () => {
    const { server, database } = await embedded(numbers);
    const heard: string[] = [];
    const end = await database.listen("news", (text) => heard.push(`a ${text}`));
    await database.listen("news", (text) => heard.push(`b ${text}`));
    await database.listen("weather", (text) => heard.push(`c ${text}`));
    server.notify("news", "1");
    server.notify("weather", "2");
    server.notify("other", "3");
    await until("the news", () => heard.length === 3);
    expect(heard).toEqual(["a 1", "b 1", "c 2"]);

    server.sessions[0]!.socket.destroy();
    await until("the end", () => database.connections().open === 0);
    await database.sql().query(one);
    expect(server.sessions[1]!.heard[0]).toBe("listen news; listen weather");
    end();
    server.notify("news", "4");
    server.notify("weather", "");
    await until("the news of the later session", () => heard.length === 5);
    expect(heard.slice(3)).toEqual(["b 4", "c "]);
  });
});
