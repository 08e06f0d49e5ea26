export type { Approval, TonConnectBridge } from "./bridge-types.js";
export {
  type DevnetWalletOptions,
  type InjectedDevnetWallet,
  injectDevnetWallet,
  type ListedWallet,
} from "./inject.js";
