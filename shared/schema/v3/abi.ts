import { z } from "zod";
import { hashBase64 } from "../../forms/values.js";
import { Fault, input, unreadable } from "../input.js";
import { bool } from "./params.js";

export const includeAbi = bool
  .prefault(false)
  .describe(
    "Include `abi`: names and values by the contract's ABI, if the service has one. ABIs are statements of others: `trust` says whose.",
  );

/** Characters of an ABI in a call: longer ones are for the folder of the service. */
const maxGivenAbi = 1 << 20;

/** The text of a file with an ABI. */
export const givenAbi = input<string, string>({ type: "string", maxLength: maxGivenAbi }, (given) =>
  typeof given === "string" ? given : unreadable,
);

/** Who can vouch for an ABI, the best first. */
export const trusts = ["own", "claimed", "curated", "built in"] as const;

const source = {
  contract: z.string().describe("Name of the contract in its ABI."),
  trust: z
    .enum(trusts)
    .describe(
      "Who says so. `own`: whoever runs the service, or the caller's key. `claimed`: a verifier, or on a devnet another caller. `curated`: those who keep its catalogue. `built in`: this program, of a devnet's own contracts.",
    ),
  by: z
    .enum(["call", "code", "address", "opcode"])
    .describe(
      "How it was chosen: given in the call, by the hash of the code, by the address, or by the opcode alone, which is a guess.",
    ),
};

export const abiSource = z
  .object(source)
  .meta({ id: "AbiSource", description: "The ABI that something is known by." });

export const abiOpcode = z
  .object({ ...source, message: z.string().describe("Name of the message.") })
  .meta({ id: "AbiOpcode", description: "An opcode by the ABI of a contract." });

export const abiBody = z
  .object({
    ...source,
    message: z.string().describe("Name of the message."),
    fields: z
      .record(z.string(), z.unknown())
      .describe(
        "Its fields: integers as decimal texts, addresses raw, cells as bags of cells, and `@type` in values of unions.",
      ),
  })
  .meta({ id: "AbiBody", description: "A body by the ABI of a contract." });

export const abiError = z
  .object({
    name: z.string().describe("Name of the error; empty if it has none."),
    description: z.string().describe("What the contract's author says of it."),
  })
  .describe("The error that the exit code is.");

export const abiRun = z
  .object({
    ...source,
    method: z.string().describe("Name of the get-method."),
    returns: z.string().describe("Type of the result, as in Tolk."),
    result: z
      .unknown()
      .optional()
      .describe(
        "The result, in the form of fields; absent if the method failed or the stack is of another type.",
      ),
    error: abiError.optional().describe("Absent if the ABI does not name the exit code."),
  })
  .meta({ id: "AbiRun", description: "The run of a get-method by the ABI of its contract." });

const typedName = z.object({
  name: z.string().describe("Its name."),
  type: z.string().describe("Its type, as in Tolk."),
});
const fields = z
  .array(typedName)
  .describe("Fields in order; a single one, `value`, for types that are no structures.");

export const contractAbi = z
  .object({
    ...source,
    compiler: z.string().describe("Name and version of the compiler; empty if unknown."),
    code_hashes: z
      .array(hashBase64)
      .describe("Hashes of the codes that it is known to belong to: 100 of them at most."),
    storage: z
      .array(z.object({ type: z.string().describe("Its type, as in Tolk."), fields }))
      .describe("Forms of the storage, the usual one first."),
    get_methods: z
      .array(
        z.object({
          name: z.string().describe("Name of the get-method."),
          id: z.int().describe("Its id."),
          parameters: z.array(typedName).describe("Parameters in order."),
          returns: z.string().describe("Type of the result, as in Tolk."),
          description: z.string().describe("What the contract's author says of it."),
        }),
      )
      .describe("Get-methods."),
    messages: z
      .array(
        z.object({
          direction: z
            .enum(["incoming", "external", "outgoing", "events"])
            .describe(
              "`incoming`: from contracts. `external`: from outside. `outgoing`: to contracts. `events`: to the outside.",
            ),
          name: z.string().describe("Name of the message."),
          opcode: z
            .string()
            .nullable()
            .describe("First bits of its bodies in hex, usually 32; null if they are not fixed."),
          fields,
        }),
      )
      .describe("Messages that it receives and sends."),
    errors: z
      .array(
        z.object({
          code: z.int().describe("The exit code."),
          name: z.string().describe("Name of the error; empty if it has none."),
          description: z.string().describe("What the contract's author says of it."),
        }),
      )
      .describe("Errors that it throws."),
    is_cut: z.boolean().describe("Whether members are left out, as all matches have too many."),
    abi: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        "On request: the ABI as its file has it, by Tolk's compiler or Tact's. Absent if all are too long.",
      ),
  })
  .meta({ id: "ContractAbi", description: "The interface of a contract, by an ABI." });

export type ContractAbi = z.output<typeof contractAbi>;
export type AbiSource = z.output<typeof abiSource>;
export type AbiOpcode = z.output<typeof abiOpcode>;
export type AbiBody = z.output<typeof abiBody>;
export type AbiRun = z.output<typeof abiRun>;

const maxArguments = 255;

/** Arguments of a get-method in order or by name; their types are those of the ABI. */
export const typedArguments = input<object, object>(
  {
    anyOf: [
      { type: "array", maxItems: maxArguments, items: {} },
      { type: "object", maxProperties: maxArguments, additionalProperties: {} },
    ],
  },
  (given) => {
    if (typeof given !== "object" || given === null) return refuse("args should be a list or an object");
    return Object.keys(given).length > maxArguments ? refuse("too many args") : given;
  },
);

function refuse(text: string): Fault {
  return new Fault("range", () => text);
}
