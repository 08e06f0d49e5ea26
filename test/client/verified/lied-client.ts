import { onTestFinished } from "vitest";
import { http, isRpcError } from "../../../client/index.js";
import {
  createVerifiedClient,
  memoryStorage,
  ProofError,
  type VerifiedClient,
  type VerifiedClientOptions,
} from "../../../client/verified/index.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import { presentBlockId } from "../../../shared/ton/present/records.js";
import { KeyBlockChain } from "../../helpers/chain/key-block-chain.js";
import { zeroStateOf } from "../../helpers/chain/trusted.js";
import { liteQueryService } from "../../helpers/peers/lite-query-service.js";
import { type LiteLie, LyingTonwire } from "../../helpers/peers/lying-tonwire.js";

type Options = Partial<VerifiedClientOptions>;

/** The configuration's contract. */
export const config = `-1:${"5".repeat(64)}`;

/** A chain with two key blocks and some others. */
export async function grownChain(): Promise<KeyBlockChain> {
  const chain = await KeyBlockChain.open();
  await chain.keyBlocks(2);
  await chain.blocks(3);
  return chain;
}

/** A client of a service behind a proxy that lies. */
export async function lied(api: LiteApi, options: Options = {}) {
  const { url, requests } = await liteQueryService(api);
  const liar = await LyingTonwire.before(new URL(url).origin);
  const client = await clientOf(api, [`${liar.url}/jsonRPC`], options);
  return { client, liar, requests };
}

export async function clientOf(
  api: LiteApi,
  urls: readonly string[],
  options: Options = {},
): Promise<VerifiedClient> {
  const client = createVerifiedClient({
    transport: urls.map((url) => http(url)),
    trustedBlock: presentBlockId(await zeroStateOf(api)),
    storage: memoryStorage(),
    // Younger than the chain, so that nothing warns of its age.
    now: () => 1_700_000_000_000,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** The end of a call in words. */
export async function endOf(call: Promise<unknown>): Promise<string> {
  try {
    return `answered ${JSON.stringify(await call)}`;
  } catch (error) {
    if (error instanceof ProofError) return "ProofError";
    return isRpcError(error) ? error.code : `${error}`;
  }
}

/** A lie about the answers of one function. */
export function onlyOf(method: LiteMethod, lie: LiteLie): LiteLie {
  return (exchange) => (exchange.query.method === method ? lie(exchange) : undefined);
}
