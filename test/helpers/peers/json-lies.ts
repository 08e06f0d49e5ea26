// Every way of changing a record in one place: false answers of an index.

type JsonLie = {
  /** The member that is changed, with `[]` for positions. */
  kind: string;
  /** The member that it is swapped with. */
  other?: string;
  changed: unknown;
  how: "changed" | "left out" | "added" | "swapped" | "wrapped";
};

/** Copies of a record, each with one value changed, one member or item left out or added, or two of them swapped. */
export function* jsonLies(value: unknown, kind: string): Generator<JsonLie> {
  yield { kind, changed: [value], how: "wrapped" };
  if (Array.isArray(value)) yield* liesOfList(value, kind);
  else if (typeof value === "object" && value !== null) yield* liesOfObject({ ...value }, kind);
  else yield { kind, changed: changedLeaf(value), how: "changed" };
}

function* liesOfList(list: readonly unknown[], kind: string): Generator<JsonLie> {
  if (list.length > 0) yield { kind, changed: list.slice(1), how: "left out" };
  if (list.length > 0) yield { kind, changed: [...list, list[0]], how: "added" };
  for (const [index, item] of list.entries()) {
    for (const lie of jsonLies(item, `${kind}[]`)) yield { ...lie, changed: list.with(index, lie.changed) };
    const next = list[index + 1];
    if (index + 1 < list.length && differ(item, next))
      yield { kind, changed: list.with(index, next).with(index + 1, item), how: "swapped" };
  }
}

function* liesOfObject(record: Record<string, unknown>, kind: string): Generator<JsonLie> {
  yield { kind: `${kind}.another`, changed: { ...record, another: "1" }, how: "added" };
  const members = Object.entries(record);
  for (const [index, [name, member]] of members.entries()) {
    const { [name]: _, ...without } = record;
    if (member !== null && member !== undefined)
      yield { kind: `${kind}.${name}`, changed: without, how: "left out" };
    for (const lie of jsonLies(member, `${kind}.${name}`))
      yield { ...lie, changed: { ...record, [name]: lie.changed } };
    const [other, its] = members[index + 1] ?? [name, member];
    const swapped = { ...record, [name]: its, [other]: member };
    if (differ(member, its))
      yield { kind: `${kind}.${name}`, other: `${kind}.${other}`, changed: swapped, how: "swapped" };
  }
}

function differ(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

function changedLeaf(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return changedText(value);
  return "1";
}

/** A text of the same form: a number, an address, a hash or a word with another character in the middle. */
function changedText(text: string): string {
  if (text === "") return "1";
  const at = text.length >> 1;
  const other = text[at] === "1" ? "2" : "1";
  return text.slice(0, at) + other + text.slice(at + 1);
}
