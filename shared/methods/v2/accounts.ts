import { z } from "zod";
import { bocBase64, hashOrNone, nanotons, unixTime } from "../../forms/values.js";
import { accountState, accountStatus } from "../../schema/v2/accounts.js";
import { accountAddress as account, int32, parsedAddress } from "../../schema/v2/params.js";
import {
  accountAddress,
  blockId,
  extraCurrencies,
  transactionId,
  tvmCell,
  typeName,
} from "../../schema/v2/records.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { configAccount, exampleBlock, exampleTransaction, faucet, friend, nobody } from "./examples.js";

const address = account.describe("The account.");
const seqno = int32({ atLeast: 1 })
  .optional()
  .describe("Masterchain block to read at. Default: the last one.");

const group = "Accounts";
const verbs = ["GET", "POST"] as const;
const freshness = { kind: "head", pinnedBy: ["seqno"] } as const;
const errors = ["liteserver-error"] as const;
const common = { group, verbs, freshness, errors };

const balance = nanotons.describe("Balance in nanotons.");
const lastTransaction = transactionId.describe("The account's last transaction.");
const readAt = blockId.describe("The masterchain block at which the account was read.");
const syncTime = unixTime.describe("Unix time of the account state.");

const faucetBalance = "999999998994597599";
const faucetTransaction = {
  "@type": "internal.transactionId" as const,
  lt: "3000001",
  hash: "WyDkcVQC8THShVZhpynEyT9NKFQ110d99T3Ize/vTno=",
};

export const accountMethods = {
  getAddressInformation: defineMethod({
    ...common,
    summary: "Balance, code, data and last transaction of an account.",
    params: z.object({ address, seqno }),
    result: z.object({
      "@type": typeName("raw.fullAccountState"),
      balance,
      extra_currencies: extraCurrencies,
      last_transaction_id: lastTransaction,
      block_id: readAt,
      code: bocBase64.describe("Code of the account; empty if there is none."),
      data: bocBase64.describe("Data of the account; empty if there is none."),
      frozen_hash: hashOrNone.describe("State hash of a frozen account; otherwise empty."),
      sync_utime: syncTime,
      state: accountStatus,
      suspended: z.boolean().describe("Whether the network has suspended the account."),
    }),
    examples: [
      {
        params: { address: friend },
        story: { address: ofStory("jetton_master") },
        result: {
          "@type": "raw.fullAccountState",
          balance: "1000000000",
          extra_currencies: [],
          last_transaction_id: exampleTransaction.transaction_id,
          block_id: exampleBlock,
          code: "",
          data: "",
          frozen_hash: "",
          sync_utime: 1735689602,
          state: "uninitialized",
          suspended: false,
        },
      },
    ],
  }),

  getExtendedAddressInformation: defineMethod({
    ...common,
    summary: "Account state, decoded by contract type.",
    description: "Known wallets have their decoded data, other contracts code and data.",
    params: z.object({ address: parsedAddress.describe("The account."), seqno }),
    result: z.object({
      "@type": typeName("fullAccountState"),
      address: accountAddress.describe("The address, in the form of the request."),
      balance,
      extra_currencies: extraCurrencies,
      last_transaction_id: lastTransaction,
      block_id: readAt,
      sync_utime: syncTime,
      account_state: accountState,
      revision: z.int().describe("Revision of a known contract's code; 0 for any other."),
    }),
    examples: [
      {
        params: { address: faucet },
        story: { address: ofStory("ben") },
        result: {
          "@type": "fullAccountState",
          address: { "@type": "accountAddress", account_address: faucet },
          balance: faucetBalance,
          extra_currencies: [],
          last_transaction_id: faucetTransaction,
          block_id: exampleBlock,
          sync_utime: 1735689602,
          account_state: { "@type": "wallet.v4.accountState", wallet_id: 698983191, seqno: 1 },
          revision: 2,
        },
      },
    ],
  }),

  getWalletInformation: defineMethod({
    ...common,
    summary: "Balance, type, seqno and last transaction of a wallet.",
    params: z.object({ address, seqno }),
    result: z.object({
      "@type": typeName("ext.accounts.walletInformation"),
      wallet: z.boolean().describe("Whether the account is a known wallet contract."),
      balance,
      extra_currencies: extraCurrencies,
      account_state: accountStatus,
      last_transaction_id: lastTransaction,
      wallet_type: z.string().optional().describe("Version of the wallet, such as `wallet v4 r2`."),
      seqno: z.int().optional().describe("Seqno of the next message to the wallet."),
      wallet_id: z.int().optional().describe("Id that distinguishes wallets with the same key; since v3."),
      is_signature_allowed: z
        .boolean()
        .optional()
        .describe("Whether the wallet accepts messages signed by its key; v5 only."),
    }),
    examples: [
      {
        params: { address: faucet },
        story: { address: ofStory("faucet") },
        result: {
          "@type": "ext.accounts.walletInformation",
          wallet: true,
          balance: faucetBalance,
          extra_currencies: [],
          account_state: "active",
          last_transaction_id: faucetTransaction,
          wallet_type: "wallet v4 r2",
          seqno: 1,
          wallet_id: 698983191,
        },
      },
    ],
  }),

  getAddressBalance: defineMethod({
    ...common,
    summary: "Balance of an account in nanotons.",
    params: z.object({ address, seqno }),
    result: balance,
    examples: [
      { params: { address: friend }, story: { address: ofStory("ann") }, result: "1000000000" },
      { params: { address: friend, seqno: 1 }, story: { address: ofStory("ann"), seqno: 1 }, result: "0" },
    ],
  }),

  getAddressState: defineMethod({
    ...common,
    summary: "Status of an account: active, frozen or uninitialized.",
    params: z.object({ address, seqno }),
    result: accountStatus,
    examples: [
      { params: { address: nobody }, story: { address: ofStory("nft_item") }, result: "uninitialized" },
      { params: { address: configAccount }, result: "active" },
    ],
  }),

  getShardAccountCell: defineMethod({
    ...common,
    summary: "The `ShardAccount` cell of an account.",
    description: "It contains the account, and the hash and logical time of its last transaction.",
    params: z.object({ address, seqno }),
    result: tvmCell,
    examples: [
      {
        params: { address: nobody },
        story: { address: ofStory("jetton_master") },
        result: {
          "@type": "tvm.cell",
          bytes: "te6cckEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFAAVi1MQ==",
        },
      },
    ],
  }),
};
