import { existsSync, readFileSync } from "node:fs";
import { SetupError } from "../../../errors.js";
import { vendored } from "../../../os/package-files.js";
import { readIntoScratch } from "../../../os/scratch.js";
import { type KnownBuild, knownBuild } from "./known-builds.js";

/** A build of the emulator in WebAssembly, with the JavaScript that belongs to it. */
type WasmBuild = {
  readonly bytes: Buffer;
  readonly gluePath: string;
  /** Undefined: it runs as it is. */
  readonly known: KnownBuild | undefined;
};

/** The build that the package brings: that of @ton/sandbox. */
const shipped = { wasm: "emulator/emulator.wasm", glue: "emulator/emulator.cjs" } as const;
const magic = Buffer.from([0, ...Buffer.from("asm"), 1, 0, 0, 0]);
/** @ton/sandbox has its WebAssembly as base64 in a module. */
const inModule = /\.wasm\.js$/;

/** By default the build that the package brings. Throws a SetupError that names the file. */
export function readBuild(file?: string): WasmBuild {
  const wasm = file ?? vendored(shipped.wasm);
  const bytes = bytesOf(wasm);
  if (!bytes.subarray(0, magic.length).equals(magic))
    throw new SetupError(`The TVM build ${wasm} is not WebAssembly`);
  const gluePath = glueBeside(wasm) ?? vendored(shipped.glue);
  return { bytes, gluePath, known: knownBuild(bytes, readFileSync(gluePath)) };
}

function bytesOf(file: string): Buffer {
  try {
    if (!inModule.test(file)) return readIntoScratch(file);
    const [, base64 = ""] = readFileSync(file, "latin1").split("'");
    return Buffer.from(base64, "base64");
  } catch (cause) {
    throw new SetupError(`The TVM build ${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** `emulator.js` or `emulator.cjs` for `emulator.wasm` and `emulator.wasm.js`. */
function glueBeside(file: string): string | undefined {
  const base = file.replace(/\.wasm(\.js)?$/, "");
  return [".js", ".cjs"]
    .map((ending) => `${base}${ending}`)
    .find((path) => path !== file && existsSync(path));
}
