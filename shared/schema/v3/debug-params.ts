import { z } from "zod";
import { Fault, input, rule, unreadable } from "../input.js";
import { overrides } from "../overrides.js";
import { matching } from "../patterns.js";
import { givenAbi, typedArguments } from "./abi.js";
import { emulatedBoc, emulationFlag, emulationSeqno } from "./emulate.js";
import { bundle } from "./emulate-bundle.js";
import { address, bool, int32, lt, page, requiredAddress, requiredText } from "./params.js";
import { argumentList } from "./stack.js";

const runPattern = "tx:[0-9a-fA-F]{64}|r1\\.[0-9a-fA-F]{64}";
const runForm = /^(?:tx:|r1\.)[0-9a-fA-F]{64}$/;

const runId = input<string, string>(
  {
    ...matching(runPattern),
    description:
      "Name of a run: `tx:` and the hash of the transaction in hex, or `r1.` and the hash of its inputs.",
  },
  (given) =>
    typeof given === "string" && runForm.test(given)
      ? given.toLowerCase()
      : new Fault("range", (name) => `${name} must be tx:<64 hex> or r1.<64 hex>`),
);

/** Transactions of a trace. */
export const traceLimits = { initial: 32, max: 64 } as const;
const { limit } = page(traceLimits);
export const transactionLimit = limit.describe(
  `Maximum number of transactions that are run, at most ${traceLimits.max}.`,
);

/** The place of a transaction. */
export const transactionPlace = {
  account: address.optional().describe("Account of the transaction, for services without an index."),
  lt: lt.optional().describe("Logical time of the transaction, with `account`."),
};

export const hasWholePlace = rule<{ account?: unknown; lt?: unknown }>(({ account, lt }) =>
  (account === undefined) === (lt === undefined) ? undefined : "account and lt go together",
);

export const force = bool.prefault(false).describe("Show a run that ends in another state, too.");

/** A message to run. */
export const debuggedMessage = {
  boc: emulatedBoc.describe("The message as a bag of cells, base64."),
  ignore_chksig: emulationFlag("ignore_chksig", "Let the first contract accept any signature."),
  mc_block_seqno: emulationSeqno
    .optional()
    .describe("Masterchain block whose state the run begins with. Default: the last one."),
  overrides: overrides.optional(),
  bundle: bundle
    .optional()
    .describe("Up to 7 messages that follow, each on the state after the trace before it."),
  follow: bool.prefault(false).describe("Run the whole trace of the message, up to `limit` transactions."),
  limit: transactionLimit,
};

/** A get-method to run. */
export const debuggedMethod = {
  address: requiredAddress("address is required").describe("The contract."),
  method: requiredText("method is required").describe("Name or id of the get-method."),
  stack: argumentList.prefault([]).describe("Arguments in order."),
  seqno: int32
    .optional()
    .describe("Masterchain block to run at, whose configuration it sees. Default: the last one."),
  overrides: overrides.optional(),
  args: typedArguments
    .optional()
    .describe("Arguments in place of `stack`, in order or by name, in the types of the contract's ABI."),
  abi: givenAbi
    .optional()
    .describe("An ABI of the contract as the text of its file, which comes before those of the service."),
};

/** Characters of parameters as JSON: bags of cells may be long. */
const maxParams = 1 << 20;

/** Parameters of another method: as JSON, so that they also fit into a query. */
const paramsText = input<string, string>({ type: "string", maxLength: maxParams }, (given) =>
  typeof given === "string" ? given : unreadable,
);

/** A run by its name, with the parameters that made it, for processes that do not know it. Check `hasWholePlace`. */
export const askedRun = {
  run: runId.describe("The run, as the methods that run something name it."),
  ...transactionPlace,
  force,
  message: paramsText
    .optional()
    .describe("Parameters of `v3.debug.message` that made the run, with its block, as JSON."),
  get_method: paramsText
    .optional()
    .describe("Parameters of `v3.debug.getMethod` that made the run, with its block, as JSON."),
};

/** What a call brings with it about the contract that runs. */
export const givenFiles = {
  abi: givenAbi
    .optional()
    .describe("An ABI of the contract as the text of its file, which comes before those of the service."),
  source_map: givenAbi
    .optional()
    .describe(
      "A source map of the contract's code as the text of its file, which comes before those of the service. A map of another code is not used: see `code.map_error`.",
    ),
};

export const messageParams = z.object(debuggedMessage);
export const methodParams = z.object(debuggedMethod);
export type DebuggedMessage = z.output<typeof messageParams>;
export type DebuggedMethod = z.output<typeof methodParams>;

/** What made a run. */
export type MadeBy = { message: DebuggedMessage } | { get_method: DebuggedMethod };
