import { z } from "zod";
import { accountAddress, bytes, optionalFlag } from "../../schema/v2-params.js";
import { typeName } from "../../schema/v2-records.js";
import { cellObject } from "../../schema/v2-stack-params.js";
import { defineMethod } from "../define.js";
import { nobody } from "./examples.js";

const fees = z.object({
  "@type": typeName("fees"),
  in_fwd_fee: z.int().describe("For bringing the message into the network."),
  storage_fee: z.int().describe("Rent of the account since it was paid last."),
  gas_fee: z.int().describe("For running the contract; 0 when it does not accept the message."),
  fwd_fee: z.int().describe("For the messages the contract sends."),
});

const queryFees = z.object({
  "@type": typeName("query.fees"),
  source_fees: fees.describe("What the account pays, in nanotons."),
  destination_fees: z.array(fees).describe("Always empty."),
});

const address = accountAddress.describe("Who gets the message.");
const ignoreChksig = optionalFlag
  .prefault(true)
  .describe("Takes every signature for right, so that the message need not be signed.");

const common = {
  group: "Send",
  verbs: ["POST"],
  freshness: { kind: "none" },
  errors: ["bad-boc", "liteserver-error"],
} as const;

const exampleFees = {
  "@type": "query.fees" as const,
  source_fees: { "@type": "fees" as const, in_fwd_fee: 400_000, storage_fee: 0, gas_fee: 0, fwd_fee: 0 },
  destination_fees: [],
};

export const feeMethods = {
  estimateFee: defineMethod({
    ...common,
    summary: "What an external message to a contract would cost.",
    description: "Runs the contract on a copy of its account. A message it does not accept costs no gas.",
    params: z.object({
      address,
      body: bytes.describe("Body of the message as a bag of cells, base64."),
      init_code: bytes.prefault("").describe("Code the message deploys; goes with `init_data`."),
      init_data: bytes.prefault("").describe("Data the message deploys."),
      ignore_chksig: ignoreChksig,
    }),
    result: queryFees,
    examples: [
      {
        params: { address: nobody, body: "te6cckEBAQEACwAAEgAAAABoZWxsb5oNank=" },
        result: exampleFees,
      },
    ],
  }),

  estimateFeeSimple: defineMethod({
    ...common,
    summary: "As `estimateFee`, with cells as nested objects.",
    params: z.object({
      address,
      body: cellObject.describe("Body of the message."),
      init_code: cellObject.optional().describe("Code the message deploys; goes with `init_data`."),
      init_data: cellObject.optional().describe("Data the message deploys."),
      ignore_chksig: ignoreChksig,
    }),
    result: queryFees,
    examples: [
      {
        params: {
          address: nobody,
          body: { data: { b64: "AAAAAGhlbGxv", len: 72 }, refs: [], special: false },
        },
        result: exampleFees,
      },
    ],
  }),
};
