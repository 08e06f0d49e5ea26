import { expect, onTestFinished, test } from "vitest";
import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import { firstBlocks, startChainApp } from "../helpers/http/chain-app.js";
import { ManualTimers } from "../helpers/manual-timers.js";
import { openGateway } from "../helpers/peers/gateway-line.js";
import { openLiteserversForTest } from "../helpers/peers/open-liteservers.js";
import { describeWithChain } from "../helpers/test-data.js";
import { until } from "../helpers/until.js";

const elector = `-1:${"3".repeat(64)}`;
const balance = `/api/v2/getAddressBalance?address=${elector}`;
const attemptMs = 3000;
const callMs = 10_000;

type AccountRead = LiteApi["getAccountState"];

describeWithChain("the only liteserver", (data) => {
  const chain = firstBlocks(data);

  /** An app whose one liteserver answers the nth read of an account by `answers`. */
  async function appWith(answerTo: (read: number) => AccountRead) {
    let reads = 0;
    const { gateway, address } = await openGateway({
      ...chain,
      getAccountState: (...args) => answerTo(++reads)(...args),
    });
    onTestFinished(() => gateway.close());
    const timers = new ManualTimers();
    const pool = await openLiteserversForTest(chain, [address], { timers });
    const app = await startChainApp(pool.api);
    onTestFinished(() => app.close());
    return { app, timers, nthRead: (count: number) => until(`read ${count}`, () => reads === count) };
  }
  const never: AccountRead = () => new Promise(() => {});

  test("is asked again within the call's deadline if it does not answer", async () => {
    const { app, timers, nthRead } = await appWith((read) => (read === 1 ? never : chain.getAccountState));
    const answer = app.ask(balance);
    await nthRead(1);
    timers.pass(attemptMs);
    expect(await answer).toMatchObject({ status: 200, json: { ok: true } });
  });

  test("may take the rest of the deadline for the second attempt", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow: AccountRead = (...args) => gate.then(() => chain.getAccountState(...args));
    const { app, timers, nthRead } = await appWith((read) => (read === 1 ? never : slow));
    const answer = app.ask(balance);
    await nthRead(1);
    timers.pass(attemptMs);
    await nthRead(2);
    timers.pass(attemptMs);
    open();
    expect(await answer).toMatchObject({ status: 200, json: { ok: true } });
  });

  test("ends a call in 504 if it answers neither attempt", async () => {
    const { app, timers, nthRead } = await appWith(() => never);
    const answer = app.ask(balance);
    await nthRead(1);
    timers.pass(attemptMs);
    await nthRead(2);
    timers.pass(callMs - attemptMs);
    const { headers, ...rest } = await answer;
    expect(headers.get("Retry-After")).toBe("1");
    expect(rest).toMatchObject({
      status: 504,
      json: { ok: false, error: "Liteserver timeout", code: 504 },
    });
  });
});
