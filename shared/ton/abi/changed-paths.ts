import { isJsonObject } from "../../values/json.js";

/** A part of a value that differs between two of them. */
type ChangedPath = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** Parts that are listed, and how deep they are looked for. */
const limits = { changes: 64, depth: 32 } as const;

/** The parts of two values, as JSON, that differ: `order.amount`, `holders[3]`. */
export function changedPaths(before: unknown, after: unknown): ChangedPath[] {
  const changes: ChangedPath[] = [];
  collect({ path: "", before, after }, 0, changes);
  return changes;
}

function collect(pair: ChangedPath, depth: number, changes: ChangedPath[]): void {
  const { path, before, after } = pair;
  if (changes.length === limits.changes || before === after) return;
  const parts = depth < limits.depth ? partsOf(path, before, after) : undefined;
  if (!parts) {
    if (JSON.stringify(before) !== JSON.stringify(after)) changes.push(pair);
    return;
  }
  for (const part of parts) collect(part, depth + 1, changes);
}

/** The members of two objects, or the items of two lists; undefined for other values. */
function partsOf(path: string, before: unknown, after: unknown): ChangedPath[] | undefined {
  if (Array.isArray(before) && Array.isArray(after))
    return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
      path: `${path}[${at}]`,
      before: before[at],
      after: after[at],
    }));
  if (!isJsonObject(before) || !isJsonObject(after)) return undefined;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    path: path === "" ? name : `${path}.${name}`,
    before: before[name],
    after: after[name],
  }));
}
