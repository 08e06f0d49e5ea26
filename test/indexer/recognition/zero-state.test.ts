import { expect, onTestFinished, test } from "vitest";
import { listJettonMasters } from "../../../server/store/queries/tokens/jettons.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { openGenesisAccounts } from "../../helpers/chain/genesis-accounts.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { detectionOf, someAddress } from "../../helpers/index/detection.js";
import { follow } from "../../helpers/index/index-chain.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";

const address = someAddress(5);

describeDatabase("A contract of the zero state that no block has changed", (fresh) => {
  test("is recognised with block 1, once", async () => {
    const code = await compile(`
      get fun get_jetton_data(): (int, int, slice, cell, cell) {
        return (5, -1, beginCell().storeUint(0, 2).endCell().beginParse(), beginCell().storeUint(0x0161, 16).endCell(),
          createEmptyCell());
      }`);
    const { chain, api } = await openGenesisAccounts([{ address, code, data: Cell.empty }]);
    onTestFinished(() => chain.close());
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
