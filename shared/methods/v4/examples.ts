import {
  configAccount,
  electorAccount,
  exampleMessage,
  exampleTransaction,
  faucet,
  friend,
  exampleBlock as v2Block,
  exampleShardBlock as v2Shard,
  zeroState,
} from "../v2/examples.js";

// The objects of v2's examples in the form of v4.

const idOf = ({ workchain, seqno, shard, root_hash, file_hash }: typeof v2Block) => ({
  workchain,
  seqno,
  shard,
  rootHash: root_hash,
  fileHash: file_hash,
});

export const exampleBlock = idOf(v2Block);
export const exampleShardBlock = idOf(v2Shard);
export const exampleZeroState = { fileHash: zeroState.file_hash, rootHash: zeroState.root_hash };

const { lt, hash } = exampleTransaction.transaction_id;
export const exampleLast = { lt, hash };

export const exampleShards = [
  {
    ...exampleBlock,
    transactions: [
      { account: electorAccount, hash: "qCHxsbEI48m4pzqM6rgCgr5l2vPtpLMCbKOjQRpFHHo=", lt: "4000001" },
      { account: configAccount, hash: "yZL6uQuNcW1RupyT9tCaNpUfqN8x4HE0Wo7XnKL+afg=", lt: "4000002" },
    ],
  },
  {
    ...exampleShardBlock,
    transactions: [
      { account: faucet, hash: "xB+lfzN+jJra3tGy3i5ScDYcgtZFSvByqsusL4c81dU=", lt: "3000001" },
      { account: friend, ...exampleLast },
    ],
  },
];

/** The dictionary of parameter 8 alone. */
export const exampleConfig = "te6cckEBAgEAFwABCqAAAAAIAQAaxAAAAA0AAAAAAAAAbjultMo=";
export const exampleStorage = { lastPaid: 1735689602, duePayment: null, used: { bits: 103, cells: 1 } };

export const exampleParsed = {
  address: friend,
  ...exampleLast,
  prevTransaction: { lt: "0", hash: "0".repeat(64) },
  time: exampleTransaction.utime,
  outMessagesCount: 0,
  oldStatus: "non-existing" as const,
  newStatus: "uninitialized" as const,
  fees: "0",
  update: {
    oldHash: "kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=",
    newHash: "pKqFudZTuD/KPBAmZCCa8FAYo611spIm9Y9xn1ZSeAE=",
  },
  inMessage: {
    body: exampleMessage.msg_data.body,
    info: {
      type: "internal" as const,
      value: exampleMessage.value,
      dest: friend,
      src: faucet,
      bounced: false,
      bounce: false,
      ihrDisabled: true,
      createdAt: exampleTransaction.utime,
      createdLt: exampleMessage.created_lt,
      fwdFee: exampleMessage.fwd_fee,
      ihrFee: "0",
    },
    init: null,
  },
  outMessages: [],
  parsed: {
    seqno: null,
    body: null,
    status: "success" as const,
    dest: null,
    kind: "in" as const,
    amount: exampleMessage.value,
    resolvedAddress: faucet,
    bounced: false,
    mentioned: [faucet],
  },
  operation: { address: friend, items: [{ kind: "ton" as const, amount: exampleMessage.value }] },
};
