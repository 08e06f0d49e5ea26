import type { Handlers } from "../../../shared/methods/define.js";
import type { jettonMethods } from "../../../shared/methods/v3/jettons.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { listJettonMasters, listJettonWallets } from "../../store/queries/jettons.js";
import { withExtras } from "./answer-extras.js";
import type { IndexDeps } from "./deps.js";

export const jettonHandlers: Handlers<typeof jettonMethods, IndexDeps> = {
  jetton: {
    masters: ({ address, admin_address, ...page }, { index, book }, call) =>
      index.read(call, async (queries) => {
        const filter = {
          addresses: address?.map(addressToBytes),
          admins: admin_address?.map(addressToBytes),
        };
        const jetton_masters = await listJettonMasters(queries, filter, page);
        const shown = jetton_masters.flatMap((master) => [master.address, master.admin_address]);
        return withExtras({ jetton_masters }, shown, { queries, call, book });
      }),

    wallets: (params, { index, book }, call) =>
      index.read(call, async (queries) => {
        const { address, owner_address, jetton_address, exclude_zero_balance, ...page } = params;
        const filter = {
          addresses: address?.map(addressToBytes),
          owners: owner_address?.map(addressToBytes),
          jettons: jetton_address?.map(addressToBytes),
          withBalance: exclude_zero_balance,
        };
        const jetton_wallets = await listJettonWallets(queries, filter, page);
        const shown = jetton_wallets.flatMap((wallet) => [wallet.address, wallet.owner, wallet.jetton]);
        return withExtras({ jetton_wallets }, shown, { queries, call, book });
      }),
  },
};
