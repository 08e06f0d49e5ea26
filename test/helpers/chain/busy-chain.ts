import { randomBytes } from "node:crypto";
import { serveChain } from "../../../server/chain/serve/serve.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { contractAddress } from "../../../server/devnet/wallets/compose.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { type StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";
import { crc16 } from "../../../shared/values/crc16.js";
import type { Target } from "./contract/target.js";
import { funded, openTestChain, settleDown, TestWallet, ton } from "./devnet.js";
import { publishingCode } from "./library-cell.js";
import { sharedExecutor } from "./shared-executor.js";

export const seqnoMethod = BigInt(crc16(new TextEncoder().encode("seqno")) | 0x10000);

/** Wallets that have paid each other in both workchains, and a library. */
export async function busyChain(): Promise<Target> {
  const executor = await sharedExecutor();
  const [a, b, c, d] = [
    new TestWallet("a"),
    new TestWallet("b", "v4r2"),
    new TestWallet("c", "v5r1"),
    new TestWallet("d", "v3r2", -1),
  ];
  const store = new ChainStore();
  // As much money as a network has: @ton/core misreads states whose total has fewer than eight bytes.
  const accounts = funded([a, b, c, d], 100_000_000n * ton);
  const chain = await openTestChain({ accounts, storage: store });
  const send = async (from: TestWallet, ...to: Address[]) =>
    chain.sendMessage(from.pay(...to.map((address) => ({ to: address, value: ton, bounce: false }))));
  const nobody = new Address(0, new Uint8Array(32).fill(0xee));
  const library = beginCell().storeUint(0xc0de, 16).storeRef(Cell.empty).endCell();
  const init = publishing(library);
  await chain.sendMessage(d.pay({ to: contractAddress(init, -1), value: 10n * ton, init, bounce: false }));
  await settleDown(chain);
  for (let round = 0; round < 4; round++) {
    await send(a, b.address, c.address, d.address, nobody);
    await send(b, a.address, d.address);
    await send(c, a.address, b.address, nobody);
    await send(d, a.address, b.address);
    await settleDown(chain);
  }
  const api = serveChain(new ServedDevnet(store), {
    methods: { runMethod: async (request) => executor.runMethod(request), randomBytes },
    sendMessage: (body) => chain.sendMessage(body),
    now: () => 1_800_000_000,
  });
  return {
    api,
    advance: () => chain.step(),
    message: () => a.pay({ to: b.address, value: 1n }),
    method: { account: { workchain: 0, id: b.address.hash }, methodId: seqnoMethod, result: 4n },
    library: library.hash(),
    close: () => chain.close(),
  };
}

/** A contract that publishes a library whenever it gets a message. */
function publishing(library: Cell): StateInit {
  return stateInitOf(publishingCode(library), Cell.empty);
}
