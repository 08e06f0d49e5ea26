// The whole request path over a devnet, with an account that has been busy.

import { createContext } from "../../../server/process/context/context.js";
import { openNetwork } from "../../../server/process/service/network.js";
import { bind } from "../../../server/rpc/bind.js";
import { registry } from "../../../shared/methods/registry.js";
import { Address } from "../../../shared/values/address.js";
import { report } from "./process.js";
import { benchConfig, serve } from "./serve.js";

const { rpc: _, lite: __, ...chainRegistry } = registry;
const config = benchConfig();
const chain = await openNetwork(createContext(config, {}));
const call = { signal: new AbortController().signal, asked: new Set<number>(), options: {} };
const busy = new Address(0, new Uint8Array(32).fill(0x5a));
const gift = () => chain.implementations.devnet!.faucet({ address: busy, amount: 1_000_000_000n }, call);
// Each waits for the end of its trace, which no further block brings.
await Promise.all(Array.from({ length: 20 }, gift));

const { getAddressInformation, getMasterchainInfo, getTransactions } = chain.implementations;
const records = {
  getAddressInformation: await getAddressInformation({ address: busy }, call),
  getMasterchainInfo: await getMasterchainInfo({}, call),
  getTransactions: await getTransactions({ address: busy, limit: 10, to_lt: 0n }, call),
};
const methods = bind(chainRegistry, chain.implementations, config.network);
report({ ...(await serve(methods, chain.head, config)), records });
