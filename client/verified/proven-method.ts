const commonMethods = [
  "getMasterchainInfo",
  "getAddressInformation",
  "getAddressBalance",
  "getAddressState",
  "getTransactions",
  "sendBoc",
  "sendBocReturnHash",
] as const;
const furtherMethods = [
  "getExtendedAddressInformation",
  "getWalletInformation",
  "tryLocateTx",
  "tryLocateResultTx",
  "tryLocateSourceTx",
  "getBlockHeader",
  "lookupBlock",
  "getShards",
  "getConfigParam",
  "getConfigAll",
  "getLibraries",
] as const;

export type CommonMethod = (typeof commonMethods)[number];
export type FurtherMethod = (typeof furtherMethods)[number];
/** Methods whose answers are proven. */
export type ProvenMethod = CommonMethod | FurtherMethod;
export const provenMethods: readonly ProvenMethod[] = [...commonMethods, ...furtherMethods];
