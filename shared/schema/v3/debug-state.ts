import { z } from "zod";
import { bocBase64, hashBase64, hashHex, quantity } from "../../forms/values.js";
import { debugStep } from "./debug.js";
import { debugMap, debugValue, gasEntry, locals, registers, sourceMembers } from "./debug-values.js";
import { nullableHash } from "./records.js";

const runName = z.string().describe("The run.");

const frame = z
  .object({
    function: z.string().describe("Name of the function, method, or cell."),
    locals: locals.describe("Its variables, where a source map has them."),
  })
  .describe("A function that is open.");

export const debugState = z
  .object({
    run: runName,
    step: debugStep.describe("The step, before which everything here is."),
    stack: z.array(debugValue).describe("The stack, bottom to top; empty for an error of the machine."),
    registers,
    frames: z.array(frame).describe("Functions that are open, the innermost one first."),
    cells: z.record(hashHex, bocBase64).describe("Cells that the values name, by hash."),
  })
  .meta({ id: "DebugState", description: "The machine before a step." });

export const foundSteps = z.object({
  run: runName,
  steps: z.array(quantity).describe("Numbers of the steps, at most 1,000."),
  is_cut: z.boolean().describe("Whether there are more."),
});

const gasCall = z
  .object({
    name: z.string().describe("Function, line, instruction or cell."),
    depth: quantity.describe("How many functions are around it."),
    from: quantity.describe("Its first step."),
    to: quantity.describe("The step behind its last one."),
    before: quantity.describe("Gas that was used before it."),
    gas: quantity.describe("Gas of it, with all that it called."),
  })
  .describe("A visit of a function.");

export const debugProfile = z
  .object({
    run: runName.nullable().describe("The run; null for a trace."),
    trace_id: nullableHash.describe("The trace; null for a run."),
    total: quantity.describe("All gas of the runs."),
    fixed: z
      .boolean()
      .describe(
        "Whether a contract is precompiled: then its gas is the sum of its steps, not what it paid for.",
      ),
    approximate: z
      .boolean()
      .describe("Whether functions are the code's methods and cells, as there is no source map of it."),
    is_incomplete: z
      .boolean()
      .optional()
      .describe(
        "Of a trace: whether it has more transactions than were run, as they cannot be run or would take too long.",
      ),
    entries: z
      .array(gasEntry)
      .optional()
      .describe("With the format `json`: the parts, those with most gas first."),
    calls: z
      .array(gasCall)
      .optional()
      .describe("With the format `calls`: in the order of steps; of more than 5,000 those with most gas."),
    text: z.string().optional().describe("With the format `collapsed`: a line for each stack of functions."),
    file: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("With the formats `cpuprofile` and `speedscope`: the file that these viewers open."),
  })
  .meta({ id: "DebugProfile", description: "Where the gas of a run went." });

const instruction = z
  .object({
    at: z.string().describe("Hash of the cell in hex, and bits from its beginning."),
    op: z.string().optional().describe("Name of the instruction; absent for bits that are none."),
    args: z.string().optional().describe("Its operands."),
    bits: quantity.optional().describe("Its length."),
    refs: z.array(hashBase64).optional().describe("Cells that it takes along."),
    depth: quantity.describe("How many bodies of continuations are around it in its cell."),
    ...sourceMembers,
  })
  .describe("An instruction.");

const method = z
  .object({
    id: z.int().describe("Id of the method."),
    name: z
      .string()
      .nullable()
      .describe("Its name by the ABI or the source map, or that of an entry of the network."),
    at: z.string().describe("Where it begins."),
  })
  .describe("A method.");

export const debugCode = z
  .object({
    code_hash: hashBase64.describe("Hash of the code."),
    library: nullableHash.describe("Hash of the library that the code is; null if it is none."),
    methods: z.array(method).describe("The methods that messages and callers choose by their id."),
    instructions: z
      .array(instruction)
      .describe(
        "Instructions that are found without running the code: those of its beginning, then method by method.",
      ),
    map: debugMap.nullable().describe("The source map that is used; null without one."),
    map_error: z
      .string()
      .nullable()
      .describe("Why a map of the code is not used; null if none was left out."),
    is_cut: z.boolean().describe("Whether the code has more than 20,000 instructions."),
  })
  .meta({ id: "DebugCode", description: "A code in words." });
