const group = "Devnet";
const network = "devnet";
const verbs = [] as const;

/** What all methods of the devnet have in common: JSON-RPC only, and no answer may be cached. */
export const effect = { freshness: { kind: "effect" }, group, network, verbs } as const;

// Example values: a fixed account, and the first blocks of a devnet with the default seed.
export const someone = "0:3333333333333333333333333333333333333333333333333333333333333333";
export const exampleBlock = {
  "@type": "ton.blockIdExt",
  workchain: -1,
  shard: "-9223372036854775808",
  seqno: 2,
  root_hash: "s3UP8tujO7m/KuBgnebocNItLAkICWdZyhsujt7jZ18=",
  file_hash: "GVHCEH1PPu9J4eYTCUJoNxIc2Qp5r9CCh1Au/1b22Bs=",
} as const;
