import type { ActionDetails, ActionType } from "../../../../shared/schema/v3/actions.js";
import type { Preview } from "../../../../shared/schema/v3/texts.js";
import type { Failure } from "./failures.js";
import { personOf, tokens } from "./people.js";

// Sentences are written without the names that strangers chose:
//
//   ‹source›             the account that this member of the details has
//   ‹seller=ann›         an account of people.ts, in a role that is no member
//   ‹amount: 1.5 ACORN›  an amount: its role, and its text, with a token of people.ts or "units of" a name
//
// A preview has these accounts and amounts.

/** Members of details, down to any depth. */
type Given<Value> = Value extends readonly unknown[] | string | number | boolean | null
  ? Value
  : { readonly [Member in keyof Value]?: Given<Value[Member]> };
type GivenDetails<Type extends ActionType> = Given<ActionDetails[Type]>;

/** An action with its texts. */
type Golden<Type extends ActionType> = {
  /** Those that matter: others have any value. */
  readonly details: GivenDetails<Type>;
  readonly says: string;
  readonly shown: readonly [icon: Preview["icon"], title: string];
  /** Absent if the index never marks actions of this type as failed. Its own `details` and `says` are those that differ. */
  readonly failed?: Failure & { readonly details?: GivenDetails<Type>; readonly says?: string };
};

export type Goldens = { readonly [Type in ActionType]: Golden<Type> };

type Shown = { text: string } & Pick<Preview, "values" | "accounts">;

const mark = /‹(\w+)(?:=(\w+)|: ([^›]+))?›/g;

/** What is shown of an action with these details, if `says` is its sentence. */
export function shownOf(says: string, details: object): Shown {
  const values: Preview["values"][number][] = [];
  const accounts: Preview["accounts"][number][] = [];
  const text = says.replace(mark, (_, role: string, person?: string, amount?: string) => {
    if (amount !== undefined) return values[values.push(amountOf(role, amount)) - 1]!.text;
    const { account, name, ends } = personOf(person ?? (details as Readonly<Record<string, unknown>>)[role]);
    if (!accounts.some((each) => each.account === account)) accounts.push({ account, role, name });
    return name ?? ends ?? "";
  });
  return { text, values, accounts };
}

function amountOf(role: string, text: string): Preview["values"][number] {
  const [, number = "", units = "", name = ""] = /^([\d.,]+) (units? of )?(.+)$/.exec(text) ?? [];
  const { asset = null, symbol = name, decimals = null } = tokens[name] ?? {};
  const [whole, fraction = ""] = number.replaceAll(",", "").split(".");
  const amount = String(BigInt(whole + fraction.padEnd(decimals ?? 0, "0")));
  return { role, amount, asset, symbol, decimals, text: `${number} ${units}${symbol}` };
}
