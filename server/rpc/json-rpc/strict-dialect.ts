import type { JsonBytes } from "../../../shared/methods/json-text.js";
import { errorTable } from "../../../shared/rpc/errors.js";
import type { Api, ServiceError } from "../../errors.js";
import { cursorMember, type Outcome } from "../dispatch.js";
import { enclosed } from "../json/enclosed-json.js";
import { idText, type RpcId } from "./message.js";

// Responses of the strict dialect: JSON-RPC 2.0 with an additional `ok`, which TON Center's clients read.

export function strictAnswer(id: RpcId, outcome: Outcome, api: Api): string | JsonBytes {
  if ("error" in outcome) return strictError(id, outcome.error, api);
  const before = `{"jsonrpc":"2.0","id":${idText(id)},"ok":true,"result":`;
  return enclosed(before, outcome.json, `${cursorMember(outcome)}}`);
}

/** The response to a call that failed, or to a message that could not be read: its id is then null. */
export function strictError(id: RpcId, error: ServiceError, api: Api = "v2"): string {
  return strictErrors(error, api)(idText(id));
}

/** Writes the same error for many ids, given as JSON. */
export function strictErrors(error: ServiceError, api: Api = "v2"): (id: string) => string {
  const errorText = strictErrorObject(error, api);
  return (id) => `{"jsonrpc":"2.0","id":${id},"ok":false,"error":${errorText}}`;
}

/** The error object of a response, as JSON. */
export function strictErrorObject(error: ServiceError, api: Api = "v2"): string {
  const { message, ...texts } = wording(error, api);
  const status = error.statusIn(api);
  const data = { code: status, kind: error.code, ...texts, ...error.data };
  const code = api === "v3" ? codeInV3(error, status) : errorTable[error.code].jsonRpc;
  return JSON.stringify({ code, message, data });
}

/**
 * For errors of the standard its own message is used; ours moves to `data.reason`. An error in words has its sentence as
 * the message, and the text of the other dialect in `data.error`.
 */
function wording(error: ServiceError, api: Api): { message: string; [text: string]: string } {
  const { strictText, text } = errorTable[error.code];
  const own = error.textIn(api);
  if (error.words) {
    const { sentence, ...advice } = error.words;
    return { message: sentence, error: own, ...advice };
  }
  if (strictText === undefined) return { message: own };
  return own === text ? { message: strictText } : { message: strictText, reason: own };
}

/** For v3 methods the status decides, except that some of their handlers refuse parameters with other statuses. */
function codeInV3({ code }: ServiceError, status: number): number {
  if (status === 422 || code === "invalid-params") return errorTable["invalid-params"].jsonRpc;
  return status === 500 ? errorTable.internal.jsonRpc : -32000;
}
