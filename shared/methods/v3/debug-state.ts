import { z } from "zod";
import { oneOf } from "../../schema/devnet-params.js";
import { rule } from "../../schema/input.js";
import { askedRun, givenFiles, hasWholePlace } from "../../schema/v3/debug-params.js";
import { debugCode, debugProfile, debugState, foundSteps } from "../../schema/v3/debug-state.js";
import { address, hash, int32, text } from "../../schema/v3/params.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { exampleHash, exampleRun, exampleStep, nobody } from "./examples.js";

const common = {
  group: "Debugging",
  verbs: ["GET", "POST"],
  freshness: { kind: "none" },
  errors: ["absent", "conflict", "liteserver-error"],
} as const;
const running = { ...common, runsTransactions: true } as const;

const { run, ...howItWasMade } = askedRun;
const searches = ["line", "at", "instruction", "function", "writes", "throws", "action", "equals"] as const;
const { run: exampleName } = exampleRun;
const { at: examplePlace } = exampleStep;

export const debugStateMethods = {
  state: defineMethod({
    ...running,
    summary: "The machine before a step: stack, registers, functions and variables.",
    description:
      "Registers are derived from the inputs of the run and the instructions that change them: data and actions are null if they do not lead to what the chain has. Variables need a source map of the code " +
      "(`v3.debug.artifacts.add`, `--artifacts`).",
    params: z
      .object({ run, step: int32.describe("Number of the step."), ...howItWasMade, ...givenFiles })
      .check(hasWholePlace),
    result: debugState,
    examples: [
      {
        params: { run: exampleName, step: 0 },
        story: { run: ofStory("debug_run"), step: 0 },
        result: {
          run: exampleName,
          step: exampleStep,
          stack: [{ type: "int", value: "0" }],
          registers: {
            ...{ c4: null, c5: null, c7: [] },
            parameters: [{ index: 3, name: "unixtime", value: { type: "int", value: "1779000000" } }],
          },
          frames: [],
          cells: {},
        },
      },
    ],
  }),

  find: defineMethod({
    ...running,
    summary: "Numbers of the steps of a run with a line, an instruction, a function, or an effect.",
    params: z
      .object({
        ...askedRun,
        line: text.optional().describe("Steps of a line: `31`, or `counter.fc:31`. Needs a source map."),
        at: text.optional().describe("Steps at a place in the code: `<cell hash>:<offset>`."),
        instruction: text.optional().describe("Steps of an instruction, by its name."),
        function: text.optional().describe("Steps within a function; without a source map, a method."),
        writes: text
          .optional()
          .describe(
            "Steps that change `c4` (data), `c5` (actions), `c7`, or a global variable, by its number or name.",
          ),
        throws: text
          .optional()
          .describe("Steps that throw an exception of a code, or `any`; also those that are caught."),
        action: int32.optional().describe("The step that queued an action, by its place among the run's."),
        equals: text
          .optional()
          .describe("Steps that leave this on top of the stack: an integer, or a cell by its hash in hex."),
        ...givenFiles,
      })
      .check(
        rule((given) =>
          searches.filter((search) => given[search] !== undefined).length === 1
            ? undefined
            : `exactly one of ${searches.join(", ")} should be specified`,
        ),
        hasWholePlace,
      ),
    result: foundSteps,
    examples: [
      {
        params: { run: exampleName, instruction: "SETCP" },
        story: { run: ofStory("debug_run"), instruction: "SETCP" },
        result: { run: exampleName, steps: [0], is_cut: false },
      },
    ],
  }),

  profile: defineMethod({
    ...running,
    summary: "Where the gas of a run or of a trace went, as a list or for viewers of profiles.",
    description:
      "A trace has a root for each of its transactions that can be run. Weights are gas, never time. Functions are those of a source map; without one they are the code's methods, and `approximate` is true.",
    params: z
      .object({
        run: run.optional(),
        ...howItWasMade,
        trace_id: hash
          .optional()
          .describe(
            "In place of a run: the first transaction of a trace, whose first 64 transactions are profiled. Needs an index.",
          ),
        format: oneOf("json", "calls", "collapsed", "cpuprofile", "speedscope")
          .prefault("json")
          .describe(
            "`calls`: functions in the order of steps, of a run. `cpuprofile`: for Chrome's DevTools. `speedscope`: for speedscope.app. `collapsed`: for flame graphs.",
          ),
        by: oneOf("function", "line", "instruction", "cell")
          .prefault("function")
          .describe("What the gas is divided by, within the functions; cells have no calls."),
        ...givenFiles,
      })
      .check(
        rule(({ run, trace_id, format }) => {
          if ((run === undefined) === (trace_id === undefined))
            return "either run or trace_id should be specified";
          return format === "calls" && run === undefined ? "the format calls needs a run" : undefined;
        }),
        hasWholePlace,
      ),
    result: debugProfile,
    examples: [
      {
        params: { run: exampleName },
        story: { run: ofStory("debug_run") },
        result: {
          run: exampleName,
          trace_id: null,
          total: 26,
          fixed: false,
          approximate: true,
          entries: [{ name: exampleName, gas: 26, total: 26, steps: 1 }],
        },
      },
    ],
  }),

  code: defineMethod({
    ...common,
    summary: "The instructions of a code, with its methods, and its lines where they are known.",
    params: z
      .object({
        code_hash: hash
          .optional()
          .describe("Hash of the code. Needs an index, unless the code is a public library."),
        account: address.optional().describe("The contract; its code is read from the chain."),
        seqno: int32
          .optional()
          .describe("With `account`: masterchain block to read at. Default: the last one."),
        ...givenFiles,
      })
      .check(
        rule(({ code_hash, account }) =>
          (code_hash === undefined) === (account === undefined)
            ? "either code_hash or account should be specified"
            : undefined,
        ),
      ),
    result: debugCode,
    examples: [
      {
        params: { account: nobody },
        story: { account: ofStory("ann") },
        result: {
          code_hash: exampleHash,
          library: null,
          methods: [{ id: 0, name: "recv_internal", at: examplePlace }],
          instructions: [{ at: examplePlace, op: "SETCP", args: "0", bits: 16, depth: 0 }],
          map: null,
          map_error: null,
          is_cut: false,
        },
      },
    ],
  }),
};
