import { z } from "zod";
import { hashBase64, quantity } from "../../forms/values.js";
import { trusts } from "./abi.js";
import { decimal } from "./records.js";

export const debugValue = z
  .object({
    type: z
      .enum(["int", "null", "cell", "slice", "builder", "cont", "tuple", "list", "text"])
      .describe("`text`: a value that is not understood."),
    value: z.string().optional().describe("An integer, decimal, or `NaN`."),
    hash: hashBase64.optional().describe("Hash of a cell, or of what is in a slice or builder."),
    bits: quantity.optional().describe("Number of its bits."),
    refs: quantity.optional().describe("Number of its references."),
    get items(): z.ZodOptional<z.ZodArray<z.ZodType<DebugValue>>> {
      return z
        .array(debugValue as z.ZodType<DebugValue>)
        .optional()
        .describe("Items of a tuple or list.");
    },
    text: z.string().optional().describe("As the machine writes it."),
  })
  .meta({ id: "DebugValue", description: "A value on the machine's stack." });

export type DebugValue = {
  type: "int" | "null" | "cell" | "slice" | "builder" | "cont" | "tuple" | "list" | "text";
  value?: string | undefined;
  hash?: string | undefined;
  bits?: number | undefined;
  refs?: number | undefined;
  items?: DebugValue[] | undefined;
  text?: string | undefined;
};

/** Where an instruction is in the sources, by a source map. */
const sourcePlace = z
  .object({
    file: z.string().describe("The file, as the compiler named it; `@stdlib/` is the compiler's own."),
    line: quantity.describe("Line, from 1."),
    column: quantity.describe("Column, from 1."),
    end_line: quantity.optional().describe("Last line; absent if the map does not tell."),
    end_column: quantity.optional().describe("Column behind the end."),
  })
  .meta({ id: "DebugSource", description: "A place in the sources, as a source map states it." });

export const sourceMembers = {
  source: sourcePlace.optional().describe("Its place in the sources. Known with a source map."),
  function: z.string().optional().describe("The function that it is in, by the source map."),
};

const local = z
  .object({
    name: z.string().describe("Name of the variable."),
    type: z.string().optional().describe("Its type, as in Tolk; absent if the map has no types."),
    values: z
      .array(debugValue.nullable())
      .describe("The values of the stack that it is made of; null for those that the compiler left out."),
    typed: z.unknown().optional().describe("Its value by the type; absent if it cannot be read."),
    seen: quantity
      .optional()
      .describe(
        "The last step before which the map says that it is on the stack; the value is that of then.",
      ),
  })
  .meta({ id: "DebugLocal", description: "A variable of a function." });

export const locals = z.array(local);

const orderedAction = z
  .object({
    kind: z.enum(["send", "set_code", "reserve", "change_library"]).describe("Kind of the action."),
    mode: quantity.nullable().describe("Mode; null for actions without one."),
    destination: z.string().nullable().describe("Receiver of the message; null if there is none."),
    value: decimal
      .nullable()
      .describe("Value of the message as ordered, or reserved amount; null if there is none."),
  })
  .describe("An action.");

const globalVariable = z
  .object({
    index: quantity.describe("Its number in the machine, from 1."),
    name: z.string().optional().describe("Its name by the source map."),
    value: debugValue,
  })
  .describe("A global variable.");

const parameter = z
  .object({
    index: quantity.describe("Its number, that of GETPARAM."),
    name: z.string().optional().describe("Its name, such as `unixtime` or `rand_seed`."),
    value: debugValue
      .nullable()
      .describe(
        "Null if it is not known. Large cells, such as the configuration, are not among the cells of the answer.",
      ),
  })
  .describe("A parameter of the contract.");

export const registers = z
  .object({
    c4: z
      .object({
        cell: debugValue,
        storage: z.unknown().optional().describe("The data by the contract's ABI."),
      })
      .describe("Data of the contract.")
      .nullable()
      .optional()
      .describe("Data of the contract; null if they are not known."),
    c5: z
      .object({ cell: debugValue, actions: z.array(orderedAction).describe("The actions, in order.") })
      .describe("Ordered actions.")
      .nullable()
      .optional()
      .describe("Ordered actions; null if they are not known."),
    c7: z
      .array(globalVariable)
      .nullable()
      .optional()
      .describe("Global variables; null if they are not known."),
    parameters: z
      .array(parameter)
      .nullable()
      .optional()
      .describe(
        "What the contract can ask the machine for (SmartContractInfo, the first item of `c7`): those of the network's version. Null if they are not known.",
      ),
  })
  .meta({
    id: "DebugRegisters",
    description:
      "Registers of the machine, derived from the inputs of the run and the instructions that change them. Data and actions are compared with what the chain has at the end.",
  });

export const gasEntry = z
  .object({
    name: z.string().describe("Function, line, instruction or cell."),
    gas: quantity.describe("Gas of itself."),
    total: quantity.describe("Gas with all that it called."),
    steps: quantity.describe("How many steps it has."),
  })
  .meta({ id: "GasEntry", description: "A part of the gas." });

export const debugMap = z
  .object({
    format: z.enum(["acton", "tolk", "func", "sections"]).describe("Form of the map."),
    trust: z
      .enum(trusts)
      .describe(
        "Whose map it is, as in `v3.debug.abi`. The code's hash does not prove that the lines are right.",
      ),
    file: z.string().describe("The file that it is from."),
    compiler: z.string().describe("Name and version of the compiler; may be empty."),
  })
  .meta({ id: "DebugMap", description: "The source map of a code." });

export type DebugMap = z.output<typeof debugMap>;
export type DebugSource = z.output<typeof sourcePlace>;
export type DebugLocal = z.output<typeof local>;
export type DebugRegisters = z.output<typeof registers>;
