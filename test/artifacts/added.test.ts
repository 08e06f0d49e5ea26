import { describe, expect, test } from "vitest";
import { AddedArtifacts } from "../../server/artifacts/added.js";
import { tolkAbi } from "../helpers/abi/made-abi.js";

const file = (name: string, characters = 0) => ({
  file: name,
  content: `poke#00000001 = M;${" ".repeat(characters)}`,
});
const mebibyte = 1 << 20;

describe("the files of a key", () => {
  test("are at most 256, of which one can be replaced", () => {
    const added = new AddedArtifacts();
    added.add(
      "ann",
      Array.from({ length: 256 }, (_, i) => file(`${i}.json`)),
    );
    expect(() => added.add("ann", [file("more.json")])).toThrow("at most 256 files of a key are kept");
    added.add("ann", [file("0.json")]);
    added.remove("ann", "0.json");
    added.add("ann", [file("more.json")]);
    expect(added.of("ann")).toHaveLength(256);
    expect(added.of("bob")).toEqual([]);
  });

  test("have at most 8 MiB, and none is read of a call that has more", () => {
    const added = new AddedArtifacts();
    added.add("ann", [file("a.json", 5 * mebibyte)]);
    const more = [{ file: "unread", content: "?" }, file("b.json", 4 * mebibyte)];
    expect(() => added.add("ann", more)).toThrow("at most 8 MiB of a key's files are kept");
    added.add("ann", [file("a.json", 6 * mebibyte)]);
  });

  test("are limited for all keys together, and leave room when they are removed", () => {
    const added = new AddedArtifacts();
    for (let i = 0; i < 9; i++) added.add(`key ${i}`, [file("a.json", 7 * mebibyte)]);
    expect(() => added.add("last", [file("a.json", 7 * mebibyte)])).toThrow("the files of all keys");
    added.remove("key 0", "a.json");
    added.add("last", [file("a.json", 7 * mebibyte)]);
  });

  test("are read again when they are used", () => {
    const added = new AddedArtifacts();
    const content = JSON.stringify(tolkAbi({ contract_name: "Again" }));
    const [artifact] = added.add("ann", [{ file: "a.json", content }]);
    expect(artifact?.coder?.().abi.contract).toBe("Again");
    expect(artifact?.coder?.()).toBe(artifact?.coder?.());
  });
});
