/** Hashes, in hex, and sizes of the files of TON's emulator that the packages bring: those of @ton/sandbox 0.41.0. */
export const emulatorBuild = {
  wasm: "0c17fcac030b6871e96cc34d002223e5fb839af00c5b96cc461fbf9e71b0e75a",
  wasmBytes: 5_051_942,
  /** Its JavaScript. */
  glue: "ee63ffb73482fa220b6dcdd42f64aee86b106e12b2a24a80745bf008d965f444",
  /** The newest global version of TON whose rules it knows. */
  version: 13,
} as const;

/** Paths at which services have these files, whose content never changes. */
export const emulatorPaths = {
  wasm: `/emulator/${emulatorBuild.wasm.slice(0, 16)}.wasm`,
  script: `/emulator/${emulatorBuild.glue.slice(0, 16)}.js`,
} as const;
