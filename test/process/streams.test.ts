import { expect, onTestFinished, test } from "vitest";
import { describePostgres } from "../helpers/describe-databases.js";
import { RawEventStream } from "../helpers/event-stream.js";
import { TestSubscriber } from "../helpers/test-subscriber.js";
import { until } from "../helpers/until.js";
import { type Api, devnetWithGateway, key, startApi, startIndex } from "./role-processes.js";

const address = `0:${"5A".repeat(32)}`;
const watching = { types: ["transactions", "account_state_change", "actions"], addresses: [address] };

describePostgres("streams of several processes over one database", (_fresh, server) => {
  test("tell the same, and each goes on where another one stopped", { timeout: 600_000 }, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const place = { databaseUrl: await server().database(), globalConfig };
    await startIndex(place);
    const [first, second] = [await startApi(place), await startApi(place)];
    const stream = async (api: Api, headers = {}) => {
      const isReady = async () => (await api.ask("/api/streaming/healthz"))[0] === 200;
      await until("the streams", isReady);
      const opened = RawEventStream.open(api.url, watching, { key, headers });
      onTestFinished(() => opened.close());
      await until("the stream", () => opened.frames.length > 0);
      return opened;
    };
    const both = [await stream(first), await stream(second)] as const;
    const rounds = 3;
    for (let round = 0; round < rounds; round++) {
      await devnet.run("devnet.faucet", { address });
      await devnet.mine(2);
    }
    for (const each of both) await until("all events", () => each.frames.length > 3 * rounds);
    expect(both[0].frames).toEqual(both[1].frames);
    const types = both[0].events.slice(1).map(({ type }) => type);
    expect(types).toEqual(Array(rounds).fill(["transactions", "account_state_change", "actions"]).flat());

    // The process is gone; its client goes on at the other one.
    const last = /^id: (.*)$/m.exec(both[0].frames[4]!)![1]!;
    first.process.send("SIGKILL");
    await first.process.ended;
    const resumed = await stream(second, { "Last-Event-ID": last });
    await until("the rest", () => resumed.frames.length === 3 * rounds - 3);
    expect(resumed.frames.slice(1)).toEqual(both[0].frames.slice(5));
  });

  test("lose and repeat nothing for clients that are cut and go from one to the other", {
    timeout: 600_000,
  }, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const place = { databaseUrl: await server().database(), globalConfig };
    await startIndex(place);
    const apis = [await startApi(place), await startApi(place)];
    for (const api of apis)
      await until("the streams", async () => (await api.ask("/api/streaming/healthz"))[0] === 200);
    const rounds = 10;
    const accounts = [address];
    const received: string[] = [];
    let from: string | undefined;
    let head = 0;
    for (let round = 0; round < rounds; round++) {
      const client = await TestSubscriber.open(apis[round % 2]!.url, key);
      onTestFinished(() => client.close());
      const { subscription, cursor } = await client.subscribe({ kind: "transactions", accounts, from });
      from ??= cursor;
      await devnet.run("devnet.faucet", { address });
      head = await devnet.mine(2);
      // Every other client is cut before it can have received anything of this round.
      if (round % 3 > 0) await client.has(subscription, "transaction");
      const events = client.events(subscription, "transaction");
      client.close();
      received.push(...events.map(({ id }) => id!));
      from = events.at(-1)?.cursor ?? from;
    }
    const last = await TestSubscriber.open(apis[0]!.url, key);
    onTestFinished(() => last.close());
    const { subscription } = await last.subscribe({ kind: "transactions", accounts, from, to: head });
    await last.has(subscription, "end");
    received.push(...last.events(subscription, "transaction").map(({ id }) => id!));
    const whole = await TestSubscriber.open(apis[1]!.url, key);
    onTestFinished(() => whole.close());
    const all = await whole.subscribe({ kind: "transactions", accounts, from: { mc_seqno: 1 }, to: head });
    await whole.has(all.subscription, "end");
    const expected = whole.events(all.subscription, "transaction").map(({ id }) => id!);
    expect(expected).toHaveLength(rounds);
    expect(received).toEqual(expected);
  });
});
