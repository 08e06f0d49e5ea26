import { z } from "zod";
import { bocBase64, hashOrNone } from "../../forms/values.js";
import { accountAddress, typeName } from "./records.js";

/** Status of an account as a word. */
export const accountStatus = z
  .enum(["active", "uninitialized", "frozen"])
  .describe("`active`: has code; `frozen`: only the hash of its state is left; otherwise `uninitialized`.");

const walletId = z.int().describe("Id that distinguishes wallets with the same key.");
const seqno = z.int().describe("Seqno of the next message to the wallet.");

const amount = z.number().describe("Nanotons.");
const unfinished = {
  signed_A: z.boolean().describe("Whether the first side has signed."),
  signed_B: z.boolean().describe("Whether the second side has signed."),
  min_A: z.number().describe("Nanotons that the first side must deposit, or is promised."),
  min_B: z.number().describe("Nanotons that the second side must deposit, or is promised."),
  expire_at: z.int().describe("Unix time of the timeout; 0 if none runs."),
  A: amount,
  B: amount,
};

/** State of a payment channel. */
export const pchanAccountState = z
  .object({
    "@type": typeName("pchan.accountState"),
    config: z
      .object({
        "@type": typeName("pchan.config"),
        alice_public_key: z.string().describe("Key of the first side, 48 characters."),
        alice_address: accountAddress.describe("Address of the first side."),
        bob_public_key: z.string().describe("Key of the second side, 48 characters."),
        bob_address: accountAddress.describe("Address of the second side."),
        init_timeout: z.int().describe("Seconds to wait for both deposits."),
        close_timeout: z.int().describe("Seconds to wait for both promises."),
        channel_id: z.number().describe("Id of the channel."),
      })
      .describe("Configuration of the channel."),
    state: z
      .discriminatedUnion("@type", [
        z.object({ "@type": typeName("pchan.stateInit"), ...unfinished }).describe("Before it is open."),
        z.object({ "@type": typeName("pchan.stateClose"), ...unfinished }).describe("Open or closing."),
        z
          .object({ "@type": typeName("pchan.statePayout"), A: amount, B: amount })
          .describe("Closed: the amounts are paid out."),
      ])
      .describe("State of the channel."),
    description: z.string().describe("The state as text."),
  })
  .describe("Payment channel.");

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
    pchanAccountState,
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
