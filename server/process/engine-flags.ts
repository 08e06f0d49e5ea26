/**
 * V8 keeps code of WebAssembly that it has replaced. Where threads come and go, its collector of such code has freed what another
 * thread was about to enter, and ended the process ("Check failed: jit_page.has_value()"; nodejs/node#64500 has more). Kept code takes
 * 5 to 8 MB of a devnet with an index.
 */
export const keptCode = "--no-wasm-code-gc";

/** Flags of V8 for a process that answers calls. */
export const engineFlags = [
  keptCode,
  // One thread at a time optimizes WebAssembly: each takes tens of megabytes for it, which the C library keeps for that thread.
  "--wasm-num-compilation-tasks=1",
  // A heap grows by half before it is collected, and full collections take 1 to 3% of the time of a service. Where memory is
  // plentiful, V8 lets a heap grow to three times what is live: 150 MB more under mixed calls.
  "--heap-growing-percent=50",
];
