import { crc32 } from "./crc32.js";

/** A field; with `flag` it is present only if that bit of an earlier field is set. */
export type Field = {
  /** camelCase. */
  name: string;
  type: FieldType;
  flag?: { field: string; bit: number };
};

export type FieldType =
  | { kind: "int" | "long" | "flags" | "int256" | "bytes" | "string" | "bool" | "true" }
  /** One known constructor, without its id. */
  | { kind: "bare"; constructor: string }
  /** Any constructor of the type, preceded by its id. */
  | { kind: "boxed"; type: string }
  | { kind: "vector"; item: FieldType };

/** One line of a schema; for a function, `result` is the type of the answer. */
export type Declaration = { name: string; id: number; fields: Field[]; result: string; isFunction: boolean };

const functionsFollow = "---functions---";

/** Parses a schema, one declaration per line; skips empty lines. */
export function readDeclarations(text: string): Declaration[] {
  const lines = text.split("\n").filter((line) => line.length > 0);
  const types = lines.includes(functionsFollow) ? lines.indexOf(functionsFollow) : lines.length;
  return [
    ...lines.slice(0, types).map((line) => readDeclaration(line, false)),
    ...lines.slice(types + 1).map((line) => readDeclaration(line, true)),
  ];
}

function readDeclaration(line: string, isFunction: boolean): Declaration {
  const [left = "", result = ""] = line.split(" = ");
  // Bounded input: a line of our own schemas.
  const [head = "", ...fields] = left.split(/ (?![^(]*\))/);
  const [name = "", explicitId] = head.split("#");
  const id = explicitId === undefined ? crc32(line.replace(/[()]/g, "")) : Number.parseInt(explicitId, 16);
  return { name, id, fields: fields.map(readField), result, isFunction };
}

function readField(text: string): Field {
  const [, name = "", flags, bit, type = ""] = /^(\w+):(?:(\w+)\.(\d+)\?)?(.+)$/.exec(text) ?? [];
  return {
    name: camelCase(name),
    type: readType(type),
    ...(flags !== undefined && { flag: { field: camelCase(flags), bit: Number(bit) } }),
  };
}

function readType(text: string): FieldType {
  const vector = /^\(vector (.+)\)$/.exec(text)?.[1];
  if (vector !== undefined) return { kind: "vector", item: readType(vector) };
  switch (text) {
    case "int":
    case "long":
    case "int256":
    case "bytes":
    case "string":
    case "true":
      return { kind: text };
    case "#":
      return { kind: "flags" };
    case "Bool":
      return { kind: "bool" };
  }
  const lastPart = text.slice(text.lastIndexOf(".") + 1);
  return /^[a-z]/.test(lastPart) ? { kind: "bare", constructor: text } : { kind: "boxed", type: text };
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
