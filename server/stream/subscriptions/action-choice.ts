import { LRUCache } from "lru-cache";
import { supportedTypes } from "../../../shared/schema/action-sets.js";
import type { ActionTypes } from "../../store/queries/traces/actions.js";

// Module state: a memo of at most 1000 choices.
const shared = new LRUCache<string, ActionTypes>({ max: 1000 });

/**
 * The action types shown to a client: its supported types, narrowed to the types it names. Equal choices are one
 * object. `namedCount`: named types need not be supported, as in v3.
 */
export function actionChoice(
  supported: readonly string[],
  named: readonly string[],
  { namedCount = false } = {},
): ActionTypes {
  const key = JSON.stringify([[...new Set(supported)].sort(), [...new Set(named)].sort(), namedCount]);
  const known = shared.get(key);
  if (known) return known;
  const ancestors = supportedTypes(supported);
  const wanted =
    named.length === 0 ? ancestors : namedCount ? named : ancestors.filter((type) => named.includes(type));
  const choice = { wanted, ancestors };
  shared.set(key, choice);
  return choice;
}
