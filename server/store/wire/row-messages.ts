const headerBytes = 5;
const dataRow = "D".charCodeAt(0);
const readyForQuery = "Z".charCodeAt(0);
/** Answers with more are long: those of short pages end sooner than a pause. */
const longBytes = 131_072;

/** A row as `pg` hands it to a query, read as bytes or, by `pg` itself, as texts. */
export type ReceivedRow = RowMessage | { readonly fields: readonly (string | null)[] };

/**
 * A row as it was received. `pg` makes texts of all of its fields at once; here each is read as what is wanted. The bytes
 * are not copied: they are reused after the row was handled.
 */
export class RowMessage {
  readonly name = "dataRow";
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;

  /** `start` is where its count of fields is, `end` is behind its last one. */
  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** Calls back with each field; with an `end` before `start` for null. Throws if the row does not have so many. */
  each(count: number, take: (bytes: Buffer, start: number, end: number, index: number) => void): void {
    const bytes = this.#bytes;
    if (this.count !== count) throw new BrokenRowError();
    let at = this.#start + 2;
    for (let index = 0; index < count; index++) {
      if (at + 4 > this.#end) throw new BrokenRowError();
      const length = bytes.readInt32BE(at);
      at += 4;
      if (at + length > this.#end) throw new BrokenRowError();
      take(bytes, at, at + length, index);
      if (length > 0) at += length;
    }
  }

  get count(): number {
    if (this.#start + 2 > this.#end) throw new BrokenRowError();
    return this.#bytes.readInt16BE(this.#start);
  }

  /** As the queries of `pg` read it. */
  get fields(): (string | null)[] {
    const fields: (string | null)[] = [];
    this.each(this.count, (bytes, start, end) =>
      fields.push(end < start ? null : bytes.toString("utf8", start, end)),
    );
    return fields;
  }
}

/** The server and this process do not agree on where messages begin and end, so the connection cannot go on. */
export class BrokenRowError extends Error {
  constructor() {
    super("a row of the database server does not have the fields that it should");
  }
}

/** Receives what was read, whose bytes are reused after a row was taken. */
type Receiver = { takeRow(row: RowMessage): void; takeOthers(bytes: Buffer): void };

/** Cuts received bytes into rows and other messages. */
export class MessageReader {
  readonly #receiver: Receiver;
  /** The beginning of a message that has not arrived whole, and how many bytes it takes to go on. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #wanted = 0;
  /** Bytes of the answer that has not ended. */
  #answerBytes = 0;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
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
      if (wanted < headerBytes) throw new BrokenRowError();
      if (at + wanted > bytes.length) break;
      if (bytes[at] === readyForQuery) this.#answerBytes = 0;
      if (bytes[at] === dataRow) {
        this.#passOn(bytes, others, at);
        this.#receiver.takeRow(new RowMessage(bytes, at + headerBytes, at + wanted));
        others = at + wanted;
      }
      at += wanted;
      wanted = headerBytes;
    }
    this.#passOn(bytes, others, at);
    if (at < bytes.length) this.#keep(bytes.subarray(at), wanted);
  }

  #passOn(bytes: Buffer, from: number, to: number): void {
    if (from < to) this.#receiver.takeOthers(Buffer.from(bytes.subarray(from, to)));
  }

  #keep(bytes: Buffer, wanted: number): void {
    this.#begun.push(Buffer.from(bytes));
    this.#begunBytes += bytes.length;
    this.#wanted = wanted;
  }
}
