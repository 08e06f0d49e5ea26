import { z } from "zod";
import { bocBase64, hashOrNone } from "./results.js";
import { typeName } from "./v2-records.js";

/** Status of an account as a word. */
export const accountStatus = z
  .enum(["active", "uninitialized", "frozen"])
  .describe("`active`: has code; `frozen`: only the hash of its state is left; otherwise `uninitialized`.");

const walletId = z.int().describe("Id that distinguishes wallets with the same key.");
const seqno = z.int().describe("Seqno of the next message to the wallet.");

/** Account state, decoded by contract type. */
export const accountState = z
  .discriminatedUnion("@type", [
    z
      .object({
        "@type": typeName("uninited.accountState"),
        frozen_hash: hashOrNone.describe("State hash of a frozen account; otherwise empty."),
      })
      .describe("An account without code."),
    z
      .object({ "@type": typeName("wallet.v3.accountState"), wallet_id: walletId, seqno })
      .describe("Wallet v3."),
    z
      .object({ "@type": typeName("wallet.v4.accountState"), wallet_id: walletId, seqno })
      .describe("Wallet v4 r2."),
    z
      .object({ "@type": typeName("wallet.highload.v1.accountState"), wallet_id: walletId, seqno })
      .describe("Highload wallet v1."),
    z
      .object({ "@type": typeName("wallet.highload.v2.accountState"), wallet_id: walletId })
      .describe("Highload wallet v2."),
    z.object({ "@type": typeName("dns.accountState"), wallet_id: walletId }).describe("Manual DNS."),
    z
      .object({
        "@type": typeName("rwallet.accountState"),
        wallet_id: walletId,
        seqno,
        unlocked_balance: z.number().describe("Nanotons that can be spent now."),
        config: z
          .object({
            "@type": typeName("rwallet.config"),
            start_at: z.int().describe("Unix time from which the limits apply."),
            limits: z
              .array(
                z.object({
                  "@type": typeName("rwallet.limit"),
                  seconds: z.int().describe("Seconds since the start."),
                  value: z.number().describe("Nanotons locked until then."),
                }),
              )
              .describe("Locked amounts over time."),
          })
          .describe("Limits of the wallet."),
      })
      .describe("Restricted wallet."),
    z
      .object({
        "@type": typeName("raw.accountState"),
        code: bocBase64.describe("The code."),
        data: bocBase64.describe("The data."),
        frozen_hash: hashOrNone.describe("Always empty: an account with code is not frozen."),
      })
      .describe("Any other contract."),
  ])
  .describe("Account state, decoded by contract type.");
