import type { Handlers } from "../../../shared/methods/define.js";
import type { jettonMethods } from "../../../shared/methods/v3/jettons.js";
import type { Address } from "../../../shared/values/address.js";
import { wantedExtras, withExtras } from "../../present/v3/answer-extras.js";
import { presentHolders } from "../../present/v3/balances/jetton-holders.js";
import { presentPayload } from "../../present/v3/message.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { jettonBurnList, jettonTransferList } from "../../store/queries/tokens/jettons.js";
import { reads } from "../../store/reads/index-reads.js";
import { type OwnerParams, ownersOf } from "../input/owners.js";
import { foundAt, foundOf, type TokenDeps } from "./found-tokens.js";

export const jettonHandlers: Handlers<typeof jettonMethods, TokenDeps> = {
  jetton: {
    async masters({ address, admin_address, ...page }, deps, call) {
      const { index, book } = deps;
      const found = await foundAt(deps, { named: ["master", address] }, call);
      return index.read(call, async (queries) => {
        const filter = {
          addresses: address?.map(addressToBytes),
          admins: admin_address?.map(addressToBytes),
        };
        const jetton_masters = await reads.listJettonMasters(queries, filter, page);
        const shown = jetton_masters.flatMap((master) => [master.address, master.admin_address]);
        return withExtras({ jetton_masters, ...found }, shown, { queries, call, book });
      });
    },

    async wallets(params, deps, call) {
      const { index, book } = deps;
      const { address, owner_address: owners, jetton_address, exclude_zero_balance, ...page } = params;
      const found = owners
        ? await foundOf(deps, { owners, masters: jetton_address }, call)
        : await foundAt(deps, { named: ["wallet", address], parent: ["master", jetton_address] }, call);
      return index.read(call, async (queries) => {
        const filter = {
          addresses: address?.map(addressToBytes),
          owners: owners?.map(addressToBytes),
          jettons: jetton_address?.map(addressToBytes),
          withBalance: exclude_zero_balance,
        };
        const extras = await wantedExtras({ queries, call });
        const jetton_wallets = await reads.listJettonWallets(queries, filter, page, extras);
        const shown = jetton_wallets.flatMap((wallet) => [wallet.address, wallet.owner, wallet.jetton]);
        return withExtras({ jetton_wallets, ...found }, shown, { queries, call, book, extras });
      });
    },

    async holders({ jetton, ...page }, deps, call) {
      const { index, book } = deps;
      await foundAt(deps, { named: ["master", [jetton]] }, call);
      return index.read(call, async (queries) => {
        const jettons = [addressToBytes(jetton)];
        const [master] = await reads.listJettonMasters(
          queries,
          { addresses: jettons },
          { limit: 1, offset: 0 },
        );
        const extras = await wantedExtras({ queries, call });
        const filter = { jettons, withBalance: true };
        const wallets = await reads.listJettonWallets(queries, filter, { ...page, sort: "desc" }, extras);
        // Wallets with nothing but an airdrop are behind all others.
        const held = wallets.filter(({ balance }) => balance !== "0");
        const answer = presentHolders(held, master?.total_supply, page);
        const shown = held.flatMap((wallet) => [wallet.address, wallet.owner, wallet.jetton]);
        return withExtras(answer, shown, { queries, call, book, extras });
      });
    },

    transfers: (params, { index, book }, call) =>
      index.read(call, async (queries) => {
        const found = await reads.listTokenEvents(queries, jettonTransferList, eventFilter(params), params);
        const jetton_transfers = found.map((transfer) => ({
          ...transfer,
          decoded_custom_payload: presentPayload(transfer.custom_payload),
          decoded_forward_payload: presentPayload(transfer.forward_payload),
        }));
        const shown = found.flatMap((each) => [
          each.source,
          each.destination,
          each.source_wallet,
          each.jetton_master,
          each.response_destination,
        ]);
        return withExtras({ jetton_transfers }, shown, { queries, call, book });
      }),

    burns: (params, { index, book }, call) =>
      index.read(call, async (queries) => {
        const found = await reads.listTokenEvents(queries, jettonBurnList, eventFilter(params), params);
        const jetton_burns = found.map((burn) => ({
          ...burn,
          decoded_custom_payload: presentPayload(burn.custom_payload),
        }));
        const shown = found.flatMap((each) => [
          each.owner,
          each.jetton_wallet,
          each.jetton_master,
          each.response_destination,
        ]);
        return withExtras({ jetton_burns }, shown, { queries, call, book });
      }),
  },
};

type EventParams = OwnerParams & {
  jetton_wallet?: Address[] | undefined;
  jetton_master?: Address | undefined;
};

function eventFilter<Params extends EventParams & object>(params: Params) {
  return {
    ...params,
    owners: ownersOf(params),
    accounts: {
      jetton_wallet_address: params.jetton_wallet?.map(addressToBytes),
      jetton_master_address: params.jetton_master && [addressToBytes(params.jetton_master)],
    },
  };
}
