import { z } from "zod";
import { Fault, list, rule } from "../../schema/input.js";
import { matching } from "../../schema/patterns.js";
import { debugRun, debugSteps, debugTrail } from "../../schema/v3/debug.js";
import {
  askedRun,
  debuggedMessage,
  debuggedMethod,
  force,
  givenFiles,
  hasWholePlace,
  transactionLimit,
  transactionPlace,
} from "../../schema/v3/debug-params.js";
import { debugMessages, debugTrace } from "../../schema/v3/debug-trace.js";
import { bool, hash, int32, page } from "../../schema/v3/params.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { exampleHash, exampleRun, exampleStep, exampleTransfer, nobody } from "./examples.js";

const common = {
  group: "Debugging",
  verbs: ["GET", "POST"],
  freshness: { kind: "none" },
  runsTransactions: true,
  errors: ["absent", "conflict", "liteserver-error"],
} as const;

/** Steps per page. */
const limits = { initial: 200, max: 1000 } as const;

const { at, op, args, text, depth } = exampleStep;

const exampleTrace = {
  trace_id: exampleHash,
  runs: [exampleRun],
  missing: [],
  transactions: 1,
  failure: null,
  failed_run: null,
  gas: "26",
  fees: "10400",
  cursor: null,
  is_incomplete: false,
};

/** What runs have that are not the chain's. */
const exampleMessage = {
  run: `r1.${"ab".repeat(32)}`,
  kind: "message" as const,
  block: null,
  proof: {
    ...exampleRun.proof,
    level: "none" as const,
    inputs: { ...exampleRun.proof.inputs, block: null },
  },
};

const parts = ["stack", "full_stack", "cells", "source", "frames", "locals", "registers"] as const;

const includedParts = list<(typeof parts)[number]>(
  matching(parts.join("|")),
  (given) =>
    parts.find((part) => part === given) ?? new Fault("range", (name) => `${name} has an unknown part`),
);

const { limit } = page(limits);

export const debugRunMethods = {
  transaction: defineMethod({
    ...common,
    summary: "Runs a transaction again, and proves by its hash that the run is the chain's.",
    description:
      "It begins at the account's state after the shard's block before, with the account's earlier transactions in the block, and sees the configuration, the libraries " +
      "and the earlier blocks that it saw. A run that ends in another state is refused with `conflict` (`different` in `kind`) unless it is forced; ticks, tocks and messages " +
      "can be run, other kinds are `unsupported`. Where no server keeps the state, the account is run from its first transaction; if that is not " +
      "possible, the answer is `absent` (`state-unavailable`).",
    params: z
      .object({
        hash: hash.optional().describe("Hash of the transaction. Needs an index."),
        ...transactionPlace,
        force,
        ...givenFiles,
      })
      .check(
        rule(({ hash, account }) =>
          (hash === undefined) === (account === undefined)
            ? "either hash or both account and lt should be specified"
            : undefined,
        ),
        hasWholePlace,
      ),
    result: debugRun,
    examples: [
      { params: { hash: exampleHash }, story: { hash: ofStory("transaction_hash") }, result: exampleRun },
    ],
  }),

  trace: defineMethod({
    ...common,
    summary: "Runs the transactions of a trace again, in the order of logical times.",
    description:
      "Each is run as by `v3.debug.transaction`, for as many points; those that cannot be run are in `missing`. A page ends early where the runs take too long: `cursor` continues. " +
      "Failure, gas and fees are those of the whole trace. Needs an index.",
    params: z
      .object({
        tx_hash: hash.optional().describe("Hash of any transaction of the trace."),
        msg_hash: hash.optional().describe("Hash of any message of the trace, as sent or normalized."),
        trace_id: hash.optional().describe("Hash of the first transaction."),
        limit: transactionLimit,
        cursor: int32.optional().describe("`cursor` of the page before. Default: the first page."),
      })
      .check(
        rule((given) =>
          [given.tx_hash, given.msg_hash, given.trace_id].filter((each) => each !== undefined).length === 1
            ? undefined
            : "exactly one of tx_hash, msg_hash, trace_id should be specified",
        ),
      ),
    result: debugTrace,
    examples: [
      {
        params: { trace_id: exampleHash },
        story: { trace_id: ofStory("trace_id"), limit: 2 },
        result: exampleTrace,
      },
    ],
  }),

  message: defineMethod({
    ...common,
    verbs: ["POST"],
    bodyRefusal: "invalid request: ",
    summary: "Runs a message that was not sent, and shows each step; also one that is not accepted.",
    description:
      "Nothing is sent. The message is received in the block after `mc_block_seqno`, as if that contained nothing else. A contract that does not accept " +
      "an external message has a run without a transaction; a message that no account can receive is refused.",
    params: z.object({ ...debuggedMessage, ...givenFiles }),
    result: debugMessages,
    errors: [...common.errors, "bad-boc", "message-rejected", "timeout"],
    examples: [{ params: { boc: exampleTransfer }, result: { ...exampleRun, ...exampleMessage } }],
  }),

  getMethod: defineMethod({
    ...common,
    verbs: ["POST"],
    summary: "Runs a get-method of a contract, and shows each step.",
    params: z.object({ ...debuggedMethod, source_map: givenFiles.source_map }),
    result: debugRun,
    errors: [...common.errors, "bad-boc", "stack-too-deep"],
    examples: [
      {
        params: { address: nobody, method: "seqno" },
        story: { address: ofStory("ann"), method: "seqno" },
        result: {
          ...exampleRun,
          ...exampleMessage,
          kind: "get_method",
          transaction: null,
          lt: null,
          message: null,
          fees: null,
          method: { id: 85_143, stack: [{ type: "num", value: "0x5" }] },
        },
      },
    ],
  }),

  steps: defineMethod({
    ...common,
    summary: "Steps of a run, page by page.",
    description:
      "A page ends early where its values are larger than 4 MiB; `next` continues. Numbers of steps are the machine's own: if the " +
      "beginning of its log was cut, the first known step is `first_step`.",
    params: z
      .object({
        ...askedRun,
        from: int32
          .optional()
          .describe("First step of the page. Default: the first known step; the last one if `backward`."),
        limit: limit.describe(`Maximum number of steps, at most ${limits.max}.`),
        backward: bool
          .prefault(false)
          .describe("Whether the page has the steps up to `from`, and `next` goes back."),
        include: includedParts
          .prefault([])
          .describe(
            "`stack`: what each step takes from the stack and leaves on it. `full_stack`: the whole stack before each step. `cells`: with " +
              "one of them the cells that they name. `source`: place and function by a source map. `frames`: the functions that are open, where they change. `locals`: the variables of the function " +
              "before each step, at most 50 steps a page. `registers`: data, actions, global variables and the contract's parameters, where they change.",
          ),
        ...givenFiles,
      })
      .check(hasWholePlace),
    result: debugSteps,
    examples: [
      {
        params: { run: exampleRun.run, limit: 1 },
        story: { run: ofStory("debug_run"), limit: 1 },
        result: {
          run: exampleRun.run,
          steps: [exampleStep],
          next: 1,
          total: 23,
          first_step: 0,
          truncated: false,
        },
      },
    ],
  }),

  trail: defineMethod({
    ...common,
    summary:
      "The steps of a run in short, as debuggers walk through them: the instruction and the function of each.",
    description:
      "Steps of equal instructions in equal calls share a place, so that 10,000 steps are one page, which costs one point, and the time that it takes. `v3.debug.steps` and " +
      "`v3.debug.state` have what else is known of a step.",
    params: z
      .object({
        ...askedRun,
        from: int32.optional().describe("First step of the page. Default: the first known step."),
        ...givenFiles,
      })
      .check(hasWholePlace),
    result: debugTrail,
    examples: [
      {
        params: { run: exampleRun.run },
        story: { run: ofStory("debug_run") },
        result: {
          run: exampleRun.run,
          from: 0,
          steps: [0],
          places: [{ at, op, args, text, depth, frame: 0 }],
          frames: [{ name: "recv_internal", parent: null }],
          prints: [],
          next: null,
          total: 1,
          first_step: 0,
          truncated: false,
        },
      },
    ],
  }),
};
