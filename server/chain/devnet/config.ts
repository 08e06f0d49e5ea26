import { beginCell } from "../../cells/builder.js";
import type { Cell } from "../../cells/cell.js";
import { Dictionary, intKey, type ValueCodec } from "../../cells/dictionary.js";
import { bytesKey, uintKey } from "../../cells/dictionary.js";

/** `_ config_addr:bits256 = ConfigParam 0`: -1:5555.. holds the configuration in its data. */
export const configAccountId = new Uint8Array(32).fill(0x55);
/** `_ elector_addr:bits256 = ConfigParam 1`: -1:3333.. receives the fees. */
export const electorAccountId = new Uint8Array(32).fill(0x33);

/** The newest TVM the executor knows; a higher number would silently give this one. */
const globalVersion = 13;
/** 4 bounced body, 8 report version, 32 short dequeue records, 64 stored queue size. */
export const capabilities = { bounceBody: 4n, reportVersion: 8n, shortDequeue: 32n, queueSize: 64n } as const;
const enabledCapabilities = Object.values(capabilities).reduce((sum, bit) => sum | bit);

/** The far end of the only validator set: there are no elections. */
const endOfTime = 0x7fffffff;
const gram = 1_000_000_000n;

const cellValue: ValueCodec<Cell> = {
  store: (cell, builder) => builder.storeRef(cell),
  load: (slice) => slice.loadRef(),
};
const unitValue: ValueCodec<true> = { store: () => {}, load: () => true };

export type ConfigDictionary = Dictionary<number, Cell>;

/** `config:^(Hashmap 32 ^Cell)` */
export function loadConfig(root: Cell): ConfigDictionary {
  return Dictionary.loadDirect(root, intKey(32), cellValue);
}

/** What differs from one devnet to another. */
export type ConfigOptions = {
  globalId: number;
  /** Unix time of the zero state: the validators and prices count from there. */
  time: number;
  validatorKey: Uint8Array;
  basechain: { rootHash: Uint8Array; fileHash: Uint8Array };
  /** Whether blocks create 1.7 and 1 TON for the validators, as mainnet's do. */
  rewards: boolean;
};

/** The configuration a devnet starts with: mainnet's prices and limits, one validator, nothing that grows. */
export function initialConfig(options: ConfigOptions): ConfigDictionary {
  const { globalId, time, validatorKey, basechain, rewards } = options;
  const mandatory = [0, 1, 9, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 34];
  const critical = [-999, -1000, -1001, 0, 1, 9, 10, 12, 14, 15, 16, 17, 32, 34, 36];
  return Dictionary.empty(intKey(32), cellValue).update([
    [0, accountParam(configAccountId)],
    [1, accountParam(electorAccountId)],
    [2, accountParam(configAccountId)],
    [4, accountParam(new Uint8Array(32))],
    [5, burning()],
    [7, beginCell().storeBit(false).endCell()],
    [8, beginCell().storeUint(0xc4, 8).storeUint(globalVersion, 32).storeUint(enabledCapabilities, 64).endCell()],
    [9, paramSet(mandatory)],
    [10, paramSet(critical)],
    [11, voting()],
    [12, workchains(time, basechain)],
    [13, complaintPrices()],
    [14, blockRewards(rewards ? (17n * gram) / 10n : 0n, rewards ? gram : 0n)],
    [15, uint32s(65536, 32768, 8192, 32768)],
    [16, beginCell().storeUint(400, 16).storeUint(100, 16).storeUint(1, 16).endCell()],
    [17, stakeLimits()],
    [18, storagePrices()],
    [19, beginCell().storeInt(globalId, 32).endCell()],
    [20, gasPrices({ flatPrice: 1_000_000n, price: 655_360_000n, specialLimit: 70_000_000n, blockLimit: 37_000_000n })],
    [21, gasPrices({ flatPrice: 40_000n, price: 26_214_400n, specialLimit: 1_000_000n, blockLimit: 10_000_000n })],
    [22, blockLimits()],
    [23, blockLimits()],
    [24, forwardPrices(10_000_000n, 655_360_000n, 65_536_000_000n)],
    [25, forwardPrices(400_000n, 26_214_400n, 2_621_440_000n)],
    [28, catchains()],
    [29, consensus()],
    [31, fundamentalAccounts([electorAccountId, configAccountId])],
    [34, validators(time, validatorKey)],
    [43, sizeLimits()],
  ]);
}

function accountParam(accountId: Uint8Array): Cell {
  return beginCell().storeBytes(accountId).endCell();
}

function uint32s(...values: number[]): Cell {
  const builder = beginCell();
  for (const value of values) builder.storeUint(value, 32);
  return builder.endCell();
}

/** `burning_config#01 blackhole_addr:(Maybe bits256) fee_burn_num:# fee_burn_denom:#`: nothing is burned. */
function burning(): Cell {
  return beginCell().storeUint(1, 8).storeBit(false).storeUint(0, 32).storeUint(1, 32).endCell();
}

/** `_ mandatory_params:(Hashmap 32 True) = ConfigParam 9`, and 10 alike. */
function paramSet(params: readonly number[]): Cell {
  const entries = params.map((param) => [param, true] as const);
  const builder = beginCell();
  Dictionary.empty(intKey(32), unitValue).update(entries).storeDirect(builder);
  return builder.endCell();
}

/**
 * `cfg_vote_cfg#36 min_tot_rounds:uint8 max_tot_rounds:uint8 min_wins:uint8 max_losses:uint8 min_store_sec:uint32
 * max_store_sec:uint32 bit_price:uint32 cell_price:uint32 = ConfigProposalSetup`
 */
function voting(): Cell {
  const setup = (rounds: readonly number[], prices: readonly number[]) => {
    const builder = beginCell().storeUint(0x36, 8);
    for (const value of rounds) builder.storeUint(value, 8);
    for (const value of prices) builder.storeUint(value, 32);
    return builder.endCell();
  };
  return beginCell()
    .storeUint(0x91, 8)
    .storeRef(setup([2, 6, 2, 5], [1_000_000, 10_000_000, 1, 500]))
    .storeRef(setup([4, 7, 3, 5], [5_000_000, 20_000_000, 2, 1000]))
    .endCell();
}

/**
 * `workchain#a6 enabled_since:uint32 monitor_min_split:uint8 min_split:uint8 max_split:uint8 basic:(## 1) active:Bool
 * accept_msgs:Bool flags:(## 13) zerostate_root_hash:bits256 zerostate_file_hash:bits256 version:uint32
 * format:(WorkchainFormat basic)`; `wfmt_basic#1 vm_version:int32 vm_mode:uint64`. The basechain is never split.
 */
function workchains(time: number, basechain: ConfigOptions["basechain"]): Cell {
  const descr: ValueCodec<ConfigOptions["basechain"]> = {
    store: (zero, builder) =>
      builder
        .storeUint(0xa6, 8)
        .storeUint(time, 32)
        .storeUint(0, 24)
        .storeUint(0b111, 3)
        .storeUint(0, 13)
        .storeBytes(zero.rootHash)
        .storeBytes(zero.fileHash)
        .storeUint(0, 32)
        .storeUint(1, 4)
        .storeInt(-1, 32)
        .storeUint(0, 64),
    load: () => basechain,
  };
  const builder = beginCell();
  Dictionary.empty(intKey(32), descr).set(0, basechain).store(builder);
  return builder.endCell();
}

/** `complaint_prices#1a deposit:Grams bit_price:Grams cell_price:Grams` */
function complaintPrices(): Cell {
  return beginCell().storeUint(0x1a, 8).storeCoins(100n * gram).storeCoins(1n).storeCoins(500n).endCell();
}

/** `block_grams_created#6b masterchain_block_fee:Grams basechain_block_fee:Grams` */
function blockRewards(masterchain: bigint, basechain: bigint): Cell {
  return beginCell().storeUint(0x6b, 8).storeCoins(masterchain).storeCoins(basechain).endCell();
}

/** `_ min_stake:Grams max_stake:Grams min_total_stake:Grams max_stake_factor:uint32 = ConfigParam 17` */
function stakeLimits(): Cell {
  const builder = beginCell().storeCoins(10_000n * gram).storeCoins(10_000_000n * gram);
  return builder.storeCoins(10_000n * gram).storeUint(0x30000, 32).endCell();
}

/**
 * `_#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64 mc_bit_price_ps:uint64 mc_cell_price_ps:uint64 =
 * StoragePrices; _ (Hashmap 32 StoragePrices) = ConfigParam 18`
 */
function storagePrices(): Cell {
  const prices: ValueCodec<readonly bigint[]> = {
    store: (values, builder) => {
      builder.storeUint(0xcc, 8).storeUint(0, 32);
      for (const value of values) builder.storeUint(value, 64);
    },
    load: () => [],
  };
  const builder = beginCell();
  Dictionary.empty(uintKey(32), prices).set(0, [1n, 500n, 1000n, 500_000n]).storeDirect(builder);
  return builder.endCell();
}

/**
 * `gas_flat_pfx#d1 flat_gas_limit:uint64 flat_gas_price:uint64 other:GasLimitsPrices; gas_prices_ext#de
 * gas_price:uint64 gas_limit:uint64 special_gas_limit:uint64 gas_credit:uint64 block_gas_limit:uint64
 * freeze_due_limit:uint64 delete_due_limit:uint64`
 */
function gasPrices(prices: { flatPrice: bigint; price: bigint; specialLimit: bigint; blockLimit: bigint }): Cell {
  const { flatPrice, price, specialLimit, blockLimit } = prices;
  const builder = beginCell().storeUint(0xd1, 8).storeUint(100, 64).storeUint(flatPrice, 64).storeUint(0xde, 8);
  const rest = [price, 1_000_000n, specialLimit, 10_000n, blockLimit, 100_000_000n, gram];
  for (const value of rest) builder.storeUint(value, 64);
  return builder.endCell();
}

/**
 * `block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits; param_limits#c3 underload:# soft_limit:#
 * hard_limit:#`: what clients are told; a step of the devnet is bounded by its own limits.
 */
function blockLimits(): Cell {
  const builder = beginCell().storeUint(0x5d, 8);
  const limits = [
    [131_072, 524_288, 1_048_576],
    [2_000_000, 10_000_000, 20_000_000],
    [1000, 5000, 10_000],
  ];
  for (const triple of limits) {
    builder.storeUint(0xc3, 8);
    for (const value of triple) builder.storeUint(value, 32);
  }
  return builder.endCell();
}

/**
 * `msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64 ihr_price_factor:uint32
 * first_frac:uint16 next_frac:uint16`
 */
function forwardPrices(lump: bigint, bit: bigint, cell: bigint): Cell {
  const builder = beginCell().storeUint(0xea, 8).storeUint(lump, 64).storeUint(bit, 64).storeUint(cell, 64);
  return builder.storeUint(98_304, 32).storeUint(21_845, 16).storeUint(21_845, 16).endCell();
}

/**
 * `catchain_config_new#c2 flags:(## 7) shuffle_mc_validators:Bool mc_catchain_lifetime:uint32
 * shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32 shard_validators_num:uint32`
 */
function catchains(): Cell {
  const builder = beginCell().storeUint(0xc2, 8).storeUint(0, 8);
  for (const value of [250, 250, 1000, 1]) builder.storeUint(value, 32);
  return builder.endCell();
}

/**
 * `consensus_config_v3#d8 flags:(## 7) new_catchain_ids:Bool round_candidates:(## 8) next_candidate_delay_ms:uint32
 * consensus_timeout_ms:uint32 fast_attempts:uint32 attempt_duration:uint32 catchain_max_deps:uint32
 * max_block_bytes:uint32 max_collated_bytes:uint32 proto_version:uint16`
 */
function consensus(): Cell {
  const builder = beginCell().storeUint(0xd8, 8).storeUint(1, 8).storeUint(3, 8);
  for (const value of [2000, 16_000, 3, 8, 4, 4_194_304, 4_194_304]) builder.storeUint(value, 32);
  return builder.storeUint(2, 16).endCell();
}

/** `_ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31` */
function fundamentalAccounts(ids: readonly Uint8Array[]): Cell {
  const builder = beginCell();
  const entries = ids.map((id) => [id, true] as const);
  Dictionary.empty(bytesKey(32), unitValue).update(entries).store(builder);
  return builder.endCell();
}

/**
 * `validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) total_weight:uint64
 * list:(HashmapE 16 ValidatorDescr); validator#53 public_key:SigPubKey weight:uint64`
 */
function validators(time: number, key: Uint8Array): Cell {
  const descr: ValueCodec<Uint8Array> = {
    store: (publicKey, builder) =>
      builder.storeUint(0x53, 8).storeUint(0x8e81278a, 32).storeBytes(publicKey).storeUint(1, 64),
    load: () => key,
  };
  const builder = beginCell().storeUint(0x12, 8).storeUint(time, 32).storeUint(endOfTime, 32);
  builder.storeUint(1, 16).storeUint(1, 16).storeUint(1, 64);
  Dictionary.empty(uintKey(16), descr).set(0, key).store(builder);
  return builder.endCell();
}

/**
 * `size_limits_config_v2#02 max_msg_bits:uint32 max_msg_cells:uint32 max_library_cells:uint32
 * max_vm_data_depth:uint16 max_ext_msg_size:uint32 max_ext_msg_depth:uint16 max_acc_state_cells:uint32
 * max_mc_acc_state_cells:uint32 max_acc_public_libraries:uint32 defer_out_queue_size_limit:uint32
 * max_msg_extra_currencies:uint32 max_acc_fixed_prefix_length:uint8 acc_state_cells_for_storage_dict:uint32`.
 * The field that later versions of the scheme append makes this executor refuse the whole parameter.
 */
function sizeLimits(): Cell {
  return beginCell()
    .storeUint(2, 8)
    .storeUint(1 << 21, 32)
    .storeUint(1 << 13, 32)
    .storeUint(1000, 32)
    .storeUint(512, 16)
    .storeUint(65_535, 32)
    .storeUint(512, 16)
    .storeUint(1 << 16, 32)
    .storeUint(1 << 11, 32)
    .storeUint(256, 32)
    .storeUint(256, 32)
    .storeUint(2, 32)
    .storeUint(8, 8)
    .storeUint(26, 32)
    .endCell();
}
