import type { sendMethods } from "../../../shared/methods/v2/send.js";
import type { Address } from "../../../shared/values/address.js";
import { serializeBoc } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { externalMessage } from "../../chain/external-message.js";
import type { LiteApi, LiteCall } from "../../chain/lite-api.js";
import { maxExternalBytes, tooLarge } from "../../chain/message-rejection.js";
import type { ChainReader } from "../../chain/read/reader.js";
import { ServiceError } from "../../errors.js";
import { decode, TlbError } from "../../tlb/codec.js";
import { Message } from "../../tlb/message.js";
import { accountOf } from "../../tlb/msg-address.js";
import { stateInitOf } from "../../tlb/state-init.js";
import { type GivenInit, givenInit, givenInitObjects, requireBoc, requireObject } from "./input/cells.js";
import { explainingLiteErrors, explainLiteError } from "./lite-errors.js";
import { presentOk, presentSent, type SentMessage } from "./present/send.js";
import { explainRejection } from "./rejection.js";

export type SendDeps = {
  lite: Pick<LiteApi, "sendMessage">;
  reader: Pick<ChainReader, "last" | "account">;
};

export const sendHandlers = explainingLiteErrors<typeof sendMethods, SendDeps>({
  async sendBoc({ boc }, deps, call) {
    await sendBag(boc, deps, call);
    return presentOk();
  },

  async sendBocReturnHash({ boc }, deps, call) {
    return presentSent(await sendBag(boc, deps, call));
  },

  async sendBocReturnHashNoError({ boc }, deps, call) {
    try {
      return presentSent(await sendBag(boc, deps, call));
    } catch (error) {
      throw error instanceof ServiceError && error.code === "message-rejected" ? blamingCaller(error) : error;
    }
  },

  async sendQuery(params, deps, call) {
    const body = requireBoc("body", params.body);
    const init = givenInit(params);
    assertNotTooLarge(params.body.length + (init ? params.init_code.length + params.init_data.length : 0));
    await sendParts({ to: params.address, body, init }, deps, call);
    return presentOk();
  },

  async sendQuerySimple(params, deps, call) {
    const body = requireObject(params.body);
    await sendParts({ to: params.address, body, init: givenInitObjects(params) }, deps, call);
    return presentOk();
  },

  async sendCellSimple({ cell }, deps, call) {
    await send(readExternal(requireObject(cell, "Error while parsing cell")), deps, call);
    return presentOk();
  },
});

function sendBag(boc: Uint8Array, deps: SendDeps, call: LiteCall): Promise<SentMessage> {
  const message = readExternal(requireBoc("body", boc));
  assertNotTooLarge(boc.length);
  return send(message, deps, call);
}

/** As nodes do, but before all the cells are hashed, which would keep other calls waiting. */
function assertNotTooLarge(bytes: number): void {
  if (bytes > maxExternalBytes) throw malformed(explainLiteError(tooLarge()).message);
}

/** As a bag of the one form, so that the same message sent twice is known again whatever bag it came in. */
async function send(sent: SentMessage, { lite, reader }: SendDeps, call: LiteCall): Promise<SentMessage> {
  const { root, message } = sent;
  try {
    await lite.sendMessage({ body: serializeBoc(root, { crc32: false }) }, call);
  } catch (error) {
    const to = message.info.kind === "externalIn" ? accountOf(message.info.dest) : undefined;
    throw await explainRejection(error, to, { reader, call });
  }
  return sent;
}

type Parts = { to: Address; body: Cell; init: GivenInit };

function sendParts({ to, body, init }: Parts, deps: SendDeps, call: LiteCall): Promise<SentMessage> {
  const state = init && stateInitOf(init.code, init.data);
  return send(readExternal(externalMessage(to, body, state)), deps, call);
}

function readExternal(root: Cell): SentMessage {
  const message = readMessage(root);
  if (!message) throw malformed("Failed to unpack Message");
  if (message.info.kind !== "externalIn") throw malformed("CommonMsgInfo tag is not ext_in_msg_info");
  return { root, message };
}

function readMessage(root: Cell): Message | undefined {
  try {
    return decode(Message, root);
  } catch (error) {
    if (error instanceof TlbError) return undefined;
    throw error;
  }
}

function malformed(text: string): ServiceError {
  return new ServiceError("message-rejected", text, { data: { reason: "malformed" } });
}

/** The status of a caller's fault, with the same words. */
function blamingCaller(error: ServiceError): ServiceError {
  return new ServiceError(error.code, error.message, { status: 400, data: error.data, cause: error.cause });
}
