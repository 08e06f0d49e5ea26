// Every way of changing a record in one place: false answers of an index.

type JsonLie = {
  /** The member that is changed, with `[]` for positions. */
  kind: string;
  changed: unknown;
  isLeftOut?: boolean;
};

/** Copies of a record, each with one value changed, or one member left out. */
export function* jsonLies(value: unknown, kind: string): Generator<JsonLie> {
  if (Array.isArray(value)) {
    if (value.length > 0) yield { kind, changed: value.slice(1) };
    if (value.length > 0) yield { kind, changed: [...value, value[0]] };
    for (const [index, item] of value.entries())
      for (const lie of jsonLies(item, `${kind}[]`))
        yield { ...lie, changed: value.with(index, lie.changed) };
  } else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _, ...without } = value as Record<string, unknown>;
      if (member !== null && member !== undefined)
        yield { kind: `${kind}.${name}`, changed: without, isLeftOut: true };
      for (const lie of jsonLies(member, `${kind}.${name}`))
        yield { ...lie, changed: { ...value, [name]: lie.changed } };
    }
  else yield { kind, changed: changedLeaf(value) };
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
