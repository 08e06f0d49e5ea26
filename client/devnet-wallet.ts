export type { Approval, TonConnectBridge } from "./devnet-wallet/bridge-types.js";
export {
  type DevnetWalletOptions,
  type InjectedDevnetWallet,
  injectDevnetWallet,
  type ListedWallet,
} from "./devnet-wallet/inject.js";
