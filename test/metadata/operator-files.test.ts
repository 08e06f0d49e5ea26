import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../server/errors.js";
import {
  mergeFlags,
  readOperatorFiles,
  readOverrides,
  readSpamList,
} from "../../server/metadata/operator-files.js";
import { Address } from "../../shared/values/address.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const rawOf = (digit: string) => `0:${digit.repeat(64)}`;
const raw = rawOf("A");

function fileOf(content: string | Buffer): string {
  const path = `${temporaryFolder()}/tokens`;
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

describe("A spam list", () => {
  it("has an address on each line, in any form, and comments", () => {
    const friendly = Address.read(rawOf("B"))!.address.toFriendly();
    const file = `\uFEFF# scams\r\n${rawOf("a")} copies USDT\r\n\r\n  ${friendly}\t# airdrop\n${rawOf("A")}\n`;
    expect(readSpamList(fileOf(file))).toEqual([rawOf("A"), rawOf("B")]);
    expect(readSpamList(fileOf(""))).toEqual([]);
  });

  it.each([
    ["text that is no address", `${rawOf("A")}\n\nscam.example\n`, "line 3"],
    ["an address cut off", rawOf("A").slice(0, -1), "line 1"],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0, 0x30]), "line 1"],
  ])("is refused with the line of the mistake: %s", (_, content, line) => {
    const read = () => readSpamList(fileOf(content));
    expect(read).toThrow(SetupError);
    expect(read).toThrow(line);
  });

  it("is refused if there is no such file, or if it is too long to store", () => {
    expect(() => readSpamList("/nowhere/spam.txt")).toThrow("/nowhere/spam.txt");
    const many = Array.from({ length: 100_001 }, (_, at) => `0:${at.toString(16).padStart(64, "0")}`);
    expect(() => readSpamList(fileOf(many.join("\n")))).toThrow("more than 100000 addresses");
    expect(readSpamList(fileOf(many.slice(1).join("\n")))).toHaveLength(100_000);
  });
});

const [listed, cleared, named, other] = ["A", "B", "C", "D"].map(rawOf) as [string, string, string, string];
const flagged = (address: string) => ({ address, isNsfw: false, isScam: true, fields: {} });

describe("Flags of tokens", () => {
  it("are those of the spam list, unless an override has the flag", () => {
    const overrides = [
      { address: cleared, isNsfw: false, isScam: false, fields: {} },
      { address: named, isNsfw: true, isScam: undefined, fields: { name: "Named" } },
      { address: other, isNsfw: false, isScam: undefined, fields: {} },
    ];
    expect(mergeFlags(overrides, [listed, cleared, named])).toEqual([
      { address: cleared, isNsfw: false, isScam: false, fields: {} },
      { address: named, isNsfw: true, isScam: true, fields: { name: "Named" } },
      { address: other, isNsfw: false, isScam: false, fields: {} },
      flagged(listed),
    ]);
  });

  it("come from either file alone, and from none", () => {
    const folder = temporaryFolder();
    const [metadataOverrides, spamList] = [`${folder}/overrides.json`, `${folder}/spam.txt`];
    writeFileSync(metadataOverrides, JSON.stringify({ [named]: { is_scam: true } }));
    writeFileSync(spamList, listed);
    const read = readOperatorFiles;
    expect(read({ metadataOverrides: undefined, spamList: undefined })).toBeUndefined();
    expect(read({ metadataOverrides: undefined, spamList })).toEqual({
      flags: [flagged(listed)],
      marketplaces: undefined,
    });
    expect(read({ metadataOverrides, spamList: undefined })).toEqual({
      flags: [flagged(named)],
      marketplaces: [],
    });
  });
});
