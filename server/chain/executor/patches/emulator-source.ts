import { SetupError } from "../../../errors.js";
import { webAssembly } from "../../../os/web-assembly.js";
import type { CompiledEmulator } from "../emulator/emscripten.js";
import type { EmulatorInstance } from "../emulator/emulator-instance.js";
import { withMemoryLimit } from "../emulator/memory-limit.js";
import { PlainEmulator } from "../emulator/plain-emulator.js";
import { versionOf } from "../emulator/version-of.js";
import { PatchedEmulator } from "./patched-emulator.js";
import { readBuild } from "./wasm-build.js";
import { patchEmulator } from "./wasm-patch.js";

/** A compiled build of the emulator, of which instances are made. Can be sent to other threads. */
export type EmulatorSource = {
  compiled: CompiledEmulator;
  gluePath: string;
  /** Otherwise it has the limits and dangers of its build, and must not run in a thread that serves. */
  isPatched: boolean;
  /** Global version of TON whose rules its transactions follow at most. */
  version: number;
};

/** The log of a get-method keeps all, and may repeat a large stack before each step. */
const maxBytes = 512 << 20;

/** Takes 70 ms. By default the build of the package. Throws a SetupError that names the file that cannot be used. */
export async function emulatorSource(file?: string): Promise<EmulatorSource> {
  const { bytes, gluePath, known } = readBuild(file);
  if (known) {
    const limited = withMemoryLimit(patchEmulator(bytes), maxBytes);
    const compiled = await webAssembly.compile<CompiledEmulator>(limited);
    return { compiled, gluePath, isPatched: true, version: known.version };
  }
  try {
    const compiled = await webAssembly.compile<CompiledEmulator>(withMemoryLimit(bytes));
    const version = versionOf(await PlainEmulator.create(compiled, gluePath));
    return { compiled, gluePath, isPatched: false, version };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SetupError(`The TVM build ${file} cannot be used: ${reason}`, { cause });
  }
}

/** `leftValues`: how many values a get-method may leave in a patched build; each is a level of recursion. */
export function createInstance(
  { compiled, gluePath, isPatched }: EmulatorSource,
  leftValues?: number,
): Promise<EmulatorInstance> {
  return isPatched
    ? PatchedEmulator.create(compiled, gluePath, { leftValues })
    : PlainEmulator.create(compiled, gluePath);
}
