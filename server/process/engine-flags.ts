/** Flags of V8 for a process that answers calls. */
export const engineFlags = [
  // One thread at a time optimizes WebAssembly: each takes tens of megabytes for it, which the C library keeps for that thread.
  "--wasm-num-compilation-tasks=1",
  // A heap grows by half before it is collected, and full collections take 1 to 3% of the time of a service. Where memory is
  // plentiful, V8 lets a heap grow to three times what is live: 150 MB more under mixed calls.
  "--heap-growing-percent=50",
];
