import type { Call, Handlers } from "../../../shared/methods/define.js";
import type { liteMethods } from "../../../shared/methods/lite.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { type LiteApi, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { type Invoke, invokerOf } from "../../../shared/ton/lite/lite-methods.js";
import { encodeError } from "../../../shared/ton/tl/lite-functions.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { systemTimers } from "../../../shared/values/timers.js";
import { answerFunction, readFunction, waitForBlock } from "../../chain/gateway/answer-function.js";
import { maxExternalBytes, tooLarge, unreadable } from "../../chain/message-rejection.js";
import { NoAnswerError } from "../../chain/no-answer-error.js";
import { serviceErrorOf } from "../chain-errors.js";
import { cellOfBoc } from "../input/cells.js";
import { messageIn } from "../v2/send.js";

export type LiteDeps = {
  lite: LiteApi;
  /** Sends as `sendBoc` does. */
  sending: Pick<LiteApi, "sendMessage">;
};

export const liteHandlers: Handlers<typeof liteMethods, LiteDeps> = {
  async query({ query }, deps, call) {
    return { answer: bytesToBase64(await answerOf(query, deps, call)) };
  },
};

/** Error answers may be other ones later, so they are not cached. */
async function answerOf(query: Uint8Array, deps: LiteDeps, call: Call): Promise<Uint8Array> {
  const { signal, asked: servers, caller, spent } = call;
  const options = { signal, asked: servers, caller, spent };
  const invoke = invokerWith(deps);
  try {
    const asked = readFunction(query);
    await waitForBlock({ invoke, timers: systemTimers }, asked, options);
    return await answerFunction(invoke, asked, options);
  } catch (error) {
    const known = error instanceof NoAnswerError ? serviceErrorOf(error) : error;
    if (!(known instanceof LiteError)) throw serviceErrorOf(known);
    call.provisional = true;
    return encodeError(known);
  }
}

function invokerWith({ lite, sending }: LiteDeps): Invoke {
  const read = invokerOf(lite);
  return (method, request, call) =>
    method === "sendMessage"
      ? sending.sendMessage({ body: canonicalMessage((request as { body: Uint8Array }).body) }, call)
      : read(method, request, call);
}

/**
 * The canonical form of an external message, after the checks of `sendBoc`. Throws the LiteError that a liteserver answers
 * an invalid one with.
 */
function canonicalMessage(body: Uint8Array): Uint8Array {
  if (body.length > maxExternalBytes) throw tooLarge();
  const root = cellOfBoc(body);
  if (!root) throw unreadable("external message is not a valid bag of cells");
  const message = messageIn(root);
  if (!message) throw unreadable("external message is not a (Message Any) according to automated checks");
  if (message.info.kind !== "externalIn")
    throw unreadable("external message must begin with ext_in_msg_info$10");
  return serializeBoc(root, { crc32: false });
}
