/** Methods whose answers are proven. */
export type ProvenMethod =
  | "getMasterchainInfo"
  | "getAddressInformation"
  | "getAddressBalance"
  | "getAddressState"
  | "getTransactions"
  | "getBlockHeader"
  | "lookupBlock"
  | "getShards"
  | "getConfigParam"
  | "getConfigAll"
  | "getLibraries"
  | "sendBoc"
  | "sendBocReturnHash";
