import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { Dictionary, uintKey } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { Address } from "../../../shared/values/address.js";
import { compile } from "./tolk.js";

/** A multisig wallet that returns its data. Its orders are at consecutive addresses. */
const walletSource = `
  get fun get_multisig_data(): (int, int, cell?, cell?) {
    var data = contract.getData().beginParse();
    return (data.loadInt(257), data.loadInt(64), data.loadMaybeRef(), data.loadMaybeRef());
  }
  get fun get_order_address(seqno: int): slice {
    var data = contract.getData().beginParse();
    data.skipBits(257 + 64 + 2);
    return beginCell().storeUint(4, 3).storeInt(0, 8).storeUint(data.loadUint(256) + seqno, 256).endCell().beginParse();
  }
`;

/** An order that returns its data: before it is initialized, the wallet and the number. */
const orderSource = `
  get fun get_order_data(): (slice, int, int?, int?, cell?, int?, int?, int?, cell?) {
    var data = contract.getData().beginParse();
    val multisig = data.loadBits(267);
    val seqno = data.loadInt(257);
    if (data.isEmpty()) {
      return (multisig, seqno, null, null, null, null, null, null, null);
    }
    return (multisig, seqno, data.loadInt(64), data.loadInt(1), data.loadRef(), data.loadUint(256), data.loadInt(64),
      data.loadInt(64), data.loadRef());
  }
  fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    createMessage({ bounce: false, value: 0, dest: in.senderAddress })
      .send(SEND_MODE_CARRY_ALL_BALANCE | SEND_MODE_DESTROY);
  }
`;

export async function multisigCodes(): Promise<{ wallet: Cell; order: Cell }> {
  const [wallet, order] = await Promise.all([compile(walletSource), compile(orderSource)]);
  return { wallet, order };
}

const addressValue = {
  store: (address: Address, builder: ReturnType<typeof beginCell>) => builder.storeAddress(address),
  load: (): never => {
    throw new Error("is only written");
  },
};

/** `Hashmap 8 MsgAddress`; `undefined` without addresses. */
function addressList(addresses: readonly Address[]): Cell | undefined {
  const entries = addresses.map((address, key) => [key, address] as const);
  return Dictionary.empty(uintKey(8), addressValue).update(entries).root;
}

type WalletState = {
  seqno?: bigint;
  threshold?: bigint;
  signers?: readonly Address[];
  proposers?: readonly Address[];
  /** Address of order 0. */
  firstOrder: Address;
};

export function walletData({
  seqno = -1n,
  threshold = 1n,
  signers = [],
  proposers = [],
  firstOrder,
}: WalletState) {
  return beginCell()
    .storeInt(seqno, 257)
    .storeInt(threshold, 64)
    .storeMaybeRef(addressList(signers))
    .storeMaybeRef(addressList(proposers))
    .storeBytes(firstOrder.hash)
    .endCell();
}

type OrderState = {
  multisig: Address;
  seqno: bigint;
  threshold?: bigint;
  isSent?: boolean;
  signers?: readonly Address[];
  mask?: bigint;
  approvals?: bigint;
  expiration?: bigint;
  actions?: Cell;
};

/** Data of an order that is not initialized. */
export function emptyOrderData({ multisig, seqno }: Pick<OrderState, "multisig" | "seqno">): Cell {
  return beginCell().storeAddress(multisig).storeInt(seqno, 257).endCell();
}

export function orderData({
  multisig,
  seqno,
  threshold = 2n,
  isSent = false,
  signers = [multisig],
  mask = 0n,
  approvals = 0n,
  expiration = 1_800_000_000n,
  actions = Cell.empty,
}: OrderState): Cell {
  return beginCell()
    .storeAddress(multisig)
    .storeInt(seqno, 257)
    .storeInt(threshold, 64)
    .storeInt(isSent ? -1 : 0, 1)
    .storeRef(addressList(signers)!)
    .storeUint(mask, 256)
    .storeInt(approvals, 64)
    .storeInt(expiration, 64)
    .storeRef(actions)
    .endCell();
}

/** The address that many after another one. */
export function addressAfter({ workchain, hash }: Address, count: number): Address {
  const next = hash.slice();
  next[31]! += count;
  return new Address(workchain, next);
}
