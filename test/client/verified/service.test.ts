import { beginCell, external, internal, SendMode, storeMessage } from "@ton/core";
import { WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Caller,
  type Client,
  createClient,
  http,
  sendAndWait,
  waitForSeqno,
} from "../../../client/index.js";
import { createVerifiedClient, type VerifiedClient } from "../../../client/verified/index.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";
import { prefundedWallet } from "../../helpers/services/devnet-wallet.js";
import { minedClock } from "../helpers/mined-clock.js";

const friend = "0:3333333333333333333333333333333333333333333333333333333333333333";
const elector = "-1:3333333333333333333333333333333333333333333333333333333333333333";

describe("a verified client of a service", () => {
  let service: DevnetService;
  let plain: Client;
  let verified: VerifiedClient;
  beforeAll(async () => {
    service = await startDevnetService();
    await service.mine(3);
    const transport = http(`${service.url}/jsonRPC`);
    plain = createClient({ transport, apiKey: service.key });
    const { init } = await plain.getMasterchainInfo();
    verified = createVerifiedClient({ transport, apiKey: service.key, trustedBlock: init, headMs: 0 });
  });
  afterAll(async () => {
    verified?.close();
    plain?.close();
    await service?.close();
  });

  it("gives the answers of an ordinary one", async () => {
    const { last } = await plain.getMasterchainInfo();
    const { workchain, shard, seqno } = last;
    const calls: [string, object][] = [
      ["getMasterchainInfo", {}],
      ["getAddressInformation", { address: elector }],
      ["getAddressInformation", { address: friend }],
      ["getAddressBalance", { address: elector }],
      ["getAddressState", { address: elector }],
      ["getTransactions", { address: elector, limit: 3 }],
      ["getBlockHeader", { workchain, shard, seqno }],
      ["lookupBlock", { workchain, shard, seqno: 2 }],
      ["getShards", { seqno }],
      ["getConfigParam", { param: 34 }],
      ["getConfigAll", {}],
      ["getLibraries", { libraries: ["0".repeat(64)] }],
    ];
    for (const [name, params] of calls) {
      const [proven, believed] = await Promise.all(
        [verified, plain].map((client) => (client as Caller).call(name as never, params as never)),
      );
      expect([name, proven]).toEqual([name, believed]);
    }
  });

  /** A payment by a wallet application that knows nothing of the kind of its client. */
  async function pay(client: Caller, to: string) {
    const { publicKey, secretKey } = await prefundedWallet(service, "v4r2");
    const wallet = WalletContractV4.create({ workchain: 0, publicKey });
    const seqno = await waitForSeqno(plain, wallet.address.toString(), 0);
    const messages = [internal({ to, value: "0.1", bounce: false })];
    const sendMode = SendMode.PAY_GAS_SEPARATELY;
    const body = wallet.createTransfer({ seqno, secretKey, messages, sendMode });
    const message = beginCell()
      .store(
        storeMessage(external({ to: wallet.address, init: seqno === 0 ? wallet.init : undefined, body })),
      )
      .endCell();
    const before = BigInt(await client.call("getAddressBalance", { address: to }));
    const { transaction } = await sendAndWait(client, message.toBoc().toString("base64"), {
      clock: minedClock(service),
    });
    await service.mine();
    const after = BigInt(await client.call("getAddressBalance", { address: to }));
    return { transaction, received: after - before };
  }

  it("takes the place of an ordinary one in a payment", async () => {
    await service.run("devnet.faucet", { address: (await prefundedWallet(service, "v4r2")).address });
    const payments = [
      [plain, `0:${"4".repeat(64)}`],
      [verified, `0:${"5".repeat(64)}`],
    ] as const;
    for (const [client, receiver] of payments) {
      const { transaction, received } = await pay(client, receiver);
      expect(received).toBe(100_000_000n);
      expect(transaction.in_msg).toBeDefined();
    }
  });
});
