// Data of the elector, as the deployed contract lays them out. They are no part of the chain's scheme.
import { anySlice, bytesKey, uintKey } from "../cells/dictionaries/dictionary.js";
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { hashmapE } from "./dictionaries.js";
import { bits256, bool, cellRef, coins, int64, maybe, uint8, uint32, uint64 } from "./primitives.js";
import { record } from "./record.js";

const publicKey = bytesKey(32);
const account = bytesKey(32);

/** A participant of an election. */
export type ElectionMember = Decoded<typeof ElectionMember>;
export const ElectionMember = record("ElectionMember", {
  stake: coins,
  time: uint32,
  maxFactor: uint32,
  source: bits256,
  adnlAddr: bits256,
});

/** An election that is open, or closed and not yet forgotten. */
export type Election = Decoded<typeof Election>;
export const Election = record("Election", {
  electAt: uint32,
  electClose: uint32,
  minStake: coins,
  totalStake: coins,
  members: hashmapE(publicKey, ElectionMember),
  failed: bool,
  finished: bool,
});

/** A complaint with a suggested fine. */
export type Complaint = Decoded<typeof Complaint>;
export const Complaint = record("Complaint#bc", {
  publicKey: bits256,
  description: cellRef,
  createdAt: uint32,
  severity: uint8,
  rewardAccount: bits256,
  paid: coins,
  suggestedFine: coins,
  /** In units of 2^-32 of the stake. */
  suggestedFinePart: uint32,
});

/** A complaint with the votes of a validator set. */
export type ComplaintStatus = Decoded<typeof ComplaintStatus>;
export const ComplaintStatus = record("ComplaintStatus#2d", {
  complaint: cellOf(Complaint),
  /** By index in the voting set. */
  voters: hashmapE(uintKey(16), anySlice),
  setHash: bits256,
  weightRemaining: int64,
});

export type FrozenStake = Decoded<typeof FrozenStake>;
export const FrozenStake = record("FrozenStake", {
  source: bits256,
  weight: uint64,
  stake: coins,
  banned: bool,
});

/** An election whose set was, is or may come into force. Its stakes are held. */
export type PastElection = Decoded<typeof PastElection>;
export const PastElection = record("PastElection", {
  unfreezeAt: uint32,
  stakeHeld: uint32,
  setHash: bits256,
  frozen: hashmapE(publicKey, FrozenStake),
  totalStake: coins,
  bonuses: coins,
  /** By the hash of the complaint. */
  complaints: hashmapE(bytesKey(32), ComplaintStatus),
});

export type ElectorData = Decoded<typeof ElectorData>;
export const ElectorData = record("ElectorData", {
  election: maybe(cellOf(Election)),
  /** Amounts that masterchain accounts may recover. */
  credits: hashmapE(account, coins),
  /** By the start time of the elected set, which is the election's id. */
  pastElections: hashmapE(uintKey(32), PastElection),
  unclaimed: coins,
  /** The past election whose set is in force; 0 if none. */
  activeId: uint32,
  activeHash: bits256,
});
