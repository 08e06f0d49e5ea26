import type * as Sdk from "@tonconnect/sdk";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import type * as DevnetWallet from "../../client/devnet-wallet/index.js";
import type * as Tonwire from "../../client/index.js";
import { openPage, sharedChromium, type WatchedPage } from "../helpers/peers/browser.js";
import { serveFiles } from "../helpers/peers/served-page.js";

// A dapp that uses TON Connect's own package, and the devnet's wallet in the same page.

declare const dapp: typeof Tonwire & typeof DevnetWallet & Pick<typeof Sdk, "TonConnect">;
declare const connector: Sdk.TonConnect;

async function bundleDapp(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import "./client/examples/vite/src/buffer.ts";
        export * from "./client/index.ts";
        export * from "./client/devnet-wallet/index.ts";
        export { TonConnect } from "@tonconnect/sdk";`,
      resolveDir: new URL("../..", import.meta.url).pathname,
      loader: "ts",
    },
    bundle: true,
    format: "iife",
    globalName: "dapp",
    platform: "browser",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]!.text;
}

/** The wallet's entry in the form of wallet lists for dapps. */
const listedWallet = {
  app_name: "tonwire-devnet",
  name: "Devnet wallet",
  image: "data:,",
  about_url: "data:,",
  platforms: ["linux"],
  bridge: [{ type: "js", key: "tonwireDevnet" }],
  features: [],
};

/** A served dapp. */
export type Dapp = { readonly origin: string; open(): Promise<WatchedPage>; close(): void };

export async function serveDapp(): Promise<Dapp> {
  const { origin, close } = await serveFiles({
    "/": '<!doctype html><link rel="icon" href="data:,"><script src="/dapp.js"></script>',
    "/dapp.js": await bundleDapp(),
    "/wallets.json": JSON.stringify([listedWallet]),
  });
  return {
    origin,
    close,
    async open() {
      const watched = await openPage(await sharedChromium(), origin, 800);
      await watched.page.goto("/");
      return watched;
    },
  };
}

/** Puts the wallet of a devnet into a page and makes the dapp's connector; `declined` are methods that the user declines. */
export function inject(
  page: Page,
  url: string,
  account?: string,
  declined: readonly string[] = [],
): Promise<string> {
  return page.evaluate(
    async ({ url, account, declined }) => {
      const client = dapp.createClient({ transport: dapp.http(`${url}/jsonRPC`) });
      const approve = ({ method }: DevnetWallet.Approval) => !declined.includes(method);
      const wallet = await dapp.injectDevnetWallet({ client, account, approve });
      const connector = new dapp.TonConnect({
        manifestUrl: `${location.origin}/tonconnect-manifest.json`,
        walletsListSource: `${location.origin}/wallets.json`,
        analytics: { mode: "off" },
      });
      Object.assign(globalThis, { client, wallet, connector });
      return wallet.address;
    },
    { url, account, declined },
  );
}

/** Presses "connect"; resolves with the wallet as the dapp sees it, or with the error. */
export function connect(page: Page, tonProof?: string): Promise<{ wallet?: Sdk.Wallet; error?: string }> {
  return page.evaluate(
    (tonProof) =>
      new Promise((resolve) => {
        connector.onStatusChange(
          (wallet) => wallet && resolve({ wallet }),
          (error) => resolve({ error: error.message }),
        );
        connector.connect({ jsBridgeKey: "tonwireDevnet" }, tonProof ? { tonProof } : {});
      }),
    tonProof,
  );
}

export function sendTransaction(page: Page, request: Sdk.SendTransactionRequest): Promise<string> {
  return page.evaluate((request) => connector.sendTransaction(request).then(({ boc }) => boc), request);
}
