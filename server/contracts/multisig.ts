import type { Cell } from "../../shared/ton/cells/cell.js";
import { anySlice, Dictionary, uintKey } from "../../shared/ton/cells/dictionaries/dictionary.js";
import {
  Answer,
  type GetMethods,
  loadStandardAddress,
  UnexpectedAnswer,
} from "../../shared/ton/contracts/get-method.js";
import type { Address } from "../../shared/values/address.js";

/** A multisig wallet, version 2. */
type Multisig = {
  /** -1 if orders may have any number. */
  nextOrderSeqno: bigint;
  threshold: bigint;
  signers: readonly Address[];
  proposers: readonly Address[];
};

/** An order of a multisig wallet. */
type MultisigOrder = {
  multisig: Address;
  seqno: bigint;
  threshold: bigint;
  isSent: boolean;
  signers: readonly Address[];
  /** Bit `n` is set if signer `n` has approved. */
  approvalsMask: bigint;
  approvals: bigint;
  expirationDate: bigint;
  /** `Hashmap 8 ^Action` */
  actions: Cell;
};

/**
 * Reads a wallet by `(next_order_seqno, threshold, signers, proposers) get_multisig_data()`. Throws UnexpectedAnswer or a
 * CellError if the account is none.
 */
export async function readMultisig(methods: GetMethods, address: Address): Promise<Multisig> {
  const data = await Answer.of(methods, address, "get_multisig_data");
  const addresses = (index: number) => (data.isNull(index) ? [] : readAddressList(data.cell(index)));
  return {
    nextOrderSeqno: data.int(0),
    threshold: data.number(1),
    signers: addresses(2),
    proposers: addresses(3),
  };
}

/**
 * Reads an order by `(multisig, order_seqno, threshold, sent_for_execution, signers, approvals_mask, approvals_num,
 * expiration_date, order) get_order_data()`, without asking its wallet. An order that has not been initialized yet has nulls
 * in place of values and counts as none.
 */
export async function readClaimedOrder(methods: GetMethods, address: Address): Promise<MultisigOrder> {
  const data = await Answer.of(methods, address, "get_order_data");
  return {
    multisig: data.address(0),
    seqno: data.int(1),
    threshold: data.number(2),
    isSent: data.flag(3),
    signers: readAddressList(data.cell(4)),
    approvalsMask: data.int(5),
    approvals: data.number(6),
    expirationDate: data.number(7),
    actions: data.cell(8),
  };
}

/** Throws UnexpectedAnswer unless the wallet confirms that this is its order with the number. */
export async function confirmOrder(
  methods: GetMethods,
  address: Address,
  { multisig, seqno }: { multisig: Address; seqno: bigint },
): Promise<void> {
  const known = await Answer.of(methods, multisig, "get_order_address", [{ type: "int", value: seqno }]);
  if (!known.address(0).equals(address))
    throw new UnexpectedAnswer(`the multisig ${multisig} has another order ${seqno}`);
}

/** `Hashmap 8 MsgAddress`: addresses in the order of their keys. Throws UnexpectedAnswer if one is not `addr_std`. */
function readAddressList(root: Cell): Address[] {
  const entries = Dictionary.loadDirect(root, uintKey(8), anySlice);
  return Array.from(entries.values(), (value) => {
    const address = loadStandardAddress(value);
    if (!address) throw new UnexpectedAnswer("a list of addresses has another value");
    return address;
  });
}
