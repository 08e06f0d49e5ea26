/**
 * A hash, and the lt of what may have it, or whose message may have it. `slot` is where the slot of the lt begins. `owner`: of a
 * divided index, the account of the transaction, or the key of the trace of an action; entries of an earlier version lack it.
 */
export type Located<Owner = Uint8Array> = {
  hash: Uint8Array;
  lt: bigint;
  slot: bigint;
  owner?: Owner | null | undefined;
};

/** The owners of all that was located; `undefined` if one is not known. */
export function ownersOf<Owner>(located: readonly Located<Owner>[]): Owner[] | undefined {
  const owners = located.flatMap(({ owner }) => owner ?? []);
  return owners.length === located.length ? owners : undefined;
}
