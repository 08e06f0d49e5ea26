// The part of the emulator's own log that is about actions, which alone says why one failed or was left out
// (crypto/block/transaction.cpp). Each line has a head and a text:
//   [ 4][t 0][2026-11-28 21:33:20.4][transaction.cpp:2926]\t<text>
// The lines that are known here have numbers, and no texts of contracts; all others are not read.

import type { ActionReasonKind } from "../../values/exit-codes/kinds.js";

/** Why an action failed or was left out. */
export type ActionReason = {
  /** Result code of the action phase, or the one that an action would have had that was left out. */
  code: number;
  kind: ActionReasonKind;
  /** What was there and what was needed, in nanotons. */
  available?: bigint;
  needed?: bigint;
};

type Rule = readonly [pattern: RegExp, code: number, kind: ActionReasonKind];

const rules: readonly Rule[] = [
  [
    /^not enough grams to transfer with the message : remaining balance is (\d{1,39})ng.{0,200}?, need (\d{1,39})/,
    37,
    "balance",
  ],
  [
    /^not enough value attached to the message to pay forwarding fees : have (\d{1,39}), need (\d{1,39})/,
    37,
    "fees",
  ],
  [/^not enough value to transfer with the message: all of the inbound/, 37, "spent"],
  [/^not enough funds to pay for an outbound external message/, 37, "external"],
  [/^cannot reserve (\d{1,39}) nanograms : only (\d{1,39}) available/, 37, "reserve"],
  [/^not enough extra currency to /, 38, "other"],
  [/^not enough funds to process a message/, 40, "prices"],
  [/^message (?:too large|has too big merkle depth)/, 40, "size"],
  [/^outbound message has invalid libs/, 34, "other"],
  [/^invalid source address in a proposed/, 35, "other"],
  [/^invalid destination address in a proposed/, 36, "other"],
  [/^invalid value:CurrencyCollection in proposed/, 37, "other"],
  [/^invalid value:ExtraCurrencies in a proposed outbound message: too many/, 44, "other"],
  [/^invalid value:ExtraCurrencies in a proposed/, 37, "other"],
  [/^too many extra currencies in the message/, 44, "other"],
  [/^invalid extra_flags in a proposed/, 45, "other"],
  [/^total message size too large/, 47, "size"],
  [/^invalid reserve mode /, 34, "mode"],
  [/^cannot reserve (?:a negative amount|extra currencies)/, 34, "other"],
  [/^(?:cannot parse currency field in|failed to clamp) /, 34, "other"],
];

const head = /^\[ ?\d\]\[t \d{1,3}\]\[[^\]]{1,40}\]\[transaction\.cpp:\d{1,6}\]\t/;
/** The actions begin after the last of these lines. */
const started = "VM terminated with exit code ";
/** Characters of a line that are read. */
const maxLine = 500;

/** The reasons in the order of their actions. */
export function readActionReasons(log: string): ActionReason[] {
  const reasons: ActionReason[] = [];
  for (let at = Math.max(0, log.lastIndexOf(started)); at < log.length; ) {
    const end = (log.indexOf("\n", at) + 1 || log.length + 1) - 1;
    const line = log.slice(at, Math.min(end, at + maxLine));
    const start = head.exec(line)?.[0].length;
    const reason = start === undefined ? undefined : reasonIn(line.slice(start));
    if (reason) reasons.push(reason);
    at = end + 1;
  }
  return reasons;
}

function reasonIn(text: string): ActionReason | undefined {
  for (const [pattern, code, kind] of rules) {
    const match = pattern.exec(text);
    if (match) return { code, kind, ...amountsOf(kind, match) };
  }
  return undefined;
}

function amountsOf(kind: ActionReasonKind, [, first, second]: readonly string[]) {
  if (first === undefined || second === undefined) return {};
  const [available, needed] = kind === "reserve" ? [second, first] : [first, second];
  return { available: BigInt(available), needed: BigInt(needed) };
}
