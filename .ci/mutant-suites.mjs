// The test files that .ci/mutants.mjs runs for the mutants of a folder. Each mutant is tried by the quick ones; those that
// survive are tried by the slow ones, which start services and chains.
const suites = {
  rpc: {
    quick: ["test/rpc/!(methods|positions|standard|strict-dialect).test.ts"],
    slow: ["test/rpc/(positions|standard|strict-dialect).test.ts"],
  },
  "shared/ton/proofs/verify": {
    quick: [
      "test/shared/ton/proofs/verify/(proven-shards|queues|refusals|signers|trust-states|verifying-key|verified-calls).test.ts",
      "test/shared/ton/proofs/verify/trust/*.test.ts",
    ],
    slow: ["test/shared/ton/proofs/verify/(lying-server|other-proofs|verifying-lite-api).test.ts"],
  },
  "devnet/collate": {
    quick: ["test/devnet/collate/!(blocks|limits).test.ts", "test/devnet/collate/*/*.test.ts"],
    // What forks bring in is tested with them.
    slow: [
      "test/devnet/collate/(blocks|limits).test.ts",
      "test/devnet/fork/(fork|imports|missing-libraries).test.ts",
    ],
  },
  "store/wire": {
    quick: ["test/store/wire/!(broken-answers|failed-statements|listen|pg-rows).test.ts"],
    slow: ["test/store/wire/(broken-answers|failed-statements|listen|pg-rows).test.ts"],
  },
  stream: {
    // With their dots, as the pattern leaves out all names that begin with these.
    quick: [
      "test/stream/!(hub.|late-events.|replaced-records.)*.test.ts",
      "test/stream/(events|subscriptions|webhooks)/*.test.ts",
    ],
    slow: ["test/stream/(hub|late-events|replaced-records).test.ts"],
  },
};

/** The suites of a folder; unless it is listed, the tests that mirror it. */
export function mutantSuites(folder) {
  return suites[folder] ?? { quick: [`test/${folder}/**/*.test.ts`], slow: [] };
}
