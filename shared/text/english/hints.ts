import type { HintKey } from "../language.js";

/** Advice on failures, in sentences. */
export const hints: Readonly<Record<HintKey, string>> = {
  tried: "Attach about {needed:TON}: with this value nothing failed in a trial.",
  toppedUp: "Let the account have about {needed:TON}: with this balance nothing failed in a trial.",
  returned: "{refund:TON} came back to {payee}.",
  notReturned: "Nothing came back: too little of the value was left.",
  storage:
    "Send the state that the account had (StateInit) with enough coins to pay the debt and the next months.",
  credit: "Pay the debt: attach[ {debt:TON}] more.",
  "skipped.no_state": "Deploy the contract first, or send the message to another address.",
  "skipped.bad_state": "Compare code, data, libraries and workchain with those that the address was made of.",
  "skipped.no_gas": "Attach more coins.",
  "skipped.suspended": "Use another account: the configuration of the network suspends this one for a time.",
  "compute.threw": "",
  "compute.named": "",
  "compute.operation": "[It knows {operations}.]",
  "compute.gas": "Attach more coins for gas, or look for a loop that does not end.",
  "compute.library": "Publish the library in the masterchain.",
  "action.list":
    "A contract may order up to 255 actions: look at their modes and at the messages' StateInit.",
  "action.funds": "Attach more coins, send all that is left with mode 64 or 128, or reserve less.",
  "action.currency": "Send the contract enough of the currency first.",
  "action.size": "Attach more coins for its fees, or send less: a message has at most 8,192 cells.",
  "action.other": "Look at the receiver, the size and the mode of the message that the contract sends.",
  "action.leftOut":
    "The contract itself succeeded, and nothing was sent for these actions: give it more coins, or correct them, and send anew.",
  "refused.malformed": "Serialize a message from outside (ext_in_msg_info) of at most 65,535 bytes.",
  "refused.duplicate": "Wait for it, or make a message with another seqno.",
  "refused.queue": "Send it again after the next blocks.",
  "refused.noAccount": "Send coins to the address first; then the message can deploy the contract.",
  "refused.noCode": "Send the message with the account's StateInit.",
  "refused.otherState": "Compare code, data and workchain with those that the address was made of.",
  "refused.coins": "Send coins to the account first.",
  "refused.seqno": "Read the seqno anew, then sign and send the message anew.",
  "refused.ahead": "Send the messages with the lower seqnos first, or sign anew with the next seqno.",
  "refused.expired": "Set the clock of the computer that signs, then sign and send the message anew.",
  "refused.wallet": "Sign with the wallet's key, for its id and this network.",
  "refused.operation": "Look at the address and the first bits of the body.",
  "refused.ended": "The contract ignores such messages: look at the address and the body.",
  "refused.gas": "Let the contract accept earlier: it has this gas for its checks.",
  unknown: "",
};
