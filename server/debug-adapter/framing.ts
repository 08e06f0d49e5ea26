import { maxMessage } from "./protocol.js";

/** Bytes of a message's header. */
const maxHeader = 256;
const separator = "\r\n\r\n";
const contentLength = /^Content-Length: *(\d{1,8})$/i;
const contentType = /^Content-Type:/i;

/** The bytes are not framed messages. */
export class FramingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FramingError";
  }
}

/**
 * Divides bytes into messages, each behind a header with its length. Other headers are refused: a page in a browser can send requests
 * of HTTP to a port of this machine, whose bodies must not be read as messages.
 */
export class MessageReader {
  #bytes: Buffer = Buffer.alloc(0);
  /** Bytes behind these, which are joined once the message is whole: they may come one by one. */
  #later: Uint8Array[] = [];
  #missing = 0;
  #length: number | undefined;

  /** The messages that end in these bytes. Throws a FramingError. */
  *read(bytes: Uint8Array): Generator<string> {
    this.#later.push(bytes);
    this.#missing -= bytes.length;
    if (this.#missing > 0) return;
    this.#bytes = Buffer.concat([this.#bytes, ...this.#later]);
    this.#later = [];
    for (;;) {
      this.#length ??= this.#header();
      this.#missing = Math.max(0, (this.#length ?? 0) - this.#bytes.length);
      if (this.#length === undefined || this.#missing > 0) return;
      const text = this.#bytes.toString("utf8", 0, this.#length);
      this.#bytes = this.#bytes.subarray(this.#length);
      this.#length = undefined;
      yield text;
    }
  }

  /** The length of the next message; undefined if its header is not complete. */
  #header(): number | undefined {
    const end = this.#bytes.subarray(0, maxHeader).indexOf(separator);
    if (end < 0) {
      if (this.#bytes.length >= maxHeader) throw new FramingError("a header is too long");
      return undefined;
    }
    const lines = this.#bytes.toString("latin1", 0, end).split("\r\n");
    const lengths = lines.flatMap((line) => contentLength.exec(line)?.[1] ?? []);
    if (lengths.length !== 1 || lines.some((line) => !contentLength.test(line) && !contentType.test(line)))
      throw new FramingError("a header must have Content-Length and nothing else");
    const length = Number(lengths[0]);
    if (length > maxMessage) throw new FramingError(`a message may have ${maxMessage} bytes`);
    this.#bytes = this.#bytes.subarray(end + separator.length);
    return length;
  }
}

export function framed(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${separator}`), body]);
}
