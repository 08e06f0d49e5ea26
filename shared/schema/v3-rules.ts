import { Fault, rule } from "./input.js";

/** The refusal of a call without a parameter that the legacy methods need. */
export const unauthorizedWithout = <Params extends object>(name: keyof Params & string, text: string) =>
  rule<Params>((params) =>
    params[name] === undefined || params[name] === ""
      ? new Fault("range", () => text, { status: 401 })
      : undefined,
  );

/** A list that must name something, but not more than `max` things. */
export function listSize<Params extends object>(
  name: keyof Params & string,
  { missing, max, tooMany }: { missing?: string; max: number; tooMany: string },
) {
  return rule<Params>((params) => {
    const { length } = params[name] as readonly unknown[];
    if (length === 0) return missing;
    return length > max ? tooMany : undefined;
  });
}

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
