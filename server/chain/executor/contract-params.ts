/** A contract with all that its get-methods see, except the configuration; cells as base64. */
export type ContractParams = {
  code: string;
  data: string;
  verbosity: number;
  /** Empty: none. */
  libs: string;
  address: string;
  unixtime: number;
  balance: string;
  rand_seed: string;
  gas_limit: string;
  prev_blocks_info: string;
  debug_enabled: boolean;
  /** `1=5 2=7` for 5 of currency 1 and 7 of currency 2. */
  extra_currencies?: string;
};
