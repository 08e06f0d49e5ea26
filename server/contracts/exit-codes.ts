/**
 * Explains an exit code in one sentence; `undefined` for unknown codes. `wallet` is the type of the wallet that exited
 * (`wallet v4 r2`), if the contract is one: wallets have codes of their own.
 */
export function exitMeaning(exitCode: number, wallet?: string): string | undefined {
  return walletMeanings.get(wallet ?? "")?.[exitCode] ?? machineMeanings[exitCode];
}

type Meanings = Readonly<Record<number, string>>;

/** Exit codes of the TVM (up to 14, and negative) and result codes of the action phase (from 32). */
const machineMeanings: Meanings = {
  0: "The run succeeded.",
  1: "The run succeeded, by its alternative return.",
  2: "A value was taken from an empty stack.",
  3: "The stack overflowed.",
  4: "An integer did not fit into 257 bits, or was divided by zero.",
  5: "An integer was out of the range expected.",
  6: "There is no such instruction.",
  7: "A value was of another type than expected.",
  8: "A cell overflowed: more was stored than it holds.",
  9: "A cell underflowed: more was read than it holds.",
  10: "A dictionary was malformed.",
  11: "The contract has no such method, or failed for a reason of its own.",
  12: "The machine failed for a reason of its own.",
  13: "The run was out of gas.",
  14: "A part of a cell that is not there was read.",
  [-14]: "The run was out of gas.",
  32: "The list of actions is malformed.",
  33: "The list of actions is too long.",
  34: "An action is malformed or not supported.",
  35: "A message has a source that is not the contract.",
  36: "A message has a destination that cannot be.",
  37: "There are not enough coins for a message.",
  38: "There are not enough extra currencies for a message.",
  39: "A message does not fit into its cell.",
  40: "A message is too large, or there are not enough coins for its fees.",
  41: "A library to be changed is missing.",
  42: "A library could not be changed.",
  43: "A library is too large, or there are too many.",
  50: "The account's state is too large.",
};

const oldSeqno = "The wallet expects another sequence number: too old seqno, or one too new.";
const otherWallet = "The message is for a wallet with another id.";
const badSignature = "The signature is not by the wallet's key.";
const expired = "The message has expired.";

const first: Meanings = { 33: oldSeqno, 34: badSignature };
const second: Meanings = { ...first, 35: expired };
const third: Meanings = {
  33: oldSeqno,
  34: otherWallet,
  35: "The message has expired, or the signature is not by the wallet's key.",
};
const noPlugin = "A plugin cannot be installed or removed like this.";
const fourth: Meanings = { 33: oldSeqno, 34: otherWallet, 35: badSignature, 36: expired };
const fifth: Meanings = {
  132: "The wallet does not obey its key any more.",
  133: oldSeqno,
  134: otherWallet,
  135: badSignature,
  136: expired,
  137: "A message from outside must ignore errors of what it sends.",
  138: "The message is no order to a wallet.",
  139: "An extension cannot be added, as it is there already.",
  140: "An extension cannot be removed, as it is not there.",
  141: "The order has an action the wallet does not know.",
  142: "The key cannot be switched off without an extension.",
  143: "The key is on or off as asked for already.",
  144: "The last extension cannot be removed while the key is off.",
  145: "An extension must be in the wallet's own workchain.",
  146: "Only an extension can switch the key on or off.",
  147: "The list of actions is malformed.",
};

/** Exit codes that wallets throw, by type of wallet. */
const walletMeanings: ReadonlyMap<string, Meanings> = new Map([
  ["wallet v1 r1", first],
  ["wallet v1 r2", first],
  ["wallet v1 r3", first],
  ["wallet v2 r1", second],
  ["wallet v2 r2", second],
  ["wallet v3 r1", third],
  ["wallet v3 r2", third],
  ["wallet v4 r1", { ...third, 39: noPlugin }],
  ["wallet v4 r2", { ...fourth, 39: noPlugin }],
  ["wallet v5 beta", fourth],
  ["wallet v5 r1", fifth],
]);
