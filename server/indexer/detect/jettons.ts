import { confirmWallet, readClaimedWallet, readJettonMaster } from "../../contracts/jetton.js";
import { flatContent } from "../../contracts/token-content.js";
import { addressFromBytes, addressToBytes } from "../../store/address-bytes.js";
import { tables } from "../../store/tables.js";
import { detector } from "./detector.js";

export const jettonMaster = detector({
  table: tables.jettonMasters,
  versions: [
    {
      needs: ["get_jetton_data"],
      async read(methods, address) {
        const { totalSupply, mintable, admin, content, walletCode } = await readJettonMaster(
          methods,
          address,
        );
        return {
          total_supply: totalSupply,
          mintable,
          admin_address: admin && addressToBytes(admin),
          jetton_content: flatContent(content),
          jetton_wallet_code_hash: walletCode.hash(),
        };
      },
    },
  ],
});

export const jettonWallet = detector({
  table: tables.jettonWallets,
  versions: [
    {
      needs: ["get_wallet_data"],
      async read(methods, address) {
        const { balance, owner, master, claimed } = await readClaimedWallet(methods, address);
        return {
          balance,
          owner: addressToBytes(owner),
          jetton: addressToBytes(master),
          mintless_is_claimed: claimed,
        };
      },
    },
  ],
  ownerLink: {
    owner: "jetton",
    by: ["owner"],
    confirm: (methods, address, { owner, jetton }) =>
      confirmWallet(methods, address, { owner: addressFromBytes(owner), master: addressFromBytes(jetton) }),
  },
});
