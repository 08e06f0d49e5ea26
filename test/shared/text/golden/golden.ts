import type { ActionDetails, ActionType } from "../../../../shared/schema/v3-actions.js";
import type { TraceFailure } from "../../../../shared/schema/v3-message-status.js";
import type { Preview } from "../../../../shared/schema/v3-texts.js";

/** An amount in a preview: role, smallest units, master, symbol, decimals, text. */
type Value = readonly [
  role: string,
  amount: string | null,
  asset: string | null,
  symbol: string,
  decimals: number | null,
  text: string,
];
type Account = readonly [role: string, account: string, name: string | null];

/** The texts of a failed action. `details`, `values` and `accounts` differ from those of one that succeeded. */
type Failed<Type extends ActionType> = {
  readonly details?: Partial<ActionDetails[Type]>;
  readonly failure: TraceFailure | null;
  readonly text: string;
  readonly values?: readonly Value[];
  readonly accounts?: readonly Account[];
};

/** An action with its texts, all of them literal. */
type Golden<Type extends ActionType> = {
  readonly details: ActionDetails[Type];
  readonly text: string;
  readonly icon: Preview["icon"];
  readonly title: string;
  readonly values: readonly Value[];
  readonly accounts: readonly Account[];
  /** Null if the index never marks actions of this type as failed. */
  readonly failed: Failed<Type> | null;
};

export type Goldens<Types extends ActionType> = { readonly [Type in Types]: Golden<Type> };
