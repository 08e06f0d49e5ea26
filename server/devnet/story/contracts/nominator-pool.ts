import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { masterchain } from "../../../../shared/ton/tlb/block-id.js";
import { type StateInit, stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../../shared/values/address.js";
import { contractCode } from "../../contracts/codes.js";
import { contractAddress } from "../../wallets/compose.js";

type PoolTerms = {
  /** In the masterchain. */
  validator: Address;
  /** The validator's share of rewards, in ten-thousandths. */
  rewardShare: number;
  maxNominators: number;
  /** In nanotons. */
  minValidatorStake: bigint;
  minNominatorStake: bigint;
};

/** A nominator pool without funds. */
export class NominatorPool {
  readonly init: StateInit;
  readonly address: Address;

  constructor({ validator, rewardShare, maxNominators, minValidatorStake, minNominatorStake }: PoolTerms) {
    const terms = beginCell()
      .storeBytes(validator.hash)
      .storeUint(rewardShare, 16)
      .storeUint(maxNominators, 16)
      .storeCoins(minValidatorStake)
      .storeCoins(minNominatorStake);
    // state:uint8 nominators_count:uint16 stake_amount_sent:Coins validator_amount:Coins terms:^… nominators:dict
    //   withdraw_requests:dict stake_at:uint32 saved_validator_set_hash:uint256 validator_set_changes_count:uint8
    //   validator_set_change_time:uint32 stake_held_for:uint32 config_proposal_votings:dict
    const data = beginCell()
      .storeUint(0, 8 + 16)
      .storeCoins(0n)
      .storeCoins(0n)
      .storeRef(terms.endCell())
      .storeUint(0, 1 + 1 + 32 + 256 + 8 + 32 + 32 + 1);
    this.init = stateInitOf(contractCode("nominator-pool"), data.endCell());
    this.address = contractAddress(this.init, masterchain);
  }
}

/** Body of the validator's deposit. One TON of it stays with the pool for fees. */
export function validatorDepositBody(queryId: number): Cell {
  return beginCell().storeUint(4, 32).storeUint(queryId, 64).endCell();
}

/** Bodies of a nominator's messages, as comments. */
export const depositComment = "d";
export const withdrawalComment = "w";
