import { z } from "zod";
import { bocBase64, hashOrNone } from "./results.js";
import { typeName } from "./v2-records.js";

/** How an account stands, where an answer says it with one word. */
export const accountStatus = z
  .enum(["active", "uninitialized", "frozen"])
  .describe("`active` with code; `frozen` when only the hash of the state is left; else `uninitialized`.");

const walletId = z.int().describe("Number that tells wallets of one key apart.");
const seqno = z.int().describe("Number the next message to the wallet must have.");

/** An account by what its code is. */
export const accountState = z
  .discriminatedUnion("@type", [
    z
      .object({
        "@type": typeName("uninited.accountState"),
        frozen_hash: hashOrNone.describe("Hash of the state a frozen account had."),
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
        unlocked_balance: z.number().describe("Nanotons that can be spent by now."),
        config: z
          .object({
            "@type": typeName("rwallet.config"),
            start_at: z.int().describe("Unix time the limits count from."),
            limits: z
              .array(
                z.object({
                  "@type": typeName("rwallet.limit"),
                  seconds: z.int().describe("Seconds after the start."),
                  value: z.number().describe("Nanotons locked until then."),
                }),
              )
              .describe("What is locked until when."),
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
  .describe("What the account is.");
