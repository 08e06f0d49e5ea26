import { describe, expect, test } from "vitest";
import { readArtifact, readArtifactText } from "../../server/artifacts/formats.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { tolkAbi } from "../helpers/abi/made-abi.js";

const code = beginCell().storeUint(0xcafe, 16).endCell();
const hash = bytesToBase64(code.hash());
const codeText = bytesToBase64(serializeBoc(code));
const cellHash = bytesToHex(code.hash()).toUpperCase();
const text = "fun main() {}";
const sources = [{ file: "main.tolk", text }];
const files = [{ file_id: 1, file_name: "main.tolk" }];

/** What @ton-community/func-js 0.11.0 returns with `debugInfo` for a contract of one line; some locations are left out. */
const funcOutput = {
  status: "ok",
  codeBoc: "te6ccgEBAgEAGAABFP8A9KQT9LzyyAsBABLTXwPCBZLyB94=",
  codeHashHex: "6D5F3E86D16854668D91EFE0EBAAAE6C8F00FC25BA1A608476D8662B463DAD15",
  debugInfo: {
    globals: [],
    locations: [{ file: "a.fc", line: 1, pos: 57, vars: ["a"], func: "recv_internal", ctx_id: 1 }],
  },
  debugMarksBoc:
    "te6ccgEBGQEAsAACASABAgFDv8jNvjTYMMbblxDEjN/Cpl+InmsKHQ6nsLx5rW1TP8VlsAMBQ7/eF5gS2fWtMJspwaNc2XgNG1B06jKVaPVskdgLEdf2JfATAgPOwAQFAgEgBgcCASANDgIBIAgJAgEgCwsBASAYAQEgCgAEqCABASAMAASoKAIBIA8QAQFIEgEBIBEBASASAASoOAAEqEACA87AFBUCAVgWFgEB1BgBASAXAAHVAASoEA==",
  snapshot: [{ filename: "a.fc", content: "() recv_internal() {}" }],
};

const parts = { symbolTypesJson: { files }, debugMarksJson: [{ kind: "loc" }], debugMarksBase64: codeText };
const marks = { files, debug_marks: [{ kind: "loc" }], marks_dict: { [cellHash]: [[1023, 0]] } };
const sections = {
  highlevelMapping: { locations: [{}], files: [{ path: "main.tolk", is_stdlib: false, content: text }] },
  assemblyMapping: {
    cells: { [cellHash]: { instructions: [{ name: "NOP", offset: 0, debugSections: [1] }] } },
  },
};

describe("sources and a source map are found", () => {
  test.each([
    [
      "in the output of Tolk's compiler",
      {
        codeBoc64: codeText,
        tolkVersion: "1.4.2",
        ...parts,
        sourcesSnapshot: [{ filename: "main.tolk", contents: text }],
      },
      { format: "artifact", compiler: "tolk 1.4.2", codeHashes: [hash], sources },
      { format: "tolk", content: parts },
    ],
    [
      "in that output as texts",
      {
        codeBoc64: codeText,
        ...parts,
        symbolTypesJson: JSON.stringify(parts.symbolTypesJson),
        debugMarksJson: JSON.stringify(parts.debugMarksJson),
      },
      { format: "artifact", codeHashes: [hash], sources: [] },
      { format: "tolk", content: parts },
    ],
    [
      "in an artifact of Acton",
      { abi: tolkAbi(), code_boc64: codeText, source_map: marks },
      { format: "artifact", contract: "Made", codeHashes: [hash] },
      { format: "acton", content: marks },
    ],
    [
      "in the output of FunC's compiler",
      funcOutput,
      {
        format: "func",
        codeHashes: [Buffer.from(funcOutput.codeHashHex, "hex").toString("base64")],
        sources: [{ file: "a.fc", text: "() recv_internal() {}" }],
      },
      {
        format: "func",
        content: { debugInfo: funcOutput.debugInfo, debugMarksBoc: funcOutput.debugMarksBoc },
      },
    ],
    [
      "in a source map with the code in hex",
      { ...sections, recompiledCode: bytesToHex(serializeBoc(code)) },
      { format: "source-map", contract: "main", codeHashes: [hash], sources },
      { format: "sections", content: { ...sections, recompiledCode: bytesToHex(serializeBoc(code)) } },
    ],
    [
      "in a source map alone",
      marks,
      { format: "source-map", contract: "main", codeHashes: [] },
      { format: "acton", content: marks },
    ],
  ])("%s", (_, json, artifact, { format, content }) => {
    const read = readArtifact("build/main.json", json);
    expect(read).toMatchObject(artifact);
    expect([read?.map?.format, read?.map?.content.open()]).toEqual([format, content]);
  });

  test("in a package of Tact", () => {
    const abi = JSON.stringify({ name: "Counter", types: [], receivers: [], getters: [], errors: {} });
    const base64 = Buffer.from("contract Counter {}").toString("base64");
    const json = { name: "Counter", abi, code: codeText, sources: { "src/counter.tact": base64 } };
    expect(readArtifact("counter_Counter.pkg", json)).toMatchObject({
      map: undefined,
      sources: [{ file: "src/counter.tact", text: "contract Counter {}" }],
    });
  });
});

test("a scheme in TL-B has messages", () => {
  const scheme = readArtifactText("schemes/jetton.tlb", "burn#595f07bc query_id:uint64 = InternalMsgBody;");
  expect(scheme).toMatchObject({
    format: "tlb",
    contract: "jetton",
    opcodes: [0x595f07bc],
    abiJson: undefined,
  });
});

describe("a hostile file", () => {
  const withMarks = (dictionary: unknown) => ({ ...marks, marks_dict: dictionary });
  test.each([
    ["marks behind the end of a cell", withMarks({ [cellHash]: [[1024, 0]] }), "from 0 to 1023"],
    ["marks at 2^53", withMarks({ [cellHash]: [[2 ** 53, 0]] }), "from 0 to 1023"],
    ["negative marks", withMarks({ [cellHash]: [[0, -1]] }), "from 0 to 4294967295"],
    ["marks without a place", withMarks({ [cellHash]: [[0]] }), "expected an offset and a mark"],
    ["marks of no cell", withMarks({ "00": [] }), "expected the hash of a cell"],
    ["100,000 cells", withMarks(many(100_000, (i) => [i.toString(16), []])), "at most 65536 members"],
    ["two million marks", { ...marks, debug_marks: new Array(2_000_000).fill(0) }, "at most 1000000 items"],
    [
      "instructions behind the end of a cell",
      { ...sections, assemblyMapping: { cells: { a: { instructions: [{ offset: 1024 }] } } } },
      "from 0 to 1023",
    ],
    [
      "lines beyond any file",
      { ...funcOutput, debugInfo: { locations: [{ file: "a", line: 1e300 }] } },
      "line",
    ],
    [
      "marks that are no cells",
      { ...funcOutput, debugMarksBoc: "AAAA" },
      "the debug marks is no bag of cells",
    ],
    [
      "10,000 sources",
      { codeBoc64: codeText, sources: many(10_000, (i) => [`${i}`, ""]) },
      "at most 1000 members",
    ],
    [
      "a source that is no text",
      { codeBoc64: codeText, snapshot: [{ filename: "a", content: 1 }] },
      "expected the text",
    ],
    ["a million types", tolkAbi({ unique_types: new Array(1_000_000).fill(0) }), "at most 16384 items"],
    ["deep texts inside", { codeBoc64: codeText, abi: "[".repeat(1_000_000) }, "nested too deeply"],
  ])("with %s is refused", (_, json, reason) => {
    expect(() => readArtifactText("a.json", JSON.stringify(json))).toThrow(reason);
  });

  test("that nests a million lists is no artifact", () => {
    const deep = `{"abi_schema_version":"1.0","unique_types":${"[".repeat(1_000_000)}`;
    expect(readArtifactText("a.json", deep)).toBeUndefined();
  });
});

function many<T>(count: number, entry: (i: number) => [string, T]): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => entry(i)));
}
