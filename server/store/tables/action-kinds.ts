import { actionDeclarations } from "../../../shared/actions/all.js";

const codes: ReadonlyMap<string, number | undefined> = new Map(
  Object.entries(actionDeclarations).map(([type, { code }]) => [type, code]),
);
const typesByCode = new Map([...codes].map(([type, code]) => [code, type]));
/** A type without a code, as the names of some ancestors are. */
const otherType = 127;
const perType = 128;

/** Types that decide whether lists show an action: its own, and that of the first action that it is a part of. */
type Kinded = { readonly type: string; readonly ancestor_type: readonly string[] };

/** The kind of an action as a number; see `mayBeShown`. */
export function kindOf({ type, ancestor_type: [ancestor] }: Kinded): number {
  return codeOf(type) * perType + (ancestor === undefined ? 0 : codeOf(ancestor));
}

function codeOf(type: string): number {
  return codes.get(type) ?? otherType;
}

/** Whether a list of some types can have actions of a kind, without the parts of actions of other types. */
export function mayBeShown(
  kind: number,
  { wanted, ancestors }: { wanted: ReadonlySet<string>; ancestors: ReadonlySet<string> },
): boolean {
  const type = typesByCode.get(Math.floor(kind / perType));
  const ancestor = typesByCode.get(kind % perType);
  return (type === undefined || wanted.has(type)) && (ancestor === undefined || !ancestors.has(ancestor));
}
