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

const exampleBlockRef = { workchain: 0, shard: masterchainShard, seqno: 4 };
const examplePlace = { ...exampleBlockRef, root_hash: exampleHash };

/** A transaction that was run again. */
export const exampleRun = {
  run: `tx:${"ab".repeat(32)}`,
  kind: "transaction" as const,
  transaction: exampleHash,
  account: rawNobody,
  lt: "4000001",
  block: exampleBlockRef,
  now: 1_735_689_604,
  proof: {
    level: "exact" as const,
    inputs: {
      block: examplePlace,
      before: { ...examplePlace, seqno: 3 },
      master: { ...examplePlace, workchain: -1, seqno: 3 },
      earlier: 0,
      from_birth: 0,
    },
    differences: [],
    executor_version: 13,
    network_version: 13,
  },
  outcome: {
    success: true,
    phase: null,
    skipped_reason: null,
    exit_code: 0,
    exit_name: "OK",
    exit_meaning: "Success.",
    thrown_by: null,
    step: null,
    sentence: null,
    hint: null,
    instruction: null,
    wanted: null,
    left: null,
    library: null,
  },
  code: { hash: exampleHash, library: null },
  message: {
    ...{ hash: exampleHash, source: rawNobody, value: "1000000000", opcode: null, bounced: false },
    decoded: { "@type": "empty_cell" },
    abi: null,
  },
  gas: {
    used: "26",
    limit: "1000000",
    credit: "0",
    fixed: false,
    by_instruction: [{ instruction: "SETCP", gas: 26, steps: 1 }],
  },
  fees: { storage: "0", gas: "10400", forward: "0", action: "0", other: "0", total: "10400" },
  method: null,
  actions: [],
  storage: { before: exampleHash, after: exampleHash, removed: [], added: [] },
  balance: { before: "0", after: "999989600" },
  prints: [],
  steps: 1,
  first_step: 0,
  truncated: false,
};

/** The first step of that run. */
export const exampleStep = {
  n: 0,
  at: `${"cd".repeat(32)}:0`,
  op: "SETCP",
  args: "0",
  text: "SETCP 0",
  gas: 26,
  left: 999_974,
  depth: 0,
};
