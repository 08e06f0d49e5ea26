// Messages of a client of PostgreSQL, as a server reads them.

/** A value of a statement: a text, bytes where it is in binary form, or null. */
export type BoundValue = string | Buffer | null;

export type FrontendMessage =
  | { is: "parse"; name: string; text: string; types: number }
  | { is: "close"; kind: string; name: string }
  | { is: "bind"; portal: string; name: string; values: BoundValue[]; results: number[] }
  | { is: "describe"; kind: string; name: string }
  | { is: "execute"; portal: string; rows: number }
  | { is: "sync" | "copyDone" | "end" }
  | { is: "query"; text: string }
  | { is: "copyData"; bytes: Buffer };

/** Reads the parts of a message one after another. */
class Body {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end < 0) throw new Error("a text of a message does not end");
    const text = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 1;
    return text;
  }

  int16(): number {
    this.#at += 2;
    return this.#bytes.readInt16BE(this.#at - 2);
  }

  int32(): number {
    this.#at += 4;
    return this.#bytes.readInt32BE(this.#at - 4);
  }

  bytes(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new Error("a message is too short");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** A value with its length, which is negative for null. */
  value(): Buffer | null {
    const length = this.int32();
    return length < 0 ? null : Buffer.from(this.bytes(length));
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.int16() }, read);
  }

  end<T>(message: T): T {
    if (this.#at !== this.#bytes.length) throw new Error("a message is too long");
    return message;
  }
}

const readers: Record<string, (body: Body) => FrontendMessage> = {
  P: (body) => ({ is: "parse", name: body.text(), text: body.text(), types: body.int16() }),
  C: (body) => ({ is: "close", kind: body.bytes(1).toString(), name: body.text() }),
  B: readBind,
  D: (body) => ({ is: "describe", kind: body.bytes(1).toString(), name: body.text() }),
  E: (body) => ({ is: "execute", portal: body.text(), rows: body.int32() }),
  S: () => ({ is: "sync" }),
  Q: (body) => ({ is: "query", text: body.text() }),
  c: () => ({ is: "copyDone" }),
  X: () => ({ is: "end" }),
};

function readBind(body: Body): FrontendMessage {
  const [portal, name] = [body.text(), body.text()];
  const formats = body.list(() => body.int16());
  const values = body.list(() => body.value());
  return {
    is: "bind",
    portal,
    name,
    values: values.map((bytes, at) => (bytes && formats[at] === 0 ? bytes.toString() : bytes)),
    results: body.list(() => body.int16()),
  };
}

/** The message of this code. Throws if its parts do not fill it. */
function frontendMessage(code: string, bytes: Buffer): FrontendMessage {
  if (code === "d") return { is: "copyData", bytes: Buffer.from(bytes) };
  const read = readers[code];
  if (!read) throw new Error(`a client sends no message ${code}`);
  const body = new Body(bytes);
  return body.end(read(body));
}

/** Takes the next whole message from the beginning of some bytes. */
export function nextMessage(bytes: Buffer): { message: FrontendMessage; rest: Buffer } | undefined {
  if (bytes.length < 5) return undefined;
  const end = 1 + bytes.readInt32BE(1);
  if (bytes.length < end) return undefined;
  const message = frontendMessage(bytes.toString("latin1", 0, 1), bytes.subarray(5, end));
  return { message, rest: bytes.subarray(end) };
}

/** All messages in some bytes. Throws if the last one is not whole. */
export function frontendMessages(bytes: Buffer): FrontendMessage[] {
  const messages: FrontendMessage[] = [];
  let left = bytes;
  for (let next = nextMessage(left); next; next = nextMessage(left)) {
    messages.push(next.message);
    left = next.rest;
  }
  if (left.length > 0) throw new Error("the last message is not whole");
  return messages;
}
