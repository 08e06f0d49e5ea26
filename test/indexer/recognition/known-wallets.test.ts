import { expect, test } from "vitest";
import type { FinalAccountState } from "../../../server/indexer/decode/account.js";
import { keyOf } from "../../../server/indexer/hash-key.js";
import { type ContractChain, Detection } from "../../../server/indexer/recognition/detection.js";
import { addressToBytes } from "../../../server/store/address-bytes.js";
import { accountStatuses, codeOf } from "../../../server/store/codes.js";
import { Address } from "../../../shared/values/address.js";
import { bytesOfHex } from "../../../shared/values/bytes.js";
import { tgWalletCodeHash } from "../../../shared/values/tg-wallet.js";

const address = new Address(0, new Uint8Array(32).fill(5));

/** The get-methods that recognition runs for an account of a code whose methods cannot be read. */
async function methodsRun(codeHash: Uint8Array): Promise<string[]> {
  const run: string[] = [];
  const chain = {
    at: () => ({
      codeHash: async () => codeHash,
      run: async (_: Address, method: string) => {
        run.push(method);
        return { exitCode: 11, stack: [] };
      },
    }),
    libraries: async () => [],
  } as unknown as ContractChain;
  const state = {
    account: addressToBytes(address),
    account_status: codeOf(accountStatuses, "active"),
    code_hash: codeHash,
    data_hash: new Uint8Array(32),
  };
  const account = { address, state } as unknown as FinalAccountState;
  const methods = new Map([[keyOf(codeHash), []]]);
  await new Detection(chain).recogniseKnown({ block: {} as never, accounts: [account], methods });
  return run;
}

test("Wallets of known code are no contracts of another kind, so that nothing is run for them", async () => {
  expect(await methodsRun(bytesOfHex(tgWalletCodeHash))).toEqual([]);
  expect(await methodsRun(new Uint8Array(32).fill(1))).toContain("get_jetton_data");
});
