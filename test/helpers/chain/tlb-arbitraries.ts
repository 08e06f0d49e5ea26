import fc, { type Arbitrary } from "fast-check";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import {
  type CurrencyCollection,
  ExtraCurrencyCollection,
} from "../../../shared/ton/tlb/currency-collection.js";
import { HashUpdate } from "../../../shared/ton/tlb/hash-update.js";
import { composeMessage, Message } from "../../../shared/ton/tlb/message.js";
import type { CommonMsgInfo } from "../../../shared/ton/tlb/message-info.js";
import type { ExternalAddress, MsgAddress } from "../../../shared/ton/tlb/msg-address.js";
import {
  type ComputeSkipReason,
  TrActionPhase,
  type TrBouncePhase,
  type TrComputePhase,
  type TrCreditPhase,
  type TrStoragePhase,
} from "../../../shared/ton/tlb/phases.js";
import { type StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { Transaction, TransactionMessages } from "../../../shared/ton/tlb/transaction.js";
import { type SplitMergeInfo, TransactionDescr } from "../../../shared/ton/tlb/transaction-descr.js";
import { Address } from "../../../shared/values/address.js";

// Values of the types in messages and transactions. Types that @ton/core cannot read have separate tests.

const bool = fc.boolean();
const uint = (bits: number): Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const big = (bits: number): Arbitrary<bigint> => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n });
const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const coins = fc.oneof(fc.constant(0n), big(64), big(120));
/** Short enough for a description with all its parts to fit one cell. */
const fee = big(64);
const lt = big(64);

const leafCell: Arbitrary<Cell> = fc
  .uint8Array({ maxLength: 120 })
  .map((bytes) => beginCell().storeBytes(bytes).endCell());
const cell: Arbitrary<Cell> = fc
  .tuple(fc.uint8Array({ maxLength: 120 }), fc.array(leafCell, { maxLength: 3 }))
  .map(([bytes, refs]) =>
    refs.reduce((builder, ref) => builder.storeRef(ref), beginCell().storeBytes(bytes)).endCell(),
  );

const address: Arbitrary<Address> = fc
  .tuple(fc.integer({ min: -128, max: 127 }), hash)
  .map(([workchain, id]) => new Address(workchain, id));
const externalAddress: Arbitrary<ExternalAddress> = fc
  .integer({ min: 1, max: 511 })
  .chain((bits) => big(bits).map((value) => ({ kind: "external", bits, value })));

const anycast = fc
  .integer({ min: 1, max: 30 })
  .chain((depth) => uint(depth).map((prefix) => ({ depth, prefix })));

/** Every form, including unused ones. */
export const anyAddress: Arbitrary<MsgAddress> = fc.oneof(
  fc.constant(undefined),
  address,
  fc.constant({ kind: "external", bits: 0, value: 0n } as const),
  externalAddress,
  fc.record({ kind: fc.constant("anycast" as const), anycast, address }),
  fc.integer({ min: 0, max: 511 }).chain((bits) =>
    fc.record({
      kind: fc.constant("variable" as const),
      anycast: maybe(anycast),
      workchain: int32,
      bits: fc.constant(bits),
      value: big(bits),
    }),
  ),
);

const currencies: Arbitrary<CurrencyCollection> = fc.record({
  coins,
  extra: fc
    .array(fc.tuple(uint(32), fc.bigInt({ min: 1n, max: (1n << 248n) - 1n })), { maxLength: 3 })
    .map((amounts) => ExtraCurrencyCollection.empty.update(amounts)),
});

const stateInit: Arbitrary<StateInit> = fc
  .record({
    fixedPrefixLength: maybe(uint(5)),
    special: maybe(fc.record({ tick: bool, tock: bool })),
    code: maybe(cell),
    data: maybe(cell),
    libraries: fc.array(fc.tuple(hash, fc.record({ public: bool, root: leafCell })), { maxLength: 2 }),
  })
  .map(({ libraries, ...fields }) => {
    const { library } = stateInitOf(beginCell().endCell(), beginCell().endCell());
    return { ...fields, library: library.update(libraries) };
  });

const internalInfo = fc.record({
  kind: fc.constant("internal" as const),
  ihrDisabled: bool,
  bounce: bool,
  bounced: bool,
  src: address,
  dest: address,
  value: currencies,
  extraFlags: coins,
  fwdFee: coins,
  createdLt: lt,
  createdAt: uint(32),
});
const externalInInfo = fc.record({
  kind: fc.constant("externalIn" as const),
  src: maybe(externalAddress),
  dest: address,
  importFee: coins,
});
const externalOutInfo = fc.record({
  kind: fc.constant("externalOut" as const),
  src: address,
  dest: maybe(externalAddress),
  createdLt: lt,
  createdAt: uint(32),
});
const info: Arbitrary<CommonMsgInfo> = fc.oneof(internalInfo, externalInInfo, externalOutInfo);

export const messageParts = fc.record({ info, init: maybe(stateInit), body: cell });

/** In the layout new messages get, and with the parts in references although they would fit. */
export const message: Arbitrary<Message> = fc
  .tuple(messageParts, bool, bool)
  .map(([parts, initInRef, bodyInRef]) => {
    const composed = composeMessage(parts);
    return {
      ...composed,
      initInRef: composed.initInRef || (initInRef && composed.init !== undefined && refsLeft(composed) > 0),
      bodyInRef: composed.bodyInRef || (bodyInRef && refsLeft(composed) > 1),
    };
  });

function refsLeft(composed: Message): number {
  return 4 - encode(Message, composed).refCount;
}

const statusChange = fc.constantFrom("unchanged" as const, "frozen" as const, "deleted" as const);
const storageUsed = fc.record({ cells: big(48), bits: big(48) });
const storagePh: Arbitrary<TrStoragePhase> = fc.record({
  storageFeesCollected: fee,
  storageFeesDue: maybe(fee),
  statusChange,
});
const creditPh: Arbitrary<TrCreditPhase> = fc.record({ dueFeesCollected: maybe(fee), credit: currencies });
const skipReason: Arbitrary<ComputeSkipReason> = fc.constantFrom("noState", "badState", "noGas");
const computePh: Arbitrary<TrComputePhase> = fc.oneof(
  fc.record({ kind: fc.constant("skipped" as const), reason: skipReason }),
  fc.record({
    kind: fc.constant("vm" as const),
    success: bool,
    msgStateUsed: bool,
    accountActivated: bool,
    gasFees: fee,
    gasUsed: big(48),
    gasLimit: big(48),
    gasCredit: maybe(big(16)),
    mode: fc.integer({ min: 0, max: 127 }),
    exitCode: int32,
    exitArg: maybe(int32),
    vmSteps: uint(32),
    vmInitStateHash: hash,
    vmFinalStateHash: hash,
  }),
);
const action: Arbitrary<CellOf<TrActionPhase> | undefined> = maybe(
  fc
    .record({
      success: bool,
      valid: bool,
      noFunds: bool,
      statusChange,
      totalFwdFees: maybe(fee),
      totalActionFees: maybe(fee),
      resultCode: int32,
      resultArg: maybe(int32),
      totActions: uint(16),
      specActions: uint(16),
      skippedActions: uint(16),
      msgsCreated: uint(16),
      actionListHash: hash,
      totMsgSize: storageUsed,
    })
    .map((value) => CellOf.of(TrActionPhase, value)),
);
const bounce: Arbitrary<TrBouncePhase> = fc.oneof(
  fc.record({ kind: fc.constant("negFunds" as const) }),
  fc.record({ kind: fc.constant("noFunds" as const), msgSize: storageUsed, reqFwdFees: fee }),
  fc.record({ kind: fc.constant("ok" as const), msgSize: storageUsed, msgFees: fee, fwdFees: fee }),
);
const splitInfo: Arbitrary<SplitMergeInfo> = fc.record({
  curShardPfxLen: uint(6),
  accSplitDepth: uint(6),
  thisAddr: hash,
  siblingAddr: hash,
});

const ended = { aborted: bool, destroyed: bool };
const ord: Arbitrary<TransactionDescr> = fc.record({
  kind: fc.constant("ord" as const),
  creditFirst: bool,
  storagePh: maybe(storagePh),
  creditPh: maybe(creditPh),
  computePh,
  action,
  bounce: maybe(bounce),
  ...ended,
});
const storage: Arbitrary<TransactionDescr> = fc.record({ kind: fc.constant("storage" as const), storagePh });
const tickTock: Arbitrary<TransactionDescr> = fc.record({
  kind: fc.constant("tickTock" as const),
  isTock: bool,
  storagePh,
  computePh,
  action,
  ...ended,
});
const splitPrepare: Arbitrary<TransactionDescr> = fc.record({
  kind: fc.constant("splitPrepare" as const),
  splitInfo,
  storagePh: maybe(storagePh),
  computePh,
  action,
  ...ended,
});
const mergePrepare: Arbitrary<TransactionDescr> = fc.record({
  kind: fc.constant("mergePrepare" as const),
  splitInfo,
  storagePh,
  aborted: bool,
});

const status = fc.constantFrom("uninit" as const, "frozen" as const, "active" as const, "nonexist" as const);

function transactionWith(descr: Arbitrary<TransactionDescr>): Arbitrary<Transaction> {
  return fc.record({
    accountAddr: hash,
    lt,
    prevTransHash: hash,
    prevTransLt: lt,
    now: uint(32),
    outMsgCount: uint(15),
    origStatus: status,
    endStatus: status,
    messages: fc.tuple(maybe(message), fc.array(message, { maxLength: 3 })).map(([inMsg, out]) =>
      CellOf.of(TransactionMessages, {
        inMsg: inMsg && CellOf.of(Message, inMsg),
        outMsgs: TransactionMessages.load(noMessages.parse()).outMsgs.update(
          out.map((value, i) => [i, CellOf.of(Message, value)]),
        ),
      }),
    ),
    totalFees: currencies,
    stateUpdate: fc.record({ oldHash: hash, newHash: hash }).map((value) => CellOf.of(HashUpdate, value)),
    description: descr.map((value) => CellOf.of(TransactionDescr, value)),
  });
}

const noMessages = beginCell().storeUint(0, 2).endCell();

function prepared(descr: Arbitrary<TransactionDescr>): Arbitrary<Cell> {
  return transactionWith(descr).map((value) => encode(Transaction, value));
}

const splitInstall: Arbitrary<TransactionDescr> = fc.record({
  kind: fc.constant("splitInstall" as const),
  splitInfo,
  prepareTransaction: prepared(splitPrepare),
  installed: bool,
});
const mergeInstall: Arbitrary<TransactionDescr> = fc.record({
  kind: fc.constant("mergeInstall" as const),
  splitInfo,
  prepareTransaction: prepared(mergePrepare),
  storagePh: maybe(storagePh),
  creditPh: maybe(creditPh),
  computePh,
  action,
  ...ended,
});

/** With every kind of description. */
export const transaction: Arbitrary<Transaction> = transactionWith(
  fc.oneof(ord, storage, tickTock, splitPrepare, splitInstall, mergePrepare, mergeInstall),
);
