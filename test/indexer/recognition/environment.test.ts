import { beforeAll, describe, expect, it } from "vitest";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { ton } from "../../helpers/chain/devnet.js";
import { describeContracts } from "../../helpers/index/describe-contracts.js";
import { idOf, someAddress } from "../../helpers/index/detection.js";
import { anyKind } from "../../helpers/store/databases.js";

/** A master whose supply is a value from its environment. */
const seeing = (supply: string) => `
  fun gasConsumed(): int asm "GASCONSUMED";
  get fun get_jetton_data(): (int, int, slice, cell, cell) {
    var supply = ${supply};
    return (supply, -1, beginCell().storeUint(0, 2).endCell().beginParse(),
      beginCell().storeUint(0x0161, 16).endCell(), createEmptyCell());
  }`;

/** Burns the amount of gas in its data: the same code then shows whether that exceeds the limit. */
const burning = seeing(`contract.getData().beginParse().loadUint(32);
    while (gasConsumed() < supply) { }`);

/** Contracts by what their get-methods depend on, with the gas that they use if it is much. */
const placed: [name: string, code: string, gas?: number][] = [
  ["balance", seeing("contract.getOriginalBalance()")],
  ["randomness", seeing("random.getSeed()")],
  ["configuration", seeing("blockchain.configParam(1)!.beginParse().loadUint(256)")],
  ["a million of gas", burning, 990_000],
  ["more gas", burning, 1_000_000],
  // The last block has its time.
  ["time", seeing("blockchain.now()")],
];
const addressOf = (name: string) => someAddress(1 + placed.findIndex(([each]) => each === name));

describeContracts(
  (index) => {
    beforeAll(async () => {
      for (const [name, code, gas = 0] of placed)
        await index.place(addressOf(name), { code, data: beginCell().storeUint(gas, 32).endCell() });
      await index.catchUp();
    });

    const supplyOf = async (name: string) => {
      const { jetton_masters } = await index.ask("jetton/masters", `address=${addressOf(name).toRawUpper()}`);
      return jetton_masters[0]?.total_supply;
    };

    describe("a get-method that recognises a contract", () => {
      it("sees the time of the masterchain block", async () => {
        const { blocks } = await index.ask("blocks", "workchain=-1&limit=1&sort=desc");
        expect(await supplyOf("time")).toBe(blocks[0]!.gen_utime);
      });

      it("sees the balance of the account", async () => {
        expect(await supplyOf("balance")).toBe(String(ton));
        await index.devnet.controls.setBalance(idOf(addressOf("balance")), 5n * ton);
        await index.catchUp();
        expect(await supplyOf("balance")).toBe(String(5n * ton));
      });

      it.each([
        ["no randomness", "randomness", "0"],
        ["the configuration of the chain", "configuration", String(BigInt(`0x${"33".repeat(32)}`))],
        ["a million of gas", "a million of gas", "990000"],
        ["no more gas", "more gas", undefined],
      ])("sees %s", async (_, name, supply) => {
        expect(await supplyOf(name)).toBe(supply);
      });
    });
  },
  { kinds: [anyKind] },
);
