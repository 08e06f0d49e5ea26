import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { usualAdminPort } from "../../server/config/settings.js";
import { isLong } from "../helpers/effort.js";
import { startService } from "../helpers/services/service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/** Another program that listens on the usual port; it may be one of another run of the tests. */
async function takeUsualPort(): Promise<void> {
  const server = createServer();
  server.listen(usualAdminPort, "127.0.0.1");
  const taken = once(server, "error");
  const own = once(server, "listening");
  await Promise.race([own, taken]);
  onTestFinished(() => void server.close());
}

it("a second devnet on a machine takes another admin port by itself and logs it", async () => {
  await takeUsualPort();
  const service = await startService({ adminPort: undefined });
  onTestFinished(() => service.close());
  expect(service.adminUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(service.adminUrl).not.toContain(`:${usualAdminPort}`);
  expect((await fetch(`${service.adminUrl}/status`)).status).toBe(200);
  const said = service.logLines.map((line) => JSON.parse(line).msg);
  expect(said).toContain(
    `port 8082 is taken, so metrics and status are at ${service.adminUrl}; --admin-port names a port`,
  );
});

const taken = {
  isSetupError: true,
  message: "listen EADDRINUSE: address already in use 127.0.0.1:8082; choose another port with --admin-port",
};

it("a port that was set and is taken stays an error", async () => {
  await takeUsualPort();
  await expect(startService({ adminPort: usualAdminPort })).rejects.toMatchObject(taken);
});

it.runIf(isLong)("the usual port stays an error for other networks if it is taken", async () => {
  await takeUsualPort();
  // A testnet that is really a devnet.
  const globalConfig = join(temporaryFolder(), "global.config.json");
  const devnet = await startService({ liteserverPort: 0, liteserverConfig: globalConfig });
  onTestFinished(() => devnet.close());
  const settings = { network: "testnet", globalConfig, adminPort: undefined } as const;
  await expect(startService(settings)).rejects.toMatchObject(taken);
});
