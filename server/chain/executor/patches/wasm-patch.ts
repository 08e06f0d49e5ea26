import { signed } from "../../../../shared/ton/run/emulator-patches.js";
import { scratchBytes } from "../../../os/scratch.js";
import { name, opcode, readUnsigned, section, unsigned } from "../../../os/wasm-bytes.js";
import { contractAnchors, logLevels } from "./contract-functions.js";
import { cellDepth, logBytes, maxLeftValues } from "./limit-patches.js";
import { globals, type Patch } from "./patch.js";
import { type PatchName, patches } from "./patches.js";

/** `WebAssembly.Global` that the changed binary exports: the deepest tree of cells it makes. */
export const depthExport = "tonwireMaxDepth";
/** `WebAssembly.Global` that the changed binary exports: the level up to which it writes the log of the VM. */
export const vmLogExport = "tonwireVmLogLevel";
/** The same for the emulator's own log of a transaction. */
export const emulatorLogExport = "tonwireEmulatorLogLevel";
/** `WebAssembly.Global` that the changed binary exports: how many bytes a transaction's log of the VM keeps. */
export const logBytesExport = "tonwireLogBytes";
/** `WebAssembly.Global` that the changed binary exports: how many values a get-method may leave. */
export const leftValuesExport = "tonwireLeftValues";

const sections = { import: 2, table: 4, global: 6, export: 7 } as const;
/** Entries of the function table, which the original binary defines and the patched one imports. */
export const tableSize = 8988;
/** The import by which the patched binary gets its function table. */
export const tableImport = { module: "tonwire", name: "table" } as const;
const tableType = [0x70, 1, ...unsigned(tableSize), ...unsigned(tableSize)];
const tableKind = 1;

const [i32, i64, variable] = [0x7f, 0x7e, 1];
const globalKind = 3;

const addedGlobals = [
  [i32, variable, opcode.i32, ...signed(cellDepth), opcode.end],
  [i64, variable, opcode.i64, ...signed(maxLeftValues), opcode.end],
  [i32, variable, opcode.i32, ...signed(logLevels.fatal), opcode.end],
  [i32, variable, opcode.i32, ...signed(logLevels.fatal), opcode.end],
  [i32, variable, opcode.i32, ...signed(logBytes.most), opcode.end],
];
const addedExports = [
  [...name(depthExport), globalKind, globals.depth],
  [...name(vmLogExport), globalKind, globals.vmLog],
  [...name(emulatorLogExport), globalKind, globals.emulatorLog],
  [...name(logBytesExport), globalKind, globals.logBytes],
  [...name(leftValuesExport), globalKind, globals.leftValues],
];
const addedImports = [[...name(tableImport.module), ...name(tableImport.name), tableKind, ...tableType]];

/** The binary with all patches but some. The bytes given are changed, too. */
export function patchEmulator(wasm: Buffer, without: readonly PatchName[] = []): Buffer {
  if (!contractAnchors.every((bytes) => wasm.includes(Buffer.from(bytes)))) throw unknownBuild();
  for (const [name, places] of Object.entries(patches))
    if (!without.includes(name as PatchName)) for (const place of places) applyPatch(wasm, place);
  const parts = [wasm.subarray(0, 8)];
  for (let at = 8; at < wasm.length; ) {
    const size = readUnsigned(wasm, at + 1);
    const end = size.end + size.value;
    const body = wasm.subarray(size.end, end);
    const id = wasm[at]!;
    if (id === sections.import) parts.push(section(id, extended(body, addedImports)));
    else if (id === sections.table) checkTable(body);
    else if (id === sections.global) parts.push(section(id, extended(body, addedGlobals, globals.built)));
    else if (id === sections.export) parts.push(section(id, extended(body, addedExports)));
    else parts.push(wasm.subarray(at, end));
    at = end;
  }
  const patched = scratchBytes(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => at + part.copy(patched, at), 0);
  return patched;
}

function applyPatch(wasm: Buffer, { find, replace }: Patch): void {
  const pattern = Buffer.from(find);
  const at = wasm.indexOf(pattern);
  if (at < 0 || at !== wasm.lastIndexOf(pattern) || replace.length !== find.length) throw unknownBuild();
  wasm.set(replace, at);
}

/** A section's vector with more entries at its end. */
function extended(body: Buffer, entries: readonly number[][], expected?: number): Buffer {
  const { value: count, end } = readUnsigned(body, 0);
  if (expected !== undefined && count !== expected) throw unknownBuild();
  return Buffer.concat([
    Buffer.from(unsigned(count + entries.length)),
    body.subarray(end),
    Buffer.from(entries.flat()),
  ]);
}

/** The table that becomes an import. */
function checkTable(body: Buffer): void {
  if (!body.equals(Buffer.from([1, ...tableType]))) throw unknownBuild();
}

export function unknownBuild(): Error {
  return new Error("unknown build of the emulator");
}
