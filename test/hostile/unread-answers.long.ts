import { expect, it } from "vitest";
import { attack, startGreedService } from "../helpers/http/greedy-connections.js";
import { attackerKey, jsonBody, postCalls } from "../helpers/services/proxied-service.js";
import { until } from "../helpers/until.js";

it.each([
  ["one key", () => `X-API-Key: ${attackerKey}`],
  ["as many addresses", (number: number) => `X-Forwarded-For: 10.0.0.${number}`],
])(
  "a heap of 256 MB survives 100 connections of %s that ask for the most and hardly read",
  async (_, callerOf) => {
    const { service, url, batch } = await startGreedService();
    let ended: unknown;
    void service.ended.then((code) => {
      ended = code;
    });
    const askAsOther = async () => (await fetch(`${url}/api/v2/getMasterchainInfo`)).status;
    expect(await askAsOther()).toBe(200);
    const attacks = Array.from({ length: 100 }, (_unused, number) =>
      attack({ url, batch: batch(100, number), caller: callerOf(number), number }),
    );
    const sockets = await Promise.all(attacks);
    for (let round = 0; round < 50; round++) {
      // Every second one reads a little; the others read nothing.
      for (const socket of sockets.filter((_unused, i) => i % 2 === 0)) socket.resume();
      expect(await askAsOther()).toBe(200);
    }
    for (const socket of sockets) socket.destroy();
    await until("all that was held is free", async () => {
      const answer = await postCalls(url, batch(10, 0), { ...jsonBody, "X-API-Key": attackerKey });
      const entries = (await answer.json()) as { ok: boolean }[];
      return entries.every(({ ok }) => ok);
    });
    expect(ended).toBeUndefined();
  },
);
