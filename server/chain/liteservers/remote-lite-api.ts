import { type LiteApi, type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { liteApiFrom } from "../../../shared/ton/lite/lite-methods.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import {
  decodeAnswer,
  encodeQuery,
  type LiteQuery,
  liteMethods,
  queryOf,
} from "../../../shared/ton/tl/lite-functions.js";
import type { Timers } from "../../../shared/values/timers.js";
import { ConnectionError } from "../adnl/connection-error.js";
import { NoAnswerError } from "../no-answer-error.js";
import type { AnswerGuard } from "./answer-guard.js";

/** Carries encoded queries to a server. */
export interface QueryTransport {
  /** Resolves with the encoded answer; rejects with a ConnectionError, `silent` at the deadline (Unix ms). */
  query(query: Uint8Array, deadline: number): Promise<Uint8Array>;
  /** Reports an invalid answer: ends the connection, and returns the error to reject with. */
  protocolError(error: Error): ConnectionError;
}

const defaultMs = 10_000;
/** Longest time a server waits for a block. */
const maxWaitMs = 10_000;
/** The server must give up this much before the caller's deadline, so that its answer arrives in time. */
const answerMs = 200;
/**
 * Least time to parse the bags of an answer, also after the deadline: the server has answered, and 600,000 cells of a block take a
 * second or, on a busy machine, several.
 */
const parseMs = 5000;

/**
 * A LiteApi over a connection. Rejects with the server's LiteError, with a NoAnswerError (652) at the deadline, with 653
 * on abort, and with a ConnectionError when the connection fails or the answer is invalid. With a guard it rejects with a
 * ProofError when the answer is larger than any of its kind.
 */
export function remoteLiteApi(transport: QueryTransport, timers: Timers, guard?: AnswerGuard): LiteApi {
  return liteApiFrom(liteMethods, async (method, request, call) => {
    const question = queryOf(method, request);
    const now = timers.now();
    const deadline = call.deadline ?? now + defaultMs + (call.waitSeqno === undefined ? 0 : maxWaitMs);
    if (call.signal?.aborted) throw cancelled();
    if (deadline <= now) throw new NoAnswerError();
    const answer = await untilAborted(
      call.signal,
      transport.query(nest(question, call, deadline - now), deadline),
    );
    guard?.checkBytes(method, answer.length);
    const decoded = decode(question, answer, transport);
    const parsing = guard?.parseBags(method, decoded);
    if (parsing) {
      const latest = Math.max(deadline, timers.now() + parseMs);
      await untilDeadline(timers, latest, untilAborted(call.signal, parsing));
    }
    return decoded;
  });
}

function decode(question: LiteQuery, answer: Uint8Array, transport: QueryTransport): unknown {
  try {
    return decodeAnswer(question, answer);
  } catch (error) {
    throw error instanceof LiteError ? error : transport.protocolError(error as Error);
  }
}

/** Wraps the request in `liteServer.query`; waiting for a block is a prefix of the function. */
function nest(question: LiteQuery, { waitSeqno }: LiteCall, leftMs: number): Uint8Array {
  const asked = encodeQuery(question);
  if (waitSeqno === undefined) return wire.encode("liteServer.query", { data: asked });
  const timeoutMs = Math.max(0, Math.min(maxWaitMs, Math.floor(leftMs) - answerMs));
  const prefix = wire.encode("liteServer.waitMasterchainSeqno", { seqno: waitSeqno, timeoutMs });
  return wire.encode("liteServer.query", { data: Buffer.concat([prefix, asked]) });
}

function untilDeadline<T>(timers: Timers, deadline: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = timers.after(Math.max(0, deadline - timers.now()), () => reject(new NoAnswerError()));
    work.then(resolve, reject).finally(stop);
  });
}

function untilAborted<T>(signal: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
  const timely = answer.catch((error) => {
    throw error instanceof ConnectionError && error.trouble === "silent" ? new NoAnswerError() : error;
  });
  if (!signal) return timely;
  return new Promise((resolve, reject) => {
    const abort = () => reject(cancelled());
    signal.addEventListener("abort", abort, { once: true });
    timely.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function cancelled(): LiteError {
  return new LiteError(liteErrorCode.cancelled, "cancelled");
}
