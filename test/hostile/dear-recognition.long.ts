import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { place } from "../helpers/contracts/contracts.js";
import { dearContract } from "../helpers/contracts/dear-contracts.js";
import { compile } from "../helpers/contracts/tolk.js";
import { someAddress } from "../helpers/index/detection.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { until } from "../helpers/until.js";
import { besideAttack, cpuSecondsOf, from, harmlessCalls, startDearService } from "./dear-attack.js";

type DearService = Awaited<ReturnType<typeof startDearService>>;

/** Get-methods by which the index recognises contracts. */
const askedByIndex = [
  "get_jetton_data",
  "get_wallet_data",
  "get_nft_data",
  "get_collection_data",
  "get_sale_data",
];
const outOfGas = -14;
const hostile = Array.from({ length: 20 }, (_, n) => someAddress(0xa0 + n).toRaw());
const jetton = someAddress(0xe0).toRaw();

describe("get-methods of the index, in the process that serves callers", () => {
  let service: DearService;
  beforeAll(async () => {
    service = await startDearService();
  });
  afterAll(() => service.close());

  /** Puts code at addresses, and has each receive a message; returns the seqno of the block. */
  async function awaken(contracts: ReadonlyMap<string, Cell>): Promise<number> {
    for (const [address, code] of contracts) await place(service, { address, code });
    for (const address of contracts.keys()) await service.run("devnet.faucet", { address, amount: "1" });
    return service.mine();
  }

  it("leave callers answered while 20 hostile contracts are recognised", async () => {
    const codes = await Promise.all(hostile.map((_, n) => dearContract(0x100 + n, askedByIndex)));
    const contracts = new Map(hostile.map((address, n) => [address, codes[n]!]));
    const seqno = await awaken(contracts);
    const cpuSeconds = await cpuSecondsOf(() => service.askHarmless(from("192.0.2.1")));
    await untilIndexed(service, seqno);
    // Each call waited for two dear runs.
    expect(await service.runsIn(cpuSeconds)).toBeLessThan(harmlessCalls / 4);
    const burnt = await service.run("runGetMethod", {
      address: hostile[0],
      method: askedByIndex[0],
      stack: [],
    });
    expect(burnt).toMatchObject({ exit_code: outOfGas });
  });

  it("recognise a contract while 64 addresses run dear ones", async () => {
    const supply = "64";
    const code = await compile(`
      get fun get_jetton_data(): (int, bool, address?, cell, cell) {
        return (${supply}, true, null, beginCell().storeUint(0x0161, 16).endCell(), createEmptyCell());
      }`);
    const { answered, cpuSeconds } = await besideAttack(service.burn, 64, async () => {
      await awaken(new Map([[jetton, code]]));
      await until("the index has recognised the contract", async () => {
        const { json } = await service.get(`/api/v3/jetton/masters?address=${jetton}`);
        const [master] = (json as { jetton_masters: { total_supply: string }[] }).jetton_masters;
        return master?.total_supply === supply;
      });
    });
    // It was not recognised after more than a minute of them.
    expect(answered).toBeLessThan(20);
    expect(await service.runsIn(cpuSeconds)).toBeLessThan(10);
  });
});
