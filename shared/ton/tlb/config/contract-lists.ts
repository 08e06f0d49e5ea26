// _ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31;
// key is [ wc:int32 addr:uint256 ]
// suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32 = SuspendedAddressList;
// precompiled_smc#b0 gas_usage:uint64 = PrecompiledSmc;
// precompiled_contracts_config#c0 list:(HashmapE 256 PrecompiledSmc) = PrecompiledContractsConfig;
import { bytesKey } from "../../cells/dictionaries/dictionary.js";
import type { KeyCodec } from "../../cells/dictionaries/dictionary-codec.js";
import type { Decoded } from "../codec.js";
import { hashmapE } from "../dictionaries.js";
import { uint32, uint64, unit } from "../primitives.js";
import { record } from "../record.js";

/** ConfigParam 31: masterchain accounts that pay no fees and may have tick-tock transactions. */
export const FundamentalContracts = hashmapE(bytesKey(32), unit);
export type FundamentalContracts = Decoded<typeof FundamentalContracts>;

const account: KeyCodec<{ workchain: number; hash: Uint8Array }> = {
  bits: 288,
  store: ({ workchain, hash }, builder) => builder.storeInt(workchain, 32).storeBytes(hash),
  load: (slice) => ({ workchain: slice.loadInt(32), hash: slice.loadBytes(32) }),
};

/** ConfigParam 44. */
export type SuspendedAddressList = Decoded<typeof SuspendedAddressList>;
export const SuspendedAddressList = record("suspended_address_list#00", {
  addresses: hashmapE(account, unit),
  suspendedUntil: uint32,
});

const PrecompiledSmc = record("precompiled_smc#b0", { gasUsage: uint64 });

/** ConfigParam 45: by code hash. */
export type PrecompiledContractsConfig = Decoded<typeof PrecompiledContractsConfig>;
export const PrecompiledContractsConfig = record("precompiled_contracts_config#c0", {
  list: hashmapE(bytesKey(32), PrecompiledSmc),
});
