/** Shards are unsigned in chain/ and signed in the tables. */
export function signedShard(shard: bigint): bigint {
  return BigInt.asIntN(64, shard);
}
