import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devnetLiteApi } from "../../server/chain/devnet/lite-api.js";
import { ChainStore } from "../../server/chain/devnet/storage/chain-store.js";
import { Executor } from "../../server/chain/executor/executor.js";
import { Address } from "../../shared/values/address.js";
import { crc16 } from "../../shared/values/crc16.js";
import { funded, openTestChain, settleDown, TestWallet, ton } from "../devnet/helpers.js";
import type { Target } from "./contract/target.js";
import { describeLiteApi } from "./lite-api.contract.js";

const seqnoMethod = BigInt(crc16(new TextEncoder().encode("seqno")) | 0x10000);

/** A devnet with wallets that have paid each other in both workchains. */
async function busyDevnet(path?: string): Promise<Target> {
  const executor = await Executor.create();
  const wallets = [
    new TestWallet("a"),
    new TestWallet("b", "v4r2"),
    new TestWallet("c", "v5r1"),
    new TestWallet("d", "v3r2", -1),
  ];
  const store = new ChainStore(path);
  const chain = await openTestChain({ accounts: funded(wallets), executor, storage: store });
  const send = async (from: TestWallet, ...to: Address[]) =>
    chain.sendMessage(from.pay(...to.map((address) => ({ to: address, value: ton, bounce: false }))));
  const [a, b, c, d] = wallets as [TestWallet, TestWallet, TestWallet, TestWallet];
  const nobody = new Address(0, new Uint8Array(32).fill(0xee));
  for (let round = 0; round < 4; round++) {
    await send(a, b.address, c.address, d.address, nobody);
    await send(b, a.address, d.address);
    await send(c, a.address, b.address, nobody);
    await send(d, a.address, b.address);
    await settleDown(chain);
  }
  const api = devnetLiteApi({
    chain,
    store,
    methods: {
      runMethod: async (request) => executor.runMethod(request),
      randomBytes: (count) => randomBytes(count),
    },
    now: () => 1_800_000_000,
  });
  return {
    api,
    advance: () => chain.step(),
    message: () => a.pay({ to: b.address, value: 1n }),
    method: {
      account: { workchain: 0, id: b.address.hash },
      methodId: seqnoMethod,
      result: 4n,
    },
    close: () => chain.close(),
  };
}

describeLiteApi("a devnet in memory", () => busyDevnet());
describeLiteApi("a devnet in a directory", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tonwire-test-"));
  const target = await busyDevnet(folder);
  const close = async () => {
    await target.close?.();
    rmSync(folder, { recursive: true });
  };
  return { ...target, close };
});
