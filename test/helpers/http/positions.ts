import type { AnyDefinition } from "../../../shared/methods/define.js";

/** Names of the parameters of a method, in the order in which callers pass them by position. */
function positionsOf({ params }: Pick<AnyDefinition, "params">): string[] {
  return Object.keys(params.shape);
}

/** Named parameters in the order of positions: `null` for absent ones before others. */
export function inOrder(definition: Pick<AnyDefinition, "params">, given: object): unknown[] {
  const names = positionsOf(definition);
  const last = names.findLastIndex((name) => name in given);
  return names.slice(0, last + 1).map((name) => (given as Record<string, unknown>)[name] ?? null);
}
