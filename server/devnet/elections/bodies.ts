// Messages to the elector, and to contracts that stake for a validator.

import { type Builder, beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { Address } from "../../../shared/values/address.js";
import type { SigningKey } from "../../chain/ed25519.js";

export type Stake = {
  key: SigningKey;
  source: Address;
  stakeAt: number;
  /** In units of 2^-16; default: 3. */
  maxFactor?: number;
  adnl?: Uint8Array;
  queryId?: bigint;
};

/** `stake#4e73744b query_id:uint64 pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl:bits256 signature:^bits512` */
export function stakeBody(stake: Stake): Cell {
  return stakeHead(stake).storeSlice(stakeRequest(stake).parse()).endCell();
}

/**
 * A validator's order to a contract that stakes for it: an amount in nanotons, followed by the request to the elector.
 */
export function stakeOrderBody(amount: bigint, stake: Stake): Cell {
  return stakeHead(stake).storeCoins(amount).storeSlice(stakeRequest(stake).parse()).endCell();
}

function stakeHead({ queryId = 1n }: Stake): Builder {
  return beginCell().storeUint(0x4e73744b, 32).storeUint(queryId, 64);
}

function stakeRequest({ key, source, stakeAt, maxFactor = 3 << 16, adnl = new Uint8Array(32) }: Stake): Cell {
  const signed = beginCell()
    .storeUint(0x654c5074, 32)
    .storeUint(stakeAt, 32)
    .storeUint(maxFactor, 32)
    .storeBytes(source.hash)
    .storeBytes(adnl);
  const data = signed
    .endCell()
    .parse()
    .loadBytes(4 + 4 + 4 + 32 + 32);
  return beginCell()
    .storeBytes(key.publicKey)
    .storeUint(stakeAt, 32)
    .storeUint(maxFactor, 32)
    .storeBytes(adnl)
    .storeRef(beginCell().storeBytes(key.sign(data)).endCell())
    .endCell();
}

/** `recover#47657424 query_id:uint64` */
export function recoverBody(queryId: bigint): Cell {
  return beginCell().storeUint(0x47657424, 32).storeUint(queryId, 64).endCell();
}

export type Complaint = {
  accused: Pick<SigningKey, "publicKey">;
  electionId: number;
  description?: Cell;
  fine?: bigint;
  /** In units of 2^-32 of the stake. */
  finePart?: number;
};

/** `complain#52674370 query_id:uint64 election_id:uint32 complaint:ValidatorComplaint` */
export function complaintBody(complaint: Complaint): Cell {
  const { accused, electionId, description = Cell.empty, fine = 0n, finePart = 0 } = complaint;
  return (
    beginCell()
      .storeUint(0x52674370, 32)
      .storeUint(1, 64)
      .storeUint(electionId, 32)
      // validator_complaint#bc
      .storeUint(0xbc, 8)
      .storeBytes(accused.publicKey)
      .storeRef(description)
      // created_at:uint32 severity:uint8 reward_addr:uint256 paid:Grams: the elector overwrites all but the severity.
      .storeUint(1, 32)
      .storeUint(3, 8)
      .storeUint(9, 256)
      .storeCoins(55n)
      .storeCoins(fine)
      .storeUint(finePart, 32)
      .endCell()
  );
}

export type ComplaintVote = { key: SigningKey; voter: number; electionId: number; complaint: Uint8Array };

/** `vote#56744370 query_id:uint64 signature:bits512 to_sign:VoteToSign` */
export function voteBody({ key, voter, electionId, complaint }: ComplaintVote): Cell {
  const signed = beginCell()
    .storeUint(0x56744350, 32)
    .storeUint(voter, 16)
    .storeUint(electionId, 32)
    .storeBytes(complaint)
    .endCell()
    .parse();
  const signature = key.sign(signed.clone().loadBytes(4 + 2 + 4 + 32));
  return beginCell()
    .storeUint(0x56744370, 32)
    .storeUint(1, 64)
    .storeBytes(signature)
    .storeSlice(signed)
    .endCell();
}
