import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { trustedStart } from "../../../server/chain/liteservers/global-config.js";
import { shippedConfig, shippedFile } from "../../../server/chain/networks/shipped.js";
import { configWith } from "../../../server/config/settings.js";
import { createLog } from "../../../server/observe/log.js";
import { openGlobalConfig } from "../../../server/process/network/global-config.js";
import { noFallback } from "../../helpers/no-fallback.js";
import { listed, publish } from "../../helpers/peers/published-list.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const file = readFileSync(shippedFile("mainnet"), "utf8");
/** The file of a later time: other servers, and a newer block to start from. */
const published = file
  .replace(/"liteservers": \[[^\]]*\]/, `"liteservers": [${JSON.stringify(listed("8.8.4.4"))}]`)
  .replace('"seqno": 43792209', '"seqno": 43792210');

async function opened(settings: object, cacheFolder: string | null = temporaryFolder()) {
  const lines: { msg: string }[] = [];
  const log = createLog({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const config = configWith({ network: "mainnet", ...settings });
  return {
    known: await openGlobalConfig({
      config,
      cacheFolder: cacheFolder ?? undefined,
      log,
      fallback: noFallback,
    }),
    lines,
  };
}

describe("the global configuration of mainnet", () => {
  const shipped = shippedConfig("mainnet");

  it("comes with the program, and takes nothing but liteservers from the one that is published", async () => {
    expect(published).not.toBe(file);
    const { known, lines } = await opened({ globalConfigUrl: await publish(published) });
    expect(known.servers.map(({ host }) => host)).toEqual(["8.8.4.4"]);
    const { zeroState, initBlock, hardforks } = shipped;
    expect(known).toMatchObject({ source: "published", zeroState, initBlock, hardforks });
    expect(trustedStart(known).seqno).toBe(43792209);
    expect(lines).toMatchObject([
      { msg: "liteservers of mainnet: the published list", source: "published", servers: 1 },
    ]);
  });

  it("is kept for later starts, where there is a folder for that", async () => {
    const folder = temporaryFolder();
    await opened({ globalConfigUrl: await publish(published) }, folder);
    const gone = { globalConfigUrl: "http://127.0.0.1:1/" };
    const { known, lines } = await opened(gone, folder);
    expect([known.source, known.servers.length]).toEqual(["kept", 1]);
    expect(lines.map(({ msg }) => msg)).toEqual([
      "the published global configuration of mainnet cannot be read",
      "liteservers of mainnet: the kept list",
    ]);
    expect((await opened(gone, null)).known).toEqual({ ...shipped, source: "shipped" });
  });

  it("is not looked for elsewhere without proofs, or if that is off", async () => {
    let asked = 0;
    const url = await publish((response) => {
      asked++;
      response.end(published);
    });
    for (const settings of [{ globalConfigUrl: "off" }, { globalConfigUrl: url, verifyProofs: false }]) {
      const { known, lines } = await opened(settings);
      expect(known).toEqual({ ...shipped, source: "shipped" });
      expect(lines).toMatchObject([{ msg: "liteservers of mainnet: the shipped list" }]);
    }
    expect(asked).toBe(0);
  });

  it("is the file that the settings name, regardless of the published one", async () => {
    const path = join(temporaryFolder(), "own.json");
    writeFileSync(path, published);
    const { known, lines } = await opened({ globalConfig: path, globalConfigUrl: "http://127.0.0.1:1/" });
    expect([known.source, known.initBlock?.seqno, known.servers.length]).toEqual(["file", 43792210, 1]);
    expect(lines).toEqual([]);
    await expect(opened({ network: "testnet", globalConfig: path })).rejects.toThrow(
      "the global configuration is that of mainnet, not of testnet",
    );
  });
});
