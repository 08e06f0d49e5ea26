import { Address, Cell, toNano } from "@ton/core";
import { Blockchain, RemoteBlockchainStorage, wrapTonClient4ForRemote } from "@ton/sandbox";
import { TonClient4 } from "@ton/ton";
import { afterAll, beforeAll, expect, it } from "vitest";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import type { TestService } from "../helpers/services/service.js";
import { sharedService } from "../helpers/services/shared-service.js";

// A chain of @ton/sandbox whose accounts are those of a devnet, as the README of the devnet says.

let service: TestService;
beforeAll(async () => {
  service = await sharedService("story");
});
afterAll(() => service.close());

it("has the contracts and the configuration of the service's chain, and changes its own copies", async () => {
  const client = new TonClient4({ endpoint: `${service.url}/api/v4` });
  const { last } = await client.getLastBlock();
  const { config } = await client.getConfig(last.seqno);
  const storage = new RemoteBlockchainStorage(wrapTonClient4ForRemote(client), last.seqno);
  const chain = await Blockchain.create({ config: Cell.fromBase64(config.cell), storage });

  const { acorn } = jettonsOf(participantsOf("tonwire", await devnetWallets("tonwire")));
  const master = Address.parse(acorn.address.toRaw());
  const { coins } = (await client.getAccount(last.seqno, master)).account.balance;
  expect((await chain.getContract(master)).balance).toBe(BigInt(coins));
  const { reader: stack } = await client.runMethod(last.seqno, master, "get_jetton_data");
  const { stackReader } = await chain.runGetMethod(master, "get_jetton_data");
  expect(stackReader.readBigNumber()).toBe(stack.readBigNumber());

  const sender = await chain.treasury("sender");
  const { transactions } = await sender.send({ to: master, value: toNano("1"), bounce: false });
  expect(transactions.length).toBeGreaterThan(1);
  expect((await client.getAccount(last.seqno, master)).account.balance.coins).toBe(coins);
});
