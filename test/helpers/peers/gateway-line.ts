import { randomBytes } from "node:crypto";
import type { ServerAddress } from "../../../server/chain/adnl/client.js";
import { Gateway } from "../../../server/chain/gateway/gateway.js";
import { remoteLiteApi } from "../../../server/chain/liteservers/remote-lite-api.js";
import { ServerConnection } from "../../../server/chain/liteservers/server-connection.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { systemTimers } from "../../../shared/values/timers.js";

/** A gateway in front of an api, on a free port. */
export async function openGateway(
  api: LiteApi,
  { onError = fail, seed = randomBytes(32) }: { onError?: (error: unknown) => void; seed?: Uint8Array } = {},
): Promise<{ gateway: Gateway; address: ServerAddress }> {
  const gateway = new Gateway({ api, seed, onError });
  const { address: host, port } = await gateway.listen(0, "127.0.0.1");
  return { gateway, address: { host, port, publicKey: gateway.publicKey } };
}

/** The api as it looks through a gateway and one connection to it. */
export async function throughGateway(api: LiteApi) {
  const { gateway, address } = await openGateway(api);
  const line = new ServerConnection({ address, timers: systemTimers, randomBytes, random: Math.random });
  return {
    api: remoteLiteApi(line, systemTimers),
    gateway,
    async close() {
      line.close();
      await gateway.close();
    },
  };
}

function fail(error: unknown): never {
  throw error;
}
