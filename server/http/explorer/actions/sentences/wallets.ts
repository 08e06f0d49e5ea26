import { asClause, explainExitCode } from "../../../../../shared/values/exit-codes.js";
import { list, type Sentences, say, ton, when, who } from "../phrase.js";

const refusal = (code: number) =>
  say`, refused with exit code ${code}${when(explainExitCode({ code, contract: "multisig_order_v2" }), (meaning) => say` (${asClause(meaning)})`)}`;

export const walletSentences = {
  subscribe: ({ subscriber, beneficiary, amount }) =>
    say`${who(subscriber)} subscribed to ${who(beneficiary, "a service")} for ${ton(amount)}`,
  unsubscribe: ({ subscriber, beneficiary }) =>
    say`${who(subscriber)} ended its subscription to ${who(beneficiary, "a service")}`,
  multisig_create_order: ({ source, destination, destination_order, order_seqno, is_signed_by_creator }) =>
    say`${who(source)} created order ${order_seqno ?? ""}${destination_order !== null && say` at ${who(destination_order)}`} of ${who(destination, "a multisig")}${is_signed_by_creator === true && " and approved it"}`,
  multisig_approve: ({ source, destination, exit_code }) =>
    say`${who(source)} approved ${who(destination, "an order")}${exit_code ? refusal(exit_code) : ""}`,
  multisig_execute: ({ source, destination, approvals_num }) =>
    say`${who(destination, "A multisig")} executed ${who(source, "an order")}${when(approvals_num, (count) => say` with ${count} approval${count !== 1 && "s"}`)}`,
  vesting_send_message: ({ source, vesting, destination, amount }) =>
    say`${who(source)} sent ${ton(amount)} to ${who(destination)} from ${who(vesting, "a vesting contract")}`,
  vesting_add_whitelist: ({ source, vesting, accounts_added }) =>
    say`${who(source)} allowed ${who(vesting, "a vesting contract")} to pay ${accounts_added.length > 0 ? list(accounts_added.map((address) => who(address))) : "more accounts"}`,
} satisfies Partial<Sentences>;
