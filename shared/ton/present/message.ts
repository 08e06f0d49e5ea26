import type { z } from "zod";
import type { plainMessage, standardMessage } from "../../schema/v2/transactions.js";
import { bytesToBase64 } from "../../values/bytes.js";
import type { CellOf } from "../tlb/cell-of.js";
import { noCurrencies } from "../tlb/currency-collection.js";
import type { Message } from "../tlb/message.js";
import { type MessageBody, presentBody } from "./message-body.js";
import { presentAddress, presentExtraCurrencies, presentMsgAddress } from "./records.js";

/** A message with its addresses as objects. */
export function presentStandardMessage(message: CellOf<Message>): z.output<typeof standardMessage> {
  const { source, destination } = endsOf(message);
  return {
    "@type": "raw.message",
    hash: bytesToBase64(message.cell.hash()),
    source: presentAddress(source),
    destination: presentAddress(destination),
    ...amountsOf(message),
    ...bodyOf(message).shown,
  };
}

/** A message with its addresses as strings and its comment decoded. */
export function presentPlainMessage(message: CellOf<Message>): z.output<typeof plainMessage> {
  const { shown, text } = bodyOf(message);
  return {
    "@type": "ext.message",
    hash: bytesToBase64(message.cell.hash()),
    ...endsOf(message),
    ...amountsOf(message),
    ...shown,
    ...(text !== undefined && { message: text }),
  };
}

function endsOf({ value: { info } }: CellOf<Message>): { source: string; destination: string } {
  return { source: presentMsgAddress(info.src), destination: presentMsgAddress(info.dest) };
}

function amountsOf({ value: { info } }: CellOf<Message>) {
  const internal = info.kind === "internal" ? info : undefined;
  const { coins, extra } = internal?.value ?? noCurrencies;
  return {
    value: coins.toString(),
    extra_currencies: presentExtraCurrencies(extra),
    fwd_fee: (internal?.fwdFee ?? 0n).toString(),
    // The TL-B field has a different meaning now; TON Center answers 0 for every message.
    ihr_fee: "0",
    created_lt: (info.kind === "externalIn" ? 0n : info.createdLt).toString(),
  };
}

function bodyOf({ value: { body, init } }: CellOf<Message>) {
  const { data, message }: MessageBody = presentBody(body, init?.cell);
  return { shown: { body_hash: bytesToBase64(body.hash()), msg_data: data }, text: message };
}
