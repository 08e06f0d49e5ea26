import type { Handlers } from "../../../shared/methods/define.js";
import type { jettonMethods } from "../../../shared/methods/v3/jettons.js";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { listJettonMasters, listJettonWallets } from "../../store/queries/jettons.js";
import { withExtras } from "./answer-extras.js";
import type { IndexDeps } from "./deps.js";

export const jettonHandlers: Handlers<typeof jettonMethods, IndexDeps> = {
  jetton: {
    masters: ({ address, admin_address, ...page }, { index, book }, call) =>
      index.read(call, async (queries) => {
        const filter = { addresses: keysOf(address), admins: keysOf(admin_address) };
        const jetton_masters = await listJettonMasters(queries, filter, page);
        const shown = jetton_masters.flatMap((master) => [master.address, master.admin_address]);
        return withExtras({ jetton_masters }, shown, { queries, call, book });
      }),

    wallets: (params, { index, book }, call) =>
      index.read(call, async (queries) => {
        const { address, owner_address, jetton_address, exclude_zero_balance, ...page } = params;
        const filter = {
          addresses: keysOf(address),
          owners: keysOf(owner_address),
          jettons: keysOf(jetton_address),
          withBalance: exclude_zero_balance,
        };
        const jetton_wallets = await listJettonWallets(queries, filter, page);
        const shown = jetton_wallets.flatMap((wallet) => [wallet.address, wallet.owner, wallet.jetton]);
        return withExtras({ jetton_wallets }, shown, { queries, call, book });
      }),
  },
};

function keysOf(addresses: readonly Address[] | undefined): Uint8Array[] | undefined {
  return addresses?.map(addressToBytes);
}
