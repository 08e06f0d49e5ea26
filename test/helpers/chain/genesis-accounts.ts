import { serveChain } from "../../../server/chain/serve/serve.js";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { Address } from "../../../shared/values/address.js";
import { openTestChain, ton } from "./devnet.js";
import { sharedExecutor } from "./shared-executor.js";

/** An account of the zero state that no message ever reaches. */
export type PlacedAccount = { address: Address; code: Cell; data: Cell };

/**
 * A devnet with these accounts in its zero state, and two blocks. The number of accounts does not change the number of
 * blocks.
 */
export async function openGenesisAccounts(
  accounts: readonly PlacedAccount[],
): Promise<{ chain: DevnetChain; api: LiteApi }> {
  const storage = new ChainStore();
  const executor = await sharedExecutor();
  const placed = accounts.map(({ address, ...init }) => ({ address, balance: ton, init }));
  const chain = await openTestChain({ accounts: placed, storage });
  const api = serveChain(new ServedDevnet(storage), {
    methods: {
      runMethod: async (request) => executor.runMethod(request),
      randomBytes: () => new Uint8Array(32),
    },
    sendMessage: (body) => chain.sendMessage(body),
    now: () => 1_800_000_000,
  });
  await chain.step();
  await chain.step();
  return { chain, api };
}
