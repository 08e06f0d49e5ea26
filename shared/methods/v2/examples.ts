// Values that examples share. Those of the devnet's zero state hold on every devnet started with the default seed.

export const wholeShard = "-9223372036854775808";

/** The account of the configuration contract. */
export const configAccount = "Ef9VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVbxn";

/** The account of the elector. */
export const electorAccount = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";

/** An address nobody has the key of, and which never got anything. */
export const nobody = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";

export const exampleBlock = {
  "@type": "ton.blockIdExt" as const,
  workchain: -1,
  shard: wholeShard,
  seqno: 41,
  root_hash: "ZNt0WKvQy+8oj0uNGUXxBkQJxOxfbbLO7gBcLr1IIXk=",
  file_hash: "9Kx0bSEbbQbmFm1xvYcLJDMDkNEkVHbNnVxBhLQFWa0=",
};

/** The masterchain's zero state. */
export const zeroState = {
  "@type": "ton.blockIdExt" as const,
  workchain: -1,
  shard: "0",
  seqno: 0,
  root_hash: "F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=",
  file_hash: "XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=",
};

export const noTransaction = {
  "@type": "internal.transactionId" as const,
  lt: "0",
  hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
};

export const exampleMessage = {
  "@type": "ext.message" as const,
  hash: "3LFZcSEvHrX4Kp7hZCUKCyS7QZ2lFwj0gHq5dSmAfNw=",
  source: "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2",
  destination: nobody,
  value: "100000000",
  extra_currencies: [],
  fwd_fee: "266669",
  ihr_fee: "0",
  created_lt: "4000002",
  body_hash: "VR9sPo1659mzrFO8qbb4LP8yL7FhE4IHdtFKP5O5OVE=",
  msg_data: { "@type": "msg.dataText" as const, text: "aGVsbG8=" },
  message: "hello",
};

export const exampleTransaction = {
  "@type": "ext.transaction" as const,
  address: { "@type": "accountAddress" as const, account_address: nobody },
  account: "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8",
  utime: 1735689602,
  data: "te6cckEBAQEAAgAAAEysuc0=",
  transaction_id: {
    "@type": "internal.transactionId" as const,
    lt: "4000003",
    hash: "QHQvbOlzCVMCC1TxaNQJZOqAxZ+jhZHtVE5XkH+5UZs=",
  },
  fee: "2355844",
  storage_fee: "12",
  other_fee: "2355832",
  in_msg: exampleMessage,
  out_msgs: [],
};
