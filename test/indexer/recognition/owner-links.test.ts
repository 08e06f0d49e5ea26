import { expect, onTestFinished, test } from "vitest";
import { listJettonWallets } from "../../../server/store/queries/tokens/jettons.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { idOf, openDetectedDevnet, place, someAddress } from "../../helpers/index/detection.js";
import { follow } from "../../helpers/index/index-chain.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";

const [wallet, master, owner, nobody] = [1, 2, 3, 4].map(someAddress);

const dataOf = (value: number) => beginCell().storeUint(value, 32).endCell();

/** A wallet whose data are its balance. */
const walletCode = (version: number) =>
  compile(`
    get fun get_wallet_data(): (int, address, address, cell) {
      return (contract.getData().beginParse().loadUint(32), address("${owner}"), address("${master}"), createEmptyCell());
    }
    get fun version(): int { return ${version}; }`);

/** A master that confirms the wallet if its data are 1. */
const masterCode = (version: number) =>
  compile(`
    get fun get_wallet_address(of: address): address {
      return contract.getData().beginParse().loadUint(32) == 1 ? address("${wallet}") : address("${nobody}");
    }
    get fun version(): int { return ${version}; }`);

describeDatabase("A jetton wallet that its master has confirmed", (fresh) => {
  test("is confirmed again when its own code or its master's code changed, and only then", async () => {
    const devnet = await openDetectedDevnet();
    const { controls, events, detection } = devnet;
    const database = await fresh();
    const { follower, reaches } = follow(database, devnet.api, { events, detection });
    onTestFinished(() => follower.close());
    const balanceAfter = async (block: { seqno: number }) => {
      await reaches(block.seqno);
      const filter = { addresses: [], withBalance: false };
      const [found] = await listJettonWallets(database.sql(), filter, { limit: 1, offset: 0, sort: "desc" });
      return found?.balance;
    };
    const setBalance = async (value: number) =>
      balanceAfter((await controls.setData(idOf(wallet!), serializeBoc(dataOf(value)))).block);
    const setMaster = async (code: number, answer: number) => {
      await controls.setData(idOf(master!), serializeBoc(dataOf(answer)));
      await controls.setCode(idOf(master!), serializeBoc(await masterCode(code)));
    };
    await place(devnet, master!, await masterCode(1), dataOf(1));
    await place(devnet, wallet!, await walletCode(1));
    expect(await setBalance(5)).toBe("5");

    await setMaster(1, 0);
    expect(await setBalance(6)).toBe("6");

    await setMaster(2, 0);
    expect(await setBalance(7)).toBe("6");
    await setMaster(2, 1);
    expect(await setBalance(8)).toBe("8");

    await setMaster(2, 0);
    const { block } = await controls.setCode(idOf(wallet!), serializeBoc(await walletCode(2)));
    await reaches(block.seqno);
    expect(await setBalance(9)).toBe("8");
  });
});
