import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { configWith } from "../../../server/config/settings.js";
import { FileLock } from "../../../server/os/file-lock.js";
import { OwnDevnet } from "../../../server/process/network/own-devnet.js";
import { createService } from "../../../server/process/service/service.js";
import { noFallback } from "../../helpers/no-fallback.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const settings = { port: 0, adminPort: 0, index: false, story: false, mining: "manual" } as const;
const logTo = { write: () => {} };
const unexpected = {
  onError(error: Error) {
    throw error;
  },
  fallback: noFallback,
};

/** A devnet that runs holds its folder. */
const expectEnded = async (data: string) => (await FileLock.take(join(data, "lock"))).release();

it("a devnet that was begun before is the one that the service serves, and ends with it", async () => {
  const data = temporaryFolder();
  const config = configWith({ ...settings, data, keysFile: join(data, "keys.json") });
  const devnet = new OwnDevnet(config, undefined);
  const { controls } = await devnet.started(unexpected);
  const { block } = await controls.mine(3);
  const service = createService(config, { logTo, devnet });
  const { url } = await service.listen();
  const answer = await fetch(`${url}/api/v2/getMasterchainInfo`);
  expect(await answer.json()).toMatchObject({ result: { last: { seqno: block.seqno } } });
  await service.close();
  await expectEnded(data);
});

it("a service that cannot start ends the devnet that was begun for it", async () => {
  const data = temporaryFolder();
  const keysFile = join(data, "keys.json");
  writeFileSync(keysFile, "no keys");
  const config = configWith({ ...settings, data, keysFile });
  const service = createService(config, { logTo, devnet: new OwnDevnet(config, undefined) });
  await expect(service.listen()).rejects.toThrow(keysFile);
  await service.close();
  await expectEnded(data);
});

it("a devnet that cannot start rejects for the code that awaits it, which is optional", async () => {
  const data = join(temporaryFolder(), "file");
  writeFileSync(data, "");
  const config = configWith({ ...settings, data });
  const devnet = new OwnDevnet(config, undefined);
  await expect(devnet.started({ onError() {}, fallback: noFallback })).rejects.toThrow(data);
  await devnet.close();
});
