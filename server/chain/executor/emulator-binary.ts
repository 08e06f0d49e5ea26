import { createRequire } from "node:module";
import { readIntoScratch, scratchBytes } from "../../os/scratch.js";

const [apostrophe, quote] = [..."'\""].map((character) => character.charCodeAt(0));
/** Characters that are decoded at a time, a multiple of four: each piece is a string first. */
const pieceLength = 65_536;

/** The emulator's WebAssembly, which @ton/sandbox has as base64 in a module. Loaded as such, 7 MB of text would stay. */
export function emulatorBinary(): Buffer {
  const require = createRequire(import.meta.url);
  const source = readIntoScratch(require.resolve("@ton/sandbox/dist/executor/emulator-emscripten.wasm.js"));
  const named = source.indexOf("EmulatorEmscriptenWasm");
  const start = source.findIndex((code, at) => at > named && (code === apostrophe || code === quote)) + 1;
  const end = source.indexOf(source[start - 1]!, start);
  if (named < 0 || start === 0 || end < 0) throw new Error("unknown build of the emulator");
  const binary = scratchBytes(Math.ceil(((end - start) / 4) * 3));
  let length = 0;
  for (let at = start; at < end; at += pieceLength)
    length += binary.write(source.toString("latin1", at, Math.min(at + pieceLength, end)), length, "base64");
  return binary.subarray(0, length);
}
