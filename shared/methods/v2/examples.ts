// Shared example values: answers of a devnet with the default seed and a fixed clock, after its faucet has sent one TON.

export const wholeShard = "-9223372036854775808";

/** The account of the configuration contract. */
export const configAccount = "Ef9VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVbxn";

/** The account of the elector. */
export const electorAccount = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";

/** An unused address without a known key. */
export const nobody = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";

/** The last masterchain block. */
export const exampleBlock = {
  "@type": "ton.blockIdExt" as const,
  workchain: -1,
  shard: wholeShard,
  seqno: 2,
  root_hash: "WOSZ+q5A1tr9xmcjJpGChuANyMEgHbZsaCHBKIeAfoM=",
  file_hash: "wAGUk3T0AEXdnCjkGQKUFeRvcal8yyX3FlumMuPTvBM=",
};

/** The first masterchain block. */
export const firstBlock = {
  "@type": "ton.blockIdExt" as const,
  workchain: -1,
  shard: wholeShard,
  seqno: 1,
  root_hash: "3+GTWUwzG0dHeOKfDK2Rhb9muK8aKat9lbPnQHHl0jU=",
  file_hash: "dJMXw2tINl5kmjYaCWwbcZy7oBeIXKDqHzOz0agpzrc=",
};

/** The first block of the basechain. */
export const firstShardBlock = {
  "@type": "ton.blockIdExt" as const,
  workchain: 0,
  shard: wholeShard,
  seqno: 1,
  root_hash: "D30qehrqS+aAJNk7aX3fJJ/1IVUmvpSJBfW9QIp1rdE=",
  file_hash: "ST++JTX3EIP78B8z+Cin3CXRMiBOc3HcfyFypp3vKjk=",
};

/** The basechain block with the example transaction. */
export const exampleShardBlock = {
  "@type": "ton.blockIdExt" as const,
  workchain: 0,
  shard: wholeShard,
  seqno: 2,
  root_hash: "ZG9pOumpHbazugvvvugtDRgSjyHUzkhsTMozrOqfh/I=",
  file_hash: "CxJWRJbBtNDssF5k41TQeT4wv+/BGV54hIE9wvXrYyE=",
};

/** The masterchain's zero state. */
export const zeroState = {
  "@type": "ton.blockIdExt" as const,
  workchain: -1,
  shard: "0",
  seqno: 0,
  root_hash: "DKJ1uRIv7sGkumZWDfhMeOsEwfd4bey236ISUxUcOLs=",
  file_hash: "xjA9lkZmQvv1rNLN0nu7n1K0YV6LvZM34ogcXw4ZvVE=",
};

export const noTransaction = {
  "@type": "internal.transactionId" as const,
  lt: "0",
  hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
};

/** The devnet's faucet, and the receiver of its payment. */
export const faucet = "EQBtchfW-qlxYwkdmi2R-XWr6r7bI-yJKrWUUaoNFnt8iv9R";
export const friend = "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2";

export const exampleMessage = {
  "@type": "ext.message" as const,
  hash: "4WrTNDSJjht8Yp/CsKFaG2wyNPMlinDcsbThAvTuxbw=",
  source: faucet,
  destination: friend,
  value: "1000000000",
  extra_currencies: [],
  fwd_fee: "266669",
  ihr_fee: "0",
  created_lt: "3000002",
  body_hash: "lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=",
  msg_data: { "@type": "msg.dataRaw" as const, body: "te6cckEBAQEAAgAAAEysuc0=", init_state: "" },
  message: "",
};

export const exampleTransaction = {
  "@type": "ext.transaction" as const,
  address: { "@type": "accountAddress" as const, account_address: friend },
  account: "0:ED1691307050047117B998B561D8DE82D31FBF84910CED6EB5FC92E7485EF8A7",
  utime: 1735689602,
  data: "te6cckECBQEAAQkAA69+0WkTBwUARxF7mYtWHY3oLTH7+EkQztbrX8kudIXvinAAAAAAAtxsMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAZ3SFggABgIAQIDAQGgBACCcpCuyJZa+rsW68PLm0COuucbYY14eIvIDQmENZPKyY2kpKqFudZTuD/KPBAmZCCa8FAYo611spIm9Y9xn1ZSeAEADwwJDuaygAEgALFIANrkL631UuLGEjs0WyPy61fVfbZH2RJVayijVBos9vkVADtFpEwcFAEcRe5mLVh2N6C0x+/hJEM7W61/JLnSF74p0O5rKAAGCCNaAAAAAABbjYTO6QsEQJd5etw=",
  transaction_id: {
    "@type": "internal.transactionId" as const,
    lt: "3000003",
    hash: "wpH2VSfBscjW6/VEQIdRKH60QY1hnEw9bUhouRxLIHo=",
  },
  fee: "0",
  storage_fee: "0",
  other_fee: "0",
  in_msg: exampleMessage,
  out_msgs: [],
};
