import { SetupError } from "../../errors.js";
import { webAssembly } from "../../os/web-assembly.js";
import { DividedEmulator } from "./divided-emulator.js";
import type { CompiledEmulator } from "./emscripten.js";
import type { EmulatorInstance } from "./emulator-instance.js";
import { withMemoryLimit } from "./memory-limit.js";
import { NativeEmulator } from "./native-emulator.js";
import { openNativeLibrary } from "./native-library.js";
import { PatchedEmulator } from "./patches/patched-emulator.js";
import { patchEmulator } from "./patches/wasm-patch.js";
import { PlainEmulator } from "./plain-emulator.js";
import { versionOf } from "./version-of.js";
import { readBuild } from "./wasm-build.js";

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

/** The programs that run contracts. Default: the WebAssembly build in the package. */
export type Tvm = {
  native?: NativeTvm | undefined;
  /** Path of another WebAssembly build. */
  wasm?: string | undefined;
};

/** A WebAssembly build. */
export type WasmSource = {
  compiled: CompiledEmulator;
  gluePath: string;
  /** Otherwise it has the limits and dangers of its build, and must not run in a thread that serves. */
  isPatched: boolean;
};

/** The programs of which instances are made, at least one of both. Can be sent to other threads. */
export type EmulatorSource = {
  wasm?: WasmSource;
  library?: string;
  /** Global version of TON whose rules its transactions follow at most. */
  version: number;
};

/** The WebAssembly build takes 70 ms. Throws a SetupError that names the file that cannot be used. */
export async function emulatorSource({ native, wasm: file }: Tvm = {}): Promise<EmulatorSource> {
  const library = native && { library: native.library };
  const wasm = native?.runsMethods ? undefined : await wasmSource(file);
  if (native) return { ...library, ...(wasm && { wasm: wasm.source }), version: await nativeVersion(native) };
  return { wasm: wasm!.source, version: wasm!.version };
}

type FoundSource = { source: WasmSource; version: number };

async function wasmSource(file: string | undefined): Promise<FoundSource> {
  const { bytes, gluePath, known } = readBuild(file);
  if (known) {
    const compiled = await webAssembly.compile<CompiledEmulator>(patchEmulator(bytes));
    return { source: { compiled, gluePath, isPatched: true }, version: known.version };
  }
  try {
    const compiled = await webAssembly.compile<CompiledEmulator>(withMemoryLimit(bytes));
    const version = versionOf(await PlainEmulator.create(compiled, gluePath));
    return { source: { compiled, gluePath, isPatched: false }, version };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SetupError(`The TVM build ${file} cannot be used: ${reason}`, { cause });
  }
}

async function nativeVersion({ library }: NativeTvm): Promise<number> {
  return versionOf(new NativeEmulator(await openNativeLibrary(library)));
}

/** `leftValues`: how many values a get-method may leave in a patched build; each is a level of recursion. */
export async function createInstance(
  { wasm, library }: EmulatorSource,
  leftValues?: number,
): Promise<EmulatorInstance> {
  const transactions =
    library === undefined ? undefined : new NativeEmulator(await openNativeLibrary(library));
  const other = wasm && (await wasmInstance(wasm, leftValues));
  return transactions && other
    ? new DividedEmulator({ transactions, methods: other })
    : (transactions ?? other)!;
}

function wasmInstance(
  { compiled, gluePath, isPatched }: WasmSource,
  leftValues?: number,
): Promise<EmulatorInstance> {
  return isPatched
    ? PatchedEmulator.create(compiled, gluePath, { leftValues })
    : PlainEmulator.create(compiled, gluePath);
}
