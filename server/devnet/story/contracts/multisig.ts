import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { Dictionary, uintKey } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { ValueCodec } from "../../../../shared/ton/cells/dictionaries/dictionary-codec.js";
import { cellRef } from "../../../../shared/ton/tlb/primitives.js";
import { type StateInit, stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../../shared/values/address.js";
import { type Payment, requestedMessage } from "../../../contracts/wallet-order.js";
import { contractCode } from "../../contracts/codes.js";
import { contractAddress } from "../../wallets/compose.js";

/** Stands for the next order of a wallet that numbers orders, and for freely chosen numbers. */
const anySeqno = 2n ** 256n - 1n;

type MultisigMembers = {
  threshold: number;
  signers: readonly Address[];
  proposers: readonly Address[];
};

/** A multisig wallet of version 2 (multisig.tolk), and the addresses of its orders. */
export class Multisig {
  readonly init: StateInit;
  readonly address: Address;

  /** Numbers its orders from 0, unless `freeSeqnos`. */
  constructor(members: MultisigMembers, { freeSeqnos = false } = {}) {
    const { threshold, signers, proposers } = members;
    // nextOrderSeqno:uint256 threshold:uint8 signers:^(Hashmap 8 MsgAddress) proposers:(HashmapE 8 MsgAddress)
    //   orderCode:^Cell
    const data = beginCell()
      .storeUint(freeSeqnos ? anySeqno : 0n, 256)
      .storeUint(threshold, 8)
      .storeRef(listOf(signers).root!)
      .storeMaybeRef(listOf(proposers).root)
      .storeRef(contractCode("multisig-order"));
    this.init = stateInitOf(contractCode("multisig"), data.endCell());
    this.address = contractAddress(this.init);
  }

  order(seqno: bigint): Address {
    // multisig:MsgAddress seqno:uint256
    const data = beginCell().storeAddress(this.address).storeUint(seqno, 256);
    return contractAddress(stateInitOf(contractCode("multisig-order"), data.endCell()));
  }
}

type NewOrder = {
  actions: readonly Cell[];
  /** Index of the sender among the signers, whose request is an approval, or among the proposers. */
  from: { signer: number } | { proposer: number };
  /** Default: the next order. */
  seqno?: bigint;
  /** Unix time. */
  expiresAt: number;
  queryId: number;
};

/** Body of a message from a member to the multisig wallet. */
export function newOrderBody({ actions, from, seqno = anySeqno, expiresAt, queryId }: NewOrder): Cell {
  // new_order#f718510f query_id:uint64 order_seqno:uint256 signer:Bool index:uint8 expiration_date:uint48 order:^Order
  return beginCell()
    .storeUint(0xf718510f, 32)
    .storeUint(queryId, 64)
    .storeUint(seqno, 256)
    .storeBit("signer" in from)
    .storeUint("signer" in from ? from.signer : from.proposer, 8)
    .storeUint(expiresAt, 48)
    .storeRef(orderOf(actions))
    .endCell();
}

/** `_ actions:(Hashmap 8 ^Action) = Order` */
function orderOf(actions: readonly Cell[]): Cell {
  const entries = actions.map((action, index): [number, Cell] => [index, action]);
  return Dictionary.empty(uintKey(8), cellRef).update(entries).root!;
}

/** Action of an order that sends a message. */
export function sendAction(payment: Payment): Cell {
  // send_message#f1381e5b mode:uint8 message:^MessageRelaxed = Action
  return beginCell().storeUint(0xf1381e5b, 32).storeUint(3, 8).storeRef(requestedMessage(payment)).endCell();
}

/** Action of an order that replaces the members. */
export function updateAction({ threshold, signers, proposers }: MultisigMembers): Cell {
  // update_multisig_param#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddress) proposers:(HashmapE 8 MsgAddress)
  return beginCell()
    .storeUint(0x1d0cfbd3, 32)
    .storeUint(threshold, 8)
    .storeRef(listOf(signers).root!)
    .storeMaybeRef(listOf(proposers).root)
    .endCell();
}

/** Body of a message from a signer to an order. */
export function approveBody(signer: number, queryId: number): Cell {
  // approve#a762230f query_id:uint64 signer_index:uint8
  return beginCell().storeUint(0xa762230f, 32).storeUint(queryId, 64).storeUint(signer, 8).endCell();
}

const addressValue: ValueCodec<Address> = {
  store: (address, builder) => builder.storeAddress(address),
  load: (slice) => slice.loadAddress()!,
};

/** Members by index. */
function listOf(members: readonly Address[]): Dictionary<number, Address> {
  return Dictionary.empty(uintKey(8), addressValue).update(members.map((member, index) => [index, member]));
}
