export { contractProvider } from "./contract-provider.js";
export { TonClient, type TonClientParameters } from "./ton-client.js";
