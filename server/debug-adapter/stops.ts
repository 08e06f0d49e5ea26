import { firstPassing } from "../../shared/values/first-passing.js";
import { RequestError } from "./service-calls.js";

/** Steps at which a run stops. */
export type Stop = Conditions & {
  /** In order. */
  readonly steps: readonly number[];
  /** As events name it. */
  readonly reason: string;
  /** The breakpoint; absent for exceptions. */
  readonly id?: number;
};

type Conditions = {
  /** Stops only where the expression is true. */
  readonly condition?: string | undefined;
  /** Stops only at some of the steps, by their places among all, from 1. */
  readonly isHit?: ((hit: number) => boolean) | undefined;
  /** Is printed in place of a stop. */
  readonly logMessage?: string | undefined;
};

/** Conditions as clients write them. */
export type GivenConditions = {
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
};

const maxText = 1000;
const hits = /^(?<sign>>=?|<=?|==?|%)? ?(?<count>\d{1,7})$/;

/** Reads the conditions of a breakpoint. Throws a RequestError. */
export function stopConditions(given: GivenConditions): Conditions {
  const { condition, hitCondition, logMessage } = given;
  for (const text of [condition, hitCondition, logMessage])
    if (text !== undefined && text.length > maxText)
      throw new RequestError(`conditions and messages may have ${maxText} characters`);
  return {
    ...(condition && { condition }),
    ...(hitCondition && { isHit: hitRule(hitCondition) }),
    ...(logMessage && { logMessage }),
  };
}

function hitRule(text: string): (hit: number) => boolean {
  const { sign = "=", count: digits } = hits.exec(text.trim())?.groups ?? {};
  if (digits === undefined)
    throw new RequestError("a hit condition is a number, or one behind >, >=, <, <=, = or %");
  const count = Number(digits);
  switch (sign) {
    case ">":
      return (hit) => hit > count;
    case ">=":
      return (hit) => hit >= count;
    case "<":
      return (hit) => hit < count;
    case "<=":
      return (hit) => hit <= count;
    case "%":
      return (hit) => count > 0 && hit % count === 0;
    default:
      return (hit) => hit === count;
  }
}

/** The place of the first step behind another one, or of the last one before it; undefined if there is none. */
function nearest(steps: readonly number[], n: number, direction: 1 | -1): number | undefined {
  const { length } = steps;
  const place =
    direction > 0
      ? firstPassing(0, length, (at) => steps[at]! > n)
      : firstPassing(0, length, (at) => steps[at]! >= n) - 1;
  return place >= 0 && place < length ? place : undefined;
}

/** The stops at the nearest step in a direction that has some, as far as hits decide. */
export function nextStops(
  stops: readonly Stop[],
  n: number,
  direction: 1 | -1,
): { readonly n: number; readonly stops: readonly Stop[] } | undefined {
  const found = stops.flatMap((stop) => {
    for (let from = n; ; ) {
      const place = nearest(stop.steps, from, direction);
      if (place === undefined) return [];
      from = stop.steps[place]!;
      if (stop.isHit?.(place + 1) ?? true) return [{ stop, n: from }];
    }
  });
  if (found.length === 0) return undefined;
  const numbers = found.map((each) => each.n);
  // At most as many as there are breakpoints.
  const first = direction > 0 ? Math.min(...numbers) : Math.max(...numbers);
  return { n: first, stops: found.filter((each) => each.n === first).map(({ stop }) => stop) };
}
