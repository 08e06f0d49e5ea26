import { itemAt } from "../../../../shared/values/lookups.js";
import type { PlacedStep } from "./layout.js";
import type { Step } from "./steps.js";

/** A part of the picture, in its own units. */
export type Area = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

/** Room above a box that its message's text may take. */
const labelRoom = 36;

/** The steps whose box or text is in an area. */
export function stepsIn(places: readonly PlacedStep[], area: Area): number[] {
  const found: number[] = [];
  for (const [index, { from, x, y, width, height }] of places.entries())
    if (
      from.x <= area.right &&
      x + width >= area.left &&
      y - labelRoom <= area.bottom &&
      y + height >= area.top
    )
      found.push(index);
  return found;
}

/**
 * The steps whose lines are in an area. Lines from one parent share the way down, so one of those that end below the
 * area stands for all: one that leads to a failure, if there is one.
 */
export function linesIn(
  steps: readonly Step[],
  places: readonly PlacedStep[],
  { area, leads }: { readonly area: Area; readonly leads: readonly boolean[] },
): number[] {
  const inside: number[] = [];
  const passing = new Map<number, number>();
  for (const [index, { from, x, y, height }] of places.entries()) {
    if (from.x > area.right || x < area.left || from.y > area.bottom || y + height < area.top) continue;
    const { parent } = itemAt(steps, index);
    if (y - labelRoom <= area.bottom || parent === undefined) inside.push(index);
    else if (!passing.has(parent) || (leads[index] && !leads[passing.get(parent) ?? -1]))
      passing.set(parent, index);
  }
  return [...inside, ...passing.values()];
}
