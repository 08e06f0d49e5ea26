import { describe, expect, it } from "vitest";
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

describeContracts(
  (index) => {
    const supplyOf = async (byte: number) => {
      await index.catchUp();
      const { jetton_masters } = await index.ask(
        "jetton/masters",
        `address=${someAddress(byte).toRawUpper()}`,
      );
      return jetton_masters[0]?.total_supply;
    };

    describe("a get-method that recognises a contract", () => {
      it("sees the time of the masterchain block", async () => {
        await index.place(someAddress(1), { code: seeing("blockchain.now()") });
        const supply = await supplyOf(1);
        const { blocks } = await index.ask("blocks", "workchain=-1&limit=1&sort=desc");
        expect(supply).toBe(blocks[0]!.gen_utime);
      });

      it("sees the balance of the account", async () => {
        await index.place(someAddress(2), { code: seeing("contract.getOriginalBalance()") });
        expect(await supplyOf(2)).toBe(String(ton));
        await index.devnet.controls.setBalance(idOf(someAddress(2)), 5n * ton);
        expect(await supplyOf(2)).toBe(String(5n * ton));
      });

      it("sees no randomness", async () => {
        await index.place(someAddress(3), { code: seeing("random.getSeed()") });
        expect(await supplyOf(3)).toBe("0");
      });

      it("sees the configuration of the chain", async () => {
        await index.place(someAddress(4), {
          code: seeing("blockchain.configParam(1)!.beginParse().loadUint(256)"),
        });
        expect(await supplyOf(4)).toBe(String(BigInt(`0x${"33".repeat(32)}`)));
      });

      it("has a million of gas, and no more", async () => {
        const gas = (amount: number) => beginCell().storeUint(amount, 32).endCell();
        await index.place(someAddress(5), { code: burning, data: gas(990_000) });
        expect(await supplyOf(5)).toBe("990000");
        await index.place(someAddress(6), { code: burning, data: gas(1_000_000) });
        expect(await supplyOf(6)).toBe(undefined);
      });
    });
  },
  { kinds: [anyKind] },
);
