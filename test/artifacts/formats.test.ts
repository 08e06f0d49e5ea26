import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readArtifact } from "../../server/artifacts/formats.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { tolkAbi } from "../helpers/abi/made-abi.js";

const code = beginCell().storeUint(0xcafe, 16).endCell();
const hash = bytesToBase64(code.hash());
const codeText = bytesToBase64(serializeBoc(code));

describe("a file is recognised by its members", () => {
  test("an ABI of Tolk", () => {
    const artifact = readArtifact("build/counter.abi.json", tolkAbi({ contract_name: "Counter" }));
    expect(artifact).toMatchObject({
      format: "tolk",
      contract: "Counter",
      codeHashes: [],
      compiler: "tolk 1.4.2",
    });
    expect(readArtifact("build/counter.abi.json", tolkAbi({ contract_name: "" }))?.contract).toBe("counter");
  });

  test.each([
    ["beside code and source map", { abi: tolkAbi(), code_boc64: codeText, source_map: {} }],
    ["as the compiler's output", { abiJson: JSON.stringify(tolkAbi()), codeBoc64: codeText }],
  ])("an ABI %s", (_, json) => {
    expect(readArtifact("a.json", json)).toMatchObject({ format: "artifact", codeHashes: [hash] });
  });

  test("an ABI of Tact, alone and in a package with its code", () => {
    const abi = { name: "Counter", types: [], receivers: [], getters: [], errors: {} };
    expect(readArtifact("build/counter_Counter.abi", abi)).toMatchObject({
      format: "tact",
      contract: "Counter",
    });
    const compiler = { name: "tact", version: "1.6.13" };
    const pkg = { name: "Counter", abi: JSON.stringify(abi), code: codeText, compiler };
    expect(readArtifact("counter_Counter.pkg", pkg)).toMatchObject({
      format: "tact-package",
      compiler: "tact 1.6.13",
      codeHashes: [hash],
    });
  });

  test("a contract that Blueprint compiled", () => {
    const json = { hash: Buffer.from(code.hash()).toString("hex"), hashBase64: hash, hex: "b5ee" };
    const artifact = readArtifact("build/JettonMinter.compiled.json", json);
    expect(artifact).toMatchObject({ format: "blueprint", contract: "JettonMinter", codeHashes: [hash] });
    expect(artifact?.coder).toBeUndefined();
  });

  test.each([
    ["a package", { name: "x", version: "1.0.0" }],
    ["a list", [1]],
    ["a text", "abi"],
    ["nothing", undefined],
    ["an ABI of another kind", { abi: [{ type: "function" }] }],
    ["a hash of another length", { hash: "ab", hex: "cd" }],
  ])("%s is none", (_, json) => {
    expect(readArtifact("package.json", json)).toBeUndefined();
  });

  test.each([
    ["another version", tolkAbi({ abi_schema_version: "2.0" }), "the schema of an ABI is 1.0"],
    ["code that is none", { abi: tolkAbi(), code_boc64: "AAAA" }, "the code is no bag of cells"],
    ["code that is no text", { abi: tolkAbi(), code_boc64: 1 }, "the code is not base64"],
  ])("%s is refused", (_, json, reason) => {
    expect(() => readArtifact("a.json", json)).toThrow(reason);
  });
});

const recorded = join(process.env["TONWIRE_TEST_DATA"] ?? "", "abi", "simple.artifact.json");
const isRecorded = process.env["TONWIRE_TEST_DATA"] !== undefined && existsSync(recorded);

test.skipIf(!isRecorded)(
  "output of Tolk 1.4.2 (skipped without the recorded data in TONWIRE_TEST_DATA)",
  () => {
    const artifact = readArtifact("simple.artifact.json", JSON.parse(readFileSync(recorded, "utf8")));
    expect(artifact).toMatchObject({
      format: "artifact",
      contract: "simple",
      codeHashes: [expect.any(String)],
    });
  },
);
