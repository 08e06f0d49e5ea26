import { rule } from "../input.js";

/** A check that at most one of these parameters is given. */
export function onlyOneOf<Params extends object>(names: readonly (keyof Params & string)[], text: string) {
  return rule<Params>((params) =>
    names.filter((name) => isGiven(params[name])).length > 1 ? text : undefined,
  );
}

/** A check that at least one of these parameters is given. */
export function oneOf<Params extends object>(names: readonly (keyof Params & string)[], text: string) {
  return rule<Params>((params) => (names.some((name) => isGiven(params[name])) ? undefined : text));
}

/** An empty list counts as not given. */
function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** A check that several values of a list come with exactly one `owner_address`. */
export function oneOwnerForSeveral<Name extends string>(name: Name) {
  return rule<{ [N in Name | "owner_address"]?: readonly unknown[] | undefined }>((params) => {
    const several = (params[name]?.length ?? 0) > 1;
    return several && params.owner_address?.length !== 1
      ? `exact one owner_address required for multiple ${name}`
      : undefined;
  });
}

/** A check that a parameter comes with another one. */
export function onlyWith<Params extends object>(
  name: keyof Params & string,
  other: keyof Params & string,
  text: string,
) {
  return rule<Params>((params) => (isGiven(params[name]) && !isGiven(params[other]) ? text : undefined));
}

/** A check that a window does not end before it begins. */
export const orderedTimes = rule<{ start_utime?: number | undefined; end_utime?: number | undefined }>(
  ({ start_utime, end_utime }) =>
    start_utime !== undefined && end_utime !== undefined && start_utime > end_utime
      ? "start_utime must be less than or equal to end_utime"
      : undefined,
);
