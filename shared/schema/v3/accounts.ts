import { z } from "zod";
import { bocBase64, extraCurrencies, hashBase64, rawAddressUpper } from "../../forms/values.js";
import { accountStatus, decimal, interfaceNames, nullableHash, orNull } from "./records.js";

const last = {
  last_transaction_hash: nullableHash.describe("Hash of the last transaction; `null` if there is none."),
  last_transaction_lt: decimal.nullable().describe("Its logical time."),
};

export const accountStateFull = z
  .object({
    address: rawAddressUpper.describe("The account."),
    account_state_hash: hashBase64.describe("Hash of the state."),
    balance: decimal.nullable().describe("Balance in nanotons."),
    extra_currencies: orNull(extraCurrencies),
    status: orNull(accountStatus),
    frozen_hash: hashBase64.optional().describe("Hash of the state before it was frozen."),
    ...last,
    data_hash: hashBase64.optional().describe("Hash of the data."),
    code_hash: hashBase64.optional().describe("Hash of the code."),
    data_boc: bocBase64.optional().describe("The data as a bag of cells."),
    code_boc: bocBase64.optional().describe("The code as a bag of cells."),
    contract_methods: z
      .array(z.int())
      .nullable()
      .describe("Ids of the contract's get-methods, unsigned, ascending."),
    interfaces: orNull(interfaceNames),
    storage: z
      .unknown()
      .optional()
      .describe(
        "With `include_storage` the data by an ABI of the code, in TON Center's form: integers and enums as decimal texts, " +
          "addresses raw, cells as bags of cells, bits as `{bits, hex}`, maps as lists of `{key, value}`, and variants of " +
          "unions as `{$, value}`. Absent without an ABI.",
      ),
    storage_error: z.string().optional().describe("Why an ABI of the code did not give `storage`."),
  })
  .meta({ id: "AccountStateFull", description: "An account." });

export const walletState = z
  .object({
    address: rawAddressUpper.describe("The account."),
    is_wallet: z.boolean().describe("Whether the account is a known wallet contract."),
    wallet_type: z.string().optional().describe("Type of the wallet, such as `wallet v4 r2`."),
    seqno: z.int().optional().describe("Seqno of the next message to the wallet."),
    wallet_id: z.int().optional().describe("Id that distinguishes wallets with the same key."),
    balance: decimal.optional().describe("Balance in nanotons."),
    extra_currencies: extraCurrencies.optional(),
    is_signature_allowed: z
      .boolean()
      .optional()
      .describe("Whether the wallet accepts messages signed by its key; v5 only."),
    status: accountStatus.optional(),
    code_hash: hashBase64.optional().describe("Hash of the code."),
    ...last,
  })
  .meta({ id: "WalletState", description: "Wallet state of an account." });
