import { describe, expect, test } from "vitest";
import { artifactsOf, listedInText, readCatalogue } from "../../server/artifacts/catalogue.js";
import { readArtifact } from "../../server/artifacts/formats.js";
import { ArtifactStore, type ChosenAbi } from "../../server/artifacts/store.js";
import { paidTurns } from "../../server/chain/paid-turns.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { MadeTypes, tolkAbi } from "../helpers/abi/made-abi.js";
import { libraryCell } from "../helpers/chain/library-cell.js";

const hashOf = (byte: number) => new Uint8Array(32).fill(byte);
const base64 = (byte: number) => bytesToBase64(hashOf(byte));
const hex = (byte: number) => Buffer.from(hashOf(byte)).toString("hex");
const account = new Address(0, hashOf(9)).toRawUpper();

function abiWith(name: string, opcode = 0x77, compiler = "1.4.2") {
  const types = new MadeTypes();
  const message = types.struct("Poke", {}, { num: opcode, len: 32 });
  return types.abi({
    contract_name: name,
    compiler_version: compiler,
    incoming_messages: [{ body_ty_idx: message }],
  });
}

const catalogueOf = (...contracts: Readonly<Record<string, unknown>>[]) => ({
  schemaVersion: 1,
  contracts: contracts.map((contract, i) => ({ id: `c${i}`, displayName: `C${i}`, links: [], ...contract })),
});

async function storeOf(own: [file: string, json: unknown][], catalogue?: unknown): Promise<ArtifactStore> {
  const store = new ArtifactStore();
  store.setOwn(own.map(([file, json]) => readArtifact(file, json)!));
  if (catalogue) store.setCatalogue(readCatalogue("catalogue.json", catalogue), "revision");
  return store;
}

const names = (found: Iterable<ChosenAbi>) =>
  Array.from(found, ({ contract, trust, by }) => `${contract} ${trust} ${by}`);

describe("the choice of an ABI", () => {
  test("an ABI without code has that of the compiled contract of its name", async () => {
    const store = await storeOf([
      ["build/JettonMinter.compiled.json", { hash: hex(1), hex: "b5" }],
      ["abi/jetton_minter.abi.json", abiWith("")],
      ["abi/other.abi.json", abiWith("Other")],
    ]);
    expect(names(store.abisOf({ codeHash: base64(1) }))).toEqual(["jetton_minter own code"]);
    expect([...store.abisOf({ codeHash: base64(2) })]).toEqual([]);
  });

  test("own ones come before the catalogue's, those by code before those by address", async () => {
    const catalogue = catalogueOf(
      { hashes: [hex(1)], compilerAbi: abiWith("A") },
      { hashes: [], knownAddresses: [account], compilerAbi: abiWith("B") },
    );
    const own: [string, unknown][] = [
      ["Mine.compiled.json", { hash: hex(1), hex: "b5" }],
      ["Mine.abi.json", abiWith("Mine")],
    ];
    const store = await storeOf(own, catalogue);
    expect(names(store.abisOf({ codeHash: base64(1), account }))).toEqual([
      "Mine own code",
      "C0 curated code",
      "C1 curated address",
    ]);
    expect(names(store.guesses(0x77))).toEqual(["Mine own opcode", "C0 curated opcode", "C1 curated opcode"]);
    expect([...store.guesses(0x78)]).toEqual([]);
  });

  test("the code of a library cell is found by its own hash, then by that of its target", async () => {
    const code = beginCell().storeUint(1, 8).endCell();
    const library = libraryCell(code);
    const catalogue = catalogueOf({ hashes: [library.hashHex()], compilerAbi: abiWith("A") });
    const own: [string, unknown][] = [
      ["Mine.compiled.json", { hash: code.hashHex(), hex: "b5" }],
      ["Mine.abi.json", abiWith("Mine")],
    ];
    const store = await storeOf(own, catalogue);
    expect(names(store.abisOf({ codeHash: bytesToBase64(library.hash()) }))).toEqual([
      "C0 curated code",
      "Mine own code",
    ]);
  });

  test("of equal rank the newer compiler's is first", async () => {
    const store = await storeOf([
      ["A.compiled.json", { hash: hex(1), hex: "b5" }],
      ["a/A.abi.json", abiWith("A", 1, "1.9.0")],
      ["b/A.abi.json", abiWith("A", 2, "1.10.0")],
    ]);
    expect(Array.from(store.abisOf({ codeHash: base64(1) }), ({ coder }) => coder.abi.compiler)).toEqual([
      "tolk 1.10.0",
      "tolk 1.9.0",
    ]);
  });
});

test("what callers claim does not push out what others vouch for, however much it is", async () => {
  const store = new ArtifactStore({ isShared: true });
  store.setCatalogue(
    readCatalogue("c.json", catalogueOf({ hashes: [hex(1)], compilerAbi: abiWith("A") })),
    "1",
  );
  const files = Array.from({ length: 20 }, (_, i) => [
    { file: `${i}.compiled.json`, content: JSON.stringify({ hash: hex(1), hex: "b5" }) },
    { file: `${i}.abi.json`, content: JSON.stringify(abiWith(`Claim${i}`)) },
  ]).flat();
  await store.add("mallory", files, paidTurns());
  const all = names(store.abisOf({ codeHash: base64(1) }));
  expect([all.length < files.length / 2, all.at(-1)]).toEqual([true, "C0 curated code"]);
  expect(names(store.guesses(0x77)).at(-1)).toBe("C0 curated opcode");
});

test("a file of a key without code belongs to the operator's compiled contract of its name, for that key", async () => {
  const store = await storeOf([["build/Counter.compiled.json", { hash: hex(1), hex: "b5" }]]);
  await store.add("ann", [{ file: "counter.abi.json", content: JSON.stringify(abiWith("")) }], paidTurns());
  expect(names(store.seenBy("ann").abisOf({ codeHash: base64(1) }))).toEqual(["counter own code"]);
  store.setOwn([]);
  expect(names(store.seenBy("ann").abisOf({ codeHash: base64(1) }))).toEqual([]);
  expect(names(store.abisOf({ codeHash: base64(1) }))).toEqual([]);
});

describe("a catalogue", () => {
  test("leaves out an ABI that is malformed, when it is used", async () => {
    const store = await storeOf(
      [],
      catalogueOf({ hashes: [base64(3)], compilerAbi: tolkAbi({ unique_types: 1 }) }),
    );
    expect(store.list()).toHaveLength(1);
    expect([...store.abisOf({ codeHash: base64(3) })]).toEqual([]);
  });

  test.each([
    ["another version", { schemaVersion: 2 }, "the schemaVersion of a catalogue is 1"],
    ["no object", [], "expected an object"],
    [
      "a hash that is none",
      catalogueOf({ hashes: ["x"], compilerAbi: abiWith("A") }),
      "contracts[0].hashes[0]: expected a hash",
    ],
    [
      "an address that is none",
      catalogueOf({ knownAddresses: [1], compilerAbi: abiWith("A") }),
      "expected an address",
    ],
  ])("with %s is refused", (_, json, reason) => {
    expect(() => readCatalogue("c.json", json)).toThrow(reason);
  });

  test("is read contract by contract from its text as it is as a whole", () => {
    const tricky = ['}{"\\\\', "\\", '\\"}', "[{", "é{"];
    const json = catalogueOf(
      ...tricky.map((displayName) => ({ displayName, compilerAbi: abiWith(displayName) })),
    );
    const plain = (artifacts: readonly object[]) => artifacts.map((each) => ({ ...each, coder: undefined }));
    for (const text of [JSON.stringify(json), JSON.stringify({ meta: { a: { b: 1 } }, ...json }, null, 2)])
      expect(plain(artifactsOf(listedInText("c.json", Buffer.from(text))))).toEqual(
        plain(readCatalogue("c.json", json)),
      );
  });

  test.each([
    ["", "JSON"],
    ['{"schemaVersion": 1, "contracts": [{]}', "JSON"],
    ['{"schemaVersion": 1, "contracts": [{"id": "x}]}', "JSON"],
    ['{"schemaVersion": 1, "contracts": [7, {}]}', "expected an object"],
    ['{"schemaVersion": 2, "contracts": []}', "schemaVersion"],
  ])("with the text %j is refused", (text, reason) => {
    expect(() => listedInText("c.json", Buffer.from(text))).toThrow(reason);
  });

  test("of a thousand contracts is read one ABI at a time", async () => {
    const contracts = Array.from({ length: 1000 }, (_, i) => ({
      hashes: [i.toString(16).padStart(64, "0")],
      compilerAbi: abiWith(`N${i}`, i),
    }));
    const store = await storeOf([], catalogueOf(...contracts));
    expect(names(store.guesses(500))).toEqual(["C500 curated opcode"]);
  });
});
