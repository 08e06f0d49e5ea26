import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuild } from "../../../server/chain/executor/patches/wasm-build.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { differences, newestVersion } from "../../../shared/ton/run/versions.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam, encodeConfigParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { bocText } from "../../helpers/contracts/contracts.js";
import { freePort } from "../../helpers/free-port.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";
import { until } from "../../helpers/until.js";

const shippedVersion = readBuild().known!.version;
const nobody = `0:${"ab".repeat(32)}`;
const estimate = { address: nobody, body: "te6cckEBAQEAAgAAAEysuc0=" };

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService({ adminPort: await freePort() });
});
afterAll(() => service.close());

type Status = { executor: { version: number; network_version: number; differences: string[] } };

const status = async () => (await (await fetch(`${service.adminUrl}/status`)).json()) as Status;

async function setVersion(version: number): Promise<void> {
  const { config } = await service.run<{ config: { bytes: string } }>("getConfigAll");
  const parameters = decode(ConfigDictionary, parseBocRoot(Buffer.from(config.bytes, "base64")));
  const value = encodeConfigParam(8, { ...configParam(parameters, 8)!, version });
  await service.run("devnet.setConfig", { param: 8, value: bocText(value) });
  await until("the new version", async () => (await status()).executor.network_version === version);
}

/** The headers of all answers that were computed by transactions, in all their forms. */
async function versionHeaders() {
  const rpc = { jsonrpc: "2.0", id: 1, method: "estimateFee", params: estimate };
  const answers = [
    await service.post("/api/v2/estimateFee", estimate),
    await service.post("/api/v2/jsonRPC", rpc),
    await service.post("/jsonRPC", rpc),
    await service.post("/jsonRPC", [{ ...rpc, method: "getMasterchainInfo", params: {} }, rpc]),
    // Refused: there is no message.
    await service.post("/api/emulate/v1/emulateTrace", { boc: estimate.body }),
  ];
  return answers.map(({ headers }) => [headers.get("X-Executor-Version"), headers.get("X-Network-Version")]);
}

describe("the versions of executor and network", () => {
  it("are in /status, /metrics, the log, and headers", async () => {
    await until("the first look", async () => (await status()).executor.network_version !== null);
    const version = String(shippedVersion);
    expect(await status()).toMatchObject({
      executor: { version: shippedVersion, network_version: 13, differences: [], adapted_params: [] },
    });
    expect(service.logLines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ executorVersion: 13, networkVersion: 13 }),
    );
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).toContain(`tonwire_global_version_executor ${version}\n`);
    expect(metrics).toContain("tonwire_global_version_network 13\n");
    expect(await versionHeaders()).toEqual(Array(5).fill([version, null]));
  });

  it("are not in the headers of answers that nothing was run for", async () => {
    const { headers } = await service.get("/api/v2/getMasterchainInfo");
    expect(headers.get("X-Executor-Version")).toBeNull();
    expect(headers.get("Access-Control-Expose-Headers")).toContain("X-Executor-Version, X-Network-Version");
  });

  it("list the differences once the network is newer", async () => {
    await setVersion(15);
    const { executor } = await status();
    expect(executor.differences).toEqual(differences(13, 15));
    expect(executor.differences.length).toBeGreaterThan(5);
    expect(await versionHeaders()).toEqual(Array(5).fill(["13", "15"]));
    expect(service.logLines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 40, networkVersion: 15, differences: executor.differences }),
    );
  });

  it("name a version that this release does not know", async () => {
    await setVersion(newestVersion + 1);
    expect((await status()).executor.differences.at(-1)).toBe(
      `${newestVersion + 1}: rules that this release does not know`,
    );
    expect(await versionHeaders()).toEqual(Array(5).fill(["13", String(newestVersion + 1)]));
  });
});
