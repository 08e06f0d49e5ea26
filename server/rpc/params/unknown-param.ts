import { ServiceError } from "../../errors.js";

/** The refusal of a name that a method does not have, with the one that was probably meant. */
export function unknownParam(name: string, known: readonly string[]): ServiceError {
  const meant = nearest(name, known);
  const hint =
    meant !== undefined
      ? `: did you mean ${meant}?`
      : known.length > 0
        ? `: the method takes ${known.join(", ")}`
        : ": the method takes none";
  return new ServiceError("invalid-params", `unknown parameter ${shown(name)}${hint}`, {
    data: { param: name, ...(meant !== undefined && { did_you_mean: meant }) },
  });
}

/** The names of methods' parameters; anything else is quoted. */
const plainName = /^\w+$/;

function shown(name: string): string {
  return plainName.test(name) ? name : JSON.stringify(name);
}

/** The known name with the fewest edits from `name`, at most one in three characters. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const given = name.toLowerCase();
  const near = known
    .map((each) => ({ each, edits: editsBetween(given, each.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= Math.max(given.length, each.length) / 3)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.each;
}

/** Characters to insert, delete or replace to make one text of the other. Both are short. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
