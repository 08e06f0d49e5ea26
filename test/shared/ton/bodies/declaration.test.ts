import { describe, expect, it } from "vitest";
import { families } from "../../../../shared/ton/bodies/all-families.js";
import { parseDeclarations } from "../../../../shared/ton/bodies/declaration.js";

const uint64 = { kind: "apply", name: "uint64", parameters: [] };
const named = (name: string, ...parameters: unknown[]) => ({ kind: "apply", name, parameters });

describe("A declaration", () => {
  it("of a body has an opcode and fields; a field without a type is a uint64", () => {
    expect(parseDeclarations("\nburn#595f07bc query_id amount:Coins\n")).toEqual([
      {
        name: "burn",
        tag: "01011001010111110000011110111100",
        fields: [
          { name: "query_id", type: uint64 },
          { name: "amount", type: named("Coins") },
        ],
        type: undefined,
      },
    ]);
  });

  it("of a type has its name, with a tag of any length or none", () => {
    const [jetton, plain, empty] = parseDeclarations(
      "jetton$01 hash:bits256 = Asset\n_ a = Plain\nnone$0 = Empty",
    );
    expect([jetton!.tag, jetton!.type, plain!.name, plain!.tag, empty!.fields]).toEqual([
      "01",
      "Asset",
      "_",
      "",
      [],
    ]);
  });

  it("has short forms for Maybe, references and records; other types with parameters are in brackets", () => {
    const [{ fields } = { fields: [] }] = parseDeclarations(
      "x a:?^Cell b:^[c d:Bool] e:?(HashmapE 8 ^T) = X",
    );
    const record = {
      kind: "record",
      fields: [
        { name: "c", type: uint64 },
        { name: "d", type: named("Bool") },
      ],
    };
    expect(fields.map(({ type }) => type)).toEqual([
      named("Maybe", named("Ref", named("Cell"))),
      named("Ref", record),
      named("Maybe", named("HashmapE", named("8"), named("Ref", named("T")))),
    ]);
  });

  it.each(["x a:", "x a:(Maybe", "x a:[b", "x = ", "x = X y", "#12345678", "x a:b:c"])(
    "is malformed: %j",
    (line) => {
      expect(() => parseDeclarations(line)).toThrow(`not a declaration: ${line}`);
    },
  );
});

describe("The declared bodies", () => {
  it("never declare the same layout of one opcode twice", () => {
    const seen = new Set<string>();
    for (const { type, tag, fields } of families.flatMap(parseDeclarations)) {
      if (type !== undefined) continue;
      const layout = JSON.stringify([tag, fields.map((field) => field.type)]);
      expect(seen).not.toContain(layout);
      seen.add(layout);
    }
    expect(seen.size).toBeGreaterThan(700);
  });

  it("use every type they declare", () => {
    for (const family of families) {
      const types = new Set(parseDeclarations(family).flatMap(({ type }) => type ?? []));
      for (const type of types)
        expect(family, type).toMatch(new RegExp(`[:^? ]${type}(?=[\\s)\\]])(?<!= ${type})`));
    }
  });
});
