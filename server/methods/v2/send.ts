import type { Handlers } from "../../../shared/methods/define.js";
import type { sendMethods } from "../../../shared/methods/v2/send.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteApi, LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { presentOk, presentSent, type SentMessage } from "../../../shared/ton/present/send.js";
import { decode, TlbError } from "../../../shared/ton/tlb/codec.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import { stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../shared/values/address.js";
import { externalMessage } from "../../chain/external-message.js";
import { maxExternalBytes, tooLarge } from "../../chain/message-rejection.js";
import { ServiceError } from "../../errors.js";
import { type InitInput, initFromBocs, initFromObjects, requireBoc, requireObject } from "../input/cells.js";
import { explainLiteError } from "./lite-errors.js";
import { explainRejection, malformed, type RejectionDeps } from "./rejection.js";

export type SendDeps = RejectionDeps & { lite: Pick<LiteApi, "sendMessage"> };

export const sendHandlers: Handlers<typeof sendMethods, SendDeps> = {
  async sendBoc({ boc }, deps, call) {
    await parseAndSend(boc, deps, call);
    return presentOk();
  },

  async sendBocReturnHash({ boc }, deps, call) {
    return presentSent(await parseAndSend(boc, deps, call));
  },

  async sendBocReturnHashNoError({ boc }, deps, call) {
    try {
      return presentSent(await parseAndSend(boc, deps, call));
    } catch (error) {
      throw error instanceof ServiceError && error.code === "message-rejected" ? asBadRequest(error) : error;
    }
  },

  async sendQuery(params, deps, call) {
    const body = requireBoc("body", params.body);
    const init = initFromBocs(params);
    assertNotTooLarge(params.body.length + (init ? params.init_code.length + params.init_data.length : 0));
    await sendParts({ to: params.address, body, init }, deps, call);
    return presentOk();
  },

  async sendQuerySimple(params, deps, call) {
    const body = requireObject(params.body);
    await sendParts({ to: params.address, body, init: initFromObjects(params) }, deps, call);
    return presentOk();
  },

  async sendCellSimple({ cell }, deps, call) {
    await send(readExternal(requireObject(cell, "Error while parsing cell")), deps, call);
    return presentOk();
  },
};

export function parseAndSend(boc: Uint8Array, deps: SendDeps, call: LiteCall): Promise<SentMessage> {
  const message = readExternal(requireBoc("body", boc));
  assertNotTooLarge(boc.length);
  return send(message, deps, call);
}

/** The nodes' limit, checked before hashing the cells, which would block other calls. */
function assertNotTooLarge(bytes: number): void {
  if (bytes > maxExternalBytes) throw malformed(explainLiteError(tooLarge()).message);
}

/** Sends a canonical BOC, so that duplicates are recognised regardless of their serialization. */
async function send(sent: SentMessage, deps: SendDeps, call: LiteCall): Promise<SentMessage> {
  const { root, message } = sent;
  try {
    await deps.lite.sendMessage({ body: serializeBoc(root, { crc32: false }) }, call);
  } catch (error) {
    throw await explainRejection(error, message, deps, call);
  }
  return sent;
}

type Parts = { to: Address; body: Cell; init: InitInput };

function sendParts({ to, body, init }: Parts, deps: SendDeps, call: LiteCall): Promise<SentMessage> {
  const state = init && stateInitOf(init.code, init.data);
  return send(readExternal(externalMessage(to, body, state)), deps, call);
}

function readExternal(root: Cell): SentMessage {
  const message = messageIn(root);
  if (!message) throw malformed("Failed to unpack Message");
  if (message.info.kind !== "externalIn") throw malformed("CommonMsgInfo tag is not ext_in_msg_info");
  return { root, message };
}

/** The message in a cell, if it is one. */
export function messageIn(root: Cell): Message | undefined {
  try {
    return decode(Message, root);
  } catch (error) {
    if (error instanceof TlbError) return undefined;
    throw error;
  }
}

/** The same error with status 400. */
function asBadRequest(error: ServiceError): ServiceError {
  const { code, message, data, words, cause } = error;
  return new ServiceError(code, message, { status: 400, data, words, cause });
}
