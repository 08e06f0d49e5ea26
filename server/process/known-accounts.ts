import type { KnownAccounts } from "../../shared/text/answer-names.js";
import { devnetAccounts, knownAccounts } from "../../shared/text/known-accounts.js";
import { Address } from "../../shared/values/address.js";
import { coinName } from "../../shared/values/coin.js";
import type { AccountId } from "../chain/lite-api.js";
import type { DevnetControls } from "../devnet/control/controls.js";
import type { TextSettings } from "../present/v3/answer-extras.js";

/** Names are read again after this time: a devnet's story adds contracts. */
const freshMs = 5000;

type Devnet = Pick<DevnetControls, "info" | "contracts">;

/** Names in texts. `devnet`: the devnet of this process, whose accounts have names. */
export function textSettings(network: string, devnet: Devnet | undefined, now: () => number): TextSettings {
  let known: Promise<KnownAccounts> = Promise.resolve(knownAccounts());
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    coin: coinName(network),
    known: () => {
      if (devnet && now() - readAt >= freshMs) {
        readAt = now();
        const before = known;
        // Texts are about the chain, which answers without these names too.
        known = namesOf(devnet).catch(() => before);
      }
      return known;
    },
  };
}

async function namesOf(devnet: Devnet): Promise<KnownAccounts> {
  const [{ faucet, prefunded }, contracts] = await Promise.all([devnet.info(), devnet.contracts()]);
  return knownAccounts(
    devnetAccounts({
      faucet: { address: addressOf(faucet) },
      wallets: prefunded.map((wallet) => ({ address: addressOf(wallet), name: wallet.name })),
      contracts: contracts.map((contract) => ({ ...contract, address: addressOf(contract) })),
    }),
  );
}

function addressOf({ account }: { readonly account: AccountId }): string {
  return new Address(account.workchain, account.id).toRaw();
}
