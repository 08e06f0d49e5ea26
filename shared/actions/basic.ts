import { z } from "zod";
import { comment, isEncrypted, value } from "./common.js";
import { action } from "./declare.js";
import { account, calculated, currencies, knownAccount, knownAmount, opcode, optionally } from "./member.js";

const message = {
  opcode,
  source: knownAccount("Sender of the message.").in("source"),
  destination: knownAccount("Receiver of the message.").in("destination"),
  value: knownAmount("Nanotons that the message carries; absent if it came from outside.").in("value"),
};
const carried = currencies("Extra currencies that the message carries.").in("value_extra_currencies");

export const basicActions = {
  call_contract: action([1, "v1"], { ...message, extra_currencies: carried }),
  contract_deploy: action([2, "v1"], message),
  ton_transfer: action([3, "v1", "ton_transfer_data"], {
    source: account("Sender.").in("source"),
    destination: account("Receiver.").in("destination"),
    value,
    value_extra_currencies: carried,
    comment: comment.in(".content"),
    encrypted: isEncrypted,
  }),
  /** A `call_contract` or a `ton_transfer` with extra currencies; it has the members of that. */
  extra_currency_transfer: action([], {
    opcode,
    source: optionally(account("Sender of the message.")).unknown(),
    destination: optionally(account("Receiver of the message.")).unknown(),
    value: optionally(value).unknown(),
    extra_currencies: optionally(currencies("Extra currencies of a call.")).unknown(),
    value_extra_currencies: optionally(currencies("Extra currencies of a transfer.")).unknown(),
    comment: optionally(comment).unknown(),
    encrypted: optionally(isEncrypted).unknown(),
  }),
  tick_tock: action([4, "v1"], { account: knownAccount("The system contract that ran.").in("source") }),
  unknown: action([5, "v2"], {
    // TON Center's answer for this type.
    error: calculated(
      z.string().describe("States that the trace was not recognised."),
      () => "unsupported action type: 'unknown'",
    ),
  }),
};
