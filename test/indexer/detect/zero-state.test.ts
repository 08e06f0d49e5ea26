import { expect, onTestFinished, test } from "vitest";
import { Cell } from "../../../server/cells/cell.js";
import { Executor } from "../../../server/chain/executor/executor.js";
import { serveChain } from "../../../server/chain/serve/serve.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { listJettonMasters } from "../../../server/store/queries/jettons.js";
import { describeDatabases } from "../../helpers/describe-databases.js";
import { detectionOf, someAddress } from "../../helpers/detection.js";
import { openTestChain, ton } from "../../helpers/devnet.js";
import { follow } from "../../helpers/index-chain.js";
import { compile } from "../../helpers/tolk.js";

const address = someAddress(5);

describeDatabases("A contract of the zero state that no block has changed", (fresh) => {
  test("is recognised with block 1, once", async () => {
    const code = await compile(`
      get fun get_jetton_data(): (int, int, slice, cell, cell) {
        return (5, -1, beginCell().storeUint(0, 2).endCell().beginParse(), beginCell().storeUint(0x0161, 16).endCell(),
          createEmptyCell());
      }`);
    const storage = new ChainStore();
    const executor = await Executor.create();
    const accounts = [{ address, balance: ton, init: { code, data: Cell.empty } }];
    const chain = await openTestChain({ accounts, executor, storage });
    onTestFinished(() => chain.close());
    const api = serveChain(new ServedDevnet(storage), {
      methods: {
        runMethod: async (request) => executor.runMethod(request),
        randomBytes: () => new Uint8Array(32),
      },
      sendMessage: (body) => chain.sendMessage(body),
      now: () => 1_800_000_000,
    });
    await chain.step();
    await chain.step();
    const database = await fresh();
    const detection = await detectionOf(api);
    const index = async () => {
      const { follower, reaches } = follow(database, api, { detection });
      await reaches((await api.getMasterchainInfo()).last.seqno).finally(() => follower.close());
      return listJettonMasters(database.sql(), {}, { limit: 10, offset: 0 });
    };
    const found = await index();
    expect(found).toMatchObject([
      { address: address.toRawUpper(), total_supply: "5", last_transaction_lt: "0" },
    ]);
    await chain.step();
    expect(await index()).toEqual(found);
  });
});
