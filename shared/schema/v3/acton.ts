import { z } from "zod";
import { hashBase64, rawAddressUpper } from "../../forms/values.js";
import { catalogued, contractLink, decimal, nullableHash } from "./records.js";

export const directions = [
  "storage",
  "deployment_storage",
  "incoming_messages",
  "incoming_external",
  "outgoing_messages",
  "emitted_events",
] as const;

export type Direction = (typeof directions)[number];

const typeName = z.string().describe("Type, as in Tolk.");

export const actonMethod = z
  .object({
    name: z.string().describe("Name."),
    method_id: z.int().describe("Id."),
    parameters: z
      .array(z.object({ name: z.string().describe("Name."), type: typeName }).describe("A parameter."))
      .describe("Parameters in order."),
    return: z.string().describe("Type of the result, as in Tolk."),
    description: z.string().optional().describe("What the contract's author says of it; absent for nothing."),
    unsupported: z
      .string()
      .optional()
      .describe("Why it cannot be called by its types; absent if it can. It can be called with a `stack`."),
  })
  .meta({ id: "ActonGetMethod", description: "A get-method of an ABI." });

export const actonContract = z
  .object({
    ...catalogued,
    code_hashes: z.array(hashBase64).describe("Hashes of its codes."),
    known_addresses: z.array(rawAddressUpper).describe("Accounts that are said to have it."),
    links: z.array(contractLink).describe("Pages about it."),
    get_methods: z.array(actonMethod).describe("Its get-methods; none if its ABI is malformed."),
    abi: z
      .unknown()
      .optional()
      .describe("The ABI as Tolk's compiler wrote it, of contracts that were selected."),
  })
  .meta({ id: "ActonContract", description: "A contract with an ABI." });

export const actonType = z
  .object({ ty_idx: z.int().describe("Place in the ABI's table of types."), name: typeName })
  .describe("The type of the value in the ABI.");

/** The state of an account that a get-method has run on. */
export const actonSnapshot = z
  .object({
    address: rawAddressUpper.describe("The account."),
    code_hash: hashBase64.describe("Hash of its code."),
    implementation_hash: hashBase64
      .optional()
      .describe("Hash of the code that it refers to, if its code is a library cell."),
    data_hash: nullableHash.describe("Hash of its data."),
    last_transaction_hash: nullableHash.describe("Hash of its last transaction; `null` if there is none."),
    last_transaction_lt: decimal.nullable().describe("Logical time of it."),
    mc_seqno: z.int().describe("The masterchain block."),
  })
  .meta({ id: "ActonSnapshot", description: "The state of an account at a block." });

export type ActonMethod = z.output<typeof actonMethod>;
export type ActonContract = z.output<typeof actonContract>;
export type ActonSnapshot = z.output<typeof actonSnapshot>;
