import { bytesToHex } from "../../../shared/values/bytes.js";
import { TvmError } from "./tvm-error.js";

/** The build of TON's emulator that the package has, from @ton/sandbox. */
const build = {
  sha256: "0c17fcac030b6871e96cc34d002223e5fb839af00c5b96cc461fbf9e71b0e75a",
  /** The export that sets the stack pointer. */
  restoreStack: "Ra",
} as const;

/** The functions that the emulator's JavaScript gives. */
type EmulatorFunctions = {
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _run_get_method(params: number, stack: number, config: number): number;
};

type Hooks = {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ): Record<string, never>;
  print(): void;
  printErr(): void;
};

/** The emulator's JavaScript, `emulator.cjs`: a function that starts an instance. */
export type EmulatorScript = (hooks: Hooks) => Promise<EmulatorFunctions>;

/** The emulator's WebAssembly, `emulator.wasm`: an address to fetch it from, a response, or its bytes. */
export type EmulatorWasm = string | URL | Response | Uint8Array<ArrayBuffer>;

/** Loads and compiles the emulator. Throws a TvmError for another build than the package's. */
export async function compileEmulator(wasm: EmulatorWasm): Promise<WebAssembly.Module> {
  const bytes = await bytesOf(wasm);
  const { subtle } = globalThis.crypto;
  if (!subtle) throw new TvmError("build", "the emulator's hash can be checked in a secure context only");
  const hash = bytesToHex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
  if (hash !== build.sha256)
    throw new TvmError("build", `the emulator has the hash ${hash} instead of ${build.sha256}`);
  return WebAssembly.compile(bytes);
}

async function bytesOf(wasm: EmulatorWasm): Promise<Uint8Array<ArrayBuffer>> {
  if (wasm instanceof Uint8Array) return wasm;
  const response = wasm instanceof Response ? wasm : await fetch(wasm);
  if (!response.ok)
    throw new TvmError(
      "build",
      `the emulator cannot be loaded: status ${response.status} of ${response.url}`,
    );
  return new Uint8Array(await response.arrayBuffer());
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
  const functions = await script({
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports);
      exports = instance.exports;
      done(instance);
      return {};
    },
    print() {},
    printErr() {},
  });
  const memory = Object.values(exports).find((each) => each instanceof WebAssembly.Memory);
  const restoreStack = exports[build.restoreStack] as ((address: number) => void) | undefined;
  if (!memory || !restoreStack) throw new TvmError("build", "the emulator's files do not belong together");
  const top = functions._malloc(stackBytes) + stackBytes;
  restoreStack(top - (top % alignment));
  return { functions, memory };
}
