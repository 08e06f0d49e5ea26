/** An ABI in the form of Tolk's compiler with these members, and nothing else. */
export function tolkAbi(members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    abi_schema_version: "1.0",
    compiler_name: "tolk",
    compiler_version: "1.4.2",
    contract_name: "Made",
    unique_types: [],
    declarations: [],
    struct_instantiations: [],
    alias_instantiations: [],
    incoming_messages: [],
    incoming_external: [],
    outgoing_messages: [],
    emitted_events: [],
    storage: {},
    get_methods: [],
    thrown_errors: [],
    ...members,
  };
}

/** Collects the table of an ABI; equal types have one place. */
export class MadeTypes {
  readonly types: unknown[] = [];
  readonly declarations: unknown[] = [];
  readonly #places = new Map<string, number>();

  type(type: Readonly<Record<string, unknown>>): number {
    const text = JSON.stringify(type);
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.types.length);
    return this.types.push(type) - 1;
  }

  /** A structure and its type. */
  struct(
    name: string,
    fields: Readonly<Record<string, number>>,
    prefix?: { num: number; len: number },
  ): number {
    const ty_idx = this.type({ kind: "StructRef", struct_name: name });
    this.declarations.push({
      kind: "struct",
      name,
      ty_idx,
      ...(prefix && { prefix: { prefix_num: prefix.num, prefix_len: prefix.len } }),
      fields: Object.entries(fields).map(([field, type]) => ({ name: field, ty_idx: type })),
    });
    return ty_idx;
  }

  abi(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return tolkAbi({ unique_types: this.types, declarations: this.declarations, ...members });
  }
}
