import type { Handlers } from "../../../shared/methods/define.js";
import type { vestingMethods } from "../../../shared/methods/v3/vesting.js";
import { type IndexDeps, withAddressBook } from "../../present/v3/answer-extras.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { reads } from "../../store/reads/index-reads.js";

export const vestingHandlers: Handlers<typeof vestingMethods, IndexDeps> = {
  vesting: ({ contract_address, wallet_address, check_whitelist, ...page }, { index, book }, call) =>
    index.read(call, async (queries) => {
      const filter = {
        addresses: contract_address?.map(addressToBytes),
        wallets: wallet_address?.map(addressToBytes),
        withWhitelist: check_whitelist,
      };
      const vesting_contracts = await reads.listVestings(queries, filter, page);
      const shown = vesting_contracts.flatMap(({ address, owner_address, sender_address, whitelist }) => [
        address,
        owner_address,
        sender_address,
        ...whitelist,
      ]);
      return withAddressBook({ vesting_contracts }, shown, { queries, call, book });
    }),
};
