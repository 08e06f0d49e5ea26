import { createHash } from "node:crypto";

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
const knownBuilds: readonly [KnownBuild, ...KnownBuild[]] = [
  // @ton/sandbox 0.41.0
  {
    wasm: "0c17fcac030b6871e96cc34d002223e5fb839af00c5b96cc461fbf9e71b0e75a",
    glue: "ee63ffb73482fa220b6dcdd42f64aee86b106e12b2a24a80745bf008d965f444",
    version: 13,
  },
];

/** Undefined: nothing is known of the places in it, and it runs as it is. */
export function knownBuild(wasm: Uint8Array, glue: Uint8Array): KnownBuild | undefined {
  const [ofWasm, ofGlue] = [wasm, glue].map((bytes) => createHash("sha256").update(bytes).digest("hex"));
  return knownBuilds.find((build) => build.wasm === ofWasm && build.glue === ofGlue);
}

/** The newest global version of TON whose rules the package's own build knows. */
export const shippedVersion = knownBuilds[0].version;
