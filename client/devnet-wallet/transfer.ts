import {
  Address,
  beginCell,
  Dictionary,
  loadStateInit,
  type MessageRelaxed,
  type StateInit,
} from "@ton/core";
import { parseAddress } from "../values/addresses.js";
import { amount, cell, type Fields, fields, json, list, quoted, text } from "./fields.js";
import { badRequest } from "./refusal.js";

/** The members that requests to send and to sign have in common. */
export type Limits = { readonly network: string | undefined; readonly from: string | undefined };
/** A request to send messages, or to sign them for another sender. */
export type Transfer = Limits & {
  /** Unix time after which it must not be sent. */
  readonly validUntil: number | undefined;
  readonly messages: readonly MessageRelaxed[];
};

const transferNames = ["valid_until", "network", "from", "messages"];
const messageNames = ["address", "amount", "payload", "stateInit", "extra_currency"];
const maxCurrencies = 255;

/** The request in the parameters of `sendTransaction` and `signMessage`: a JSON text. */
export function readTransfer(params: unknown, maxMessages: number): Transfer {
  const request = fields(json(onlyParameter(params), "the request"), "the request");
  if (request["items"] !== undefined)
    throw badRequest("the request has items, which this wallet does not take: send messages");
  fields(request, "the request", transferNames);
  return {
    ...limits(request),
    validUntil: unixTime(request["valid_until"]),
    messages: list(request["messages"], "messages", maxMessages).map((each, index) =>
      readMessage(each, `messages[${index}]`),
    ),
  };
}

/** The one parameter that methods take. */
export function onlyParameter(params: unknown): unknown {
  return list(params, "params", 1)[0];
}

/** The network and account that a request names, if it does. */
export function limits({ network, from }: Fields): Limits {
  return {
    network: network === undefined ? undefined : text(network, "network", 20),
    from: from === undefined ? undefined : addressText(from, "from"),
  };
}

function addressText(value: unknown, what: string): string {
  const address = text(value, what, 80);
  try {
    parseAddress(address);
    return address;
  } catch {
    // The reader's own error would not name the field.
    throw badRequest(`${what} is not an address: ${quoted(address)}`);
  }
}

function unixTime(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
    throw badRequest("valid_until is not a Unix time in seconds");
  // Some dapps send a time without end, or milliseconds; orders have 32 bits for it.
  return Math.min(value, 0xffffffff);
}

function readMessage(value: unknown, what: string): MessageRelaxed {
  const message = fields(value, what, messageNames);
  const destination = addressText(message["address"], `${what}.address`);
  const { form, bounceable } = parseAddress(destination);
  if (form === "raw")
    throw badRequest(
      `${what}.address is raw: TON Connect takes friendly addresses, which say whether to bounce`,
    );
  const { payload, stateInit } = message;
  return {
    info: {
      type: "internal",
      ihrDisabled: true,
      bounce: bounceable,
      bounced: false,
      src: null,
      dest: Address.parse(destination),
      value: {
        coins: amount(message["amount"], `${what}.amount`, 120),
        other: currencies(message["extra_currency"], `${what}.extra_currency`),
      },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    init: stateInit === undefined ? null : readInit(stateInit, `${what}.stateInit`),
    body: payload === undefined ? beginCell().endCell() : cell(payload, `${what}.payload`),
  };
}

function readInit(value: unknown, what: string): StateInit {
  const slice = cell(value, what).beginParse();
  try {
    const init = loadStateInit(slice);
    slice.endParse();
    return init;
  } catch {
    // The reader's own error would not name the field.
    throw badRequest(`${what} is not an initial state`);
  }
}

/** Amounts of extra currencies by their ids. */
function currencies(value: unknown, what: string) {
  if (value === undefined) return undefined;
  const entries = Object.entries(fields(value, what));
  if (entries.length > maxCurrencies) throw badRequest(`${what} has more than ${maxCurrencies} currencies`);
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  for (const [id, each] of entries)
    other.set(Number(amount(id, `an id in ${what}`, 32)), amount(each, `${what}[${quoted(id)}]`, 248));
  return other;
}
