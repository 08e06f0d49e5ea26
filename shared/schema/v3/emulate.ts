import { z } from "zod";
import { bocBase64, hashBase64, unsigned32 } from "../../forms/values.js";
import { Address } from "../../values/address.js";
import { base64ToBytes } from "../../values/bytes.js";
import { Fault, type InputSchema, input, quote, type Read, textOfNumber } from "../input.js";
import { addressText, base64Matching, matching } from "../patterns.js";
import { action } from "./actions.js";
import { expectedOutcome } from "./message-status.js";
import { addressBook, metadata } from "./records.js";
import { traceNode } from "./traces.js";
import { transaction } from "./transactions.js";

/** Parameters of emulation are refused in one form, with status 400. */
export const refusedEmulation = (text: string) =>
  new Fault("range", () => `invalid request: ${text}`, { status: 400 });
/** Errors that TON Center finds only when it composes a message. */
const failed = (text: string) => new Fault("range", () => text, { status: 500 });

/** A value that is required; `null` and the empty text are none. */
function required<Out>(schema: InputSchema, missing: string, read: Read<Out>) {
  const refusal = refusedEmulation(missing);
  return input<string, Out>(schema, (given) => (given === "" ? refusal : read(given)), refusal);
}

const quad = "[A-Za-z0-9+/]{4}";
const lastQuad = "[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=";
/** Padded, in the standard alphabet. */
const base64Text = base64Matching(`(?:${quad})*(?:${lastQuad})?`);
export const someBase64Text = base64Matching(`(?:${quad})*(?:${quad}|${lastQuad})`);

/** The bytes of a base64 text, or what is wrong with it. */
function readBase64(given: unknown): Uint8Array | string {
  if (typeof given !== "string") return "it must be a base64 text";
  const illegal = given.search(/[^A-Za-z0-9+/]/);
  const place = illegal < 0 ? given.length : illegal;
  const isPadded = given.length % 4 === 0 && /^={0,2}$/.test(given.slice(place));
  const bytes = isPadded ? base64ToBytes(given) : undefined;
  return bytes ?? `illegal base64 data at input byte ${place}`;
}

/** A message as a bag of cells. */
export const emulatedBoc = required(someBase64Text, "boc is required", (given) => {
  const bytes = readBase64(given);
  return typeof bytes === "string" ? refusedEmulation(`invalid boc: ${bytes}`) : bytes;
});

/** A boolean that is false if it is absent. */
export function emulationFlag(name: string, description: string) {
  return input<boolean, boolean>({ type: "boolean" }, (given) =>
    typeof given === "boolean" ? given : refusedEmulation(`${name} must be a boolean`),
  )
    .prefault(false)
    .describe(description);
}

/** The seqno of a masterchain block. */
export const emulationSeqno = input<number, number>(
  { type: "integer", minimum: 0, maximum: 2 ** 32 - 1 },
  (given) =>
    typeof given === "number" && Number.isInteger(given) && given >= 0 && given < 2 ** 32
      ? given
      : refusedEmulation("mc_block_seqno must be an integer from 0 to 4294967295"),
);

/** The account that sends. */
export const emulatedSender = required(addressText, "from address is required for emulation", (given) => {
  const read = typeof given === "string" ? Address.read(given) : undefined;
  return read?.address ?? failed(`Invalid address format: ${quote(given)}`);
});

/** A unix time, whose unit is known by its size. */
export const emulatedExpiry = input<number | bigint, bigint>(
  { type: "integer", format: "uint64", minimum: 0 },
  (given) => {
    const text = typeof given === "string" ? undefined : textOfNumber(given);
    const value = text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined;
    return value !== undefined && value < 1n << 64n
      ? value
      : refusedEmulation("valid_until must be an integer from 0 to 18446744073709551615");
  },
);

/** A message that a wallet is asked to send. */
export type RequestedMessage = {
  readonly address: Address;
  readonly bounce: boolean;
  readonly amount: bigint;
  /** Bags of cells. */
  readonly payload: Uint8Array | undefined;
  readonly stateInit: Uint8Array | undefined;
};

/** A message as callers write it. */
type GivenMessage = {
  readonly address: string;
  readonly amount: string;
  readonly payload?: string | null | undefined;
  readonly stateInit?: string | null | undefined;
};

const maxMessages = 4;

const orNull = (schema: InputSchema, description: string) => ({
  anyOf: [schema, { type: "null" }],
  description,
});

const messageSchema = {
  type: "object",
  description: "A message for the wallet to send.",
  properties: {
    address: {
      ...addressText,
      description: "Receiver, in any form. The message bounces unless the form is non-bounceable.",
    },
    amount: { ...matching("\\d{1,19}"), description: "Value in nanotons." },
    payload: orNull(base64Text, "Body as a bag of cells, base64."),
    stateInit: orNull(base64Text, "StateInit that deploys the receiver, as a bag of cells, base64."),
  },
  required: ["address", "amount"],
};

export const messagesSchema = {
  type: "array",
  items: messageSchema,
  minItems: 1,
  maxItems: maxMessages,
};

const noMessages = refusedEmulation("messages array cannot be empty");

/** The messages of a request in TON Connect's form. */
export const requestedMessages = input<readonly GivenMessage[], RequestedMessage[]>(
  messagesSchema,
  (given) => {
    if (!Array.isArray(given)) return refusedEmulation("messages must be an array");
    if (given.length === 0) return noMessages;
    if (given.length > maxMessages)
      return refusedEmulation(`messages array cannot contain more than ${maxMessages} messages`);
    const messages: RequestedMessage[] = [];
    for (const [index, each] of given.entries()) {
      const message = readMessage(each, index);
      if (message instanceof Fault) return message;
      messages.push(message);
    }
    return messages;
  },
  noMessages,
);

function readMessage(given: unknown, index: number): RequestedMessage | Fault {
  const at = `message at index ${index}`;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refusedEmulation(`${at} must be an object`);
  const { address, amount, payload, stateInit } = given as Partial<Record<keyof GivenMessage, unknown>>;
  if (isNone(address) || address === "") return refusedEmulation(`${at} cannot be empty`);
  if (isNone(amount) || amount === "") return refusedEmulation(`amount in ${at} cannot be empty`);
  const isAmount = typeof amount === "string" && /^\d{1,40}$/.test(amount) && BigInt(amount) < 1n << 64n;
  if (!isAmount)
    return refusedEmulation(
      `invalid amount in ${at}: ${quote(amount)} must be a text of decimal digits, below 2^64`,
    );
  const body = isNone(payload) ? undefined : readBase64(payload);
  if (typeof body === "string") return refusedEmulation(`invalid message payload at index ${index}: ${body}`);
  const init = isNone(stateInit) ? undefined : readBase64(stateInit);
  if (typeof init === "string")
    return refusedEmulation(`invalid message stateInit at index ${index}: ${init}`);
  const receiver = typeof address === "string" ? Address.read(address) : undefined;
  if (!receiver)
    return failed(`Failed to compose external message: invalid address in ${at}: ${quote(address)}`);
  return {
    address: receiver.address,
    bounce: receiver.bounceable,
    amount: BigInt(amount),
    payload: body,
    stateInit: init,
  };
}

function isNone(given: unknown): given is null | undefined {
  return given === null || given === undefined;
}

const cells = (what: string) =>
  z
    .record(hashBase64, bocBase64)
    .optional()
    .describe(`${what} that the accounts have before, during and after the trace, by hash; if asked for.`);

const traceMembers = {
  mc_block_seqno: unsigned32.describe("The masterchain block whose state the trace begins with."),
  trace: z.nonoptional(traceNode).describe("The tree of transactions."),
  transactions: z.record(hashBase64, transaction).describe("The transactions by hash."),
  actions: z.array(action).describe("Actions, by start; empty unless requested."),
  code_cells: cells("Codes"),
  data_cells: cells("Data"),
  address_book: addressBook.optional(),
  metadata: metadata.optional(),
  outcome: expectedOutcome
    .optional()
    .describe("Whether the trace succeeds, and what fails in it; on request."),
  rand_seed: hashBase64.describe("The random seed that contracts saw; another one in each answer."),
  is_incomplete: z
    .boolean()
    .describe(
      "Whether the trace goes on beyond depth 32, 256 transactions, 20,000,000 gas or a second of processor time, or its contracts took too long to be recognised.",
    ),
};

/** The trace of a further message of a bundle. */
export const bundledTrace = z
  .object(traceMembers)
  .meta({ id: "BundledTrace", description: "The trace of a further message of a bundle." });

export const emulatedTrace = z
  .object({
    ...traceMembers,
    bundle: z
      .array(bundledTrace)
      .optional()
      .describe("Traces of the bundle's messages, in order; absent without a bundle."),
  })
  .meta({ id: "EmulatedTrace", description: "A trace that would follow from a message." });
