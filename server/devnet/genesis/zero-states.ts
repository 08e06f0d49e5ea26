import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { sha256 } from "../../../shared/ton/cells/sha256.js";
import { type Validator, validatorListHash } from "../../../shared/ton/proofs/verify/trust/validators.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import type { ConfigParams } from "../../../shared/ton/tlb/config-params.js";
import {
  addCurrencies,
  type CurrencyCollection,
  noCurrencies,
} from "../../../shared/ton/tlb/currency-collection.js";
import { McStateExtra, McStateHistory } from "../../../shared/ton/tlb/mc-state-extra.js";
import { OldMcBlocksInfo } from "../../../shared/ton/tlb/old-mc-blocks.js";
import {
  DispatchQueue,
  OutMsgQueue,
  OutMsgQueueInfo,
  ProcessedInfo,
} from "../../../shared/ton/tlb/out-msg-queue.js";
import { ShardAccounts } from "../../../shared/ton/tlb/shard-account.js";
import type { ShardDescr } from "../../../shared/ton/tlb/shard-descr.js";
import { shardHashesOf } from "../../../shared/ton/tlb/shard-hashes.js";
import { Libraries, ShardStateTotals, ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import type { ZeroState } from "../collate/block/block-pair.js";
import { basechainDescr } from "../collate/masterchain/basechain-descr.js";

/** Means that no masterchain block is referenced. */
const noMcSeqno = 0xffffffff;

type Common = {
  globalId: number;
  /** Unix time. */
  time: number;
  /** Logical time at the end. */
  lt: bigint;
  accounts: ShardAccounts;
};

/** A zero state with the balance of its accounts. */
type Funded = ZeroState & { balance: CurrencyCollection };

type MasterContents = Common & {
  libraries: Libraries;
  config: ConfigParams;
  validators: readonly Validator[];
  basechain: Funded;
  /** Extra currencies that exist outside the zero states. */
  elsewhere?: CurrencyCollection;
};

/** The masterchain's zero state, which registers that of the basechain. */
export function masterZeroState(contents: MasterContents): ZeroState {
  const { config, validators, basechain, time, lt, accounts, elsewhere = noCurrencies } = contents;
  return zeroState({
    ...contents,
    workchain: masterchain,
    custom: {
      shardHashes: shardHashesOf([
        { workchain: 0, shard: wholeShard, descr: zeroShard(basechain, time, lt) },
      ]),
      config,
      history: CellOf.of(McStateHistory, {
        validatorInfo: {
          validatorListHashShort: validatorListHash(0, validators),
          catchainSeqno: 0,
          nxCcUpdated: false,
        },
        prevBlocks: OldMcBlocksInfo.empty,
        afterKeyBlock: true,
        lastKeyBlock: undefined,
        blockCreateStats: undefined,
      }),
      globalBalance: [accounts.extra.balance, elsewhere].reduce(addCurrencies, basechain.balance),
    },
  });
}

/** The basechain's entry in the masterchain's zero state. */
function zeroShard({ id }: ZeroState, time: number, lt: bigint): ShardDescr {
  return basechainDescr({
    seqno: 0,
    regMcSeqno: 0,
    startLt: lt,
    endLt: lt,
    rootHash: id.rootHash,
    fileHash: id.fileHash,
    nextCatchainSeqno: 0,
    minRefMcSeqno: noMcSeqno,
    genUtime: time,
    feesCollected: noCurrencies,
    fundsCreated: noCurrencies,
  });
}

type ZeroStateContents = Common & { workchain: number; libraries?: Libraries; custom?: McStateExtra };

/** The zero state of a workchain, and the money of its accounts. */
export function zeroState(contents: ZeroStateContents): Funded {
  const { workchain, globalId, time, lt, accounts, libraries = Libraries.empty, custom } = contents;
  const { balance } = accounts.extra;
  const state = encode(ShardStateUnsplit, {
    globalId,
    shardId: { workchain, shard: wholeShard },
    seqno: 0,
    vertSeqno: 0,
    genUtime: time,
    genLt: lt,
    minRefMcSeqno: noMcSeqno,
    outMsgQueueInfo: CellOf.of(OutMsgQueueInfo, {
      outQueue: OutMsgQueue.empty,
      procInfo: ProcessedInfo.empty,
      extra: { dispatchQueue: DispatchQueue.empty, outQueueSize: 0 },
    }),
    beforeSplit: false,
    accounts: CellOf.of(ShardAccounts, accounts),
    totals: CellOf.of(ShardStateTotals, {
      overloadHistory: 0n,
      underloadHistory: 0n,
      totalBalance: balance,
      totalValidatorFees: noCurrencies,
      libraries,
      masterRef: undefined,
    }),
    custom: custom && CellOf.of(McStateExtra, custom),
  });
  const boc = serializeBoc(state);
  const fileHash = sha256(boc);
  const id = { workchain, shard: wholeShard, seqno: 0, rootHash: state.hash(), fileHash };
  return { id, boc, state, balance };
}
