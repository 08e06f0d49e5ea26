import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { globalConfigText } from "../../../server/chain/gateway/global-config.js";
import { parseGlobalConfig } from "../../../server/chain/liteservers/global-config.js";
import { type Config, ConfigError } from "../../../server/config/settings.js";
import type { Environment } from "../../../server/process/environment.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { busyChainOfFile } from "../../helpers/chain/busy-chain-of-file.js";
import { KeyBlockChain } from "../../helpers/chain/key-block-chain.js";
import { variants } from "../../helpers/effort.js";
import { freePort } from "../../helpers/free-port.js";
import { openGateway } from "../../helpers/peers/gateway-line.js";
import { startService, type TestService } from "../../helpers/services/service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

const busy = busyChainOfFile();

/** For services that start without a chain: a later one is found as well. */
const impatient = { chainWaitMs: 1 };

async function started(...args: Parameters<typeof startService>): Promise<TestService> {
  const service = await startService(...args);
  onTestFinished(() => service.close());
  return service;
}

/** A service of a public network has no liteserver key. Blocks in a test may be of any age. */
async function reading(settings: Partial<Config>, environment: Environment = {}) {
  const open = { anonymousRps: "unlimited", healthMaxHeadAge: 1_000_000_000 } as const;
  const service = await started({ ...open, ...settings }, environment);
  return { ...service, get: (path: string) => service.get(path, { key: null }) };
}

/** A devnet with a liteserver, and its global configuration file. */
async function devnetWithLiteserver(port = 0) {
  const globalConfig = join(temporaryFolder(), "devnet.json");
  const devnet = await started({ liteserverPort: port, liteserverConfig: globalConfig });
  return { devnet, globalConfig };
}

describe("a service that reads another one's devnet through its liteserver", () => {
  test("gives the devnet's answers, all of them proven", async () => {
    const { devnet, globalConfig } = await devnetWithLiteserver();
    const address = `0:${"5a".repeat(32)}`;
    await devnet.rpc("devnet.faucet", { address });
    await devnet.rpc("devnet.mine", { blocks: 3 });
    const service = await reading({ network: "testnet", globalConfig, adminPort: await freePort() });
    const head = "/api/v2/getMasterchainInfo";
    const { json } = await devnet.get(head);
    const { seqno } = (json as { result: { last: { seqno: number } } }).result.last;
    await until("the head", async () => {
      const answer = (await service.get(head)).json as { result?: { last: { seqno: number } } };
      return answer.result?.last.seqno === seqno;
    });
    for (const path of [
      head,
      `/api/v2/getAddressInformation?address=${address}&seqno=${seqno}`,
      `/api/v2/getTransactions?address=${address}&limit=3`,
      `/api/v2/getTransactions?address=${address}&limit=3&archival=true`,
      `/api/v2/getBlockHeader?workchain=-1&shard=-9223372036854775808&seqno=${seqno}`,
      `/api/v2/shards?seqno=${seqno}`,
      `/api/v2/getConfigParam?config_id=8&seqno=${seqno}`,
    ])
      expect(answerOf(await service.get(path)), path).toEqual(answerOf(await devnet.get(path)));
    const extraOf = async (path: string) =>
      ((await service.get(path)).json as { "@extra": string })["@extra"];
    expect(await extraOf(`/api/v2/getTransactions?address=${address}&limit=7&archival=true`)).toMatch(
      /^\d+:0:\d+$/,
    );
    expect(await extraOf(`/api/v2/detectHash?hash=${"00".repeat(32)}`)).toMatch(/^\d+:_:\d+$/);
    const [server] = parseGlobalConfig(readFileSync(globalConfig, "utf8")).servers;
    const key = bytesToBase64(server!.publicKey);
    expect(devnet.liteserver).toBe(`127.0.0.1:${server!.port} ${key}`);
    const status = await (await fetch(`${service.adminUrl}/status`)).json();
    expect(status.liteservers.servers).toMatchObject([{ key, state: "alive", head: seqno, lag: 0 }]);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).toContain(`tonwire_liteserver_head{key="${key}"} ${seqno}\n`);
  });

  test.each(
    variants(
      [["proves the blocks of transactions if it serves them by a liteserver of its own", 0, true]],
      [
        [
          "requests a page of transactions once, without proving blocks that are not served",
          undefined,
          false,
        ] as const,
      ],
    ),
  )("%s", async (_, liteserverPort, looksUp) => {
    const { chain } = busy;
    let lookups = 0;
    const { gateway, address: server } = await openGateway({
      ...chain.api,
      lookupBlockWithProof(query, call) {
        lookups++;
        return chain.api.lookupBlockWithProof(query, call);
      },
    });
    onTestFinished(() => gateway.close());
    const { init: zeroState } = await chain.api.getMasterchainInfo();
    const globalConfig = join(temporaryFolder(), "busy.json");
    writeFileSync(globalConfig, globalConfigText({ ...server, zeroState }));
    const service = await reading({ network: "testnet", globalConfig, ...(looksUp && { liteserverPort }) });
    const { workchain, id } = chain.method!.account;
    const page = `/api/v2/getTransactions?address=${new Address(workchain, id).toRaw()}&limit=5`;
    const { json } = await service.get(page);
    expect((json as { result: unknown[] }).result).toHaveLength(5);
    expect(lookups > 0).toBe(looksUp);
  });
});

describe("a service that proves a chain for the first time", () => {
  test("reports its progress, stores it, and continues from there after a restart", async () => {
    const chain = await KeyBlockChain.open();
    onTestFinished(() => chain.close());
    await chain.keyBlocks(20);
    const asked: number[] = [];
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { gateway, address } = await openGateway({
      ...chain.api,
      async getBlockProof(query, call) {
        asked.push(query.knownBlock.seqno);
        if (query.knownBlock.seqno === 16) await gate;
        return chain.api.getBlockProof(query, call);
      },
    });
    onTestFinished(() => gateway.close());
    const { init: zeroState } = await chain.api.getMasterchainInfo();
    const globalConfig = join(temporaryFolder(), "slow.json");
    writeFileSync(globalConfig, globalConfigText({ ...address, zeroState }));
    const data = temporaryFolder();
    const settings = { network: "mainnet", globalConfig, data, adminPort: await freePort() } as const;
    const service = await reading(settings, impatient);
    const status = async () => (await (await fetch(`${service.adminUrl}/status`)).json()).liteservers;
    const text = "The chain is being proven: key block 16 of about 20";
    await until("the first key blocks", async () => (await service.get("/healthcheck")).text === text);
    expect((await service.get("/healthcheck")).status).toBe(503);
    expect((await service.get("/api/v2/getMasterchainInfo")).json).toMatchObject({
      ok: false,
      code: 503,
      error: text,
    });
    expect(await status()).toMatchObject({
      source: "file",
      servers: [{ state: "checking" }],
      trust: { key_block: 16, progress: { key_block: 16, proven: 16, about: 20 } },
    });
    expect(service.logLines.some((line) => line.includes("key block 16 of about 20"))).toBe(true);
    expect(JSON.parse(readFileSync(join(data, "trust.json"), "utf8")).key_block.seqno).toBe(16);
    open();
    await until("the proof", async () => (await service.get("/healthcheck")).status === 200);
    expect((await status()).trust).toEqual({ key_block: 20, head: 20 });
    await service.close();
    await chain.blocks(1);
    asked.length = 0;
    const again = await reading(settings);
    await until("the proof", async () => (await again.get("/healthcheck")).status === 200);
    expect(asked).toEqual([20]);
  });
});

describe("a service without a liteserver to read from", () => {
  test("reports it in answers and health checks, until one is up and after it is gone again", async () => {
    const port = await freePort();
    const { devnet, globalConfig: file } = await devnetWithLiteserver(port);
    const globalConfig = join(temporaryFolder(), "kept.json");
    copyFileSync(file, globalConfig);
    await devnet.close();
    const service = await reading({ network: "mainnet", globalConfig }, impatient);
    const refused = await service.get("/api/v2/getMasterchainInfo");
    expect([refused.status, refused.json]).toMatchObject([
      503,
      { ok: false, error: "No liteserver can be used" },
    ]);
    expect((await service.get("/healthcheck")).status).toBe(503);
    expect((await service.get(`/api/v2/detectHash?hash=${"00".repeat(32)}`)).status).toBe(200);
    const { devnet: found } = await devnetWithLiteserver(port);
    await until("it to be found", async () => (await service.get("/healthcheck")).status === 200);
    expect((await service.get("/api/v2/getMasterchainInfo")).status).toBe(200);
    await found.close();
    await until("its end to be noticed", async () => (await service.get("/healthcheck")).status === 503);
    expect((await service.get("/healthcheck")).text).toBe("No liteserver can be used");
  });

  test("does not start when all of them are of another network, with proofs or without", async () => {
    const { globalConfig: file } = await devnetWithLiteserver();
    const config = readFileSync(file, "utf8").replace(/-9223372036854775808/g, '"$&"');
    const { validator, ...servers } = JSON.parse(config);
    validator.zero_state.root_hash = bytesToBase64(new Uint8Array(32));
    const globalConfig = join(temporaryFolder(), "other.json");
    writeFileSync(globalConfig, JSON.stringify({ ...servers, validator }));
    for (const verifyProofs of variants([true], [false]))
      await expect(startService({ network: "testnet", globalConfig, verifyProofs })).rejects.toThrow(
        new ConfigError([
          "all liteservers of the global configuration serve another network than its zero state",
        ]),
      );
  });

  test("does not start with the global configuration of another network", async () => {
    const zero = {
      workchain: -1,
      shard: "-9223372036854775808",
      seqno: 0,
      root_hash: "gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=",
      file_hash: "Z+IKwYS54DmmJmesw/nAD5DzWadnOCMzee+kdgSYDOg=",
    };
    const liteservers = [{ ip: 2130706433, port: 1, id: { key: bytesToBase64(new Uint8Array(32)) } }];
    const globalConfig = join(temporaryFolder(), "testnet.json");
    writeFileSync(globalConfig, JSON.stringify({ liteservers, validator: { zero_state: zero } }));
    await expect(startService({ network: "mainnet", globalConfig })).rejects.toThrow(
      "the global configuration is that of testnet, not of mainnet",
    );
  });
});

/** The answer without its time. */
function answerOf({ status, json }: { status: number; json: unknown }): unknown {
  const { "@extra": _, ...answer } = json as Record<string, unknown>;
  return { status, answer };
}
