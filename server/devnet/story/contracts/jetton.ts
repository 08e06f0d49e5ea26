import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { type StateInit, stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../../shared/values/address.js";
import { contractCode } from "../../contracts/codes.js";
import { contractAddress } from "../../wallets/compose.js";

const walletCode = contractCode("jetton wallet");

/** A jetton (TEP-74): its minter and the addresses of its wallets. */
export class Jetton {
  readonly init: StateInit;
  readonly address: Address;

  constructor(admin: Address, content: Cell) {
    // total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell
    const data = beginCell().storeCoins(0n).storeAddress(admin).storeRef(content).storeRef(walletCode);
    this.init = stateInitOf(contractCode("jetton minter"), data.endCell());
    this.address = contractAddress(this.init);
  }

  walletOf(owner: Address): Address {
    // balance:Coins owner:MsgAddress minter:MsgAddress wallet_code:^Cell
    const data = beginCell()
      .storeCoins(0n)
      .storeAddress(owner)
      .storeAddress(this.address)
      .storeRef(walletCode);
    return contractAddress(stateInitOf(walletCode, data.endCell()));
  }

  /** Body of a message from the admin to the minter. */
  mintBody(mint: Mint): Cell {
    return mintBody(21, this.address, mint);
  }
}

/** `tons` (nanotons) are forwarded to the jetton wallet of `to`. */
export type Mint = { to: Address; amount: bigint; tons: bigint; queryId: number };

/** Body of a mint request to a minter, in the name of `from`; the new owner is notified. */
export function mintBody(
  opcode: number,
  from: Address | undefined,
  { to, amount, tons, queryId }: Mint,
): Cell {
  // internal_transfer#178d4519 query_id:uint64 amount:Coins from:MsgAddress response_address:MsgAddress
  //   forward_ton_amount:Coins forward_payload:(Either Cell ^Cell)
  const transfer = beginCell()
    .storeUint(0x178d4519, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(from)
    .storeAddress(to)
    .storeCoins(0n)
    .storeBit(false);
  // opcode:uint32 query_id:uint64 to:MsgAddress ton_amount:Coins transfer:^Cell
  return beginCell()
    .storeUint(opcode, 32)
    .storeUint(queryId, 64)
    .storeAddress(to)
    .storeCoins(tons)
    .storeRef(transfer.endCell())
    .endCell();
}

type Transfer = {
  to: Address;
  amount: bigint;
  /** Receives the rest of the message's value. */
  excessesTo: Address;
  /** Value and payload of the notification to the new owner. No notification is sent without a value. */
  forwardTons?: bigint | undefined;
  payload?: Cell | undefined;
  /** Passed to the wallet's own code. */
  customPayload?: Cell | undefined;
  queryId: number;
};

/** Body of a message from the owner to the owner's jetton wallet. */
export function jettonTransferBody({
  to,
  amount,
  excessesTo,
  forwardTons = 0n,
  payload,
  customPayload,
  queryId,
}: Transfer): Cell {
  // transfer#0f8a7ea5 query_id:uint64 amount:Coins destination:MsgAddress response_destination:MsgAddress
  //   custom_payload:(Maybe ^Cell) forward_ton_amount:Coins forward_payload:(Either Cell ^Cell)
  return beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(excessesTo)
    .storeMaybeRef(customPayload)
    .storeCoins(forwardTons)
    .storeMaybeRef(payload)
    .endCell();
}

/** Body of a message from the owner to the owner's jetton wallet. */
export function jettonBurnBody(amount: bigint, excessesTo: Address, queryId: number): Cell {
  // burn#595f07bc query_id:uint64 amount:Coins response_destination:MsgAddress custom_payload:(Maybe ^Cell)
  return beginCell()
    .storeUint(0x595f07bc, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(excessesTo)
    .storeMaybeRef(undefined)
    .endCell();
}
