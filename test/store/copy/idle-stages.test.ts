import { describe, expect, it } from "vitest";
import { IdleStages } from "../../../server/store/copy/idle-stages.js";
import { tables } from "../../../server/store/tables.js";

describe("stages of the embedded database", () => {
  it("are dropped once some batches have not used them", () => {
    const stages = new IdleStages();
    const { traces, jettonWallets } = tables;
    expect(stages.dropAfter([traces, jettonWallets])).toEqual([]);
    const dropped = Array.from({ length: 6 }, () => stages.dropAfter([traces]));
    expect(dropped.flat()).toEqual(["drop table if exists pg_temp.stage_jetton_wallets"]);
    expect(dropped.at(-1)).toEqual([]);
  });

  it("stay while they are used now and then", () => {
    const stages = new IdleStages();
    for (let round = 0; round < 5; round++)
      expect([[tables.traces], [], []].flatMap((used) => stages.dropAfter(used))).toEqual([]);
  });
});
