import { AbiError } from "../../shared/ton/abi/abi-error.js";
import { Shape } from "../../shared/ton/abi/json-shape.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { CellError } from "../../shared/ton/cells/cell-error.js";
import { base64ToBytes, hexToBytes } from "../../shared/values/bytes.js";
import { ifJson, isDeeperThan, isJsonObject } from "../../shared/values/json.js";
import { itemAt } from "../../shared/values/lookups.js";
import { PackedJson } from "./packed.js";

/** A source file as its compiler read it. */
export type SourceText = { readonly file: string; readonly text: string };

/** A source map, checked; its content is compressed until it is read. */
export type SourceMap = {
  /** `acton` has marks by cells, `tolk` the parts that the compiler returns, and `sections` is that of ton-source-map. */
  readonly format: "acton" | "tolk" | "func" | "sections";
  readonly content: PackedJson;
};

type Members = Readonly<Record<string, unknown>>;

/** Bounds of a map and of sources: contracts have some thousand marks in a hundred files. */
const limits = { marks: 1_000_000, cells: 65_536, files: 1000, sections: 1000 } as const;
/** Deeper than any file of a compiler. */
export const maxDepth = 256;
/** Bits of a cell. */
const maxOffset = 1023;
const maxMark = 0xffffffff;
const maxLine = 0x7fffffff;

/** The source files in a compiler's output, or in a package of Tact. Throws an AbiError if they are malformed. */
export function sourcesIn(members: Members): SourceText[] {
  const root = new Shape(members, "file");
  const { value } = root.member("sources");
  if (isJsonObject(value))
    return root
      .member("sources")
      .entries(limits.files)
      .map(([file, text]) => ({ file, text: decoded(text) }));
  for (const list of ["sourcesSnapshot", "snapshot", "files"]) {
    const files = root.member(list);
    if (Array.isArray(files.value)) return files.list(limits.files).map(sourceIn);
  }
  return [];
}

/** Compilers and verifiers name these members differently. */
function sourceIn(file: Shape): SourceText {
  const member = (...names: string[]) =>
    names.map((name) => file.member(name)).find((each) => !each.isAbsent);
  const text = member("contents", "content", "content_text");
  if (typeof text?.value !== "string") return file.refuse("expected the text of a source file");
  return {
    file: member("filename", "path")?.name() ?? file.refuse("expected a file name"),
    text: text.value,
  };
}

function decoded(text: Shape): string {
  const bytes = typeof text.value === "string" ? base64ToBytes(text.value) : undefined;
  if (!bytes) return text.refuse("expected base64");
  return new TextDecoder().decode(bytes);
}

/** The source map in a file, whichever tool wrote it. Throws an AbiError if it is malformed or too large. */
export function mapIn(members: Members): SourceMap | undefined {
  const root = new Shape(members, "file");
  const acton = members["debug_marks"] === undefined ? root.member("source_map") : root;
  if (isJsonObject(acton.value) && Array.isArray(acton.value["debug_marks"])) {
    checkMarks(acton);
    return { format: "acton", content: PackedJson.of(acton.value) };
  }
  const parts = partsIn(isJsonObject(acton.value) ? (acton.value as Members) : members);
  if (parts) return { format: "tolk", content: PackedJson.of(parts) };
  if (isJsonObject(members["debugInfo"]) && members["debugMarksBoc"] !== undefined) {
    const { debugInfo, debugMarksBoc } = members;
    for (const location of root.member("debugInfo").member("locations").list(limits.marks)) {
      location.member("file").name();
      location.member("line").integer(0, maxLine);
    }
    cellIn(debugMarksBoc, "the debug marks");
    return { format: "func", content: PackedJson.of({ debugInfo, debugMarksBoc }) };
  }
  if (isJsonObject(members["highlevelMapping"]) && isJsonObject(members["assemblyMapping"])) {
    checkSections(root);
    return { format: "sections", content: PackedJson.of(members) };
  }
  return undefined;
}

/** Marks by the upper-case hash of their cell: `[[offset, mark]]`. */
function checkMarks(map: Shape): void {
  map.member("debug_marks").list(limits.marks);
  for (const file of map.member("files").list(limits.files)) file.member("file_name").name();
  const dictionary = map.member("marks_dict");
  if (dictionary.isAbsent) return;
  let marks = 0;
  for (const [hash, places] of dictionary.entries(limits.cells)) {
    if (!/^[0-9A-F]{64}$/.test(hash)) places.refuse("expected the hash of a cell");
    for (const place of places.list(limits.marks - marks)) {
      const pair = place.list(2);
      if (pair.length !== 2) place.refuse("expected an offset and a mark");
      itemAt(pair, 0).integer(0, maxOffset);
      itemAt(pair, 1).integer(0, maxMark);
      marks++;
    }
  }
}

/** Instructions by cells, and the sections that each belongs to. */
function checkSections(map: Shape): void {
  map.member("highlevelMapping").member("locations").list(limits.marks);
  let instructions = 0;
  for (const [, cell] of map.member("assemblyMapping").member("cells").entries(limits.cells))
    for (const instruction of cell.member("instructions").list(limits.marks - instructions)) {
      instruction.member("offset").integer(0, maxOffset);
      for (const section of instruction.member("debugSections").list(limits.sections))
        section.integer(0, maxMark);
      instructions++;
    }
}

/** What Tolk's compiler returns for a map; a verifier's answers have other names for the same. */
function partsIn(members: Members): Members | undefined {
  const types = parsedJson(members["symbolTypesJson"] ?? members["symbol_types_json"]);
  const marks = parsedJson(members["debugMarksJson"] ?? members["debug_marks_json"]);
  const places = members["debugMarksBase64"] ?? members["debug_marks_base64"];
  if (types === undefined || marks === undefined || places === undefined) return undefined;
  new Shape(marks, "debugMarksJson").list(limits.marks);
  for (const file of new Shape(types, "symbolTypesJson").member("files").list(limits.files))
    file.member("file_name").name();
  cellIn(places, "the debug marks");
  return { symbolTypesJson: types, debugMarksJson: marks, debugMarksBase64: places };
}

/** The compiler's members are values or their text. */
function parsedJson(value: unknown): unknown {
  return typeof value === "string" ? jsonIn(value, "the source map") : value;
}

/** The value of a JSON text, which may be hostile. */
export function jsonIn(text: string, what: string): unknown {
  if (isDeeperThan(maxDepth, text)) throw new AbiError(`${what} is nested too deeply`);
  const json = ifJson(text);
  if (json === undefined) throw new AbiError(`${what} is not JSON`);
  return json;
}

/** The root cell of a bag of cells in base64, or in hex. */
export function cellIn(text: unknown, what: string): Cell {
  const read = typeof text === "string" && /^b5ee9c72/i.test(text) ? hexToBytes : base64ToBytes;
  const bytes = typeof text === "string" ? read(text) : undefined;
  if (!bytes) throw new AbiError(`${what} is not base64`);
  try {
    return parseBocRoot(bytes);
  } catch (error) {
    if (error instanceof CellError) throw new AbiError(`${what} is no bag of cells: ${error.message}`);
    throw error;
  }
}
