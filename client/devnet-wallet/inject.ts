import type { Caller } from "../caller.js";
import { accountOf, devnetInfo } from "./account.js";
import { DevnetBridge } from "./bridge.js";
import type { Approval, Platform } from "./bridge-types.js";
import { Kept, localPage } from "./page.js";

/** Options of `injectDevnetWallet`. */
export type DevnetWalletOptions = {
  /** The client of the devnet. */
  readonly client: Pick<Caller, "call">;
  /** Address of a wallet that `devnet.info` lists, in any form. Default: its first `v5r1`. */
  readonly account?: string | undefined;
  /**
   * The property of `window` that it becomes. Default: `tonwireDevnet`. With the key of a wallet that dapps list, such as
   * `tonkeeper`, it is found in its place by a page that does not know of it.
   */
  readonly key?: string | undefined;
  /** The name that dapps show. Default: `Devnet wallet`. */
  readonly name?: string | undefined;
  /** Whether a request is carried out, as a person would be asked. Default: all are. */
  readonly approve?: ((approval: Approval) => boolean | Promise<boolean>) | undefined;
};

/** A wallet in the list of a dapp. */
export type ListedWallet = {
  /** Its name in lists of wallets. */
  readonly appName: string;
  /** The name that users see. */
  readonly name: string;
  /** URL of a picture. */
  readonly imageUrl: string;
  /** URL of a page about it. */
  readonly aboutUrl: string;
  /** The property of `window`. */
  readonly jsBridgeKey: string;
  /** The platforms that the wallet runs on. */
  readonly platforms: Platform[];
};

/** A wallet offered to a page's connect button. */
export interface InjectedDevnetWallet {
  /** The property of `window`: what TON Connect calls `jsBridgeKey`. */
  readonly key: string;
  /** Raw address of the account. */
  readonly address: string;
  /** The entry for the wallet in the list of a dapp: a member of `includeWallets` of `@tonconnect/ui`. */
  readonly listed: ListedWallet;
  /** Ends the connection as the wallet's user; the dapp gets an event. */
  disconnect(): void;
  /** Takes the wallet out of the page. */
  remove(): void;
}

/**
 * Makes a test wallet of a devnet a wallet of TON Connect in this page, so that a dapp connects to it like to an extension of
 * the browser. Rejects unless the service is a devnet and the page comes from this machine.
 */
export async function injectDevnetWallet({
  client,
  account: address,
  key = "tonwireDevnet",
  name = "Devnet wallet",
  approve = () => true,
}: DevnetWalletOptions): Promise<InjectedDevnetWallet> {
  const page = localPage();
  const target = globalThis as unknown as Record<string, unknown>;
  const info = await devnetInfo(client);
  const account = await accountOf(client, info, address);
  if (Object.hasOwn(target, key)) throw new Error(`window.${key} is there already: name another key`);
  const parts = { client, account, page, name, approve, network: String(info.global_id) };
  const bridge = new DevnetBridge({ ...parts, kept: new Kept(`tonwire/devnet/wallet/${key}`) });
  const injected = { tonconnect: bridge };
  target[key] = injected;
  const { app_name: appName, image: imageUrl, about_url: aboutUrl, platforms } = bridge.walletInfo;
  return {
    key,
    listed: { appName, name, imageUrl, aboutUrl, jsBridgeKey: key, platforms: [...platforms] },
    address: account.address.toRawString(),
    disconnect: () => bridge.leave(),
    remove() {
      if (target[key] === injected) delete target[key];
    },
  };
}
