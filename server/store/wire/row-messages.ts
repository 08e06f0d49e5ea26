import { AnswerSocket } from "./answer-socket.js";

/** A stream as `pg` reads it. */
type Source = { on(event: string, listener: (bytes: Buffer) => void): unknown };

/** The members of a connection of `pg` that reading its messages takes. */
type Wire = {
  attachListeners(stream: Source): void;
  emit(event: "dataRow", row: RowMessage): boolean;
};

const headerBytes = 5;
const dataRow = "D".charCodeAt(0);
const readyForQuery = "Z".charCodeAt(0);
/** Answers with more are long: those of short pages end sooner than a pause. */
const longBytes = 131_072;

/**
 * A row as it was received. `pg` makes texts of all of its fields at once; here each is read as what is wanted. The bytes
 * are not copied: they are reused after the row was handled.
 */
export class RowMessage {
  readonly name = "dataRow";
  readonly #bytes: Buffer;
  readonly #start: number;

  /** `start` is where its count of fields is. */
  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#start = start;
  }

  /** Calls back with each field; with an `end` before `start` for null. */
  each(take: (bytes: Buffer, start: number, end: number, index: number) => void): void {
    const bytes = this.#bytes;
    const count = bytes.readInt16BE(this.#start);
    let at = this.#start + 2;
    for (let index = 0; index < count; index++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      take(bytes, at, at + length, index);
      if (length > 0) at += length;
    }
  }

  /** As the queries of `pg` read it. */
  get fields(): (string | null)[] {
    const fields: (string | null)[] = [];
    this.each((bytes, start, end) => fields.push(end < start ? null : bytes.toString("utf8", start, end)));
    return fields;
  }
}

/** Makes a connection of `pg` read rows as `RowMessage`. All other messages are left to it. */
export function readRowMessages(connection: object): void {
  const wire = connection as Wire;
  const attach = wire.attachListeners.bind(wire);
  wire.attachListeners = (stream) => {
    let readOthers: (bytes: Buffer) => void = () => {};
    attach({
      on(event, listener) {
        if (event === "data") readOthers = listener;
        else stream.on(event, listener);
      },
    });
    const reader = new MessageReader((bytes) => readOthers(bytes), wire);
    if (stream instanceof AnswerSocket) stream.receive = (bytes) => reader.take(bytes);
    else stream.on("data", (bytes) => reader.take(bytes));
  };
}

/** Cuts received bytes into rows and other messages. */
class MessageReader {
  readonly #readOthers: (bytes: Buffer) => void;
  readonly #wire: Pick<Wire, "emit">;
  /** The beginning of a message that has not arrived whole, and how many bytes it takes to go on. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #wanted = 0;
  /** Of the answer that has not ended. */
  #answerBytes = 0;

  constructor(readOthers: (bytes: Buffer) => void, wire: Pick<Wire, "emit">) {
    this.#readOthers = readOthers;
    this.#wire = wire;
  }

  /** The bytes may be reused after the call. Returns whether they are of a long answer that goes on. */
  take(received: Buffer): boolean {
    this.#answerBytes += received.length;
    this.#cut(received);
    return this.#answerBytes > longBytes;
  }

  #cut(received: Buffer): void {
    let bytes = received;
    while (this.#begunBytes > 0) {
      const lacking = this.#wanted - this.#begunBytes;
      if (bytes.length < lacking) {
        this.#keep(bytes, this.#wanted);
        return;
      }
      const whole = Buffer.concat([...this.#begun, bytes.subarray(0, lacking)]);
      this.#begun = [];
      this.#begunBytes = 0;
      this.#read(whole);
      bytes = bytes.subarray(lacking);
    }
    this.#read(bytes);
  }

  #read(bytes: Buffer): void {
    let at = 0;
    let others = 0;
    let wanted = headerBytes;
    while (at + headerBytes <= bytes.length) {
      wanted = 1 + bytes.readUInt32BE(at + 1);
      if (at + wanted > bytes.length) break;
      if (bytes[at] === readyForQuery) this.#answerBytes = 0;
      if (bytes[at] === dataRow) {
        this.#passOn(bytes, others, at);
        this.#wire.emit("dataRow", new RowMessage(bytes, at + headerBytes));
        others = at + wanted;
      }
      at += wanted;
      wanted = headerBytes;
    }
    this.#passOn(bytes, others, at);
    if (at < bytes.length) this.#keep(bytes.subarray(at), wanted);
  }

  #passOn(bytes: Buffer, from: number, to: number): void {
    if (from < to) this.#readOthers(Buffer.from(bytes.subarray(from, to)));
  }

  #keep(bytes: Buffer, wanted: number): void {
    this.#begun.push(Buffer.from(bytes));
    this.#begunBytes += bytes.length;
    this.#wanted = wanted;
  }
}
