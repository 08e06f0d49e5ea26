import { describe, expect, test } from "vitest";
import { AddedArtifacts } from "../../server/artifacts/added.js";
import { paidTurns } from "../../server/chain/paid-turns.js";
import { tolkAbi } from "../helpers/abi/made-abi.js";

const file = (name: string, characters = 0) => ({
  file: name,
  content: `poke#00000001 = M;${" ".repeat(characters)}`,
});
const mebibyte = 1 << 20;
type Given = Parameters<AddedArtifacts["read"]>[1];

async function add(to: AddedArtifacts, owner: string, given: Given) {
  return to.add(owner, await to.read(owner, given, paidTurns()));
}

describe("the files of a key", () => {
  test("are at most 256, of which one can be replaced", async () => {
    const added = new AddedArtifacts();
    await add(
      added,
      "ann",
      Array.from({ length: 256 }, (_, i) => file(`${i}.json`)),
    );
    await expect(add(added, "ann", [file("more.json")])).rejects.toThrow(
      "at most 256 files of a key are kept",
    );
    await add(added, "ann", [file("0.json")]);
    added.remove("ann", "0.json");
    await add(added, "ann", [file("more.json")]);
    expect(added.of("ann")).toHaveLength(256);
    expect(added.of("bob")).toEqual([]);
  });

  test("have at most 8 MiB, and none is read of a call that has more", async () => {
    const added = new AddedArtifacts();
    await add(added, "ann", [file("a.json", 5 * mebibyte)]);
    const more = [{ file: "unread", content: "?" }, file("b.json", 4 * mebibyte)];
    await expect(add(added, "ann", more)).rejects.toThrow("at most 8 MiB of a key's files are kept");
    await add(added, "ann", [file("a.json", 6 * mebibyte)]);
  });

  test("are limited for all keys together, and leave room when they are removed", async () => {
    const added = new AddedArtifacts();
    for (let i = 0; i < 9; i++) await add(added, `key ${i}`, [file("a.json", 7 * mebibyte)]);
    await expect(add(added, "last", [file("a.json", 7 * mebibyte)])).rejects.toThrow("the files of all keys");
    added.remove("key 0", "a.json");
    await add(added, "last", [file("a.json", 7 * mebibyte)]);
  });

  test("are read again when they are used", async () => {
    const added = new AddedArtifacts();
    const content = JSON.stringify(tolkAbi({ contract_name: "Again" }));
    const [artifact] = await add(added, "ann", [{ file: "a.json", content }]);
    expect(artifact?.coder?.().abi.contract).toBe("Again");
    expect(artifact?.coder?.()).toBe(artifact?.coder?.());
  });
});
