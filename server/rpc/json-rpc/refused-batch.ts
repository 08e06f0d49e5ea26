import type { ServiceError } from "../../errors.js";
import { longBytes } from "../answers/answer-budget.js";
import { type Pieces, pieceBytes } from "../answers/answer-pieces.js";
import { idText, isRpcId, type RpcId } from "./message.js";
import { strictErrors } from "./strict-dialect.js";

/**
 * A batch of which no call is run, for transports that match answers by id. It keeps the ids as one text, which is never
 * longer than the message: a message may be full of calls that are hardly more than an id.
 */
export class RefusedBatch {
  readonly error: ServiceError;
  /** Errors in the answer. */
  readonly count: number;
  /** Ids as JSON, one a line. */
  readonly #ids: string;

  constructor(calls: readonly unknown[], error: ServiceError) {
    const texts = idTexts(calls);
    this.error = error;
    this.count = texts.length;
    this.#ids = texts.join("\n");
  }

  /** Characters that are kept until the answer is written. */
  get length(): number {
    return this.#ids.length;
  }

  /** An array with the error for each id; `undefined` if the batch contains only notifications. */
  answer(error = this.error): string | Pieces | undefined {
    if (this.count === 0) return undefined;
    const write = strictErrors(error);
    const isShort = this.count * (write("").length + 1) + this.#ids.length < longBytes;
    return isShort ? [...this.#texts(write)].join("") : inPieces(this.#texts(write));
  }

  *#texts(write: (id: string) => string): Generator<string> {
    let text = "";
    let separator = "[";
    for (let from = 0; from <= this.#ids.length; ) {
      const found = this.#ids.indexOf("\n", from);
      const to = found < 0 ? this.#ids.length : found;
      text += separator + write(this.#ids.slice(from, to));
      separator = ",";
      from = to + 1;
      if (text.length < pieceBytes) continue;
      yield text;
      text = "";
    }
    yield `${text}]`;
  }
}

async function* inPieces(texts: Iterable<string>): Pieces {
  yield* texts;
}

/**
 * The id of each call, notifications omitted. All calls without a valid id get one answer together, with the id `null`.
 */
function idTexts(calls: readonly unknown[]): string[] {
  const texts: string[] = [];
  let hasNull = false;
  for (const call of calls) {
    const id = idOf(call);
    if (id === null) hasNull = true;
    else if (id !== undefined) texts.push(idText(id));
  }
  if (hasNull) texts.push("null");
  return texts;
}

/** `undefined` for a notification, `null` for what is no call. */
function idOf(call: unknown): RpcId | undefined {
  if (typeof call !== "object" || call === null || Array.isArray(call)) return null;
  const { jsonrpc, id, method } = call as Record<string, unknown>;
  if (id === undefined) return jsonrpc === "2.0" && typeof method === "string" ? undefined : null;
  return isRpcId(id) ? id : null;
}
