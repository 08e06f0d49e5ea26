import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { Message } from "../../../shared/ton/tlb/message.js";
import { bytesEqual } from "../../../shared/values/bytes.js";

type Reason = [name: string, text: string];

const notEnoughCoins: Reason = [
  "not-enough-coins",
  "The account has not enough coins to pay for the message.",
];

/**
 * The reason why no code ran for an external message, in the data of its refusal. The reference only states that it was
 * not accepted.
 */
export function whyNotRun(receiver: AccountSnapshot, message: Message): object {
  const state = receiver.account ? receiver.account.storage.state.kind : "nonexist";
  const [name, text] = reasonOf(state, receiver, message);
  return { account_state: state, exit_name: name, exit_meaning: text };
}

function reasonOf(state: string, { code, address, frozenHash }: AccountSnapshot, { init }: Message): Reason {
  if (state === "nonexist")
    return ["no-account", "The account does not exist: it needs coins before a message can deploy it."];
  if (code) return notEnoughCoins;
  if (!init)
    return [
      "no-code",
      state === "frozen"
        ? "The account is frozen: the message needs the StateInit that it had."
        : "The account has no code: the message needs its StateInit.",
    ];
  return bytesEqual(init.cell.hash(), frozenHash ?? address.hash)
    ? notEnoughCoins
    : ["wrong-state-init", "The StateInit of the message is not the account's."];
}
