import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Sql } from "../../../server/store/database.js";
import { openPostgres } from "../../../server/store/wire/postgres.js";
import { isLong } from "../../helpers/effort.js";
import {
  answerOf,
  backend,
  complete,
  dataRow,
  errorResponse,
  FakePostgres,
  ready,
  rowDescription,
} from "../../helpers/fake-postgres.js";

const select = { text: "select word, number from words", values: [] };
const rows = [
  ["one", "1"],
  ["two", null],
];
const whole = answerOf(["word", "number"], rows);
const found = [
  { word: "one", number: "1" },
  { word: "two", number: null },
];

/** A server whose first answers are broken in these ways, one each, and the statements of a service. */
async function serving(...broken: ((socket: Socket) => void)[]): Promise<{ server: FakePostgres; sql: Sql }> {
  const server = await FakePostgres.start((_, socket) => {
    const next = broken.shift();
    if (next) next(socket);
    else socket.write(whole);
  });
  const database = openPostgres(server.url);
  onTestFinished(() => database.close());
  return { server, sql: database.sql({ statementTimeoutMs: 60_000, connections: 1 }) };
}

const unavailable = { code: "unavailable" };

test("an answer that ends anywhere before its end is none, and what was made of its rows is dropped", async () => {
  const cuts = Array.from({ length: whole.length }, (_, at) => at);
  const { server, sql } = await serving(
    ...cuts.map((at) => (socket: Socket) => void socket.end(whole.subarray(0, at))),
  );
  for (const at of cuts) {
    const fromBytes = ({ word }: { word: Uint8Array }) => `${word}`;
    const asked = sql.query(at % 2 === 0 ? select : { ...select, fromBytes });
    await expect(asked).rejects.toMatchObject(unavailable);
  }
  expect(await sql.query(select)).toEqual(found);
  expect(server.connections).toBe(cuts.length + 1);
});

const begun = Buffer.concat([backend("1"), backend("2"), rowDescription("word", "number")]);
const end = Buffer.concat([complete("SELECT 1"), ready]);

test.each([
  ["has a field that is longer than the row", backend("D", Buffer.from("\0\x02\0\0\0\x7fone", "latin1"))],
  ["has fewer fields than columns", dataRow("one")],
  ["has more fields than columns", dataRow("one", "1", "more")],
  ["has no fields", backend("D")],
])("a row that %s ends its connection, and nothing else", async (_, row) => {
  const { server, sql } = await serving((socket) => socket.write(Buffer.concat([begun, row, end])));
  await expect(sql.query(select)).rejects.toMatchObject(unavailable);
  expect(await sql.query(select)).toEqual(found);
  expect(server.connections).toBe(2);
});

const shutdown = errorResponse("FATAL", "57P01", "terminating connection due to administrator command");
const inside = Buffer.concat([begun, dataRow("one", "1")]);

test.each<[string, (socket: Socket) => void]>([
  ["says that it stops, before an answer", (socket) => socket.end(shutdown)],
  ["says that it stops, in an answer", (socket) => socket.end(Buffer.concat([inside, shutdown]))],
  ["is gone before an answer", (socket) => socket.destroy()],
  ["is gone in an answer", (socket) => socket.write(inside, () => socket.resetAndDestroy())],
  ["closes in an answer", (socket) => socket.end(inside)],
])("a server that %s is asked again over another connection", async (_, fail) => {
  const { server, sql } = await serving(fail, fail);
  for (let time = 0; time < 2; time++) await expect(sql.query(select)).rejects.toMatchObject(unavailable);
  expect(await sql.query(select)).toEqual(found);
  expect(server.connections).toBe(3);
});

test("a server that stops while nobody asks is asked over another connection", async () => {
  const { server, sql } = await serving((socket) => socket.end(Buffer.concat([whole, shutdown])));
  expect(await sql.query(select)).toEqual(found);
  // The connection may be found out only when it is used.
  const again = await sql.query(select).catch(() => sql.query(select));
  expect(again).toEqual(found);
  expect(server.connections).toBe(2);
});

test("a server that ends a connection as soon as it has begun is asked over another one", async () => {
  const { server, sql } = await serving();
  server.afterStart = shutdown;
  await expect(sql.query(select)).rejects.toMatchObject(unavailable);
  expect(await sql.query(select)).toEqual(found);
  expect(server.connections).toBe(2);
});

test("a server that lets connect and then says nothing is given up, and not waited for at the end", async () => {
  const server = await FakePostgres.start(() => {});
  server.isSilent = true;
  const database = openPostgres(server.url);
  const sql = database.sql({ statementTimeoutMs: 1, connections: 1 });
  for (const times of isLong ? [1, 2] : [1]) {
    await expect(sql.query(select)).rejects.toMatchObject({ code: "timeout" });
    expect(server.connections).toBe(times);
  }
  await database.close();
});
