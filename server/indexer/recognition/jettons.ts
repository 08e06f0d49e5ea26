import type { GetMethods } from "../../../shared/ton/contracts/get-method.js";
import {
  confirmWallet,
  type JettonWallet,
  readClaimedWallet,
  readDisplayMultiplier,
  readJettonMaster,
  readPlainWallet,
} from "../../../shared/ton/contracts/jetton.js";
import { flatContent } from "../../../shared/ton/contracts/token-content.js";
import type { Address } from "../../../shared/values/address.js";
import { addressFromBytes, addressToBytes } from "../../store/address-bytes.js";
import { tables } from "../../store/tables/all-tables.js";
import { detector } from "./detector.js";

export const jettonMaster = detector({
  table: tables.jettonMasters,
  versions: [
    {
      needs: ["get_jetton_data", "get_display_multiplier"],
      async read(methods, address) {
        const columns = await masterColumns(methods, address);
        const multiplier = await readDisplayMultiplier(methods, address);
        return {
          ...columns,
          display_numerator: multiplier?.numerator,
          display_denominator: multiplier?.denominator,
        };
      },
    },
    { needs: ["get_jetton_data"], read: masterColumns },
  ],
});

async function masterColumns(methods: GetMethods, address: Address) {
  const { totalSupply, mintable, admin, content, walletCode } = await readJettonMaster(methods, address);
  return {
    total_supply: totalSupply,
    mintable,
    admin_address: admin && addressToBytes(admin),
    jetton_content: flatContent(content),
    jetton_wallet_code_hash: walletCode.hash(),
  };
}

export const jettonWallet = detector({
  table: tables.jettonWallets,
  versions: [
    {
      needs: ["get_wallet_data", "is_claimed"],
      read: async (...at) => walletColumns(await readClaimedWallet(...at)),
    },
    { needs: ["get_wallet_data"], read: async (...at) => walletColumns(await readPlainWallet(...at)) },
  ],
  ownerLink: {
    owner: "jetton",
    by: ["owner"],
    confirm: (methods, address, { owner, jetton }) =>
      confirmWallet(methods, address, { owner: addressFromBytes(owner), master: addressFromBytes(jetton) }),
  },
});

function walletColumns({ balance, owner, master, claimed }: JettonWallet) {
  return {
    balance,
    owner: addressToBytes(owner),
    jetton: addressToBytes(master),
    mintless_is_claimed: claimed,
  };
}
