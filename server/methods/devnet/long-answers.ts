import type { Call } from "../../../shared/methods/define.js";
import { JsonBytes, JsonText } from "../../../shared/methods/json-text.js";
import { paidTurns } from "../../chain/paid-turns.js";

/** Bytes or characters of a piece; a multiple of three, so that pieces of base64 can be joined. */
const pieceLength = 192 * 1024;

/** Turns in making long answers, one at a time for a caller. */
export type AnswerTurns = {
  take(
    caller: { readonly id: string; readonly maxRunning: number },
    signal: Call["signal"],
  ): Promise<{ release(): void }>;
};

/** Makes a long answer when it is the caller's turn. */
export async function inTurn<Answer>(
  turns: AnswerTurns,
  { caller = "", signal }: Call,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const turn = await turns.take({ id: caller, maxRunning: 1 }, signal);
  try {
    return await make();
  } finally {
    turn.release();
  }
}

/**
 * The JSON of a result whose first member is long: a text, or bytes in base64. It is made piece by piece, so that other calls
 * are answered meanwhile, and its caller pays for the time.
 */
export async function longResult<Result>(
  name: string,
  long: string | Uint8Array,
  others: object,
  call: Call,
): Promise<JsonText<Result>> {
  const paid = paidTurns(call);
  const pieces: Uint8Array<ArrayBuffer>[] = [Buffer.from(`{${JSON.stringify(name)}:"`)];
  for (let at = 0; at < long.length; at += pieceLength) pieces.push(await paid(() => pieceOf(long, at)));
  const rest = JSON.stringify(others).slice(1);
  pieces.push(Buffer.from(rest === "}" ? '"}' : `",${rest}`));
  return new JsonText<Result>(new JsonBytes(Buffer.concat(pieces)));
}

/** A half of a surrogate pair at an edge is escaped, which is the same text to a reader. */
function pieceOf(long: string | Uint8Array, at: number): Uint8Array<ArrayBuffer> {
  if (typeof long === "string")
    return Buffer.from(JSON.stringify(long.slice(at, at + pieceLength)).slice(1, -1));
  const { buffer, byteOffset, length } = long.subarray(at, at + pieceLength);
  return Buffer.from(Buffer.from(buffer, byteOffset, length).toString("base64"), "latin1");
}
