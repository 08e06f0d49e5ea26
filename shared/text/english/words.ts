import type { Words } from "../language.js";

export const words: Words = {
  unknownAccount: "an unknown account",
  unknownAmount: "an unknown amount of {token}",
  unknownJetton: "an unknown jetton",
  unitsOf: "{units#unit#units} of {token}",
  multiplied: "{shown} ({onChain} on chain)",
  anyAction:
    "{type|an action}[ by {from}][ to {to}], in {transactions} {transactions#transaction#transactions}",
  returned: "{source|a contract} returned a message to {destination|a contract}[, with {values}]",
  called:
    "{source|an external message} called {message} of {destination|a contract}[ ({fields})][, sending {values}]",
  failed: "Failed: {sentence}[; {reason}]",
  exit: "exit code {code}[ ({meaning})]",
  comma: ", ",
  and: " and ",
  more: "{count} more",
  quotes: ["“", "”"],
  names: {
    DNSNextResolver: "the resolver of subdomains",
    DNSAdnlAddress: "the ADNL address",
    DNSSmcAddress: "the account",
    DNSStorageAddress: "the storage",
    DNSText: "the text",
    frozen: "frozen",
    deleted: "deleted",
  },
};
