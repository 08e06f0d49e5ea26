import { pagePatches } from "../../../shared/ton/run/emulator-patches.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { emulatorBuild } from "../../../shared/values/emulator-build.js";
import type { EmulatorScript, EmulatorWasm } from "./emulator-script.js";
import { TvmError } from "./tvm-error.js";

/** The export of the build that sets the stack pointer. */
const restoreStackExport = "Ra";

/** How long the emulator may take to arrive, so that a later run can ask again. */
const loadMs = 120_000;

/** The functions that the emulator's JavaScript gives. */
type EmulatorFunctions = {
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _run_get_method(params: number, stack: number, config: number): number;
  _create_emulator(config: number, verbosity: number): number;
  _destroy_emulator(emulator: number): void;
  _emulate_with_emulator(
    emulator: number,
    libraries: number,
    account: number,
    message: number,
    params: number,
  ): number;
};

type Hooks = {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ): Record<string, never>;
  print(): void;
  printErr(): void;
};

/** Loads and compiles the emulator. Throws a TvmError for another build than the package's. */
export async function compileEmulator(wasm: EmulatorWasm): Promise<WebAssembly.Module> {
  const bytes = await bytesOf(wasm);
  const { subtle } = globalThis.crypto;
  if (!subtle) throw new TvmError("build", "the emulator's hash can be checked in a secure context only");
  const hash = bytesToHex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
  if (hash !== emulatorBuild.wasm)
    throw new TvmError("build", `the emulator has the hash ${hash} instead of ${emulatorBuild.wasm}`);
  return WebAssembly.compile(patched(bytes));
}

/** The build with the changes that pages need. */
function patched(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  for (const { find, replace } of pagePatches) {
    const [first = 0] = find;
    const isHere = (at: number) => find.every((byte, index) => bytes[at + index] === byte);
    let at = bytes.indexOf(first);
    while (at >= 0 && !isHere(at)) at = bytes.indexOf(first, at + 1);
    if (at < 0) throw new TvmError("build", "the emulator lacks a place that is changed");
    copy.set(replace, at);
  }
  return copy;
}

async function bytesOf(wasm: EmulatorWasm): Promise<Uint8Array<ArrayBuffer>> {
  if (wasm instanceof Uint8Array) return wasm;
  const response =
    wasm instanceof Response ? wasm : await fetch(wasm, { signal: AbortSignal.timeout(loadMs) });
  if (!response.ok || !response.body)
    throw new TvmError(
      "build",
      `the emulator cannot be loaded: status ${response.status} of ${response.url}`,
    );
  return bytesIn(response.body.getReader());
}

/** Reads no more than the build has. */
async function bytesIn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(emulatorBuild.wasmBytes);
  for (let at = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, at);
    if (at + value.length > bytes.length) {
      // The answer is abandoned, whether or not its stream can be cancelled.
      reader.cancel().catch(() => {});
      throw new TvmError("build", `the emulator has more than ${bytes.length} bytes`);
    }
    bytes.set(value, at);
    at += value.length;
  }
}

/** An instance with its memory. */
export type EmulatorInstance = { functions: EmulatorFunctions; memory: WebAssembly.Memory };

/** The build has 64 KiB of C++ stack, which a tree of cells of depth 350 overflows; nodes allow 512. */
const stackBytes = 8 << 20;
const alignment = 16;

export async function startEmulator(
  module: WebAssembly.Module,
  script: EmulatorScript,
): Promise<EmulatorInstance> {
  let exports: WebAssembly.Exports = {};
  const hooks: Hooks = {
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports);
      exports = instance.exports;
      done(instance);
      return {};
    },
    print() {},
    printErr() {},
  };
  const functions = (await script(hooks as never)) as EmulatorFunctions;
  const memory = Object.values(exports).find((each) => each instanceof WebAssembly.Memory);
  const restoreStack = exports[restoreStackExport] as ((address: number) => void) | undefined;
  if (!memory || !restoreStack) throw new TvmError("build", "the emulator's files do not belong together");
  const top = functions._malloc(stackBytes) + stackBytes;
  restoreStack(top - (top % alignment));
  return { functions, memory };
}

/** Copies an ASCII text into the emulator's memory, as a C string. */
export function storeText({ functions, memory }: EmulatorInstance, text: string): number {
  const bytes = new TextEncoder().encode(text);
  const pointer = functions._malloc(bytes.length + 1);
  if (pointer === 0) throw new RangeError("out of memory");
  // Growing the memory detaches earlier views.
  const view = new Uint8Array(memory.buffer, pointer, bytes.length + 1);
  view.set(bytes);
  view[bytes.length] = 0;
  return pointer;
}

/** Copies a C string out of the emulator's memory, and frees it. */
export function takeText({ functions, memory }: EmulatorInstance, pointer: number): string {
  const bytes = new Uint8Array(memory.buffer);
  const text = new TextDecoder().decode(bytes.slice(pointer, bytes.indexOf(0, pointer)));
  functions._free(pointer);
  return text;
}
