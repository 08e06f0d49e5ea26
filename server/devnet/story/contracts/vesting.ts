import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { type StateInit, stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../../shared/values/address.js";
import { type Payment, requestedMessage } from "../../../contracts/wallet-order.js";
import { contractCode } from "../../contracts/codes.js";
import { contractAddress } from "../../wallets/compose.js";

type Grant = {
  /** May extend the whitelist, and can always be repaid. */
  sender: Address;
  owner: Address;
  ownerKey: Uint8Array;
  /** Nanotons locked initially. */
  amount: bigint;
  /** Unix time and seconds. The cliff and the duration are whole numbers of periods. */
  startTime: number;
  duration: number;
  unlockPeriod: number;
  cliff: number;
};

/** Differs from the ids of standard wallets, which may have the same key. */
const walletId = 0x10c;

/**
 * The vesting wallet that indexers recognise by its code: its owner can spend the unlocked part, which grows each
 * period.
 */
export class Vesting {
  readonly init: StateInit;
  readonly address: Address;

  constructor({ sender, owner, ownerKey, amount, startTime, duration, unlockPeriod, cliff }: Grant) {
    // start_time:uint64 total_duration:uint32 unlock_period:uint32 cliff_duration:uint32 total_amount:Coins
    //   sender:MsgAddress owner:MsgAddress
    const terms = beginCell()
      .storeUint(startTime, 64)
      .storeUint(duration, 32)
      .storeUint(unlockPeriod, 32)
      .storeUint(cliff, 32)
      .storeCoins(amount)
      .storeAddress(sender)
      .storeAddress(owner);
    // seqno:uint32 wallet_id:uint32 public_key:bits256 whitelist:(HashmapE 264 …) terms:^…
    const data = beginCell()
      .storeUint(0, 32)
      .storeUint(walletId, 32)
      .storeBytes(ownerKey)
      .storeBit(false)
      .storeRef(terms.endCell());
    this.init = stateInitOf(contractCode("vesting wallet"), data.endCell());
    this.address = contractAddress(this.init);
  }
}

/** Body of a message from the sender of a grant: addresses that may receive locked money, e.g. validators. */
export function whitelistBody(addresses: readonly Address[], queryId: number): Cell {
  // vesting_add_white_list#7258a69b query_id:uint64 address:MsgAddress next:^[address:MsgAddress next:^…]
  const [first, ...rest] = addresses;
  const body = beginCell().storeUint(0x7258a69b, 32).storeUint(queryId, 64).storeAddress(first);
  const tail = rest.reduceRight<Cell | undefined>((next, address) => {
    const link = beginCell().storeAddress(address);
    return (next ? link.storeRef(next) : link).endCell();
  }, undefined);
  return (tail ? body.storeRef(tail) : body).endCell();
}

/** Body of a message from the owner of a grant, which sends a message. The wallet refuses to spend locked money. */
export function spendGrantBody(payment: Payment, queryId: number): Cell {
  // vesting_send_message#a7733acd query_id:uint64 send_mode:uint8 message:^MessageRelaxed
  return beginCell()
    .storeUint(0xa7733acd, 32)
    .storeUint(queryId, 64)
    .storeUint(3, 8)
    .storeRef(requestedMessage(payment))
    .endCell();
}
