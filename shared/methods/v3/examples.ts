// Shared example values.

/** An unused address without a known key. */
export const nobody = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const rawNobody = "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8";

/** Its entry in the address book. */
export const exampleBook = {
  [rawNobody]: {
    user_friendly: "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI",
    domain: null,
    interfaces: [],
  },
};

export const exampleHash = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=";
export const zeroHash = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/** An external message with the comment "hello". */
export const exampleBoc =
  "te6cckEBAgEAMQABRYgB2i0iYOCgCOIvczFqw7G9BaY/fwkiGdrda/klzpC98U4MAQASAAAAAGhlbGxvDbfLyA==";
/** A message with one TON and that comment, which a contract could send. */
export const exampleTransfer =
  "te6cckEBAQEAYQAAvUgB2i0iYOCgCOIvczFqw7G9BaY/fwkiGdrda/klzpC98U8AIPf1VLmNym0cvy8yMRevMZpFwJVi2jsdSfhukA6DzGoQ7msoAAAAAAAAAAAAAAAAAAAAAAAANDK2NjfA7siOxA==";
/** A body with the comment "hello". */
export const exampleComment = "te6cckEBAQEACwAAEgAAAABoZWxsb5oNank=";

const masterchainShard = "8000000000000000";

export const exampleBlock = {
  workchain: -1,
  shard: masterchainShard,
  seqno: 1,
  root_hash: "ZNt0WKvQy+8oj0uNGUXxBkQJxOxfbbLO7gBcLr1IIXk=",
  file_hash: "9Kx0bSEbbQbmFm1xvYcLJDMDkNEkVHbNnVxBhLQFWa0=",
  global_id: -777,
  version: 0,
  after_merge: false,
  before_split: false,
  after_split: false,
  want_merge: false,
  want_split: false,
  key_block: false,
  vert_seqno_incr: false,
  flags: 1,
  gen_utime: "1735689601",
  start_lt: "2000000",
  end_lt: "2000003",
  validator_list_hash_short: 104_932_113,
  gen_catchain_seqno: 1,
  min_ref_mc_seqno: 0,
  prev_key_block_seqno: 0,
  vert_seqno: 0,
  master_ref_seqno: 0,
  rand_seed: exampleHash,
  created_by: zeroHash,
  tx_count: 3,
  masterchain_block_ref: { workchain: -1, shard: masterchainShard, seqno: 1 },
  prev_blocks: [{ workchain: -1, shard: masterchainShard, seqno: 0 }],
};
