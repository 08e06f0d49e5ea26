import { LRUCache } from "lru-cache";
import { supportedTypes } from "../../shared/schema/action-sets.js";
import type { ActionTypes } from "../store/queries/actions.js";

const shared = new LRUCache<string, ActionTypes>({ max: 1000 });

/**
 * The actions that a client is shown: of the types it supports, and of those it names if it names any. Equal choices are
 * one object.
 */
export function actionChoice(supported: readonly string[], named: readonly string[]): ActionTypes {
  const key = JSON.stringify([[...new Set(supported)].sort(), [...new Set(named)].sort()]);
  const known = shared.get(key);
  if (known) return known;
  const ancestors = supportedTypes(supported);
  const wanted = named.length === 0 ? ancestors : ancestors.filter((type) => named.includes(type));
  const choice = { wanted, ancestors };
  shared.set(key, choice);
  return choice;
}
