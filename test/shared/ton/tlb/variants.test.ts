import { describe, expect, test } from "vitest";
import { type Builder, beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { StorageInfo } from "../../../../shared/ton/tlb/account.js";
import { wholeShard } from "../../../../shared/ton/tlb/block-id.js";
import { BlockSignatures } from "../../../../shared/ton/tlb/block-proof.js";
import { type BlkPrevInfo, blkPrevInfo, type ExtBlkRef } from "../../../../shared/ton/tlb/block-ref.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { type Codec, decode, encode } from "../../../../shared/ton/tlb/codec.js";
import { BlockLimits } from "../../../../shared/ton/tlb/config/block-limits.js";
import { CatchainConfig, ConsensusConfig } from "../../../../shared/ton/tlb/config/consensus.js";
import { GasLimitsPrices } from "../../../../shared/ton/tlb/config/gas-prices.js";
import { NewConsensusConfig, SimplexConfig } from "../../../../shared/ton/tlb/config/simplex.js";
import { SizeLimitsConfig } from "../../../../shared/ton/tlb/config/size-limits.js";
import { ValidatorRegistryConfig } from "../../../../shared/ton/tlb/config/validator-registry.js";
import { totalWeight, ValidatorSet } from "../../../../shared/ton/tlb/config/validator-set.js";
import { WorkchainDescr } from "../../../../shared/ton/tlb/config/workchain.js";
import {
  addCurrencies,
  ExtraCurrencyCollection,
  noCurrencies,
  onlyCoins,
  sameCurrencies,
  subtractCurrencies,
} from "../../../../shared/ton/tlb/currency-collection.js";
import { InMsg } from "../../../../shared/ton/tlb/in-msg.js";
import { InMsgDescr } from "../../../../shared/ton/tlb/in-msg-descr.js";
import { composeMessage, Message } from "../../../../shared/ton/tlb/message.js";
import { emittedLt, MsgEnvelope } from "../../../../shared/ton/tlb/msg-envelope.js";
import { OutMsg } from "../../../../shared/ton/tlb/out-msg.js";
import { OutMsgDescr } from "../../../../shared/ton/tlb/out-msg-descr.js";
import {
  AccountDispatchQueue,
  DispatchQueue,
  type EnqueuedMsg,
  OutMsgQueue,
  OutMsgQueueInfo,
} from "../../../../shared/ton/tlb/out-msg-queue.js";
import type { ShardDescr } from "../../../../shared/ton/tlb/shard-descr.js";
import {
  childShard,
  type RegisteredShard,
  registeredShards,
  ShardHashes,
  shardAt,
  shardHashesOf,
} from "../../../../shared/ton/tlb/shard-hashes.js";
import { ShardState } from "../../../../shared/ton/tlb/shard-state.js";
import { CryptoSignature } from "../../../../shared/ton/tlb/signature.js";
import { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import { Address } from "../../../../shared/values/address.js";
import { cellWith, fieldsWith } from "../../../helpers/made-cells.js";
import { rebuild } from "./rebuild.js";

// Constructors that are rare or missing in the test data, built by hand from their scheme lines.

function expectLayout<T>(type: Codec<T>, built: Builder, value: T): void {
  const cell = built.endCell();
  expect(decode(type, cell)).toEqual(value);
  expect(encode(type, value).hashHex()).toBe(cell.hashHex());
}

const hash = (byte: number) => new Uint8Array(32).fill(byte);
const leaf = (value: number) => cellWith([value, 32]);
const account = (byte: number) => new Address(0, hash(byte));

function message(createdLt: bigint, value = onlyCoins(1000n)): Message {
  const info = {
    kind: "internal",
    ihrDisabled: true,
    bounce: true,
    bounced: false,
    src: account(1),
    dest: account(2),
    value,
    extraFlags: 0n,
    fwdFee: 10n,
    createdLt,
    createdAt: 5,
  } as const;
  return composeMessage({ info });
}

function envelope(createdLt: bigint, emitted?: bigint): MsgEnvelope {
  const common = {
    curAddr: { kind: "regular", useDestBits: 0 },
    nextAddr: { kind: "regular", useDestBits: 96 },
    fwdFeeRemaining: 7n,
    msg: CellOf.of(Message, message(createdLt)),
  } as const;
  return emitted === undefined
    ? { kind: "v1", ...common }
    : { kind: "v2", ...common, emittedLt: emitted, metadata: undefined };
}

describe("messages in transit", () => {
  test("an envelope of the second version has the emission lt and the initiator of its message", () => {
    const stored = cellWith(
      [5, 4],
      [0b10, 2],
      [-1, 8],
      [77n, 64],
      [0b11, 2],
      [-5, 32],
      [78n, 64],
      9n,
      encode(Message, message(4n)),
      true,
      [11n, 64],
      true,
      [0, 4],
      [3, 32],
      account(9),
      [12n, 64],
    );
    const { msg, ...fields } = decode(MsgEnvelope, stored);
    expect(fields).toEqual({
      kind: "v2",
      curAddr: { kind: "simple", workchain: -1, addrPfx: 77n },
      nextAddr: { kind: "ext", workchain: -5, addrPfx: 78n },
      fwdFeeRemaining: 9n,
      emittedLt: 11n,
      metadata: { depth: 3, initiatorAddr: account(9), initiatorLt: 12n },
    });
    expect(rebuild(MsgEnvelope, stored)).toMatchObject({ cells: 2, differences: [] });
    expect(msg.value.info).toEqual(message(4n).info);
  });

  test("the lt of a queued message is its emission lt, otherwise its creation lt", () => {
    expect(emittedLt(envelope(4n))).toBe(4n);
    expect(emittedLt(envelope(4n, 11n))).toBe(11n);
  });

  test("every record of an inbound or outbound message starts with its tag", () => {
    const [env, transaction, msg] = [leaf(1), leaf(2), leaf(3)];
    const inbound: [InMsg["kind"], Builder][] = [
      ["ext", fieldsWith([0b000, 3], msg, transaction)],
      ["ihr", fieldsWith([0b010, 3], msg, transaction, 1n, env)],
      ["imm", fieldsWith([0b011, 3], env, transaction, 1n)],
      ["fin", fieldsWith([0b100, 3], env, transaction, 1n)],
      ["tr", fieldsWith([0b101, 3], env, env, 1n)],
      ["discardFin", fieldsWith([0b110, 3], env, [5n, 64], 1n)],
      ["discardTr", fieldsWith([0b111, 3], env, [5n, 64], 1n, msg)],
      ["deferredFin", fieldsWith([0b00100, 5], env, transaction, 1n)],
      ["deferredTr", fieldsWith([0b00101, 5], env, env)],
    ];
    const outbound: [OutMsg["kind"], Builder][] = [
      ["ext", fieldsWith([0b000, 3], msg, transaction)],
      ["imm", fieldsWith([0b010, 3], env, transaction, msg)],
      ["new", fieldsWith([0b001, 3], env, transaction)],
      ["tr", fieldsWith([0b011, 3], env, msg)],
      ["deq", fieldsWith([0b1100, 4], env, [5n, 63])],
      ["deqShort", fieldsWith([0b1101, 4], hash(1), [-1, 32], [1n, 64], [5n, 64])],
      ["trReq", fieldsWith([0b111, 3], env, msg)],
      ["deqImm", fieldsWith([0b100, 3], env, msg)],
      ["newDefer", fieldsWith([0b10100, 5], env, transaction)],
      ["deferredTr", fieldsWith([0b10101, 5], env, msg)],
    ];
    const keepsKind = <T extends { kind: string }>(type: Codec<T>, kind: string, built: Builder) => {
      const cell = built.endCell();
      const value = decode(type, cell);
      expect(value.kind).toBe(kind);
      expect(encode(type, value).hashHex()).toBe(cell.hashHex());
    };
    for (const [kind, built] of inbound) keepsKind(InMsg, kind, built);
    for (const [kind, built] of outbound) keepsKind(OutMsg, kind, built);
  });

  test("imported and exported values are summed as in the node", () => {
    const reference = CellOf.of(MsgEnvelope, envelope(4n));
    const transaction = CellOf.in(Transaction, leaf(2));
    const inbound: InMsg[] = [
      { kind: "imm", inMsg: reference, transaction, fwdFee: 2n },
      { kind: "fin", inMsg: reference, transaction, fwdFee: 7n },
      { kind: "tr", inMsg: reference, outMsg: reference, transitFee: 3n },
      { kind: "deferredTr", inMsg: reference, outMsg: reference },
      { kind: "discardFin", inMsg: reference, transactionId: 1n, fwdFee: 5n },
    ];
    const imported = InMsgDescr.empty.update(inbound.map((value, i) => [hash(i), value]));
    expect(imported.extra).toEqual({
      feesCollected: 2n + 7n + 3n + 0n + 5n,
      valueImported: onlyCoins(0n + 1007n + 1007n + 1007n + 5n),
    });
    const outbound: OutMsg[] = [
      { kind: "new", outMsg: reference, transaction },
      { kind: "deq", outMsg: reference, importBlockLt: 1n },
      { kind: "deferredTr", outMsg: reference, imported: CellOf.of(InMsg, inbound[3]!) },
    ];
    const exported = OutMsgDescr.empty.update(outbound.map((value, i) => [hash(i), value]));
    expect(exported.extra).toEqual(onlyCoins(2014n));
    const byHypercube = {
      kind: "ihr",
      msg: reference.value.msg,
      transaction,
      ihrFee: 1n,
      proofCreated: leaf(1),
    } as const;
    expect(() => imported.set(hash(9), byHypercube).extra).toThrow("hypercube routing");
  });

  test("the extra of a queue is its lowest lt, and its keys are ordered", () => {
    const enqueued = (created: bigint, emitted?: bigint): EnqueuedMsg => ({
      enqueuedLt: created,
      outMsg: CellOf.of(MsgEnvelope, envelope(created, emitted)),
    });
    const queue = OutMsgQueue.empty.update([
      [{ workchain: -1, prefix: 5n, hash: hash(1) }, enqueued(30n)],
      [{ workchain: 0, prefix: 5n, hash: hash(2) }, enqueued(20n, 25n)],
    ]);
    expect(queue.extra).toBe(25n);
    expect([...queue.keys()].map(({ workchain }) => workchain)).toEqual([0, -1]);

    const { messages } = decode(AccountDispatchQueue, cellWith([0, 49]));
    const waiting = { messages: messages.set(9n, enqueued(9n)).set(8n, enqueued(8n)), count: 2 };
    const info: OutMsgQueueInfo = {
      outQueue: queue,
      procInfo: OutMsgQueueInfo.load(noQueue.parse()).procInfo,
      extra: { dispatchQueue: DispatchQueue.empty.set(hash(1), waiting), outQueueSize: 2 },
    };
    expect(info.extra?.dispatchQueue.extra).toBe(8n);
    expect(rebuild(OutMsgQueueInfo, encode(OutMsgQueueInfo, info))).toMatchObject({ differences: [] });
  });

  const noQueue = cellWith([0, 67]);
});

describe("blocks and states", () => {
  const ref = (seqno: number): ExtBlkRef => ({ endLt: 5n, seqno, rootHash: hash(seqno), fileHash: hash(9) });
  const refCell = (seqno: number): Cell => cellWith([5n, 64], [seqno, 32], hash(seqno), hash(9));

  test("after a merge a block has two previous blocks, each in a cell", () => {
    const merged: BlkPrevInfo = [ref(1), ref(2)];
    expectLayout(blkPrevInfo(true), fieldsWith(refCell(1), refCell(2)), merged);
    expectLayout(blkPrevInfo(false), fieldsWith(refCell(3).parse()), [ref(3)]);
  });

  test("a state before a split contains those of both shards", () => {
    const cell = cellWith([0x5f327da5, 32], leaf(1), leaf(2));
    const state = decode(ShardState, cell);
    expect(state.kind === "split" && [state.left.cell.hashHex(), state.right.cell.hashHex()]).toEqual([
      leaf(1).hashHex(),
      leaf(2).hashHex(),
    ]);
    expect(encode(ShardState, state).hashHex()).toBe(cell.hashHex());
  });

  test("a large account has the hash of the dictionary of its cells", () => {
    const stored = beginCell()
      .storeVarUint(300, 3)
      .storeVarUint(70000, 3)
      .storeUint(0b001, 3)
      .storeBytes(hash(4))
      .storeUint(6, 32)
      .storeBit(true)
      .storeCoins(8n);
    expectLayout(StorageInfo, stored, {
      used: { cells: 300n, bits: 70000n },
      storageExtra: { kind: "info", dictHash: hash(4) },
      lastPaid: 6,
      duePayment: 8n,
    });
  });

  test("signatures of the simplex consensus name session, slot and candidate", () => {
    const candidateData = leaf(5);
    const stored = fieldsWith(
      [0x12, 8],
      [1, 32],
      [2, 32],
      [0, 32],
      [4n, 64],
      false,
      hash(6),
      [7, 32],
      candidateData,
    );
    const cell = stored.endCell();
    const { signatures, ...fields } = decode(BlockSignatures, cell);
    expect(fields).toEqual({
      kind: "simplex",
      validatorListHashShort: 1,
      catchainSeqno: 2,
      sigCount: 0,
      sigWeight: 4n,
      sessionId: hash(6),
      slot: 7,
      candidateData: cell.ref(0),
    });
    expect([...signatures.keys()]).toEqual([]);
    expect(rebuild(BlockSignatures, cell)).toMatchObject({ differences: [] });
  });

  test("the certificate of a chained signature is a cell", () => {
    const stored = fieldsWith([0xf, 4], leaf(1), [5, 4], new Uint8Array(64));
    const cell = stored.endCell();
    const signature = decode(CryptoSignature, cell);
    expect(signature).toEqual({
      kind: "chained",
      signedCert: cell.ref(0),
      tempKeySignature: { signature: new Uint8Array(64) },
    });
    expect(encode(CryptoSignature, signature).hashHex()).toBe(cell.hashHex());
  });
});

describe("registered shards", () => {
  const descr = (seqno: number): ShardDescr => ({
    kind: "v2",
    seqno,
    regMcSeqno: 1,
    startLt: 2n,
    endLt: 3n,
    rootHash: hash(seqno),
    fileHash: hash(seqno),
    beforeSplit: false,
    beforeMerge: false,
    wantSplit: true,
    wantMerge: false,
    nxCcUpdated: false,
    flags: 0,
    nextCatchainSeqno: 4,
    nextValidatorShard: wholeShard,
    minRefMcSeqno: 5,
    genUtime: 6,
    splitMergeAt: { kind: "split", utime: 7, interval: 8 },
    feesCollected: noCurrencies,
    fundsCreated: onlyCoins(9n),
  });
  const left = childShard(wholeShard, false);
  const right = childShard(wholeShard, true);
  const shards: RegisteredShard[] = [
    { workchain: 0, shard: left, descr: descr(1) },
    { workchain: 0, shard: childShard(right, false), descr: descr(2) },
    {
      workchain: 0,
      shard: childShard(right, true),
      descr: { ...descr(3), splitMergeAt: { kind: "merge", utime: 1, interval: 2 } },
    },
    { workchain: 7, shard: wholeShard, descr: { ...descr(4), kind: "v1", splitMergeAt: { kind: "none" } } },
  ];

  test("are listed from left to right", () => {
    const hashes = shardHashesOf([...shards].reverse());
    expect([...registeredShards(hashes)]).toEqual(shards);
    expect(shardAt(hashes, 0, 0n)).toEqual(shards[0]);
    expect(shardAt(hashes, 0, 0xbfffffffffffffffn)).toEqual(shards[1]);
    expect(shardAt(hashes, 0, 0xc000000000000000n)).toEqual(shards[2]);
    expect(shardAt(hashes, 7, 5n)).toEqual(shards[3]);
    expect(shardAt(hashes, 1, 5n)).toBeUndefined();
    expect(rebuild(ShardHashes, encode(ShardHashes, hashes))).toMatchObject({ differences: [] });
  });

  test("must cover their workchain without gaps and overlaps", () => {
    const gap = "the shards do not cover";
    expect(() => shardHashesOf(shards.slice(0, 2))).toThrow(gap);
    expect(() => shardHashesOf([shards[0]!, shards[0]!, shards[1]!, shards[2]!])).toThrow(gap);
    expect(() => shardHashesOf([...shards, { workchain: 0, shard: wholeShard, descr: descr(5) }])).toThrow(
      gap,
    );
  });
});

describe("versions of configuration parameters", () => {
  const uints = (builder: Builder, from: number, count: number, bits = 32) =>
    Array.from({ length: count }).reduce<Builder>((b, _, i) => b.storeUint(from + i, bits), builder);

  test("gas prices with and without a flat part", () => {
    const rest = { gasCredit: 3n, blockGasLimit: 4n, freezeDueLimit: 5n, deleteDueLimit: 6n };
    expectLayout(GasLimitsPrices, uints(fieldsWith([0xdd, 8]), 1, 6, 64), {
      kind: "plain",
      gasPrice: 1n,
      gasLimit: 2n,
      ...rest,
      flat: undefined,
    });
    const flat = uints(fieldsWith([0xd1, 8]), 7, 2, 64).storeUint(0xdd, 8);
    expectLayout(GasLimitsPrices, uints(flat, 1, 6, 64), {
      kind: "plain",
      gasPrice: 1n,
      gasLimit: 2n,
      ...rest,
      flat: { flatGasLimit: 7n, flatGasPrice: 8n },
    });
  });

  test("the first catchain settings and each consensus layout", () => {
    expectLayout(CatchainConfig, uints(fieldsWith([0xc1, 8]), 1, 4), {
      kind: "v1",
      mcCatchainLifetime: 1,
      shardCatchainLifetime: 2,
      shardValidatorsLifetime: 3,
      shardValidatorsNum: 4,
    });
    const limits = {
      nextCandidateDelayMs: 2,
      consensusTimeoutMs: 3,
      fastAttempts: 4,
      attemptDuration: 5,
      catchainMaxDeps: 6,
      maxBlockBytes: 7,
      maxCollatedBytes: 8,
    };
    const flagged = { flags: 0, newCatchainIds: true, roundCandidates: 1, ...limits };
    const head = (tag: number, flags: number) => fieldsWith([tag, 8], [flags, 8], [1, 8]);
    expectLayout(ConsensusConfig, uints(fieldsWith([0xd6, 8]), 1, 8), {
      kind: "v1",
      roundCandidates: 1,
      ...limits,
    });
    expectLayout(ConsensusConfig, uints(head(0xd7, 1), 2, 7), { kind: "v2", ...flagged });
    expectLayout(ConsensusConfig, uints(head(0xd8, 1), 2, 7).storeUint(9, 16), {
      kind: "v3",
      ...flagged,
      protoVersion: 9,
    });
    expectLayout(ConsensusConfig, fieldsWith(uints(head(0xd9, 3), 2, 7), [9, 16], [10, 32]), {
      kind: "v4",
      useQuic: true,
      ...flagged,
      protoVersion: 9,
      catchainMaxBlocksCoeff: 10,
    });
  });

  test("block limits with collated data and message queues", () => {
    const limit = (builder: Builder, n: number) => uints(builder.storeUint(0xc3, 8), n, 3);
    const limits = (n: number) => ({ underload: n, softLimit: n + 1, hardLimit: n + 2 });
    const stored = [1, 4, 7, 10].reduce(limit, fieldsWith([0x5e, 8]));
    expectLayout(BlockLimits, uints(stored.storeUint(0xd3, 8), 13, 2), {
      kind: "v2",
      bytes: limits(1),
      gas: limits(4),
      ltDelta: limits(7),
      collatedData: limits(10),
      importedMsgQueue: { maxBytes: 13, maxMsgs: 14 },
    });
  });

  test("size limits of three versions", () => {
    const head = (tag: number) => fieldsWith(uints(fieldsWith([tag, 8]), 1, 3), [4, 16], [5, 32], [6, 16]);
    const v1 = {
      maxMsgBits: 1,
      maxMsgCells: 2,
      maxLibraryCells: 3,
      maxVmDataDepth: 4,
      maxExtMsgSize: 5,
      maxExtMsgDepth: 6,
    };
    const early = (builder: Builder) => fieldsWith(uints(builder, 7, 5), [12, 8], [13, 32]);
    const later = (builder: Builder) => fieldsWith(early(builder), true, [14, 32]);
    const earlyV2 = {
      ...v1,
      maxAccStateCells: 7,
      maxMcAccStateCells: 8,
      maxAccPublicLibraries: 9,
      deferOutQueueSizeLimit: 10,
      maxMsgExtraCurrencies: 11,
      maxAccFixedPrefixLength: 12,
      accStateCellsForStorageDict: 13,
    };
    const v2 = { ...earlyV2, maxTransactionLibraryLoads: 14 };
    expectLayout(SizeLimitsConfig, head(1), { kind: "v1", ...v1 });
    expectLayout(SizeLimitsConfig, early(head(2)), { kind: "earlyV2", ...earlyV2 });
    expectLayout(SizeLimitsConfig, early(head(2)).storeBit(false), {
      ...{ kind: "v2", ...earlyV2 },
      maxTransactionLibraryLoads: undefined,
    });
    expectLayout(SizeLimitsConfig, later(head(2)), { kind: "v2", ...v2 });
    expectLayout(SizeLimitsConfig, uints(later(head(3)), 15, 2), {
      kind: "v3",
      ...v2,
      maxTotalMsgBits: 15,
      maxTotalMsgCells: 16,
    });
  });

  test("the first settings of simplex, and chains without any", () => {
    expectLayout(SimplexConfig, uints(fieldsWith([0x21, 8], [0b1010101_1, 8]), 1, 4), {
      kind: "v1",
      flags: 0b1010101,
      useQuic: true,
      targetRateMs: 1,
      slotsPerLeaderWindow: 2,
      firstBlockTimeoutMs: 3,
      maxLeaderWindowDesync: 4,
    });
    expectLayout(NewConsensusConfig, fieldsWith([0x10, 8], [0, 2]), {
      mc: undefined,
      shard: undefined,
    });
  });

  test("a validator registry whose code is to be replaced", () => {
    expectLayout(ValidatorRegistryConfig, fieldsWith([0x3601163e, 32], hash(1), [2, 32], true, hash(3)), {
      contractAddress: hash(1),
      maxCollatorsPerValidator: 2,
      newCodeHash: hash(3),
    });
  });

  test("a workchain of the second version with another format", () => {
    const stored = uints(
      fieldsWith(
        [0xa7, 8],
        [1, 32],
        [2, 8],
        [3, 8],
        [4, 8],
        [0b011, 3],
        [0, 13],
        hash(1),
        hash(2),
        [5, 32],
        [0, 4],
        [64, 12],
        [128, 12],
        [8, 12],
        [6, 32],
        [0, 4],
      ),
      7,
      4,
    ).storeUint(11, 8);
    expectLayout(WorkchainDescr, stored, {
      kind: "v2",
      enabledSince: 1,
      monitorMinSplit: 2,
      minSplit: 3,
      maxSplit: 4,
      basic: false,
      active: true,
      acceptMsgs: true,
      flags: 0,
      zerostateRootHash: hash(1),
      zerostateFileHash: hash(2),
      version: 5,
      format: { kind: "ext", minAddrLen: 64, maxAddrLen: 128, addrLenStep: 8, workchainTypeId: 6 },
      splitMergeTimings: {
        splitMergeDelay: 7,
        splitMergeInterval: 8,
        minSplitMergeInterval: 9,
        maxSplitMergeDelay: 10,
      },
      persistentStateSplitDepth: 11,
    });
  });

  test("a validator set of the first version, whose total weight is summed", () => {
    const validator = (builder: Builder, byte: number) =>
      builder.storeUint(0x8e81278a, 32).storeBytes(hash(byte)).storeUint(BigInt(byte), 64);
    // The leaves below the fork at the last of the 16 bits of the index have empty labels (two bits).
    const leafOf = (tag: number, byte: number) => validator(fieldsWith([0, 2], [tag, 8]), byte);
    const cell = fieldsWith([0x11, 8], [1, 32], [2, 32], [2, 16], [1, 16])
      // hml_same$11 with the bit 0, fifteen times.
      .storeUint(0b110, 3)
      .storeUint(15, 5)
      .storeRef(leafOf(0x53, 3).endCell())
      .storeRef(leafOf(0x73, 4).storeBytes(hash(5)).endCell())
      .endCell();
    const { list, ...fields } = decode(ValidatorSet, cell);
    expect(fields).toEqual({ kind: "plain", utimeSince: 1, utimeUntil: 2, total: 2, main: 1 });
    expect([...list.entries()]).toEqual([
      [0, { kind: "plain", publicKey: { pubkey: hash(3) }, weight: 3n }],
      [1, { kind: "addr", publicKey: { pubkey: hash(4) }, weight: 4n, adnlAddr: hash(5) }],
    ]);
    expect(totalWeight(decode(ValidatorSet, cell))).toBe(7n);
    expect(rebuild(ValidatorSet, cell)).toMatchObject({ differences: [], dictionaries: 1 });
  });
});

describe("sums of currencies", () => {
  const extra = (...amounts: [number, bigint][]) => ({
    coins: 5n,
    extra: ExtraCurrencyCollection.empty.update(amounts),
  });

  test("can be added, and subtracted without leaving zero entries", () => {
    const a = extra([1, 10n], [2, 20n]);
    const b = extra([2, 5n], [4294967279, 7n]);
    const sum = addCurrencies(a, b);
    expect([sum.coins, ...sum.extra.entries()]).toEqual([10n, [1, 10n], [2, 25n], [4294967279, 7n]]);
    expect(sameCurrencies(subtractCurrencies(sum, b), a)).toBe(true);
    expect(sameCurrencies(subtractCurrencies(sum, sum), noCurrencies)).toBe(true);
    expect(sameCurrencies(a, b)).toBe(false);
    expect(
      sameCurrencies(addCurrencies(onlyCoins(5n), extra([3, 1n])), { ...extra([3, 1n]), coins: 10n }),
    ).toBe(true);
  });

  test("cannot become negative", () => {
    expect(() => subtractCurrencies(extra([1, 10n]), extra([1, 11n]))).toThrow(
      "extra currency 1: 10 is less than 11",
    );
    expect(() => subtractCurrencies(extra(), extra([3, 1n]))).toThrow("extra currency 3: 0 is less than 1");
  });
});
