// message$_ {X:Type} info:CommonMsgInfo
//   init:(Maybe (Either StateInit ^StateInit))
//   body:(Either X ^X) = Message X;
//
// message$_ {X:Type} info:CommonMsgInfoRelaxed
//   init:(Maybe (Either StateInit ^StateInit))
//   body:(Either X ^X) = MessageRelaxed X;
import type { Address } from "../../values/address.js";
import type { Builder } from "../cells/builder.js";
import { Cell } from "../cells/cell.js";
import type { Slice } from "../cells/slice.js";
import { CellOf } from "./cell-of.js";
import { type Codec, codec, encode } from "./codec.js";
import { CommonMsgInfo, CommonMsgInfoRelaxed } from "./message-info.js";
import { accountOf } from "./msg-address.js";
import { StateInit } from "./state-init.js";

const maxBits = 1023;
const maxRefs = 4;

/** The layout (init and body inline or in a reference) is part of the hash, so it is kept. See `composeMessage`. */
type MessageOf<Info> = {
  info: Info;
  init: CellOf<StateInit> | undefined;
  initInRef: boolean;
  body: Cell;
  bodyInRef: boolean;
};

export type Message = MessageOf<CommonMsgInfo>;
export const Message = messageCodec("Message", CommonMsgInfo);

export type MessageRelaxed = MessageOf<CommonMsgInfoRelaxed>;
export const MessageRelaxed = messageCodec("MessageRelaxed", CommonMsgInfoRelaxed);

function messageCodec<Info>(name: string, infoType: Codec<Info>): Codec<MessageOf<Info>> {
  return codec(
    name,
    (slice) => {
      const info = infoType.load(slice);
      const hasInit = slice.loadBit();
      const initInRef = hasInit && slice.loadBit();
      const init = hasInit ? loadInit(slice, initInRef) : undefined;
      const bodyInRef = slice.loadBit();
      return { info, init, initInRef, body: bodyInRef ? slice.loadRef() : takeRest(slice), bodyInRef };
    },
    ({ info, init, initInRef, body, bodyInRef }, builder) => {
      infoType.store(info, builder);
      builder.storeBit(init !== undefined);
      if (init) storeInit(init, initInRef, builder);
      builder.storeBit(bodyInRef);
      if (bodyInRef) builder.storeRef(body);
      else builder.storeSlice(body.parse());
    },
  );
}

function loadInit(slice: Slice, inRef: boolean): CellOf<StateInit> {
  return inRef ? CellOf.in(StateInit, slice.loadRef()) : CellOf.of(StateInit, StateInit.load(slice));
}

function storeInit(init: CellOf<StateInit>, inRef: boolean, builder: Builder): void {
  builder.storeBit(inRef);
  if (inRef) builder.storeRef(init.cell);
  else StateInit.store(init.value, builder);
}

function takeRest(slice: Slice): Cell {
  const rest = slice.toCell();
  slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs);
  return rest;
}

/** Contents of a new message. The default body is the empty cell. */
type MessageParts<Info> = { info: Info; init?: StateInit | undefined; body?: Cell | undefined };

/** Creates a message with the layout that wallets use: parts are inline if they fit, otherwise in references. */
export function composeMessage(parts: MessageParts<CommonMsgInfo>): Message {
  return compose(CommonMsgInfo, parts);
}

/** Like `composeMessage`, for messages in send actions. */
export function composeMessageRelaxed(parts: MessageParts<CommonMsgInfoRelaxed>): MessageRelaxed {
  return compose(CommonMsgInfoRelaxed, parts);
}

type Layout = Pick<Message, "initInRef" | "bodyInRef">;

/** In order of preference. If none fits, both parts go into references. */
const layouts: readonly Layout[] = [
  { initInRef: false, bodyInRef: false },
  { initInRef: true, bodyInRef: false },
  { initInRef: false, bodyInRef: true },
];

function compose<Info>(
  infoType: Codec<Info>,
  { info, init: state, body = Cell.empty }: MessageParts<Info>,
): MessageOf<Info> {
  const init = state && CellOf.of(StateInit, state);
  const head = encode(infoType, info);
  const layout = layouts.find((candidate) => fits(head, init?.cell, body, candidate));
  const { initInRef, bodyInRef } = layout ?? { initInRef: true, bodyInRef: true };
  return { info, init, initInRef: initInRef && init !== undefined, body, bodyInRef };
}

function fits(head: Cell, init: Cell | undefined, body: Cell, { initInRef, bodyInRef }: Layout): boolean {
  if (body.exotic && !bodyInRef) return false;
  const inline = [head, ...(init && !initInRef ? [init] : []), ...(bodyInRef ? [] : [body])];
  const flags = init ? 3 : 2;
  const ownRefs = Number(init !== undefined && initInRef) + Number(bodyInRef);
  const bits = inline.reduce((sum, part) => sum + part.bits, flags);
  const refs = inline.reduce((sum, part) => sum + part.refCount, ownRefs);
  return bits <= maxBits && refs <= maxRefs;
}

/** The account that an inbound external message is for; `undefined` for other messages and addresses. */
export function externalReceiver({ info }: Pick<Message, "info">): Address | undefined {
  return info.kind === "externalIn" ? accountOf(info.dest) : undefined;
}

/** The hash of a message that does not depend on the relay, if it is an external one. */
export function normalizedHash(message: Message): Uint8Array {
  return encode(Message, normalizeExternal(message)).hash();
}

/**
 * Normalizes an external inbound message, so that its hash does not depend on the relay: no source, no import fee, no
 * state init, body in a reference. Other messages are returned unchanged.
 */
export function normalizeExternal(message: Message): Message {
  if (message.info.kind !== "externalIn") return message;
  const info = { ...message.info, src: undefined, importFee: 0n };
  return { info, init: undefined, initInRef: false, body: message.body, bodyInRef: true };
}
