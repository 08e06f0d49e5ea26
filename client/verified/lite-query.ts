import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import { liteApiFrom } from "../../shared/ton/lite/lite-methods.js";
import { bagsOfAnswer, checkAnswerBytes } from "../../shared/ton/proofs/verify/answer-limits.js";
import { ProofError } from "../../shared/ton/proofs/verify/proof-error.js";
import { decodeAnswer, encodeQuery, liteMethods, queryOf } from "../../shared/ton/tl/lite-functions.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import type { Caller } from "../caller.js";

/**
 * A liteserver behind a service's method `lite.query`. Its answers are not checked. `sender` sends messages, without
 * retries: an attempt that failed may have delivered one.
 */
export function liteApiOver(caller: Pick<Caller, "call">, sender: Pick<Caller, "call">): LiteApi {
  return liteApiFrom(liteMethods, async (method, request, { signal, heard }) => {
    const question = queryOf(method, request);
    const query = encodeQuery(question);
    const by = method === "sendMessage" ? sender : caller;
    const result = await by.call("lite.query" as string, { query: bytesToBase64(query) }, { signal });
    const { answer: text } = (result ?? {}) as { answer?: unknown };
    if (typeof text === "string") checkAnswerBytes(method, (text.length * 3) >> 2);
    const answer = typeof text === "string" ? base64ToBytes(text) : undefined;
    if (!answer) throw new ProofError(`${method}: the answer is not base64`, { method });
    heard?.({ method, query, answer });
    const decoded = decodeAnswer(question, answer);
    bagsOfAnswer(method, decoded);
    return decoded;
  });
}
