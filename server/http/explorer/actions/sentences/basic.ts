import { comment, type Phrase, type Sentences, say, ton, when, who } from "../phrase.js";

type Currencies = Readonly<Record<string, string>> | null | undefined;

/** Extra currencies have no names, only numbers. */
function currencies(amounts: Currencies): Phrase | undefined {
  const entries = Object.entries(amounts ?? {}).slice(0, 3);
  return entries.length === 0
    ? undefined
    : entries.flatMap(([id, units]) => [` and ${units} units of currency ${id}`]);
}

export const basicSentences = {
  call_contract: ({ opcode, source, destination, value, extra_currencies }) =>
    say`${who(source, "A message from outside")} called ${who(destination, "a contract")}${when(opcode, (code) => say` with opcode ${code}`)}${when(value, (nanotons) => say`, sending ${ton(nanotons)}`)}${currencies(extra_currencies)}`,
  contract_deploy: ({ source, destination, value }) =>
    say`${who(source, "A message from outside")} deployed ${who(destination, "a contract")}${when(value, (nanotons) => say` with ${ton(nanotons)}`)}`,
  ton_transfer: ({ source, destination, value, value_extra_currencies, comment: text, encrypted }) =>
    say`${who(source)} sent ${ton(value)}${currencies(value_extra_currencies)} to ${who(destination)}${comment(text, encrypted)}`,
  extra_currency_transfer: (details) =>
    say`${who(details.source)} sent ${ton(details.value)}${currencies(details.value_extra_currencies ?? details.extra_currencies)} to ${who(details.destination)}${comment(details.comment, details.encrypted)}`,
  tick_tock: ({ account }) =>
    say`The network ran ${who(account, "a system contract")}, as it does in every block`,
  unknown: () => say`Transactions that follow no known pattern`,
} satisfies Partial<Sentences>;
