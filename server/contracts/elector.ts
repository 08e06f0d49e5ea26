import type { Cell } from "../../shared/ton/cells/cell.js";
import { CellError } from "../../shared/ton/cells/cell-error.js";
import type { Dictionary } from "../../shared/ton/cells/dictionaries/dictionary.js";
import { masterchain } from "../../shared/ton/tlb/block-id.js";
import * as layout from "../../shared/ton/tlb/elector-data.js";
import { ifReadable } from "../../shared/ton/tlb/readable.js";
import { Address } from "../../shared/values/address.js";
import { valueAt } from "../../shared/values/lookups.js";

/** Elections in the data of an elector. */
export type Elections = {
  /** The election that is held, or that was held and is not confirmed yet. */
  election: Election | undefined;
  /** Elections with frozen stakes, by id. */
  pastElections: ReadonlyMap<number, PastElection>;
  /** Whether a validator set of this elector has ever been in force. */
  hasElected: boolean;
};

type Election = {
  electAt: number;
  electClose: number;
  minStake: bigint;
  totalStake: bigint;
  participants: readonly Participant[];
  failed: boolean;
  finished: boolean;
};

type Participant = {
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

type FrozenStake = {
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
  /** Indices of the validators in the set `setHash` that have voted, ascending. */
  voters: readonly number[];
  setHash: Uint8Array;
  weightRemaining: bigint;
};

/** Far above what deposits allow; a larger tree has shared branches. */
const maxEntries = 20_000;

/**
 * Reads the data of an elector. The results equal those of its get-methods, whose lists may exceed the executor's
 * stack. Throws if the data have another layout; dictionary entries with another layout are omitted.
 */
export function readElections(data: Cell): Elections {
  if (data.bits === 0) return { election: undefined, pastElections: new Map(), hasElected: false };
  const { election, pastElections, activeHash } = layout.ElectorData.load(data.parse());
  return {
    election: election && electionOf(election.value),
    pastElections: new Map(entriesOf(pastElections, (id, past) => [id, pastElectionOf(id, past)] as const)),
    hasElected: activeHash.some((byte) => byte !== 0),
  };
}

function electionOf({ members, ...election }: layout.Election): Election {
  return {
    ...election,
    participants: entriesOf(members, (pubkey, { stake, maxFactor, source, adnlAddr }) => ({
      ...{ pubkey, stake, maxFactor, stakeHolder: stakeHolderOf(source), adnl: adnlAddr },
    })),
  };
}

function pastElectionOf(id: number, { frozen, complaints, ...past }: layout.PastElection): PastElection {
  return {
    id,
    ...past,
    frozen: entriesOf(frozen, (pubkey, { source, weight, stake, banned }) => ({
      ...{ pubkey, weight, stake, isBanned: banned, stakeHolder: stakeHolderOf(source) },
    })),
    complaints: entriesOf(complaints, complaintOf),
  };
}

function complaintOf(hash: Uint8Array, { complaint, voters, ...votes }: layout.ComplaintStatus): Complaint {
  const { publicKey, rewardAccount, ...said } = complaint.value;
  return {
    hash,
    pubkey: publicKey,
    ...said,
    rewardAddress: stakeHolderOf(rewardAccount),
    voters: [...voters.keys()],
    ...votes,
  };
}

/** Stakes come from the masterchain alone, so the elector keeps no workchains. */
function stakeHolderOf(account: Uint8Array): Address {
  return new Address(masterchain, account);
}

/** Entries in key order; those with another layout are omitted. */
function entriesOf<K, V, T>(entries: Dictionary<K, V>, convert: (key: K, value: V) => T): T[] {
  const all: T[] = [];
  let count = 0;
  for (const key of entries.keys()) {
    if (++count > maxEntries) throw new CellError("dictionary", `more than ${maxEntries} entries`);
    const entry = ifReadable(() => convert(key, valueAt(entries, key)));
    if (entry !== undefined) all.push(entry);
  }
  return all;
}
