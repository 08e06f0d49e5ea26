import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../../server/chain/executor/executor.js";
import type { Step } from "../../../server/devnet/collate/step.js";
import { tryNextStep } from "../../../server/devnet/collate/trial-step.js";
import { DevnetError } from "../../../server/devnet/devnet-error.js";
import { configEdit } from "../../../server/devnet/genesis/account-edits.js";
import { createGenesis } from "../../../server/devnet/genesis/genesis.js";
import { readExternal } from "../../../server/devnet/mempool/external-message.js";
import type { TickTockRequest, TransactionRequest } from "../../../shared/ton/run/account-request.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { encodeConfigParam } from "../../../shared/ton/tlb/config/config-param.js";
import { onlyCoins } from "../../../shared/ton/tlb/currency-collection.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../shared/values/address.js";
import { funded, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { sharedExecutor } from "../../helpers/chain/shared-executor.js";
import { makeStep, stepAfter } from "./made-step.js";

describe("the trial of a configuration", () => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await sharedExecutor();
  });

  const edits = [configEdit((config) => config.set(19, encodeConfigParam(19, 12345)))];

  /** An executor that lists what it is asked to run. */
  function recording() {
    const messages: TransactionRequest[] = [];
    const ticks: TickTockRequest[] = [];
    const runner: Step["executor"] = {
      runTransaction(request) {
        messages.push(request);
        return executor.runTransaction(request);
      },
      runTickTock(request) {
        ticks.push(request);
        return executor.runTickTock(request);
      },
    };
    return { messages, ticks, runner };
  }

  const paying = (from: TestWallet, to: TestWallet) => ({
    externals: [readExternal(from.pay({ to: to.address, value: ton, bounce: false }))],
  });

  /** A step that changes the configuration. */
  async function changed() {
    const step = stepAfter(createGenesis({ seed: "test", accounts: [] }), executor);
    return { step, made: await makeStep(step, { masterchain: { edits } }) };
  }

  it("runs a message from nobody to nobody in both blocks after it, and the ticks and tocks", async () => {
    const { step, made } = await changed();
    const { masterchain, basechain } = made.pair;
    const { messages, ticks, runner } = recording();
    await tryNextStep({ ...step, executor: runner }, made);

    const config = decode(ShardStateUnsplit, masterchain.state).custom!.value.config.config.cell;
    expect(config.equals(step.masterchain.master.config.config.cell)).toBe(false);
    expect([...messages, ...ticks].map((run) => run.config.hashHex())).toEqual(
      Array(4).fill(config.hashHex()),
    );
    const nobody = (workchain: number) => new Address(workchain, new Uint8Array(32));
    expect(messages.map(({ message }) => decode(Message, message).info)).toMatchObject(
      [0, -1].map((workchain) => ({
        src: nobody(workchain),
        dest: nobody(workchain),
        value: onlyCoins(0n),
        bounce: false,
      })),
    );
    for (const { lt } of messages) expect(lt).toBeGreaterThan(masterchain.endLt);
    expect(masterchain.endLt).toBeGreaterThan(basechain.endLt);
    expect(ticks.map(({ which }) => which)).toEqual(["tick", "tock"]);
  });

  it("imports nothing that waits, and knows where the blocks of the step have ended", async () => {
    const [base, master] = [new TestWallet("base"), new TestWallet("master", "v3r2", -1)];
    const genesis = createGenesis({ seed: "test", accounts: funded([base, master]) });
    const first = stepAfter(genesis, executor);
    // Each block sends to the other chain: one message has arrived with the step, the other waits.
    const made = await makeStep(first, {
      basechain: paying(base, master),
      masterchain: paying(master, base),
    });
    expect(made.deliveries).toHaveLength(3);
    const { messages, runner } = recording();
    await tryNextStep({ ...first, executor: runner }, made);
    expect(messages).toHaveLength(2);
  });

  it.each([
    ["an error", new Error("no gas prices"), "no gas prices"],
    ["another value", "a text", "a text"],
  ])("refuses a configuration with the reason if the executor throws %s", async (_what, thrown, reason) => {
    const { step, made } = await changed();
    const fail = () => {
      throw thrown;
    };
    const failing = { runTransaction: fail, runTickTock: fail };
    const trial = tryNextStep({ ...step, executor: failing }, made);
    await expect(trial).rejects.toThrow(DevnetError);
    await expect(trial).rejects.toMatchObject({
      kind: "invalid",
      message: `no block can be made with this configuration: ${reason}`,
    });
  });
});
