// val_registry_config#3601163e contract_address:bits256 max_collators_per_validator:uint32
//   new_code_hash:(Maybe uint256) = ValRegistryConfig;
import type { Decoded } from "../codec.js";
import { bits256, maybe, uint32 } from "../primitives.js";
import { record } from "../record.js";

/** ConfigParam 46: the masterchain account in which validators register their collators. */
export type ValidatorRegistryConfig = Decoded<typeof ValidatorRegistryConfig>;
export const ValidatorRegistryConfig = record("val_registry_config#3601163e", {
  contractAddress: bits256,
  maxCollatorsPerValidator: uint32,
  newCodeHash: maybe(bits256),
});
