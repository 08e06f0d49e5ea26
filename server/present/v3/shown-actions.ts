import type { Call } from "../../../shared/methods/define.js";
import { supportedTypes } from "../../../shared/schema/action-sets.js";
import { actionTypes } from "../../../shared/schema/v3/actions.js";
import type { ActionTypes } from "../../store/queries/traces/actions.js";
import type { ActionRow } from "../../store/tables/actions.js";

/** Actions of all types, also those that are part of others. */
export const allTypes: ActionTypes = { wanted: actionTypes, ancestors: [] };

/** The action types for a caller: the named types, else the supported ones. */
export function shownTypes(
  supported: readonly string[] | undefined,
  { options }: Pick<Call, "options">,
  named: readonly string[] = [],
): ActionTypes {
  const ancestors = supportedTypes(options.actionsVersion ? [options.actionsVersion] : (supported ?? []));
  // Named types are deduplicated, so that each is searched once.
  return named.length > 0
    ? { wanted: [...new Set(named)], ancestors, areNamed: true }
    : { wanted: ancestors, ancestors };
}

/** Whether an action has a shown type and is no part of another shown action. */
export function isShown(
  { type, ancestor_type }: Pick<ActionRow, "type" | "ancestor_type">,
  { wanted, ancestors }: ActionTypes,
): boolean {
  return wanted.includes(type) && !ancestor_type.some((ancestor) => ancestors.includes(ancestor));
}
