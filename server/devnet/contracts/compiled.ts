// Written by .ci/contracts.mjs: the contracts beside this file, by Tolk 1.3.0.

/** Code of the devnet's own contracts, by the name of the source: its hash in hex, and a bag of cells in base64. */
export const compiledContracts = {
  config: {
    hash: "e2e63c7e96792b69be551f563fe56385342db8a193c1637e69d09342346393d8",
    boc: "te6ccgEBCgEAYAABFP8A9KQT9LzyyAsBAgEgAgMCAUgEBQAJpf//GEAALND4kZEw4CDHAJEw4IQPAdcLH8AA8vQCASAGBwIBWAgJAAe9HBNsACG1kv2omhqGOmP6f+Y+gIY6MAAJthFmDbA=",
  },
  elector: {
    hash: "3d2661bc9d7ec0637df70d1ac68397d7bc7d9fa925cc5e5641f2869e877538e7",
    boc: "te6ccgECFgEAARQAART/APSkE/S88sgLAQIBIAIDAgFIBAUACaX//xhAAN7Q+JGRMOAgxwCRMOAg1wsfwACRMODXLCJzm6JcjiHXCz/4ksjPhQj6UoIQ7m9FTM8Ljss/z5AAAAACyYBA+wDg1ywiOyuhJI4h1ws/+JLIz4UI+lKCEP////7PC47LP8+RHZXQksmAQPsA4IQP8vACASAGBwIBIAgJAgEgEhMCASAKCwICcg4PAAm2SEYNsAIBIAwNAAewohtgAAezpZtgAgFqEBEACKssMHAABbh3CAARuqcFRwAG1wcIAAe5h1bYAgFYFBUAB7ClW2AAS7PgO1E0PQEMfQE9AQx+gAx0x8x0/8x0YMH9A5voZP6ANGSMHDig",
  },
} as const;
