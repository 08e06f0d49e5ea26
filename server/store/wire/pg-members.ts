// The members of `pg` that it does not document, all of them: `connection` of a client, `attachListeners` of that connection, and its
// event `dataRow`. By them rows are read as bytes. Without them an answer of
// 10, 100 or 1,000 transactions takes 40, 35 or 37 % more processor time.
// Queries are objects with `submit` and a function for each kind of message, which is how pg-cursor, pg-query-stream and
// pg-copy-streams extend `pg`.
import { EventEmitter } from "node:events";
import pg from "pg";
import { AnswerSocket } from "./answer-socket.js";
import { MessageReader, RowMessage } from "./row-messages.js";

/** A stream as `pg` reads it. */
type Source = { on(event: string, listener: (bytes: Buffer) => void): unknown };

type Connection = {
  attachListeners(stream: Source & { destroy?(error: Error): unknown }): void;
  emit(event: "dataRow", row: RowMessage): boolean;
};

/** Makes a client read rows as `RowMessage`. All other messages are left to it. */
export function readRowMessages(client: object): void {
  const { connection } = client as { connection: Connection };
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    let readOthers: (bytes: Buffer) => void = () => {};
    attach({
      on(event, listener) {
        if (event === "data") readOthers = listener;
        else stream.on(event, listener);
      },
    });
    const reader = new MessageReader({
      takeRow: (row) => connection.emit("dataRow", row),
      takeOthers: (bytes) => readOthers(bytes),
    });
    const take = (bytes: Buffer): boolean => {
      try {
        return reader.take(bytes);
      } catch (error) {
        // Thrown into the socket, it would end the process.
        stream.destroy?.(error as Error);
        return false;
      }
    };
    if (stream instanceof AnswerSocket) stream.receive = take;
    else stream.on("data", take);
  };
}

/** AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");
/** A row with the field "x", CommandComplete and ReadyForQuery. */
const answer = Buffer.from("D\0\0\0\x0b\0\x01\0\0\0\x01xC\0\0\0\x05\0Z\0\0\0\x05I", "latin1");

/**
 * Whether this version of `pg` has the members: a client reads the answer of a server that is made up, without waiting.
 * Without them rows are read by `pg` itself.
 */
export function canReadRowMessages(Client: new (config: pg.ClientConfig) => pg.Client = pg.Client): boolean {
  const stream = new MadeUpStream();
  const rows: unknown[] = [];
  let hasEnded = false;
  const query = {
    submit: () => {},
    handleDataRow: (row: unknown) => rows.push(row),
    handleCommandComplete: () => {},
    handleReadyForQuery: () => {
      hasEnded = true;
    },
  };
  try {
    const client = new Client({ stream: () => stream as never, ssl: false });
    readRowMessages(client);
    client.connect(() => {});
    stream.emit("connect");
    stream.emit("data", welcome);
    client.query(query);
    stream.emit("data", answer);
  } catch {
    // A member is missing, or is something else.
    return false;
  }
  const texts = rows.map((row) => row instanceof RowMessage && row.fields.join());
  return hasEnded && texts.join() === "x";
}

/** As much of a socket as `pg` uses until the answer. */
class MadeUpStream extends EventEmitter {
  readonly writable = true;
  connect(): void {}
  setNoDelay(): void {}
  write(): boolean {
    return true;
  }
  destroy(error: Error): void {
    throw error;
  }
}
