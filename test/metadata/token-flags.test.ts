import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mergeFlags, readOperatorFiles } from "../../server/metadata/token-flags.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const [listed, cleared, named, other] = ["A", "B", "C", "D"].map((digit) => `0:${digit.repeat(64)}`) as [
  string,
  string,
  string,
  string,
];
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
