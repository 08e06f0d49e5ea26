import type { ServiceError } from "../../errors.js";
import { type Outcome, takeText } from "../../rpc/dispatch.js";

/** The method that binary forms of liteserver queries call. */
export const queryMethod = "lite.query";

/** Its parameters for the bytes of a query. */
export function queryParams(query: Uint8Array): { query: string } {
  return { query: Buffer.from(query.buffer, query.byteOffset, query.length).toString("base64") };
}

/** The bytes of its answer, or the error of the call. */
export function answerBytes(outcome: Outcome): Uint8Array | ServiceError {
  if ("error" in outcome) return outcome.error;
  const { answer } = JSON.parse(takeText(outcome.json)) as { answer: string };
  return Buffer.from(answer, "base64");
}
