import { createRequire } from "node:module";
import { Cell, Address as CoreAddress, serializeTuple, toNano } from "@ton/core";
import type * as TonLiteClient from "ton-lite-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Gateway } from "../../../server/chain/gateway/gateway.js";
import { busyChain } from "../../helpers/chain/busy-chain.js";
import type { Target } from "../../helpers/chain/contract/target.js";
import { openGateway } from "../../helpers/peers/gateway-line.js";

// Loaded as CommonJS, the only form the package declares.
const { LiteClient, LiteSingleEngine } = createRequire(import.meta.url)(
  "ton-lite-client",
) as typeof TonLiteClient;

describe("npm's ton-lite-client", () => {
  let chain: Target;
  let gateway: Gateway;
  let engine: TonLiteClient.LiteSingleEngine;
  let client: TonLiteClient.LiteClient;
  let last: Awaited<ReturnType<typeof client.getMasterchainInfo>>["last"];

  beforeAll(async () => {
    chain = await busyChain();
    const opened = await openGateway(chain.api);
    gateway = opened.gateway;
    const { host, port, publicKey } = opened.address;
    engine = new LiteSingleEngine({ host: `tcp://${host}:${port}`, publicKey: Buffer.from(publicKey) });
    // Its default timeout is five seconds.
    const query = engine.query.bind(engine) as typeof engine.query;
    engine.query = (f, request, args) => query(f, request, { ...args, timeout: 60_000 });
    await new Promise((resolve) => engine.once("ready", resolve));
    client = new LiteClient({ engine });
    ({ last } = await client.getMasterchainInfo());
  });
  afterAll(async () => {
    engine.close();
    await gateway.close();
    await chain.close?.();
  });

  const wallet = () => new CoreAddress(0, Buffer.from(chain.method!.account.id));

  test("reads the head, the time and the version", async () => {
    const own = await chain.api.getMasterchainInfo();
    expect({ seqno: last.seqno, rootHash: new Uint8Array(last.rootHash) }).toEqual({
      seqno: own.last.seqno,
      rootHash: own.last.rootHash,
    });
    expect((await client.getMasterchainInfoExt()).version).toBe(0x101);
    expect(await client.getCurrentTime()).toBe(1_800_000_000);
  });

  test("reads an account's state and accepts its proofs", async () => {
    const { balance, state, lastTx } = await client.getAccountState(wallet(), last);
    expect(state?.storage.state.type).toBe("active");
    expect(balance.coins).toBeGreaterThan(toNano(900));
    const { transactions } = await client.getAccountTransactions(
      wallet(),
      lastTx!.lt.toString(),
      Buffer.from(lastTx!.hash.toString(16).padStart(64, "0"), "hex"),
      2,
    );
    expect(Cell.fromBoc(transactions)).toHaveLength(2);
  });

  test("reads shards, blocks and the configuration", async () => {
    const { shards } = await client.getAllShardsInfo(last);
    const [[prefix, seqno]] = Object.entries(shards[0]!) as [[string, number]];
    const shard = await client.lookupBlockByID({ workchain: 0, shard: prefix, seqno });
    expect(shard.id.seqno).toBe(seqno);
    const full = await client.getFullBlock(last.seqno);
    expect(full.shards.map(({ workchain }) => workchain).sort()).toEqual([-1, 0]);
    expect((await client.getConfig(last)).config.size).toBeGreaterThan(20);
  });

  test("runs a get-method", async () => {
    const { exitCode, result } = await client.runMethod(
      wallet(),
      "seqno",
      serializeTuple([]).toBoc({ idx: false }),
      last,
    );
    expect(exitCode).toBe(0);
    const stack = await client.provider(wallet()).get("seqno", []);
    expect(stack.stack.readBigNumber()).toBe(chain.method!.result);
    expect(result).not.toBeNull();
  });

  test("sends a message, and gets the reason why another is rejected", async () => {
    const body = Buffer.from(await chain.message!());
    expect(await client.sendMessage(body)).toMatchObject({ status: 1 });
    await expect(client.sendMessage(body)).rejects.toThrow("duplicate message");
  });
});
