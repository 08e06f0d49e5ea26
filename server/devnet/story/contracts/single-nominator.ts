import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { masterchain } from "../../../../shared/ton/tlb/block-id.js";
import { type StateInit, stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../../shared/values/address.js";
import { contractCode } from "../../contracts/codes.js";
import { contractAddress } from "../../wallets/compose.js";

/** The owner of the coins, and the validator allowed to stake them. The validator's wallet is in the masterchain. */
type SingleNominatorRoles = { owner: Address; validator: Address };

/** A contract through which a validator stakes the coins of one owner. */
export class SingleNominator {
  readonly init: StateInit;
  readonly address: Address;

  constructor({ owner, validator }: SingleNominatorRoles) {
    // owner:MsgAddress validator:MsgAddress
    const data = beginCell().storeAddress(owner).storeAddress(validator);
    this.init = stateInitOf(contractCode("single-nominator"), data.endCell());
    this.address = contractAddress(this.init, masterchain);
  }
}
