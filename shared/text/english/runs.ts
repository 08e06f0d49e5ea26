import type { RunWords } from "../run-failure.js";

/** Words about runs for debugging. */
export const runs: RunWords = {
  failures: {
    own: "stopped with {exit}, which its code throws itself[ ({instruction})]",
    bits: "stopped with {exit}: {instruction} wanted {wanted} {wanted#bit#bits}, and {left} {left#was#were} left",
    refs: "stopped with {exit}: {instruction} wanted {wanted} {wanted#reference#references}, and {left} {left#was#were} left",
    machine: "stopped with {exit}: {instruction} failed[ ({error})]",
    library: "stopped with {exit}: the library {library} is not on the chain",
    gas: "used all of its[ {gas}] gas, most of it in {function}[ ({most})]",
    reserve: "could not reserve {sent|an amount}: {reason}",
    action: "ordered an action that failed, number {number}[, for {receiver}]: {reason}",
    leftOut: "left out {actions} {actions#action#actions}: {list}",
    leftOutAction: "number {number}[, of {sent}][ to {receiver}], because {reason}",
    at: "{what}[, at {place}]",
  },
  hints: {
    own: "The contract refuses on purpose: look at the condition of this instruction.",
    bits: "The message or the data have another layout than the code reads: compare the fields.",
    refs: "The message or the data have another layout than the code reads: compare the references.",
    machine: "",
    library: "Publish the library in the masterchain, or send the code itself.",
    gas: "Attach more coins for gas, or look for a loop that does not end in {function}.",
    reserve: "Send more coins, reserve less, or reserve with mode 2, which takes what is there.",
    action: "",
    leftOut: "",
  },
  reasons: {
    balance: "{needed:TON} were needed with the fees, and {available:TON} were left",
    fees: "its value of {available:TON} does not pay for its fees of {needed:TON}",
    spent: "the value of the received message was spent already",
    external: "too few coins were left for the fees of a message to outside",
    reserve: "{needed:TON} were to be reserved, and {available:TON} were left",
    prices: "too few coins were left for the fees of its cells",
    size: "it is too large",
    mode: "there is no such mode",
  },
  modes: {
    send: {
      0: "pays its fees from its value",
      1: "pays its fees apart from its value",
      2: "is left out if it fails",
      16: "returns the received message if it fails",
      32: "deletes the account if its balance becomes zero",
      64: "carries what is left of the received value",
      128: "carries the whole balance",
    },
    reserve: {
      0: "exactly the amount",
      1: "all but the amount",
      2: "at most what is there",
      4: "on top of the balance before the message",
      8: "the amount counts negative",
      16: "returns the received message if it fails",
    },
    change_library: {
      0: "removes the library",
      1: "adds a private library",
      2: "adds a public library",
      16: "returns the received message if it fails",
    },
  },
};
