import type { MethodRunner } from "../lite/run-method.js";
import { serveChain } from "../lite/serve.js";
import type { LiteApi } from "../lite-api.js";
import type { DevnetChain } from "./chain.js";
import { ServedDevnet } from "./served-devnet.js";
import type { ChainStore } from "./storage/chain-store.js";

export type DevnetServer = {
  /** An open chain and the store it writes to. */
  chain: Pick<DevnetChain, "sendMessage">;
  store: ChainStore;
  methods: MethodRunner;
  /** Unix time in seconds. */
  now(): number;
};

/** The devnet as a liteserver shows it: reads see what is stored for good, whatever step is under way. */
export function devnetLiteApi({ chain, store, methods, now }: DevnetServer): LiteApi {
  return serveChain(new ServedDevnet(store), {
    methods,
    now,
    sendMessage: (body) => chain.sendMessage(body),
  });
}
