import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../server/errors.js";
import { readOverrides } from "../../server/metadata/overrides.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const raw = `0:${"A".repeat(64)}`;

function fileOf(content: string): string {
  const path = `${temporaryFolder()}/overrides.json`;
  writeFileSync(path, content);
  return path;
}

describe("Overrides of metadata", () => {
  it("are flags and fields by address, in any form of it", () => {
    const file = { [raw.toLowerCase()]: { is_scam: true, name: "Fake", decimals: "9" } };
    expect(readOverrides(fileOf(JSON.stringify(file)))).toEqual({
      flags: [{ address: raw, isNsfw: false, isScam: true, fields: { name: "Fake", decimals: "9" } }],
      marketplaces: [],
    });
    expect(readOverrides(fileOf(JSON.stringify({ [raw]: { name: "Named" } }))).flags).toEqual([
      { address: raw, isNsfw: false, isScam: undefined, fields: { name: "Named" } },
    ]);
    expect(readOverrides(fileOf("{}"))).toEqual({ flags: [], marketplaces: [] });
  });

  it("name marketplaces", () => {
    const file = { [raw]: { marketplace: "bazaar" } };
    expect(readOverrides(fileOf(JSON.stringify(file)))).toEqual({
      flags: [],
      marketplaces: [{ address: raw, name: "bazaar" }],
    });
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["text that is no address", '{"tokens.example":{}}'],
    ["a value that is no object", `{"${raw}":true}`],
    ["a flag that is no boolean", `{"${raw}":{"is_scam":"yes"}}`],
    ["a marketplace that is no name", `{"${raw}":{"marketplace":1}}`],
    ["an address twice", `{"${raw}":{},"${raw.toLowerCase()}":{}}`],
  ])("are refused with a sentence for the operator: %s", (_, content) => {
    expect(() => readOverrides(fileOf(content))).toThrow(SetupError);
  });

  it("are refused if there is no such file", () => {
    expect(() => readOverrides("/nowhere/overrides.json")).toThrow(SetupError);
  });
});
