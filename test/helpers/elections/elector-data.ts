import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import {
  anySlice,
  bytesKey,
  Dictionary,
  uintKey,
} from "../../../shared/ton/cells/dictionaries/dictionary.js";
import type { Slice } from "../../../shared/ton/cells/slice.js";
import { bytesToHex } from "../../../shared/values/bytes.js";

type ReadElector = {
  election: ReadElection | undefined;
  /** By account, as hex. */
  credits: Map<string, bigint>;
  pastElections: Map<number, ReadPastElection>;
  unclaimed: bigint;
  activeId: number;
};
type ReadElection = {
  electAt: number;
  /** By public key, as hex. */
  stakes: Map<string, bigint>;
  totalStake: bigint;
  failed: boolean;
  finished: boolean;
};
type ReadPastElection = {
  unfreezeAt: number;
  /** Stakes by public key, as hex. */
  frozen: Map<string, bigint>;
  totalStake: bigint;
  bonuses: bigint;
  /** Hashes. */
  complaints: Uint8Array[];
};

/** Reads an elector's data without the elector. */
export function readElector(data: Cell): ReadElector {
  const slice = data.parse();
  const election = slice.loadMaybeRef();
  const credits = dictionary(slice, bytesKey(32));
  const past = dictionary(slice, uintKey(32));
  return {
    election: election && readElection(election.parse()),
    credits: new Map([...credits].map(([account, amount]) => [bytesToHex(account), amount.loadCoins()])),
    pastElections: new Map([...past].map(([id, entry]) => [id, readPast(entry)])),
    unclaimed: slice.loadCoins(),
    activeId: slice.loadUint(32),
  };
}

function dictionary<K>(slice: Slice, key: Parameters<typeof Dictionary.load<K, Slice>>[1]) {
  return [...Dictionary.load(slice, key, anySlice).entries()];
}

function readElection(slice: Slice): ReadElection {
  const electAt = slice.loadUint(32);
  // elect_close:uint32 min_stake:Grams
  slice.skip(32).loadCoins();
  const totalStake = slice.loadCoins();
  const members = dictionary(slice, bytesKey(32));
  const stakes = new Map(members.map(([key, member]) => [bytesToHex(key), member.loadCoins()]));
  return { electAt, stakes, totalStake, failed: slice.loadBit(), finished: slice.loadBit() };
}

function readPast(slice: Slice): ReadPastElection {
  const unfreezeAt = slice.loadUint(32);
  // stake_held:uint32 vset_hash:bits256
  slice.skip(32 + 256);
  const frozen = dictionary(slice, bytesKey(32)).map(([key, entry]): [string, bigint] => {
    // source:bits256 weight:uint64
    const stake = entry.skip(256 + 64).loadCoins();
    return [bytesToHex(key), stake];
  });
  const [totalStake, bonuses] = [slice.loadCoins(), slice.loadCoins()];
  const complaints = dictionary(slice, bytesKey(32)).map(([hash]) => hash);
  return { unfreezeAt, frozen: new Map(frozen), totalStake, bonuses, complaints };
}

export function sumOf(amounts: ReadonlyMap<string, bigint>): bigint {
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0n);
}

/** Everything that the elector owes or keeps, in nanotons. */
export function accountedFor({ election, credits, pastElections, unclaimed }: ReadElector): bigint {
  const past = [...pastElections.values()].reduce(
    (sum, { frozen, bonuses }) => sum + sumOf(frozen) + bonuses,
    0n,
  );
  // The stakes of an election that was held are frozen or credited.
  const open = election && !election.finished ? sumOf(election.stakes) : 0n;
  return unclaimed + sumOf(credits) + past + open;
}

type Entries = Dictionary<Uint8Array, Slice>;
type EditedPast = { frozen: Entries; totalStake: bigint; bonuses: bigint; complaints: Entries };

/** Elector's data in which a past election differs. */
export function editPastElection(
  data: Cell,
  id: number,
  edit: (past: EditedPast) => Partial<EditedPast>,
): Cell {
  const slice = data.parse();
  const [election, credits] = [slice.loadMaybeRef(), slice.loadMaybeRef()];
  const elections = Dictionary.load(slice, uintKey(32), anySlice);
  const entry = elections.get(id)!;
  // unfreeze_at:uint32 stake_held:uint32 vset_hash:bits256
  const head = entry.loadBits(32 + 32 + 256);
  const load = () => Dictionary.load(entry, bytesKey(32), anySlice);
  const [frozen, stake, bonus] = [load(), entry.loadCoins(), entry.loadCoins()];
  const before = { frozen, totalStake: stake, bonuses: bonus, complaints: load() };
  const { frozen: stakes, totalStake, bonuses, complaints } = { ...before, ...edit(before) };
  const changed = beginCell()
    .storeSlice(head)
    .storeMaybeRef(stakes.root)
    .storeCoins(totalStake)
    .storeCoins(bonuses)
    .storeMaybeRef(complaints.root);
  return beginCell()
    .storeMaybeRef(election)
    .storeMaybeRef(credits)
    .storeMaybeRef(elections.set(id, changed.endCell().parse()).root)
    .storeSlice(slice)
    .endCell();
}
