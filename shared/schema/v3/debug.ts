import { z } from "zod";
import {
  bocBase64,
  hashBase64,
  hashHex,
  opcodeHex,
  quantity,
  rawAddressUpper,
  signed32,
  unixTime,
  unsigned32,
} from "../../forms/values.js";
import { abiBody, abiSource } from "./abi.js";
import { debugMap, debugValue, gasEntry, locals, registers, sourceMembers } from "./debug-values.js";
import { blockRef, cellContent, decimal, nullableHash } from "./records.js";
import { stackEntry } from "./stack.js";

export const debugRunId = z.string().regex(/^(tx:|r1\.)[0-9a-f]{64}$/);

const placeInCode = z
  .string()
  .regex(/^[0-9a-f]{64}:\d+$/)
  .describe("Hash of the cell in hex, and bits from its beginning; absent for implicit instructions.");

const nullableAmount = decimal.nullable();
const steps = {
  first_step: quantity.describe("Steps before the first one that is known; 0 unless the log was cut."),
  truncated: z.boolean().describe("Whether steps are missing."),
};

const provenBlock = z
  .object({ ...blockRef.shape, root_hash: hashBase64.describe("Hash of the block's root cell.") })
  .meta({ id: "DebugRunBlock", description: "A block." });

const proof = z
  .object({
    level: z
      .enum(["exact", "state", "different", "none"])
      .describe(
        "How equal the runs are to the chain's transactions, the lowest of those of the account in the block. `exact`: the whole transaction has " +
          "the same hash. `state`: only the account's state after it. `different`: neither. `none`: there is nothing to compare, as the chain has no " +
          "such transaction.",
      ),
    inputs: z
      .object({
        block: provenBlock.nullable().describe("The block of the transaction; null if the chain has none."),
        before: provenBlock.describe(
          "The shard's block before it, whose state the account was read from; at the level `none` the masterchain block.",
        ),
        master: provenBlock.describe("The masterchain block whose configuration and libraries the runs saw."),
        earlier: quantity.describe("Earlier transactions of the account in the block, which were run first."),
        from_birth: quantity.describe(
          "Transactions since the account's first one, which were run because no server has a state; mostly 0.",
        ),
      })
      .describe("What the runs began with."),
    differences: z
      .array(
        z
          .object({
            field: z.string().describe("The member of the transaction."),
            chain: z.string().nullable().describe("The chain's value."),
            run: z.string().nullable().describe("The run's value."),
          })
          .describe("A difference."),
      )
      .describe("Members that differ; empty at the level `exact`."),
    executor_version: unsigned32.describe("Newest global version whose rules the executor knows."),
    network_version: unsigned32.describe("Global version of the network at the block."),
  })
  .meta({ id: "DebugRunProof", description: "What shows that the run is the chain's." });

const sliceSize = z
  .object({ bits: quantity.describe("Bits."), refs: quantity.describe("References.") })
  .meta({ id: "DebugRunSliceSize", description: "Bits and references." });

const outcome = z
  .object({
    success: z.boolean().describe("Whether the transaction did not fail, as statuses of messages judge it."),
    phase: z.enum(["compute", "action"]).nullable().describe("The phase that failed; null if none did."),
    skipped_reason: z
      .enum(["no_state", "bad_state", "no_gas", "suspended"])
      .nullable()
      .describe("Why no code ran; null if it did."),
    exit_code: signed32
      .nullable()
      .describe(
        "Exit code of the compute phase, or result code of a failed action phase; null if no code ran.",
      ),
    exit_name: z.string().nullable().describe("Name of the code; null if its meaning is not known."),
    exit_meaning: z.string().nullable().describe("Meaning of the code, a sentence; null if unknown."),
    thrown_by: z
      .enum(["instruction", "machine"])
      .nullable()
      .describe(
        "What ended the compute phase: an instruction of the contract, such as THROW, or an error of the machine. Null if nothing did.",
      ),
    step: quantity.nullable().describe("The step that ended the compute phase; null if nothing did."),
    exit_source: abiSource
      .optional()
      .describe("The ABI that names the code; absent if the service itself knows it, or nobody does."),
    sentence: z
      .string()
      .nullable()
      .describe("What failed, in English, with what the run shows of it; null if nothing did."),
    hint: z.string().nullable().describe("What can be done about it; null if nothing is known."),
    instruction: z
      .string()
      .nullable()
      .describe("The instruction that ended the compute phase, as the machine writes it; null if none did."),
    wanted: sliceSize
      .nullable()
      .describe("What it wanted to read from a slice; null if it failed otherwise."),
    left: sliceSize.nullable().describe("What the slice had."),
    library: nullableHash.describe(
      "Hash of a library that it needs and the chain does not have; null if none.",
    ),
    ...sourceMembers,
  })
  .meta({ id: "DebugRunOutcome", description: "What became of the transaction." });

const code = z
  .object({
    hash: hashBase64.describe("Hash of the code, that of the message's init if it made the contract."),
    library: nullableHash.describe("Hash of the library that the code is; null if it is none."),
    map: debugMap.optional().describe("The source map of the code; absent if none is known."),
    map_error: z.string().optional().describe("Why a map of the code is not used."),
    executed: z
      .array(
        z
          .object({
            hash: hashBase64.describe("Hash of its first cell."),
            map: debugMap.optional().describe("Its source map; absent if none is known."),
          })
          .describe("A code from elsewhere."),
      )
      .optional()
      .describe(
        "Other codes that ran, such as those of RUNVM or of the configuration, as far as they are in what the run was given; absent without any.",
      ),
  })
  .meta({ id: "DebugRunCode", description: "The code that ran." });

const message = z
  .object({
    hash: hashBase64.describe("Hash of the message."),
    source: rawAddressUpper.nullable().describe("The sender; null for external messages."),
    value: nullableAmount.describe("Its value in nanotons; null for external messages."),
    opcode: opcodeHex.nullable().describe("First 32 bits of the body; null for shorter ones."),
    bounced: z.boolean().describe("Whether it came back."),
    decoded: cellContent.shape.decoded,
    abi: abiBody.nullable().describe("The body by the contract's ABI; null if none fits."),
  })
  .meta({ id: "DebugRunMessage", description: "The received message." });

const gas = z
  .object({
    used: decimal.describe("Gas that was used."),
    limit: decimal.describe("The limit at the beginning."),
    credit: decimal.describe("Credit at the beginning, for external messages."),
    fixed: z
      .boolean()
      .describe("Whether the contract is precompiled, so that its gas is not the sum of its steps."),
    by_instruction: z
      .array(
        z
          .object({
            instruction: z.string().describe("Name of the instruction."),
            gas: quantity.describe("Gas of its steps."),
            steps: quantity.describe("How many steps it has."),
          })
          .describe("An instruction."),
      )
      .describe("The 20 dearest instructions among the known steps."),
    by_function: z
      .array(gasEntry)
      .optional()
      .describe("The 20 dearest functions; methods and cells of the code without a source map."),
    by_line: z
      .array(gasEntry)
      .optional()
      .describe("The 20 dearest lines of the sources. Known with a source map."),
  })
  .meta({ id: "DebugRunGas", description: "Gas of the compute phase." });

const fees = z
  .object({
    storage: decimal.describe("For storage."),
    gas: decimal.describe("For gas."),
    forward: decimal.describe("For forwarding messages, all of it."),
    action: decimal.describe("The part of `forward` that the transaction paid at once, and fees of actions."),
    other: decimal.describe(
      "The rest of the total: the import of an external message, fines for failed actions, fees of a returned message.",
    ),
    total: decimal.describe("Fees that the transaction paid."),
  })
  .meta({ id: "DebugRunFees", description: "Fees in nanotons." });

const reason = z
  .object({
    text: z.string().describe("The reason, a clause in English."),
    available: nullableAmount.describe("What was there, in nanotons; null if the reason has no amounts."),
    needed: nullableAmount.describe("What was needed."),
  })
  .meta({ id: "DebugRunActionReason", description: "Why an action failed or was left out." });

const print = z
  .object({
    step: quantity.describe("The step that printed it."),
    text: z.string().describe("The text; it is the contract's."),
    ...sourceMembers,
  })
  .meta({ id: "DebugRunPrint", description: "What a contract printed." });

const action = z
  .object({
    kind: z.enum(["send", "set_code", "reserve", "change_library"]).describe("Kind of the action."),
    mode: unsigned32.nullable().describe("Mode; null for actions without one."),
    step: quantity.nullable().describe("The step that queued it; null if that is not known."),
    outcome: z
      .enum(["applied", "skipped", "undone", "failed", "not_reached"])
      .describe(
        "`applied`; `skipped`: left out because it failed, as its mode allows; `failed`: it failed the action phase; `undone`: it " +
          "was before that one; `not_reached`: it was after it.",
      ),
    sent: nullableHash.describe("Hash of the message that was sent; null if none was."),
    destination: rawAddressUpper.nullable().describe("Receiver of the message; null if there is none."),
    value: nullableAmount.describe(
      "Value of the message as ordered, or reserved amount; null if there is none.",
    ),
    mode_text: z.string().nullable().describe("The mode in words; null for actions without one."),
    code: signed32
      .nullable()
      .describe(
        "Result code of an action that failed, or that one which was left out would have had; null for others, and if it is not known.",
      ),
    reason: reason
      .nullable()
      .describe("Why it failed or was left out; null for others, and if it is not known."),
    opcode: opcodeHex.nullable().describe("First 32 bits of the message's body; null if there are none."),
    abi: abiBody.nullable().describe("The message by the ABI of a contract; null if none fits."),
  })
  .meta({ id: "DebugRunAction", description: "An action that the contract ordered." });

const changedCell = z
  .object({
    hash: hashBase64.describe("Hash of the cell."),
    bits: quantity.describe("Number of its bits."),
    data: z.string().describe("Its bits in hex, filled with zeros."),
    refs: z.array(hashBase64).describe("Hashes of its references."),
  })
  .meta({ id: "DebugRunStorageCell", description: "A cell." });

const changedPath = z
  .object({
    path: z.string().describe("The member: `order.amount`, `holders[3]`; empty for the whole."),
    before: z.unknown().describe("Its value before; absent if it was not there."),
    after: z.unknown().describe("Its value after; absent if it is not there."),
  })
  .meta({ id: "DebugRunStorageChange", description: "A member of the data." });

const storage = z
  .object({
    before: nullableHash.describe("Hash of the contract's data before; null if it had none."),
    after: nullableHash.describe("Hash of its data after; null if it has none."),
    removed: z.array(changedCell).describe("The first 64 cells of the data that are not there any more."),
    added: z.array(changedCell).describe("The first 64 cells that were not there before."),
    changes: z
      .array(changedPath)
      .optional()
      .describe("The first 64 members that differ, by the contract's ABI; absent if none fits the data."),
  })
  .meta({ id: "DebugRunStorage", description: "How the contract's data changed." });

const method = z
  .object({
    id: signed32.describe("Id of the method."),
    stack: z.array(stackEntry).describe("The resulting stack, from bottom to top."),
  })
  .meta({ id: "DebugRunMethod", description: "The get-method that ran." });

export const debugRun = z
  .object({
    run: debugRunId.describe("Names the run for `v3.debug.steps`."),
    kind: z
      .enum(["transaction", "message", "get_method"])
      .describe("A transaction of the chain, a message that was not sent, or a get-method."),
    transaction: nullableHash.describe("Hash of the transaction; null if there is none."),
    account: rawAddressUpper.describe("The account."),
    lt: decimal.nullable().describe("Logical time of the transaction; null if there is none."),
    block: blockRef.nullable().describe("The block of the transaction; null if the chain has none."),
    now: unixTime.describe("Time that the contract saw: that of the block."),
    proof,
    outcome,
    code: code.nullable().describe("The code that ran; null if none did."),
    message: message.nullable().describe("The received message; null for ticks and tocks."),
    gas: gas.nullable().describe("Gas of the compute phase; null if no code ran."),
    fees: fees.nullable().describe("Fees of the transaction; null if there is none."),
    method: method.nullable().describe("The get-method and its result; null for messages."),
    actions: z.array(action).describe("The actions of the contract, in order."),
    storage,
    balance: z
      .object({
        before: decimal.describe("Before the transaction, in nanotons."),
        after: decimal.describe("After it."),
      })
      .describe("The account's balance."),
    prints: z
      .array(print)
      .describe(
        "What the contract printed, such as by DUMPSTK or STRDUMP: the first 200 texts, others are in the steps.",
      ),
    steps: quantity.describe("Steps of the machine."),
    ...steps,
  })
  .meta({ id: "DebugRun", description: "A run of a contract, with its cause and effects." });

const instruction = {
  at: placeInCode.optional(),
  op: z
    .string()
    .optional()
    .describe(
      "Name of the instruction in the code, as assemblers have it; absent for an error of the machine.",
    ),
  args: z.string().optional().describe("Its operands."),
  text: z.string().optional().describe("The instruction as the machine writes it."),
  depth: quantity.describe("How many machines are around this one: those that RUNVM started."),
  ...sourceMembers,
};

export const debugStep = z
  .object({
    n: quantity.describe("Number of the step, from 0."),
    ...instruction,
    gas: quantity
      .optional()
      .describe(
        "Gas of the step; absent if it is not known: that of an instruction that failed is a part of the next one's.",
      ),
    left: quantity.optional().describe("Gas that is left after it."),
    pops: z
      .array(debugValue)
      .optional()
      .describe("Values that it took from the stack, bottom to top. On request."),
    pushes: z.array(debugValue).optional().describe("Values that it left on the stack. On request."),
    stack: z.array(debugValue).optional().describe("The whole stack before it. On request."),
    frames: z
      .array(z.string())
      .optional()
      .describe(
        "Functions that are open, the outermost one first; methods and cells of the code without a source map. Absent where they are those of the step before on the page. On request.",
      ),
    locals: locals.optional().describe("Variables of the function before it. On request."),
    registers: registers.optional().describe("Registers that it changed. On request."),
    remark: z.string().optional().describe("What the machine notes besides."),
    print: z.string().optional().describe("What it printed; the text is the contract's."),
    error: z
      .object({
        code: signed32.describe("Exit code."),
        text: z.string().optional().describe("The machine's words; absent if the contract has thrown it."),
        caught: z.boolean().describe("Whether code of the contract handles it."),
      })
      .optional()
      .describe("An exception."),
    action: quantity.optional().describe("Place of the action that it queued among the run's."),
  })
  .meta({ id: "DebugStep", description: "A step of the machine." });

export const debugSteps = z.object({
  run: debugRunId.describe("The run."),
  steps: z.array(debugStep).describe("The steps, in order."),
  cells: z.record(hashHex, bocBase64).optional().describe("Cells that the values name, by hash. On request."),
  next: quantity.nullable().describe("`from` of the next page; null at the end."),
  total: quantity.describe("All steps of the run."),
  ...steps,
});

const trailPlace = z
  .object({
    ...instruction,
    frame: quantity
      .nullable()
      .describe("The innermost function, by its number in `frames`; null if none is known."),
  })
  .describe("An instruction in a function.");

const trailFrame = z
  .object({
    name: z.string().describe("Its name; that of a method or cell of the code without a source map."),
    parent: quantity
      .nullable()
      .describe("The function that called it, by its number; null for the outermost one."),
  })
  .describe("A function that is open.");

export const debugTrail = z.object({
  run: debugRunId.describe("The run."),
  from: quantity.describe("Number of the first step of the page."),
  steps: z.array(quantity).describe("The place of each step, in their order, by its number in `places`."),
  places: z.array(trailPlace).describe("The different places of the steps of this page."),
  frames: z.array(trailFrame).describe("The functions that are open at these places, callers first."),
  prints: z.array(print).describe("What the contract printed in these steps; the texts are the contract's."),
  next: quantity.nullable().describe("`from` of the next page; null at the end."),
  total: quantity.describe("All steps of the run."),
  ...steps,
});

export type DebugTrailRecord = z.output<typeof debugTrail>;
export type DebugRunRecord = z.output<typeof debugRun>;
export type DebugStepRecord = z.output<typeof debugStep>;
