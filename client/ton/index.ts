export { contractProvider } from "./contract-provider.js";
export { type ContractWrapper, contractWrapper, type SendOptions } from "./contract-wrapper.js";
export { TonClient, type TonClientParameters } from "./ton-client.js";
