import { z } from "zod";
import type { Address } from "../../values/address.js";
import { Fault, faultOf, input } from "../input.js";
import { addressText } from "../patterns.js";
import {
  emulatedBoc,
  emulatedExpiry,
  emulatedSender,
  emulationFlag,
  messagesSchema,
  type RequestedMessage,
  refusedEmulation,
  requestedMessages,
  someBase64Text,
} from "./emulate.js";

/** A wallet's order, in the form of TON Connect. */
export type RequestedOrder = {
  readonly from: Address;
  readonly messages: readonly RequestedMessage[];
  readonly valid_until?: bigint | undefined;
};

/** A further message of a bundle: a bag of cells, or a wallet's order. */
type BundledMessage = { readonly boc: Uint8Array; readonly ignore_chksig: boolean } | RequestedOrder;

type GivenMessage =
  | { readonly boc: string; readonly ignore_chksig?: boolean | undefined }
  | {
      readonly from: string;
      readonly messages: z.input<typeof requestedMessages>;
      readonly valid_until?: number | bigint | undefined;
    };

/** The messages of an emulation, beside the first one. */
const atMost = 7;

const written = z.object({
  boc: emulatedBoc,
  ignore_chksig: emulationFlag("ignore_chksig", "Accept any signature."),
});
const ordered = z.object({
  from: emulatedSender,
  messages: requestedMessages,
  valid_until: emulatedExpiry.optional(),
});

const bundleSchema = {
  type: "array",
  "x-name": "Bundle",
  maxItems: atMost,
  items: {
    anyOf: [
      {
        type: "object",
        description: "A message as a bag of cells.",
        properties: {
          boc: { ...someBase64Text, description: "The message, base64." },
          ignore_chksig: { type: "boolean", description: "Accept any signature." },
        },
        required: ["boc"],
      },
      {
        type: "object",
        description: "Messages of a wallet, in the form of TON Connect.",
        properties: {
          from: { ...addressText, description: "Address of the wallet." },
          messages: { ...messagesSchema, description: "The messages." },
          valid_until: {
            type: "integer",
            format: "uint64",
            minimum: 0,
            description: "When the message expires.",
          },
        },
        required: ["from", "messages"],
      },
    ],
  },
};

/** The messages of an emulation after the first one. */
export const bundle = input<readonly GivenMessage[], BundledMessage[]>(bundleSchema, (given) => {
  if (!Array.isArray(given)) return refusedEmulation("bundle must be an array");
  if (given.length > atMost)
    return refusedEmulation(`bundle cannot contain more than ${atMost} messages after the first one`);
  const messages: BundledMessage[] = [];
  for (const [index, each] of given.entries()) {
    const message = readMessage(each);
    if (message instanceof Fault) return at(index, message);
    messages.push(message);
  }
  return messages;
});

function readMessage(given: unknown): BundledMessage | Fault {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refusedEmulation("it must be an object");
  const read = ("from" in given ? ordered : written).safeParse(given);
  return read.success ? read.data : faultOf(read.error.issues[0]!);
}

/** A refusal with the place of the message in the bundle. */
function at(index: number, fault: Fault): Fault {
  return new Fault("range", (name) => `${name}[${index}]: ${fault.message(name)}`, {
    status: fault.status ?? 400,
  });
}
