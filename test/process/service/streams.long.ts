import { expect, onTestFinished, test } from "vitest";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { devnetWithGateway, here, key } from "../../helpers/services/role-processes.js";
import { describeServers } from "../../helpers/store/describe-databases.js";
import { until } from "../../helpers/until.js";

const address = `0:${"5A".repeat(32)}`;
const watching = { types: ["transactions", "account_state_change", "actions"], addresses: [address] };

describeServers("streams of several processes over one database", (_fresh, server) => {
  test("send the same, and each continues where another one stopped", { timeout: 600_000 }, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const place = { databaseUrl: await server().database(), globalConfig };
    await here.startIndex(place);
    const [first, second] = [await here.startApi(place), await here.startApi(place)];
    const stream = async (api: typeof first, headers = {}) => {
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

    // The process is gone; its client continues at the other one.
    const last = /^id: (.*)$/m.exec(both[0].frames[4]!)![1]!;
    first.process.send("SIGTERM");
    await first.process.ended;
    const resumed = await stream(second, { "Last-Event-ID": last });
    await until("the rest", () => resumed.frames.length === 3 * rounds - 3);
    expect(resumed.frames.slice(1)).toEqual(both[0].frames.slice(5));
  });
});
