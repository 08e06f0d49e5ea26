/** A type in Tact's ABI. */
export const simple = (type: string, format?: unknown, optional = false) => ({
  kind: "simple",
  type,
  optional,
  ...(format !== undefined && { format }),
});
export const struct = (name: string, header: number | null, fields: Readonly<Record<string, object>>) => ({
  name,
  header,
  fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
});

/** A counter as Tact 1.6 describes it. */
export const tactCounter = {
  name: "Counter",
  types: [
    struct("Add", 0x7e8764ef, { amount: simple("uint", 32), note: simple("string", undefined, true) }),
    struct("Added", 0x1234, { total: simple("uint", "coins") }),
    struct("Point", null, { x: simple("int", 8), y: simple("int") }),
    struct("Counter$Data", null, {
      owner: simple("address"),
      heir: simple("address", undefined, true),
      count: simple("uint", 32),
      last: simple("Point", undefined, true),
      points: { kind: "dict", key: "int", value: "Point", valueFormat: "ref" },
      amounts: { kind: "dict", key: "address", value: "uint", valueFormat: "coins" },
      rest: simple("slice", "remainder"),
    }),
  ],
  receivers: [
    { receiver: "internal", message: { kind: "typed", type: "Add" } },
    { receiver: "internal", message: { kind: "text", text: "reset" } },
    { receiver: "external", message: { kind: "empty" } },
  ],
  getters: [
    { name: "count", methodId: 70_000, arguments: [], returnType: simple("int") },
    { name: "point", arguments: [{ name: "at", type: simple("Point") }], returnType: simple("Point") },
    { name: "maybe", arguments: [], returnType: simple("Point", undefined, true) },
    { name: "nothing", arguments: [], returnType: null },
  ],
  errors: { "9": { message: "Cell underflow" }, "1234": { message: "too large" } },
  interfaces: [],
};
