import { rule } from "./input.js";

/** At most one of these may be given. */
export function onlyOneOf<Params extends object>(names: readonly (keyof Params & string)[], text: string) {
  return rule<Params>((params) =>
    names.filter((name) => isGiven(params[name])).length > 1 ? text : undefined,
  );
}

/** At least one of these has to be given. */
export function oneOf<Params extends object>(names: readonly (keyof Params & string)[], text: string) {
  return rule<Params>((params) => (names.some((name) => isGiven(params[name])) ? undefined : text));
}

/** A list of empty items asks for nothing. */
function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
