import { createHash } from "node:crypto";
import { emulatorBuild } from "../../../../shared/values/emulator-build.js";

/** A build whose bytes and places the patches know. */
export type KnownBuild = {
  /** SHA-256 of its WebAssembly. */
  readonly wasm: string;
  /** SHA-256 of its JavaScript. */
  readonly glue: string;
  /** The newest global version of TON whose rules it knows. */
  readonly version: number;
};

/** The first one is the one that the package brings. */
const knownBuilds: readonly [KnownBuild, ...KnownBuild[]] = [emulatorBuild];

/** Undefined: nothing is known of the places in it, and it runs as it is. */
export function knownBuild(wasm: Uint8Array, glue: Uint8Array): KnownBuild | undefined {
  const [ofWasm, ofGlue] = [wasm, glue].map((bytes) => createHash("sha256").update(bytes).digest("hex"));
  return knownBuilds.find((build) => build.wasm === ofWasm && build.glue === ofGlue);
}

/** The newest global version of TON whose rules the package's own build knows. */
export const shippedVersion = knownBuilds[0].version;
