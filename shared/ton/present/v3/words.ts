// Words of API v3 for the constructors of transactions and their phases.

export const kinds = {
  ord: "ord",
  storage: "storage",
  tickTock: "tick_tock",
  splitPrepare: "split_prepare",
  splitInstall: "split_install",
  mergePrepare: "merge_prepare",
  mergeInstall: "merge_install",
} as const;
export const skipReasons = {
  noState: "no_state",
  badState: "bad_state",
  noGas: "no_gas",
  suspended: "suspended",
} as const;
export const bounceKinds = { negFunds: "negfunds", noFunds: "nofunds", ok: "ok" } as const;
