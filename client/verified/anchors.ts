// Written by .ci/client-anchors.mjs.
import type { TrustedBlock } from "./options.js";

/** The zero state of each network, and the newest key block that the package vouches for. */
export const anchors: Readonly<Record<"mainnet" | "testnet", { zero: TrustedBlock; start: TrustedBlock }>> = {
  mainnet: {
    zero: {
      workchain: -1,
      shard: "-9223372036854775808",
      seqno: 0,
      root_hash: "F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=",
      file_hash: "XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=",
    },
    start: {
      workchain: -1,
      shard: "-9223372036854775808",
      seqno: 43792209,
      root_hash: "AvaCaskwbUZCAOkULgK9zqtArFavpqg/KMTu9qO4M1U=",
      file_hash: "mlMbjSH0ahszX7yNIQOOawmCJxzofpaTeqlsrQspqUk=",
    },
  },
  testnet: {
    zero: {
      workchain: -1,
      shard: "-9223372036854775808",
      seqno: 0,
      root_hash: "gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=",
      file_hash: "Z+IKwYS54DmmJmesw/nAD5DzWadnOCMzee+kdgSYDOg=",
    },
    start: {
      workchain: -1,
      shard: "-9223372036854775808",
      seqno: 17908219,
      root_hash: "y6qWqhCnLgzWHjUFmXysaiOljuK5xVoCRMLzUwGInVM=",
      file_hash: "Y/GziXxwuYte0AM4WT7tTWsCx+6rcfLpGmRaEQwhUKI=",
    },
  },
};
