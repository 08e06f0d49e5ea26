import { describe, expect, test } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { type Builder, beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { createMerkleProof, openMerkleProof } from "../../../../shared/ton/cells/merkle/proof.js";
import { Account } from "../../../../shared/ton/tlb/account.js";
import { transactionsOf } from "../../../../shared/ton/tlb/account-block.js";
import { binTree } from "../../../../shared/ton/tlb/bin-tree.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import { BlockInfo } from "../../../../shared/ton/tlb/block-info.js";
import { BlockProof, BlockSignatures } from "../../../../shared/ton/tlb/block-proof.js";
import { BlockIdExt } from "../../../../shared/ton/tlb/block-ref.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { type Codec, decode, encode, TlbError } from "../../../../shared/ton/tlb/codec.js";
import { GasLimitsPrices } from "../../../../shared/ton/tlb/config/gas-prices.js";
import { SizeLimitsConfig } from "../../../../shared/ton/tlb/config/size-limits.js";
import { ValidatorDescr } from "../../../../shared/ton/tlb/config/validator-set.js";
import { WorkchainDescr } from "../../../../shared/ton/tlb/config/workchain.js";
import { onlyCoins, subtractCurrencies } from "../../../../shared/ton/tlb/currency-collection.js";
import { HashUpdate } from "../../../../shared/ton/tlb/hash-update.js";
import { InMsg } from "../../../../shared/ton/tlb/in-msg.js";
import { McStateHistory } from "../../../../shared/ton/tlb/mc-state-extra.js";
import { MsgAddressInt } from "../../../../shared/ton/tlb/msg-address.js";
import { IntermediateAddress, MsgEnvelope } from "../../../../shared/ton/tlb/msg-envelope.js";
import { OutMsg } from "../../../../shared/ton/tlb/out-msg.js";
import { ComputeSkipReason } from "../../../../shared/ton/tlb/phases.js";
import { smallVarUint, uint8 } from "../../../../shared/ton/tlb/primitives.js";
import { ShardDescr } from "../../../../shared/ton/tlb/shard-descr.js";
import { registeredShards, ShardHashes, shardAt } from "../../../../shared/ton/tlb/shard-hashes.js";
import { ShardIdent } from "../../../../shared/ton/tlb/shard-ident.js";
import { ShardState } from "../../../../shared/ton/tlb/shard-state.js";
import { CryptoSignature } from "../../../../shared/ton/tlb/signature.js";
import { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import { TransactionDescr } from "../../../../shared/ton/tlb/transaction-descr.js";
import { ValueFlow } from "../../../../shared/ton/tlb/value-flow.js";
import { describeWithChain } from "../../../helpers/test-data.js";
import { isPruned } from "./rebuild.js";

const ones = beginCell().storeBytes(new Uint8Array(100).fill(0xff)).endCell();
const zeros = beginCell().storeBytes(new Uint8Array(100)).endCell();

function bits(text: string): Cell {
  return [...text].reduce((builder, bit) => builder.storeBit(bit === "1"), beginCell()).endCell();
}

describe("data of another type", () => {
  test.each<[string, Codec<unknown>, Cell, string]>([
    ["a block", Block, ones, "block#11ef55aa starts with #11ef55aa, not with $1111"],
    ["a header", BlockInfo, zeros, "block_info#9bc7a987 starts with #9bc7a987, not with $0000"],
    ["a value flow", ValueFlow, zeros, "ValueFlow starts with #b8e48dfb, not with $0000"],
    ["a state", ShardState, zeros, "ShardState starts with #9023afe2 or #5f327da5, not with $0000"],
    ["a proof", BlockProof, zeros, "block_proof#c3 starts with #c3, not with $0000"],
    ["signatures", BlockSignatures, bits("00010000"), "starts with #11 or #12, not with $00010000"],
    ["a signature", CryptoSignature, zeros, "CryptoSignature starts with #5 or #f, not with $0000"],
    ["a transaction", Transaction, zeros, "transaction$0111 starts with $0111, not with $0000"],
    ["a description", TransactionDescr, ones, "TransactionDescr starts with $0000 or $0001 or $001"],
    ["a hash update", HashUpdate, zeros, "update_hashes#72 starts with #72, not with $0000"],
    ["an envelope", MsgEnvelope, zeros, "MsgEnvelope starts with #4 or #5, not with $0000"],
    ["an inbound message", InMsg, bits("00111"), "InMsg starts with $000 or $010 or $011"],
    ["an outbound message", OutMsg, bits("10111"), "OutMsg starts with $000 or $010 or $001"],
    ["a shard", ShardDescr, zeros, "ShardDescr starts with #b or #a, not with $0000"],
    [
      "a skip reason",
      ComputeSkipReason,
      bits("111"),
      "ComputeSkipReason starts with $00 or $01 or $10 or $110",
    ],
    ["an intermediate address", IntermediateAddress, bits("1"), "not with $1"],
    ["gas prices", GasLimitsPrices, zeros, "GasLimitsPrices starts with #dd or #de, not with $0000"],
    ["size limits", SizeLimitsConfig, zeros, "SizeLimitsConfig starts with #01 or #02 or #03"],
    ["a validator", ValidatorDescr, zeros, "ValidatorDescr starts with #53 or #73, not with $0000"],
    ["nothing", Block, Cell.empty, "block#11ef55aa starts with #11ef55aa, not with the end"],
  ])("is refused where %s should be", (_what, type, cell, message) => {
    expect(() => decode(type, cell)).toThrow(TlbError);
    expect(() => decode(type, cell)).toThrow(message);
    expect(() => decode(type, cell)).toThrow(`${type.name} in cell ${cell.hashHex()}: `);
  });
});

describe("values that the scheme does not allow", () => {
  const shardIdent = (prefixBits: number, prefix: bigint) =>
    beginCell().storeUint(prefixBits, 8).storeInt(0, 32).storeUint(prefix, 64).endCell();

  test.each<[string, Codec<unknown>, Cell, string]>([
    ["a shard prefix of 61 bits", ShardIdent, shardIdent(61, 0n), "61 is not #<= 60"],
    [
      "bits after a shard prefix",
      ShardIdent,
      shardIdent(2, 1n << 60n),
      "a prefix of 2 bits, not 1000000000000000",
    ],
    [
      "a shard prefix with the bit behind it",
      ShardIdent,
      shardIdent(1, 3n << 62n),
      "a prefix of 1 bits, not c000000000000000",
    ],
    [
      "a block whose shard has such a prefix",
      BlockIdExt,
      shardIdent(0, 1n << 63n),
      "of 0 bits, not 8000000000000000",
    ],
    ["a rewritten prefix of 0 bits", MsgAddressInt, bits(`101${"0".repeat(280)}`), "a depth of at least 1"],
    ["a rewritten prefix of 31 bits", MsgAddressInt, bits(`10111111${"0".repeat(300)}`), "31 is not #<= 30"],
    ["a VarUInteger 7 of 7 bytes", smallVarUint(7), ones, "less than 7 bytes"],
    ["flags of a masterchain state", McStateHistory, ones, "McStateExtra has flags 0 or 1, not 65535"],
  ])("are refused: %s", (_what, type, cell, message) => {
    expect(() => decode(type, cell)).toThrow(message);
  });

  test("values that do not fit cannot be encoded", () => {
    expect(() => encode(smallVarUint(7), 1n << 48n)).toThrow("does not fit a VarUInteger 7");
    expect(() => encode(uint8, 256)).toThrow("256 does not fit 8 unsigned bits");
    expect(() => encode(HashUpdate, { oldHash: new Uint8Array(31), newHash: new Uint8Array(32) })).toThrow(
      "expected 32 bytes, got 31",
    );
    expect(() => subtractCurrencies(onlyCoins(1n), onlyCoins(2n))).toThrow("1 nanotons are less than 2");
    expect(() => encode(ShardIdent, { workchain: 0, shard: 0n })).toThrow("0 is not a shard number");
  });

  test("a workchain whose format contradicts its flag is refused", () => {
    const format = { kind: "basic", vmVersion: -1, vmMode: 0n } as const;
    const hash = new Uint8Array(32);
    const descr = {
      kind: "v1",
      enabledSince: 0,
      monitorMinSplit: 0,
      minSplit: 0,
      maxSplit: 0,
      basic: true,
      active: true,
      acceptMsgs: true,
      flags: 0,
      zerostateRootHash: hash,
      zerostateFileHash: hash,
      version: 0,
      format,
    } as const;
    expect(decode(WorkchainDescr, encode(WorkchainDescr, descr))).toEqual(descr);
    expect(() => encode(WorkchainDescr, { ...descr, basic: false })).toThrow(
      "basic is false, the format basic",
    );
  });

  test("a tree of shards deeper than the longest prefix is refused in bounded time", () => {
    // Shared branches: 2^100 leaves in 100 cells.
    const tree = Array.from({ length: 100 }).reduce<Cell>(
      (below) => beginCell().storeBit(true).storeRef(below).storeRef(below).endCell(),
      beginCell().storeBit(false).storeUint(0, 8).endCell(),
    );
    const hashes = ShardHashes.empty.set(0, CellOf.in(binTree(ShardDescr), tree));
    const tooDeep = "ShardHashes of workchain 0 are deeper than 60";
    expect(() => [...registeredShards(hashes)]).toThrow(tooDeep);
    expect(() => shardAt(hashes, 0, 5n)).toThrow(tooDeep);
  });
});

describeWithChain("truncated and extended real data", (chain) => {
  const blocks = [
    ...chain.where({ kind: "block", facts: { key_block: true } }),
    ...chain.where({ kind: "block", workchain: 0 }),
  ].map((entry) => decode(Block, parseBocRoot(entry.read())));

  /** One value of each type that these blocks store in its own cell, except bodies, which may have any length. */
  function samples(): CellOf<unknown>[] {
    const found = new Map<string, CellOf<unknown>>();
    const add = (reference: CellOf<unknown> | undefined) => {
      if (reference && !found.has(reference.type.name)) found.set(reference.type.name, reference);
    };
    for (const { info, valueFlow, extra } of blocks) {
      const { inMsgDescr, outMsgDescr, accountBlocks, custom } = extra.value;
      for (const part of [info, valueFlow, extra, custom, custom?.value.details]) add(part);
      for (const part of [info.value.masterRef, info.value.prevRef, custom?.value.config?.config]) add(part);
      for (const message of inMsgDescr.value.values()) if ("inMsg" in message) add(message.inMsg);
      for (const message of outMsgDescr.value.values()) if ("reimport" in message) add(message.reimport);
      for (const transaction of transactionsOf(accountBlocks.value)) {
        const { messages, stateUpdate, description } = transaction.value;
        for (const part of [transaction, messages, stateUpdate, description]) add(part);
        if (description.value.kind === "ord") add(description.value.action);
      }
    }
    return [...found.values()];
  }

  test("a cell truncated anywhere is refused with the name of its type", () => {
    const types = samples();
    expect(types.length).toBeGreaterThan(12);
    for (const { type, cell } of types)
      for (let kept = 0; kept < cell.bits; kept += kept < 64 ? 1 : 7) {
        const rest = cell.parse().loadBits(kept, cell.refCount).toCell();
        expect(() => decode(type, rest)).toThrow(`${type.name} in cell ${rest.hashHex()}: `);
      }
  });

  test("a cell with an additional bit or reference is refused", () => {
    const longer = (cell: Cell, add: (builder: Builder) => Builder) =>
      add(beginCell().storeSlice(cell.parse())).endCell();
    for (const { type, cell } of samples()) {
      if (cell.bits < 1023)
        expect(() =>
          decode(
            type,
            longer(cell, (builder) => builder.storeBit(true)),
          ),
        ).toThrow("are left over");
      if (cell.refCount < 4)
        expect(() =>
          decode(
            type,
            longer(cell, (builder) => builder.storeRef(Cell.empty)),
          ),
        ).toThrow("are left over");
    }
  });

  test("reading a pruned part of a proof throws", () => {
    const [entry] = chain.where({ kind: "block", workchain: 0 });
    const root = parseBocRoot(entry!.read());
    const shown = decode(Block, openMerkleProof(createMerkleProof(root, (cell) => cell === root)));
    for (const part of [shown.info, shown.valueFlow, shown.extra]) {
      expect(catchError(() => part.value)).toSatisfy(isPruned);
      expect(catchError(() => part.value)).toBeInstanceOf(TlbError);
    }
    expect(encode(Block, shown).hashHex(0)).toBe(root.hashHex());
  });

  test("a cell of one type is refused as another", () => {
    const root = parseBocRoot(chain.one({ kind: "account" }).read());
    expect(() => decode(Transaction, root)).toThrow("transaction$0111 starts with $0111");
    expect(() =>
      decode(Account, decode(Block, parseBocRoot(chain.where({ kind: "block" })[0]!.read())).info.cell),
    ).toThrow(TlbError);
  });
});

function catchError(step: () => unknown): unknown {
  try {
    step();
  } catch (error) {
    return error;
  }
  return undefined;
}
