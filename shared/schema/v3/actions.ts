import { z } from "zod";
import { type ActionDetails, type ActionType, actionDeclarations, actionTypes } from "../../actions/all.js";
import { hashBase64, integerText, rawAddressUpper, unixTime, unsigned32 } from "../../forms/values.js";
import { abiBody } from "./abi.js";
import { nextCursor } from "./list-cursor.js";
import { traceFailure } from "./message-status.js";
import { answerExtras, decimal, nullableHash } from "./records.js";
import { texts } from "./texts.js";
import { transaction } from "./transactions.js";

export { type ActionDetails, type ActionType, actionTypes };

/** The type of an action with its details. */
type Kind = { [Type in ActionType]: { type: Type; details: ActionDetails[Type] } }[ActionType];

const kinds = actionTypes.map((type) =>
  z.looseObject({
    type: z.literal(type).describe("Type of the action."),
    details: actionDeclarations[type].schema.describe("Its details; the members depend on the type."),
  }),
);
// Each member is of the mapped type, which `map` cannot express.
const kind = (z.discriminatedUnion("type", kinds as never) as unknown as z.ZodType<Kind>).meta({
  // Named, or documents would repeat the other members for each of the types.
  id: "ActionKind",
  description: "The type of an action with its details.",
});

// Loose, as is a kind: each of them has members that the other one does not know.
const frame = z
  .looseObject({
    trace_id: nullableHash.describe("The trace that it is part of."),
    action_id: hashBase64.describe("Id of the action."),
    start_lt: decimal.describe("Least logical time of its messages."),
    end_lt: decimal.describe("Greatest logical time of its transactions."),
    start_utime: unixTime.describe("Unix time of `start_lt`."),
    end_utime: unixTime.describe("Unix time of `end_lt`."),
    trace_end_lt: decimal.describe("Logical time of the end of the trace."),
    trace_end_utime: unixTime.describe("Its unix time."),
    trace_mc_seqno_end: unsigned32.describe("Masterchain block of the last transaction of the trace."),
    transactions: z
      .array(hashBase64)
      .describe("Hashes of its transactions, with the one that sent its first message, by logical time."),
    success: z.boolean().nullable().describe("False if a decisive transaction failed."),
    trace_external_hash: hashBase64
      .optional()
      .describe("Hash of the external message that started the trace."),
    trace_external_hash_norm: hashBase64.optional().describe("Its normalized hash."),
    parent_gasless_action: hashBase64
      .optional()
      .describe(
        "Id of the `gasless_request` that it follows from directly: its first message is the request, or was sent by the wallet that received the request.",
      ),
    parent_action_id: hashBase64
      .nullable()
      .optional()
      .describe("Id of the action that it is part of; null if it is part of none; on request."),
    accounts: z.array(rawAddressUpper).optional().describe("Accounts that take part; on request."),
    transactions_full: z.array(transaction).optional().describe("The transactions; on request."),
    finality: z.enum(["pending", "confirmed", "finalized"]).describe("How final it is."),
    abi: abiBody
      .nullable()
      .optional()
      .describe(
        "Of a `call_contract`: its message by an ABI, with the first 8 fields that are short; null if it fits none; on request.",
      ),
    ...texts,
    failure: traceFailure
      .nullable()
      .optional()
      .describe(
        "Why it failed, if it did: the first transaction of it that failed, or that of a called contract which was not run; with `text`.",
      ),
  })
  .meta({ id: "ActionFrame", description: "Members of every `Action`." });

/** An action, with details of its type. */
export type Action = z.output<z.ZodObject<typeof frame.shape>> & Kind;

// By its name: the union of all types is too long to be written out wherever an answer has actions.
export const action: z.ZodType<Action> = z
  .intersection(frame, kind)
  .meta({ id: "Action", description: "An action, such as a transfer or a swap." });

export const actionList = z
  .object({ actions: z.array(action).describe("The actions."), ...answerExtras, ...nextCursor })
  .meta({ id: "ActionList" });

const nanotonsByAccount = (description: string) =>
  z.record(z.string(), z.int().describe("Nanotons.")).describe(description);

export const balanceChanges = z
  .object({
    changes: nanotonsByAccount("Balance changes of accounts, fees included, by raw address."),
    fees: nanotonsByAccount("The fees that accounts paid, by raw address."),
    jettons: z
      .record(z.string(), z.record(z.string(), integerText.describe("Units.")))
      .describe(
        "Jettons that owners gained or lost by transfers, by the raw addresses of owners and jettons.",
      ),
  })
  .meta({ id: "BalanceChanges" });
