import { beginCell, external, internal, SendMode, storeMessage } from "@ton/core";
import { WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Caller,
  type Client,
  createClient,
  http,
  type RpcError,
  sendAndWait,
  waitForSeqno,
} from "../../../client/index.js";
import { createVerifiedClient, type VerifiedClient } from "../../../client/verified/index.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { prefundedWallet } from "../../helpers/services/devnet-wallet.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { minedClock } from "../helpers/mined-clock.js";

type Ended = { result: unknown } | { code: string; message: string };

/** The result of a call, or the error that callers see. */
function ended(call: Promise<unknown>): Promise<Ended> {
  return call.then(
    (result) => ({ result }),
    ({ code, shortMessage: message }: RpcError) => ({ code, message }),
  );
}

const friend = "0:3333333333333333333333333333333333333333333333333333333333333333";
const elector = "-1:3333333333333333333333333333333333333333333333333333333333333333";

describe("a verified client of a service", () => {
  let service: DevnetService;
  let plain: Client;
  let verified: VerifiedClient;
  beforeAll(async () => {
    service = await sharedService("empty");
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

  /** Calls both clients; the proven result or error, which must be that of the ordinary client. */
  async function expectEqual(name: string, params: object): Promise<Ended> {
    const [proven, believed] = (await Promise.all(
      [verified, plain].map((client) => ended((client as Caller).call(name as never, params as never))),
    )) as [Ended, Ended];
    expect([name, proven]).toEqual([name, believed]);
    return proven;
  }

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
    const { transaction, reason } = await sendAndWait(client, message.toBoc().toString("base64"), {
      clock: minedClock(service),
    });
    await service.mine();
    const after = BigInt(await client.call("getAddressBalance", { address: to }));
    return { transaction, reason, received: after - before };
  }

  it("takes the place of an ordinary one in a payment", async () => {
    await service.run("devnet.faucet", { address: (await prefundedWallet(service, "v4r2")).address });
    const payments = [
      [plain, `0:${"4".repeat(64)}`, "the service has no index"],
      [verified, `0:${"5".repeat(64)}`, "the service has no v3.messageStatus"],
    ] as const;
    for (const [client, receiver, why] of payments) {
      const { transaction, reason, received } = await pay(client, receiver);
      expect(received).toBe(100_000_000n);
      expect(transaction?.in_msg).toBeDefined();
      expect(reason).toBe(why);
    }
  });

  it("knows wallets and contracts by their code, as an ordinary one does", async () => {
    const { address } = await prefundedWallet(service, "v4r2");
    const wallet = await expectEqual("getWalletInformation", { address });
    expect(wallet).toMatchObject({ result: { wallet: true, wallet_type: "wallet v4 r2", seqno: 2 } });
    const state = { "@type": "wallet.v4.accountState", seqno: 2 };
    const extended = await expectEqual("getExtendedAddressInformation", { address });
    expect(extended).toMatchObject({ result: { account_state: state } });
    for (const other of [elector, friend, `7:${"1".repeat(64)}`])
      for (const name of ["getWalletInformation", "getExtendedAddressInformation", "getAddressInformation"])
        await expectEqual(name, { address: other });
    await expectEqual("getWalletInformation", { address, seqno: 2 });
  });

  it("finds the transactions of messages, and no others", async () => {
    const [received] = await plain.getTransactions({ address: `0:${"5".repeat(64)}`, limit: 1 });
    const { source, destination, created_lt } = received!.in_msg!;
    const names = ["tryLocateTx", "tryLocateResultTx", "tryLocateSourceTx"];
    for (const name of names) {
      const found = await expectEqual(name, { source, destination, created_lt });
      expect(found).toMatchObject({ result: { utime: received!.utime } });
      const absent = { code: "absent", message: "transaction was not found" };
      const later = { source, destination, created_lt: `${created_lt}000` };
      for (const params of [{ source: destination, destination: source, created_lt }, later])
        expect(await expectEqual(name, params)).toEqual(absent);
    }
    const between = { source: elector, destination: elector, created_lt: `${created_lt}000` };
    expect(await expectEqual("tryLocateTx", between)).toMatchObject({ code: "absent" });
  });
});
