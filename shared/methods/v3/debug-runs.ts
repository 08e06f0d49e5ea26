import { z } from "zod";
import { Fault, input, list, rule } from "../../schema/input.js";
import { matching } from "../../schema/patterns.js";
import { debugRun, debugSteps } from "../../schema/v3/debug.js";
import { address, bool, hash, int32, lt, page } from "../../schema/v3/params.js";
import { bytesOfHex } from "../../values/bytes.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { exampleHash, exampleRun } from "./examples.js";

const common = {
  group: "Debugging",
  verbs: ["GET", "POST"],
  freshness: { kind: "none" },
  runsTransactions: true,
  errors: ["absent", "conflict", "liteserver-error"],
} as const;

/** Steps per page. */
const limits = { initial: 200, max: 1000 } as const;

const place = {
  account: address.optional().describe("Account of the transaction, for services without an index."),
  lt: lt.optional().describe("Logical time of the transaction, with `account`."),
};
const hasBoth = rule<{ account?: unknown; lt?: unknown }>(({ account, lt }) =>
  (account === undefined) === (lt === undefined) ? undefined : "account and lt go together",
);

const run = input<string, Uint8Array>(
  {
    ...matching("tx:[0-9a-fA-F]{64}"),
    description: "Name of a run: `tx:` and the hash of the transaction in hex.",
  },
  (given) =>
    typeof given === "string" && /^tx:[0-9a-f]{64}$/i.test(given)
      ? bytesOfHex(given.slice(3))
      : new Fault("range", (name) => `${name} must be tx:<64 hex>`),
);

const parts = ["stack", "full_stack", "cells"] as const;

const includedParts = list<(typeof parts)[number]>(
  matching(parts.join("|")),
  (given) =>
    parts.find((part) => part === given) ?? new Fault("range", (name) => `${name} has an unknown part`),
);

const { limit } = page(limits);

export const debugRunMethods = {
  transaction: defineMethod({
    ...common,
    points: 3,
    summary: "Runs a transaction again, and proves by its hash that the run is the chain's.",
    description:
      "It begins at the account's state after the shard's block before, with the account's earlier transactions in the block, and sees the configuration, the libraries " +
      "and the earlier blocks that it saw. A run that ends in another state is refused with `conflict` (`different` in `kind`) unless it is forced; ticks, tocks and messages " +
      "can be run, other kinds are `unsupported`. Where no server keeps the state, the account is run from its first transaction; if that is not " +
      "possible, the answer is `absent` (`state-unavailable`).",
    params: z
      .object({
        hash: hash.optional().describe("Hash of the transaction. Needs an index."),
        ...place,
        force: bool.prefault(false).describe("Show a run that ends in another state, too."),
      })
      .check(
        rule(({ hash, account }) =>
          (hash === undefined) === (account === undefined)
            ? "either hash or both account and lt should be specified"
            : undefined,
        ),
        hasBoth,
      ),
    result: debugRun,
    examples: [
      { params: { hash: exampleHash }, story: { hash: ofStory("transaction_hash") }, result: exampleRun },
    ],
  }),

  steps: defineMethod({
    ...common,
    summary: "Steps of a transaction that is run again, page by page.",
    description:
      "A page ends early where its values are larger than 4 MiB; `next` continues. Numbers of steps are the machine's own: if the " +
      "beginning of its log was cut, the first known step is `first_step`.",
    params: z
      .object({
        run: run.describe("The run, as `v3.debug.transaction` names it."),
        ...place,
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
              "one of them the cells that they name.",
          ),
        force: bool.prefault(false).describe("As in `v3.debug.transaction`."),
      })
      .check(hasBoth),
    result: debugSteps,
    examples: [
      {
        params: { run: `tx:${"ab".repeat(32)}`, limit: 1 },
        story: { run: ofStory("debug_run"), limit: 1 },
        result: {
          run: `tx:${"ab".repeat(32)}`,
          steps: [
            {
              n: 0,
              at: `${"cd".repeat(32)}:0`,
              op: "SETCP",
              args: "0",
              text: "SETCP 0",
              gas: 26,
              left: 999_974,
              depth: 0,
            },
          ],
          next: 1,
          total: 23,
          first_step: 0,
          truncated: false,
        },
      },
    ],
  }),
};
