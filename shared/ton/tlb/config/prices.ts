// burning_config#01 blackhole_addr:(Maybe bits256) fee_burn_num:# fee_burn_denom:#
//   { fee_burn_num <= fee_burn_denom } { fee_burn_denom >= 1 } = BurningConfig;
// complaint_prices#1a deposit:Grams bit_price:Grams cell_price:Grams = ComplaintPricing;
// block_grams_created#6b masterchain_block_fee:Grams basechain_block_fee:Grams = BlockCreateFees;
// _#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64
//   mc_bit_price_ps:uint64 mc_cell_price_ps:uint64 = StoragePrices;
// msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64
//   ihr_price_factor:uint32 first_frac:uint16 next_frac:uint16 = MsgForwardPrices;
// misbehaviour_punishment_config_v1#01
//   default_flat_fine:Grams default_proportional_fine:uint32
//   severity_flat_mult:uint16 severity_proportional_mult:uint16 unpunishable_interval:uint16
//   long_interval:uint16 long_flat_mult:uint16 long_proportional_mult:uint16
//   medium_interval:uint16 medium_flat_mult:uint16 medium_proportional_mult:uint16
//   = MisbehaviourPunishmentConfig;
import type { Decoded } from "../codec.js";
import { bits256, coins, maybe, uint16, uint32, uint64 } from "../primitives.js";
import { record } from "../record.js";

/** ConfigParam 5. */
export type BurningConfig = Decoded<typeof BurningConfig>;
export const BurningConfig = record("burning_config#01", {
  blackholeAddr: maybe(bits256),
  feeBurnNum: uint32,
  feeBurnDenom: uint32,
});

/** ConfigParam 6: prices of minting extra currencies. */
export type MintPrices = Decoded<typeof MintPrices>;
export const MintPrices = record("ConfigParam 6", { mintNewPrice: coins, mintAddPrice: coins });

/** ConfigParam 13. */
export type ComplaintPricing = Decoded<typeof ComplaintPricing>;
export const ComplaintPricing = record("complaint_prices#1a", {
  deposit: coins,
  bitPrice: coins,
  cellPrice: coins,
});

/** ConfigParam 14: block rewards, in nanotons. */
export type BlockCreateFees = Decoded<typeof BlockCreateFees>;
export const BlockCreateFees = record("block_grams_created#6b", {
  masterchainBlockFee: coins,
  basechainBlockFee: coins,
});

/** An entry of ConfigParam 18: prices per 2^16 seconds from `utimeSince` on. */
export type StoragePrices = Decoded<typeof StoragePrices>;
export const StoragePrices = record("StoragePrices#cc", {
  utimeSince: uint32,
  bitPricePs: uint64,
  cellPricePs: uint64,
  mcBitPricePs: uint64,
  mcCellPricePs: uint64,
});

/**
 * ConfigParam 24 (from and to the masterchain) and 25. The price is lumpPrice + (bits * bitPrice + cells *
 * cellPrice) / 2^16, rounded up, without the root cell. The fractions, in units of 2^-16, go to forwarding nodes.
 */
export type MsgForwardPrices = Decoded<typeof MsgForwardPrices>;
export const MsgForwardPrices = record("msg_forward_prices#ea", {
  lumpPrice: uint64,
  bitPrice: uint64,
  cellPrice: uint64,
  ihrPriceFactor: uint32,
  firstFrac: uint16,
  nextFrac: uint16,
});

/** ConfigParam 40. */
export type MisbehaviourPunishmentConfig = Decoded<typeof MisbehaviourPunishmentConfig>;
export const MisbehaviourPunishmentConfig = record("misbehaviour_punishment_config_v1#01", {
  defaultFlatFine: coins,
  defaultProportionalFine: uint32,
  severityFlatMult: uint16,
  severityProportionalMult: uint16,
  unpunishableInterval: uint16,
  longInterval: uint16,
  longFlatMult: uint16,
  longProportionalMult: uint16,
  mediumInterval: uint16,
  mediumFlatMult: uint16,
  mediumProportionalMult: uint16,
});
