import type { DeviceInfo, Feature, WalletInfo } from "./bridge-types.js";
import { maxMessages, takesInternalOrders, type WalletVersion } from "./orders.js";

const appName = "tonwire-devnet";
const image = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" fill="#345"/><path d="M5 9h14v9H5zm0 0 3-3h8l3 3m-5 4h3" fill="none" stroke="#fff"/></svg>',
)}`;

/** How the wallet describes itself to a page. */
export function deviceInfoOf(version: WalletVersion): DeviceInfo {
  return {
    platform: "browser",
    appName,
    appVersion: "1",
    maxProtocolVersion: 2,
    features: featuresOf(version),
  };
}

/** How lists of wallets describe it. */
export function walletInfoOf(version: WalletVersion, name: string, aboutUrl: string): WalletInfo {
  return {
    name,
    app_name: appName,
    image,
    about_url: aboutUrl,
    platforms: ["chrome", "firefox", "safari", "windows", "macos", "linux"],
    features: featuresOf(version),
  };
}

function featuresOf(version: WalletVersion): readonly Feature[] {
  const most = { maxMessages: maxMessages(version), extraCurrencySupported: true };
  return [
    "SendTransaction",
    { name: "SendTransaction", ...most },
    ...(takesInternalOrders(version) ? ([{ name: "SignMessage", ...most }] as const) : []),
    { name: "SignData", types: ["text", "binary", "cell"] },
  ];
}
