import { z } from "zod";
import { Fault, input } from "../input.js";
import { bool } from "./params.js";

export const includeAbi = bool
  .prefault(false)
  .describe(
    "Include `abi`: names and values by the contract's ABI, if the service has one. ABIs are statements of others: `trust` says whose.",
  );

const source = {
  contract: z.string().describe("Name of the contract in its ABI."),
  trust: z
    .enum(["own", "curated"])
    .describe("Who says so. `own`: whoever runs the service. `curated`: those who keep its catalogue."),
  by: z
    .enum(["code", "address", "opcode"])
    .describe(
      "How it was chosen: by the hash of the code, by the address, or by the opcode alone, which is a guess.",
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
