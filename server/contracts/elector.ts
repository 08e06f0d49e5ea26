import { Address } from "../../shared/values/address.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import { anySlice, bytesKey, Dictionary, uintKey } from "../cells/dictionary.js";
import type { Slice } from "../cells/slice.js";
import { masterchain } from "../tlb/block-id.js";

/** What the data of an elector say of elections. */
export type ElectorData = {
  /** The election that is held, or that was held and is not confirmed yet. */
  election: Election | undefined;
  /** Elections with frozen stakes, by id. */
  pastElections: ReadonlyMap<number, PastElection>;
  /** Whether a validator set of this elector has ever been in force. */
  hasElected: boolean;
};

export type Election = {
  electAt: number;
  electClose: number;
  minStake: bigint;
  totalStake: bigint;
  participants: readonly Participant[];
  failed: boolean;
  finished: boolean;
};

export type Participant = {
  pubkey: Uint8Array;
  stake: bigint;
  /** In units of 2^-16. */
  maxFactor: number;
  stakeHolder: Address;
  adnl: Uint8Array;
};

export type PastElection = {
  id: number;
  unfreezeAt: number;
  stakeHeld: number;
  /** Hash of the validator set. */
  setHash: Uint8Array;
  frozen: readonly FrozenStake[];
  totalStake: bigint;
  bonuses: bigint;
  complaints: readonly Complaint[];
};

export type FrozenStake = {
  pubkey: Uint8Array;
  stakeHolder: Address;
  weight: bigint;
  stake: bigint;
  isBanned: boolean;
};

export type Complaint = {
  hash: Uint8Array;
  pubkey: Uint8Array;
  description: Cell;
  createdAt: number;
  severity: number;
  rewardAddress: Address;
  paid: bigint;
  suggestedFine: bigint;
  /** In units of 2^-32 of the stake. */
  suggestedFinePart: number;
  /** Places of those who have voted in the set `setHash`, ascending. */
  voters: readonly number[];
  setHash: Uint8Array;
  weightRemaining: bigint;
};

/** Far above what deposits allow; a larger tree has shared branches. */
const maxEntries = 20_000;
const complaintTag = 0xbc;
const complaintStatusTag = 0x2d;

/**
 * Reads the data of an elector. The results are those of its get-methods, whose lists may be longer than the executor's
 * stack. Throws a CellError if the data have another layout; entries of dictionaries that do are left out.
 */
export function readElectorData(data: Cell): ElectorData {
  const slice = data.parse();
  if (data.bits === 0) return { election: undefined, pastElections: new Map(), hasElected: false };
  const election = slice.loadMaybeRef();
  // Credits.
  slice.loadMaybeRef();
  const past = Dictionary.load(slice, uintKey(32), anySlice);
  // Coins that are nobody's, and the id of the active election.
  slice.loadCoins();
  slice.skip(32);
  const activeHash = slice.loadBytes(32);
  const pastElections = entriesOf(past, (id, entry) => readPastElection(id, entry));
  return {
    election: election && readElection(election.parse()),
    pastElections: new Map(pastElections.map((each) => [each.id, each])),
    hasElected: activeHash.some((byte) => byte !== 0),
  };
}

function readElection(slice: Slice): Election {
  const electAt = slice.loadUint(32);
  const electClose = slice.loadUint(32);
  const minStake = slice.loadCoins();
  const totalStake = slice.loadCoins();
  const members = Dictionary.load(slice, bytesKey(32), anySlice);
  const participants = entriesOf(members, (pubkey, member) => {
    const stake = member.loadCoins();
    // The time of the stake.
    member.skip(32);
    const maxFactor = member.loadUint(32);
    const stakeHolder = loadMasterchainAddress(member);
    return { pubkey, stake, maxFactor, stakeHolder, adnl: member.loadBytes(32) };
  });
  const [failed, finished] = [slice.loadBit(), slice.loadBit()];
  return { electAt, electClose, minStake, totalStake, participants, failed, finished };
}

function readPastElection(id: number, slice: Slice): PastElection {
  const unfreezeAt = slice.loadUint(32);
  const stakeHeld = slice.loadUint(32);
  const setHash = slice.loadBytes(32);
  const frozen = Dictionary.load(slice, bytesKey(32), anySlice);
  const totalStake = slice.loadCoins();
  const bonuses = slice.loadCoins();
  const complaints = Dictionary.load(slice, bytesKey(32), anySlice);
  return {
    ...{ id, unfreezeAt, stakeHeld, setHash, totalStake, bonuses },
    frozen: entriesOf(frozen, (pubkey, entry) => ({
      pubkey,
      stakeHolder: loadMasterchainAddress(entry),
      weight: entry.loadBigUint(64),
      stake: entry.loadCoins(),
      isBanned: entry.loadBit(),
    })),
    complaints: entriesOf(complaints, readComplaint),
  };
}

function readComplaint(hash: Uint8Array, status: Slice): Complaint {
  expectTag(status, complaintStatusTag);
  const complaint = status.loadRef().parse();
  const votes = Dictionary.load(status, uintKey(16), anySlice);
  const setHash = status.loadBytes(32);
  const weightRemaining = status.loadBigInt(64);
  expectTag(complaint, complaintTag);
  return {
    hash,
    pubkey: complaint.loadBytes(32),
    description: complaint.loadRef(),
    createdAt: complaint.loadUint(32),
    severity: complaint.loadUint(8),
    rewardAddress: loadMasterchainAddress(complaint),
    paid: complaint.loadCoins(),
    suggestedFine: complaint.loadCoins(),
    suggestedFinePart: complaint.loadUint(32),
    voters: [...votes.keys()],
    setHash,
    weightRemaining,
  };
}

function expectTag(slice: Slice, tag: number): void {
  if (slice.loadUint(8) !== tag) throw new CellError("dictionary", "a complaint has another tag");
}

/** Stakes come from the masterchain alone, so the elector keeps no workchains. */
function loadMasterchainAddress(slice: Slice): Address {
  return new Address(masterchain, slice.loadBytes(32));
}

/** Reads entries in key order; those of another layout are left out. */
function entriesOf<K, T>(entries: Dictionary<K, Slice>, read: (key: K, entry: Slice) => T): T[] {
  const all: T[] = [];
  let count = 0;
  for (const [key, entry] of entries.entries()) {
    if (++count > maxEntries) throw new CellError("dictionary", `more than ${maxEntries} entries`);
    try {
      all.push(read(key, entry));
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
    }
  }
  return all;
}
