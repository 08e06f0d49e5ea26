import type { RawData } from "ws";
import { ServiceError } from "../../errors.js";
import type { Outcome } from "../../rpc/dispatch.js";
import { strictErrorObject } from "../../rpc/json-rpc/strict-dialect.js";
import { answerBytes } from "./query-call.js";

// Binary messages of a JSON-RPC WebSocket: a byte for the kind, 4 bytes of an id that the client chooses, and the content.
// JSON begins with none of these kinds.

const kinds = { query: 1, answer: 1, error: 2 } as const;
const idBytes = 4;

/** A liteserver's query in a binary message. */
export class LiteFrame {
  readonly id: Uint8Array;
  readonly query: Uint8Array;

  private constructor(bytes: Uint8Array) {
    this.id = bytes.subarray(1, 1 + idBytes);
    this.query = bytes.subarray(1 + idBytes);
  }

  /** The query in a message; `undefined` for messages of other kinds. */
  static in(data: RawData): LiteFrame | undefined {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : new Uint8Array(data as Buffer);
    return bytes[0] === kinds.query && bytes.length > idBytes ? new LiteFrame(bytes) : undefined;
  }

  /** The message that answers the query: TL, or the error as JSON. */
  answer(outcome: Outcome): Uint8Array {
    const answer = answerBytes(outcome);
    return answer instanceof ServiceError ? this.refusal(answer) : this.#frame(kinds.answer, answer);
  }

  /** The message that refuses the query with the error object of JSON-RPC. */
  refusal(error: ServiceError): Uint8Array {
    return this.#frame(kinds.error, Buffer.from(strictErrorObject(error)));
  }

  #frame(kind: number, content: Uint8Array): Uint8Array {
    return Buffer.concat([Uint8Array.of(kind), this.id, content]);
  }
}
