import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Address } from "@ton/core";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { haveChromium, openPage, sharedChromium } from "../../helpers/peers/browser.js";
import { serveFiles } from "../../helpers/peers/served-page.js";
import { fetchJson } from "../harness/fetch-json.js";
import { useNpm } from "../harness/packages.js";
import { describeTool } from "../harness/workshop.js";
import { versions } from "../versions.js";

// A dapp of React with the components of TON Connect, in Chromium. Its user connects the devnet's wallet in the components' own
// dialog and pays; the page follows the payment by the BOC that TON Connect gives it.

const { url, wallets } = inject("devnet");
const client = fileURLToPath(new URL("../../../client", import.meta.url));
const receiver = Address.parseRaw(`0:${"c7".repeat(32)}`).toString({ bounceable: false });

/** The page; `tonwire` is the client of this project. */
const page = `
import ${JSON.stringify(`${client}/examples/vite/src/buffer.ts`)};
import { TonConnectButton, TonConnectUIProvider, useTonConnectUI, useTonWallet } from "@tonconnect/ui-react";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { createClient, http, sendAndWait } from "tonwire";
import { injectDevnetWallet } from "tonwire/devnet/wallet";

const client = createClient({ transport: http(${JSON.stringify(`${url}/jsonRPC`)}) });
const { listed } = await injectDevnetWallet({ client, account: ${JSON.stringify(wallets["Eve"]!.address)}, approve: () => true });

function Payment() {
  const [ui] = useTonConnectUI();
  const wallet = useTonWallet();
  const [outcome, setOutcome] = useState("");
  async function pay() {
    const { now } = await client.devnet.info();
    const messages = [{ address: ${JSON.stringify(receiver)}, amount: "1500000000" }];
    const { boc } = await ui.sendTransaction({ validUntil: now + 300, messages });
    const { success, status } = await sendAndWait(client, boc);
    setOutcome(success + ": " + status?.text);
  }
  return (
    <>
      <TonConnectButton />
      <p id="account">{wallet?.account.address}</p>
      <button id="pay" type="button" disabled={!wallet} onClick={pay}>Pay</button>
      <p id="outcome">{outcome}</p>
    </>
  );
}

createRoot(document.getElementById("root")!).render(
  <TonConnectUIProvider
    manifestUrl={location.origin + "/tonconnect-manifest.json"}
    walletsListConfiguration={{ includeWallets: [listed] }}
    analytics={{ mode: "off" }}
  >
    <Payment />
  </TonConnectUIProvider>,
);
`;

describeTool(`@tonconnect/ui-react ${versions.npm["@tonconnect/ui-react"]}`, ["npm"], (workshop) => {
  let files: Awaited<ReturnType<typeof serveFiles>>;

  beforeAll(async () => {
    await useNpm(workshop, "@tonconnect/ui-react", "react", "react-dom");
    workshop.write("page.tsx", page);
    const { outputFiles } = await build({
      entryPoints: [join(workshop.folder, "page.tsx")],
      alias: {
        tonwire: join(client, "index.ts"),
        "tonwire/devnet/wallet": join(client, "devnet-wallet/index.ts"),
      },
      bundle: true,
      format: "esm",
      jsx: "automatic",
      platform: "browser",
      define: { "process.env.NODE_ENV": '"production"', global: "globalThis" },
      write: false,
      logLevel: "error",
    });
    files = await serveFiles({
      "/": '<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/page.js"></script>',
      "/tonconnect-manifest.json": JSON.stringify({ url: "http://127.0.0.1", name: "Payments", iconUrl: "" }),
      "/page.js": outputFiles[0]!.text,
    });
  });
  afterAll(() => files?.close());

  it("connects the devnet's wallet and follows a payment to its end", async ({ skip }) => {
    if (!haveChromium()) skip();
    const { page } = await openPage(await sharedChromium(), files.origin, 800);
    // TON Connect fetches its list of wallets and pictures from the network, which tests do not have.
    await page.route(
      ({ hostname }) => hostname !== "127.0.0.1",
      (route) => route.fulfill({ json: [] }),
    );
    await page.goto("/");
    await page.locator("button", { hasText: "Connect" }).click();
    await page.locator("#tc-widget-root, body").getByText("Devnet wallet").first().click();
    await page.waitForSelector("#pay:enabled");
    expect((await page.textContent("#account"))?.toUpperCase()).toBe(wallets["Eve"]!.address.toUpperCase());
    await page.click("#pay");
    await page.waitForSelector('#outcome:has-text("true")');
    const { result } = await fetchJson<{ result: string }>(url, "/api/v2/getAddressBalance", {
      address: receiver,
    });
    expect(BigInt(result)).toBe(1_500_000_000n);
    await page.context().close();
  });
});
