import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { TextBytes, textBuffers } from "../../server/present/v3/answer-text.js";
import { defineMethod } from "../../shared/methods/define.js";
import { JsonText } from "../../shared/methods/json-text.js";
import { withResolvers } from "../../shared/values/promises.js";
import { sized, variants } from "../helpers/effort.js";
import { startApp, type TestApp } from "../helpers/http/app.js";
import { until } from "../helpers/until.js";

// Long answers are made in memory that is used again once they were sent.

const numbers = defineMethod({
  summary: "A number as often as it is asked for.",
  group: "Test",
  params: z.object({
    number: z.coerce.number().describe("Which."),
    times: z.coerce.number().describe("How often."),
  }),
  result: z.array(z.number()),
  verbs: ["GET"],
  freshness: { kind: "index" },
  examples: [{ params: { number: 1, times: 2 }, result: [1, 1] }],
});

const bodyOf = (number: number, times: number) => `[${Array(times).fill(number).join()}]`;

const index = { current: "block 1" };
const answers = { maxCallerBytes: 2 ** 28, maxTotalBytes: 2 ** 29 };
let app: TestApp;
let runs = 0;
let mayEnd = Promise.resolve();
beforeAll(async () => {
  const run = async ({ number, times }: { number: number; times: number }) => {
    runs++;
    const text = new TextBytes();
    text.add("[");
    for (let i = 0; i < times; i++) {
      text.add(i === 0 ? `${number}` : `,${number}`);
      if (i % 10_000 === 0) await turn();
    }
    text.add("]");
    await mayEnd;
    return new JsonText<number[]>(text.end());
  };
  app = await startApp({
    registry: { v3: { numbers } },
    implementations: { v3: { numbers: run } },
    index,
    answers,
  });
});
afterAll(() => app.close(0));

const [taken, givenBack] = [vi.spyOn(textBuffers, "take"), vi.spyOn(textBuffers, "giveBack")];
afterAll(() => [taken, givenBack].map((each) => each.mockRestore()));
/** Buffers that were taken and not given back. */
const inUse = () => taken.mock.calls.length - givenBack.mock.calls.length;

const path = (number: number, times: number) => `/api/v3/numbers?number=${number}&times=${times}`;
const request = (number: number, times: number, ...headers: string[]) =>
  `GET ${path(number, times)} HTTP/1.1\r\nHost: x\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`;

async function open() {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** Requests answers over one connection, and returns a function that begins to read their bodies. */
async function askUnread(
  ...asked: readonly [number: number, times: number][]
): Promise<() => Promise<string[]>> {
  const socket = await open();
  const requests = asked.map(([number, times], at) =>
    request(number, times, ...(at === asked.length - 1 ? ["Connection: close"] : [])),
  );
  socket.pause().write(requests.join(""));
  return async () => {
    const answers = String(Buffer.concat(await socket.toArray()))
      .split("HTTP/1.1 200 OK")
      .slice(1);
    // Answers longer than a piece are chunked.
    return answers.map((answer) => /\[.*\]/s.exec(answer)![0].replace(/\r\n[0-9a-f]+\r\n/g, ""));
  };
}

/** From 100 kB to 1.2 MB. */
const lengths = [20_000, 50_000, 200_000];
const rounds = sized(1, 8);

it("Each reader gets its own answer, among some that read late or leave", async () => {
  let number = 10_000;
  const readers = ["identity", "gzip", "br"].map(async (encoding) => {
    for (let round = 0; round < rounds; round++)
      for (const times of lengths) {
        const own = number++;
        const { text } = await app.ask(path(own, times), { headers: { "Accept-Encoding": encoding } });
        expect(text === bodyOf(own, times)).toBe(true);
      }
  });
  const late = Array.from({ length: sized(1, 4) }, async () => {
    const own = [number++, number++];
    const read = await askUnread([own[0]!, 200_000], [own[1]!, 200_000]);
    await Promise.all(readers);
    const bodies = await read();
    expect(bodies.map((body, at) => body === bodyOf(own[at]!, 200_000))).toEqual([true, true]);
  });
  const leaving = Array.from({ length: sized(3, 20) }, async () => {
    const socket = await open();
    socket.write(request(number++, 200_000) + request(number++, 50_000));
    await once(socket, "data");
    socket.destroy();
  });
  const calls = lengths.map(async (times) => {
    for (let round = 0; round < rounds; round++) {
      const own = number++;
      const call = { jsonrpc: "2.0", id: own, method: "v3.numbers", params: { number: own, times } };
      const single = await app.post("/jsonRPC", call);
      expect(single.text === `{"jsonrpc":"2.0","id":${own},"ok":true,"result":${bodyOf(own, times)}}`).toBe(
        true,
      );
    }
  });
  await Promise.all([...readers, ...late, ...leaving, ...calls]);
});

it("Memory of answers is used again once they were sent, however they were", async () => {
  const before = inUse();
  let number = 80_000;
  const ways = [
    ...["identity", "gzip", "br"].map((encoding) => async (times: number) => {
      const own = number++;
      const { text } = await app.ask(path(own, times), { headers: { "Accept-Encoding": encoding } });
      expect(text === bodyOf(own, times)).toBe(true);
    }),
    async (times: number) => {
      const own = number++;
      const call = { jsonrpc: "2.0", id: own, method: "v3.numbers", params: { number: own, times } };
      expect((await app.post("/jsonRPC", call)).text).toContain(bodyOf(own, times));
    },
    async (times: number) => {
      const own = number++;
      const read = await askUnread([own, times]);
      expect((await read())[0] === bodyOf(own, times)).toBe(true);
    },
    async (times: number) => {
      const socket = await open();
      socket.write(request(number++, times));
      await once(socket, "data");
      socket.destroy();
    },
  ];
  // Short texts, those that are copied, whole answers and answers in pieces.
  for (const times of [10, 5000, ...lengths]) for (const ask of ways) await ask(times);
  await until("all memory was given back", () => inUse() === before);
});

it("Memory of an answer that several callers share is used again before they have it", async () => {
  const before = inUse();
  const { promise, resolve: end } = withResolvers<void>();
  mayEnd = promise;
  const shares = () => app.cacheReads.filter((read) => read === "shared").length;
  const sharesBefore = shares();
  const asked = [1, 2, 3].map(() => app.ask(path(90_000, 50_000)));
  await until("all share the run", () => shares() - sharesBefore === 2);
  end();
  for (const { text } of await Promise.all(asked)) expect(text === bodyOf(90_000, 50_000)).toBe(true);
  expect(inUse()).toBe(before);
});

it("Callers that share a run have the same answer, also a late reader", async () => {
  const times = 400_000;
  const shared = 60_000;
  const shares = () => app.cacheReads.filter((read) => read === "shared").length;
  const sharesBefore = shares();
  const { promise, resolve: end } = withResolvers<void>();
  mayEnd = promise;
  // More unread bytes are ahead of it than sockets buffer.
  const ahead = variants([1], [2, 3, 4]).map((of) =>
    [[10, 20, 30, 40].map((number) => number + of + shared), shared].flat(),
  );
  const late = await Promise.all(
    ahead.map((own) => askUnread(...own.map((number): [number, number] => [number, times]))),
  );
  const asked = [1, 2, 3].map(() => app.ask(path(shared, times)));
  await until("all share the run", () => shares() - sharesBefore === ahead.length + asked.length - 1);
  end();
  for (const { text } of await Promise.all(asked)) expect(text === bodyOf(shared, times)).toBe(true);
  for (let other = 70_000; other < 70_000 + sized(2, 10); other++)
    expect((await app.ask(path(other, times))).text === bodyOf(other, times)).toBe(true);
  for (const [at, read] of late.entries()) {
    const expected = ahead[at]!.map((number) => bodyOf(number, times));
    expect((await read()).map((body, of) => body === expected[of])).toEqual(Array(5).fill(true));
  }
});

it("A long answer is cached when it is asked for again, also of a later block", async () => {
  const askTwice = async () => {
    const before = runs;
    for (let ask = 0; ask < 4; ask++) {
      expect((await app.ask(path(5, 50_000))).text).toBe(bodyOf(5, 50_000));
      expect((await app.ask(path(6 + ask, 50_001))).text).toBe(bodyOf(6 + ask, 50_001));
    }
    return runs - before;
  };
  expect(await askTwice()).toBe(2 + 4);
  index.current = "block 2";
  expect(await askTwice()).toBe(1 + 4);
});
