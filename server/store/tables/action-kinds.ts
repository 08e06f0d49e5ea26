import { actionDeclarations } from "../../../shared/actions/all.js";

const codes: ReadonlyMap<string, number | undefined> = new Map(
  Object.entries(actionDeclarations).map(([type, { code }]) => [type, code]),
);
const typesByCode = new Map([...codes].map(([type, code]) => [code, type]));
/** A type without a code, as the names of some ancestors are. */
const otherType = 127;
const perType = 128;
/** Kinds of the actions that the account itself initiated are behind all others. */
const firstInitiated = perType ** 2;

/** Types that decide whether lists show an action: its own, and that of the first action that it is a part of. */
type Kinded = { readonly type: string; readonly ancestor_type: readonly string[] };

/** The kind of an action as a number, for accounts that did not initiate it; see `mayBeShown`. */
export function kindOf({ type, ancestor_type: [ancestor] }: Kinded): number {
  return codeOf(type) * perType + (ancestor === undefined ? 0 : codeOf(ancestor));
}

/** The same for the account that initiated it. */
export function initiatedKind(kind: number): number {
  return kind + firstInitiated;
}

function codeOf(type: string): number {
  return codes.get(type) ?? otherType;
}

type ShownKinds = {
  wanted: ReadonlySet<string>;
  ancestors: ReadonlySet<string>;
  /** Whether the account initiated the actions, if that matters. */
  isInitiated?: boolean | undefined;
};

/** Whether a list of some types can have actions of a kind, without the parts of actions of other types. */
export function mayBeShown(kind: number, { wanted, ancestors, isInitiated }: ShownKinds): boolean {
  if (isInitiated !== undefined && isInitiated !== kind >= firstInitiated) return false;
  const type = typesByCode.get(Math.floor((kind % firstInitiated) / perType));
  const ancestor = typesByCode.get(kind % perType);
  return (type === undefined || wanted.has(type)) && (ancestor === undefined || !ancestors.has(ancestor));
}
