import { DividedEmulator } from "./divided-emulator.js";
import type { EmulatorInstance } from "./emulator-instance.js";
import type { CompiledEmulator } from "./linked-emulator.js";
import { NativeEmulator } from "./native-emulator.js";
import { openNativeLibrary } from "./native-library.js";
import { compileEmulator, WasmEmulator } from "./wasm.js";

/** A native library that runs transactions in the place of the WebAssembly build. */
export type NativeTvm = {
  /** Path of the library. */
  library: string;
  /**
   * Whether it runs get-methods, too. A get-method can end the process: by a result that is one level too deep, which
   * the library does not catch.
   */
  runsMethods: boolean;
};

/** What instances are made of: at least one of both. Can be sent to other threads. */
export type EmulatorSource = {
  compiled?: CompiledEmulator;
  library?: string;
  /** Global version of TON whose rules its transactions follow at most. */
  version: number;
};

/** Global version of the build that @ton/sandbox ships. */
export const shippedVersion = 13;

/** Without a library the WebAssembly build, which takes 70 ms once per thread. */
export async function emulatorSource(native?: NativeTvm): Promise<EmulatorSource> {
  const version = shippedVersion;
  if (native?.runsMethods) return { library: native.library, version };
  return { compiled: await compileEmulator(), ...(native && { library: native.library }), version };
}

/** `leftValues`: how many values a get-method may leave in WebAssembly; each is a level of recursion. */
export async function createInstance(
  { compiled, library }: EmulatorSource,
  leftValues?: number,
): Promise<EmulatorInstance> {
  const native = library === undefined ? undefined : new NativeEmulator(await openNativeLibrary(library));
  const wasm = compiled && (await WasmEmulator.create(compiled, leftValues));
  return native && wasm ? new DividedEmulator({ transactions: native, methods: wasm }) : (native ?? wasm)!;
}
