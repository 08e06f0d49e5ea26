import { z } from "zod";
import { overrides } from "../../schema/overrides.js";
import { accountAddress, bytes, int32, optionalFlag } from "../../schema/v2/params.js";
import { typeName } from "../../schema/v2/records.js";
import { cellObject } from "../../schema/v2/stack-params.js";
import { defineMethod } from "../define.js";
import { nobody } from "./examples.js";

const fees = z.object({
  "@type": typeName("fees"),
  in_fwd_fee: z.int().describe("Fee for importing the message."),
  storage_fee: z.int().describe("Storage fee due since the last payment."),
  gas_fee: z.int().describe("Gas fee; 0 if the contract does not accept the message."),
  fwd_fee: z.int().describe("Forwarding fee of the messages that the contract sends."),
});

const queryFees = z.object({
  "@type": typeName("query.fees"),
  source_fees: fees.describe("Fees of the account in nanotons."),
  destination_fees: z.array(fees).describe("Always empty."),
});

const address = accountAddress.describe("Receiver of the message.");
const ignoreChksig = optionalFlag
  .prefault(true)
  .describe("Accept any signature, so that the message need not be signed.");
const seqno = int32({ atLeast: 1 })
  .optional()
  .describe("Masterchain block whose state is taken, without waiting messages. Default: the last one.");

const common = {
  group: "Send",
  verbs: ["POST"],
  freshness: { kind: "none" },
  runsTransactions: true,
  errors: ["bad-boc", "liteserver-error"],
} as const;

const exampleFees = {
  "@type": "query.fees" as const,
  source_fees: { "@type": "fees" as const, in_fwd_fee: 66_667, storage_fee: 0, gas_fee: 0, fwd_fee: 0 },
  destination_fees: [],
};

export const feeMethods = {
  estimateFee: defineMethod({
    ...common,
    summary: "Estimates the fees of an external message.",
    description:
      "Runs the contract on a copy of its account, after the messages that are known to wait for it; if it refuses the message then, without them. A message that it does not accept costs no gas. An account that cannot pay for the gas credit, or does not exist yet, is assumed to have the funds, so that a message can be estimated before the wallet is funded. A gasless request is no external message: an account that delivers one estimates its cost by `v3.emulate.trace` of its own message to the wallet, or to its own wallet, and the fees in that trace.",
    params: z.object({
      address,
      body: bytes.describe("Body of the message as a bag of cells, base64."),
      init_code: bytes.prefault("").describe("Code to deploy; together with `init_data`."),
      init_data: bytes.prefault("").describe("Data to deploy."),
      ignore_chksig: ignoreChksig,
      seqno,
      overrides: overrides.optional(),
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
      init_code: cellObject.optional().describe("Code to deploy; together with `init_data`."),
      init_data: cellObject.optional().describe("Data to deploy."),
      ignore_chksig: ignoreChksig,
      seqno,
      overrides: overrides.optional(),
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
