export { contractProvider } from "./ton/contract-provider.js";
export { TonClient, type TonClientParameters } from "./ton/ton-client.js";
