import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { vi } from "vitest";
import type { EmulatorScript } from "../../../../client/verified/tvm/index.js";
import { vendored } from "../../../../server/os/package-files.js";

export const wasm = new Uint8Array(readFileSync(vendored("emulator/emulator.wasm")));
export const script = createRequire(import.meta.url)(vendored("emulator/emulator.cjs")) as EmulatorScript;

/** Each client compiles the same bytes: here it is done once. `vi.restoreAllMocks` ends it. */
export function compileOnce(): void {
  const { compile } = WebAssembly;
  const compiled = new Map<string, Promise<WebAssembly.Module>>();
  vi.spyOn(WebAssembly, "compile").mockImplementation((bytes) => {
    const key = createHash("sha256")
      .update(bytes as Uint8Array)
      .digest("hex");
    const module = compiled.get(key) ?? compile(bytes);
    compiled.set(key, module);
    return module;
  });
}
