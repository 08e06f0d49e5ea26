import type { Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { rowKind } from "../row-kind.js";

/** Mainnet's elector, regardless of the configuration. */
const elector = `-1:${"3".repeat(64)}`;
const toElector = (opcode: number) =>
  call(opcode).where("to the elector", ({ destination }) => destination === elector);

const depositKind = rowKind("election_deposit", { isLeaf: true });

export const electionDeposit: Matcher = {
  name: "election deposit",
  pattern: toElector(0x4e73744b).followedBy(call(0xf374484c).as("confirmation").optional()),
  build: (match) => {
    const { source: stake_holder, value: amount } = match.anchor;
    const isFailed = match.find("confirmation") === undefined;
    return depositKind.build({ stake_holder, amount }, { isFailed });
  },
};

const recoveryKind = rowKind("election_recover", { isLeaf: true });

export const electionRecovery: Matcher = {
  name: "election recovery",
  pattern: toElector(0x47657424).followedBy(call(0xf96f7324).as("confirmation").optional()),
  build: (match) => {
    const confirmation = match.find("confirmation");
    const members = { stake_holder: match.anchor.source, amount: confirmation?.value };
    return recoveryKind.build(members, { isFailed: confirmation === undefined });
  },
};
