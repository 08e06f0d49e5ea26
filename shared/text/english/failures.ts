import type { FailureKey } from "../language.js";

/** What a contract did when its transaction failed, or with a message that it did not receive. */
export const failures: Readonly<Record<FailureKey, string>> = {
  of: "{account|the receiver} {what}",
  asked: "{account} refused what {source} asked: it {what}",
  storage: "was {became|frozen or deleted} for its debt[ of {debt:TON}]",
  credit: "lost the value of the message to its debt[, of which {debt:TON} are left]",
  "skipped.no_state": "has no code",
  "skipped.bad_state": "was not run: the code and data that came with the message make another address",
  "skipped.no_gas": "was not run: {value|its balance} did not buy the gas",
  "skipped.suspended": "is suspended",
  "compute.threw": "stopped with {exit}",
  "compute.named": "stopped with {name} ({code})[: {meaning}]",
  "compute.operation": "does not know the operation[ {operation}][ {opcode}]",
  "compute.gas": "used all of its[ {gas}] gas",
  "compute.library": "has a library for its code that is not on the chain, {library}",
  "action.list": "ordered an invalid action[, number {number}]: {exit}",
  "action.funds": "could not send {sent|a message}[ to {receiver}][, as {available:TON} were there]: {exit}",
  "action.other": "failed to perform an action[, number {number}][, for {receiver}]: {exit}",
  "action.leftOut":
    "left out {actions} {actions#action that#actions that} failed[, of {sent}][ to {receiver}][, as {available:TON} were there]",
  "refused.malformed": "cannot receive the message, which is malformed[: {why}]",
  "refused.duplicate": "has been sent this message already",
  "refused.queue": "cannot receive the message, as too many others wait for it",
  "refused.noAccount": "cannot receive the message: it does not exist",
  "refused.noCode": "cannot receive the message: it has no code[ and is {state}]",
  "refused.otherState": "cannot receive the message: the StateInit in it is not the account's",
  "refused.coins": "cannot receive the message: it has too few coins to pay for it",
  "refused.seqno": "refused the message: its seqno[ {seqno}] is used[, the next is {next}]",
  "refused.ahead": "refused the message: its seqno {seqno} is not the next, which is {next}",
  "refused.expired":
    "refused the message, which expired[ at {until}][, {late} s before the time of the chain]",
  "refused.wallet": "refused the message, which is signed by another key or for another wallet: {exit}",
  "refused.operation": "refused the message, whose operation it does not know",
  "refused.ended": "ended without accepting the message",
  "refused.gas": "spent its[ {gas}] gas before it accepted the message",
  unknown: "failed",
};
