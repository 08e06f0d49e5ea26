import { afterAll, beforeAll } from "vitest";
import { busyChain } from "./busy-chain.js";
import type { Target } from "./contract/target.js";

/** One busy chain for all tests of a file. */
export function busyChainOfFile(): { readonly chain: Target } {
  let chain: Target;
  beforeAll(async () => {
    chain = await busyChain();
  });
  afterAll(() => chain?.close?.());
  return {
    get chain() {
      return chain;
    },
  };
}
