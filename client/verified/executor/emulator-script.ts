import { bytesToBase64, hexToBytes } from "../../../shared/values/bytes.js";
import { emulatorBuild, emulatorPaths } from "../../../shared/values/emulator-build.js";
import { TvmError } from "./tvm-error.js";

/** The emulator's JavaScript: a function that starts an instance. */
export type EmulatorScript = (hooks: never) => Promise<object>;

/** The emulator's WebAssembly: an address to fetch it from, a response, or its bytes. */
export type EmulatorWasm = string | URL | Response | Uint8Array<ArrayBuffer>;

export type TvmOptions = {
  /** Its hash is checked. */
  readonly wasm: EmulatorWasm;
  /** An address, from which the page loads it and the browser checks its hash, or the function that it defines. */
  readonly script: string | URL | EmulatorScript;
  /** Gas of a run at most. Default: 4,000,000, as services have it. */
  readonly gasLimit?: number | undefined;
};

/** The emulator's files as a service has them, by the URL of the service. Any service will do: their hashes are checked. */
export function emulatorAt(url: string | URL): Pick<TvmOptions, "wasm" | "script"> {
  const base = String(url).replace(/\/$/, "");
  return { wasm: base + emulatorPaths.wasm, script: base + emulatorPaths.script };
}

/** The function of the emulator's script. A page loads it by an element with the hash of the package's build. */
export async function emulatorScript(script: TvmOptions["script"]): Promise<EmulatorScript> {
  if (typeof script === "function") return script;
  if (typeof document === "undefined")
    throw new TvmError("build", "outside of pages `script` must be the function that emulator.cjs defines");
  await loadScript(String(script));
  const loaded = (globalThis as { EmulatorModule?: EmulatorScript }).EmulatorModule;
  if (!loaded) throw new TvmError("build", `${script} does not define EmulatorModule`);
  return loaded;
}

function loadScript(url: string): Promise<void> {
  const element = document.createElement("script");
  element.src = url;
  element.integrity = `sha256-${bytesToBase64(hexToBytes(emulatorBuild.glue)!)}`;
  element.crossOrigin = "anonymous";
  return new Promise<void>((resolve, reject) => {
    element.onload = () => resolve();
    element.onerror = () =>
      reject(new TvmError("build", `${url} cannot be loaded, or is not the emulator's script of this build`));
    document.head.append(element);
  }).finally(() => element.remove());
}
