import { randomBytes } from "node:crypto";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt, ZeroStateIdExt } from "../../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { Gateway } from "../../chain/gateway/gateway.js";
import { globalConfigText } from "../../chain/gateway/global-config.js";
import { keyFromFile } from "../../chain/gateway/key-file.js";
import type { Config } from "../../config/settings.js";
import { roleSeed } from "../../devnet/role-seed.js";
import type { Context } from "../context/context.js";
import { explainPortError } from "../context/port-error.js";
import { logFailure } from "../failure-log.js";

/** The chain to serve. */
type ServedChain = {
  api: LiteApi;
  zeroState: ZeroStateIdExt;
  /** Reads the id of a key block for the configuration, from which clients may start to verify. */
  initBlock?: () => Promise<BlockIdExt>;
};

/**
 * Opens a liteserver that serves the chain to other TON programs, if a port is configured. Writes its global
 * configuration to a file, and returns its address and public key.
 */
export async function openLiteserverEndpoint(
  { config, closers, log }: Context,
  { api, zeroState, initBlock }: ServedChain,
): Promise<string | undefined> {
  const { liteserverPort, liteserverHost, data } = config;
  if (liteserverPort === undefined) return undefined;
  const onError = (error: unknown) => logFailure(log, error as Error, { failed: "the liteserver failed" });
  const gateway = closers.add(new Gateway({ api, seed: seedOf(config), onError }), (each) => each.close());
  const { address: host, port } = await gateway
    .listen(liteserverPort, liteserverHost)
    .catch(explainPortError("--liteserver-port"));
  const { publicKey } = gateway;
  const path = config.liteserverConfig ?? (data && join(data, "global.config.json"));
  if (path !== undefined) {
    const known = { host, port, publicKey, zeroState };
    await writeFile(path, globalConfigText({ ...known, initBlock: await initBlock?.() }));
    // Programs of other users read it, and it holds nothing secret.
    await chmod(path, 0o644);
  }
  return `${liteserverHost}:${port} ${bytesToBase64(publicKey)}`;
}

/** The seed of the liteserver's key: derived on a devnet, otherwise stored in the data folder, or random without one. */
function seedOf({ network, devnetSeed, data }: Config): Uint8Array {
  if (network === "devnet") return roleSeed(devnetSeed, "liteserver");
  return data === undefined ? randomBytes(32) : keyFromFile(join(data, "liteserver.key"));
}
