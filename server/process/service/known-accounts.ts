import type { KnownAccounts } from "../../../shared/text/answer-names.js";
import { devnetAccounts, knownAccounts, networkAccounts } from "../../../shared/text/known-accounts.js";
import { addressOfId } from "../../../shared/ton/lite/account-id.js";
import type { AccountId } from "../../../shared/ton/lite/lite-api.js";
import { coinName } from "../../../shared/values/coin.js";
import type { DevnetControls } from "../../devnet/control/controls.js";
import type { NamedAccount, TextSettings } from "../../present/v3/answer-extras.js";

/** Names are read again after this time: a devnet's story adds contracts. */
const freshMs = 5000;

type Devnet = Pick<DevnetControls, "info" | "contracts">;
type Names = { known: KnownAccounts; all: readonly NamedAccount[] };

/** Names in texts. `devnet`: the devnet of this process, whose accounts have names. */
export function textSettings(network: string, devnet: Devnet | undefined, now: () => number): TextSettings {
  let names: Promise<Names> = Promise.resolve(namesWith([]));
  let readAt = Number.NEGATIVE_INFINITY;
  const newest = () => {
    if (devnet && now() - readAt >= freshMs) {
      readAt = now();
      const before = names;
      // Texts are about the chain, which answers without these names too.
      names = namesOf(devnet).catch(() => before);
    }
    return names;
  };
  return {
    coin: coinName(network),
    known: async () => (await newest()).known,
    names: async () => (await newest()).all,
  };
}

async function namesOf(devnet: Devnet): Promise<Names> {
  const [{ faucet, prefunded }, contracts] = await Promise.all([devnet.info(), devnet.contracts()]);
  return namesWith(
    devnetAccounts({
      faucet: { address: addressOf(faucet) },
      wallets: prefunded.map((wallet) => ({ address: addressOf(wallet), name: wallet.name })),
      contracts: contracts.map((contract) => ({ ...contract, address: addressOf(contract) })),
    }),
  );
}

function namesWith(others: ReturnType<typeof devnetAccounts>): Names {
  const ofNetwork = networkAccounts.map(([address, name]) => ({ address, name }));
  const ofOthers = others.map(([address, { name }]) => ({ address: address.toUpperCase(), name }));
  return { known: knownAccounts(others), all: [...ofNetwork, ...ofOthers] };
}

function addressOf({ account }: { readonly account: AccountId }): string {
  return addressOfId(account).toRaw();
}
