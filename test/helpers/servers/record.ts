import { Address } from "../../../shared/values/address.js";

export const methodName = "getAddressInformation";
export const address = new Address(0, new Uint8Array(32).fill(0x5a)).toFriendly();

/** The answer of both sides: about 700 bytes, like the state of a small account. */
export const record = {
  "@type": "raw.fullAccountState",
  balance: "12345678901234",
  extra_currencies: [],
  code: "te6cck".padEnd(200, "A"),
  data: "te6cck".padEnd(120, "B"),
  last_transaction_id: { "@type": "internal.transactionId", lt: "47000000000001", hash: "C".repeat(44) },
  block_id: {
    "@type": "ton.blockIdExt",
    workchain: -1,
    shard: "-9223372036854775808",
    seqno: 41234567,
    root_hash: "D".repeat(44),
    file_hash: "E".repeat(44),
  },
  frozen_hash: "",
  sync_utime: 1700000000,
  state: "active",
};
