import { z } from "zod";
import { rawAddressUpper } from "../results.js";
import { integerText } from "../v3-records.js";
import { account, comment, currencies, isEncrypted, opcode, value } from "./fields.js";

const source = rawAddressUpper.optional().describe("Sender of the message.");
const destination = rawAddressUpper.optional().describe("Receiver of the message.");
const carried = integerText
  .optional()
  .describe("Nanotons that the message carries; absent if it came from outside.");

export const basicActions = {
  call_contract: z.object({
    opcode,
    source,
    destination,
    value: carried,
    extra_currencies: currencies("Extra currencies that the message carries."),
  }),
  contract_deploy: z.object({ opcode, source, destination, value: carried }),
  ton_transfer: z.object({
    source: account("Sender."),
    destination: account("Receiver."),
    value,
    value_extra_currencies: currencies("Extra currencies that the message carries."),
    comment,
    encrypted: isEncrypted,
  }),
  /** A `call_contract` or a `ton_transfer` with extra currencies; it has the members of that. */
  extra_currency_transfer: z.object({
    opcode,
    source: account("Sender of the message.").optional(),
    destination: account("Receiver of the message.").optional(),
    value: value.optional(),
    extra_currencies: currencies("Extra currencies of a call.").optional(),
    value_extra_currencies: currencies("Extra currencies of a transfer.").optional(),
    comment: comment.optional(),
    encrypted: isEncrypted.optional(),
  }),
  tick_tock: z.object({
    account: rawAddressUpper.optional().describe("The system contract that ran."),
  }),
  unknown: z.object({ error: z.string().describe("States that the trace was not recognised.") }),
};
