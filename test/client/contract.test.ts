import { randomBytes } from "node:crypto";
import { Address as TonAddress } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TypedContract } from "../../client/contract/index.js";
import { bocOf, cellOf } from "../../client/contract/stack-items.js";
import { createClient, http } from "../../client/index.js";
import { contractWrapper, TonClient } from "../../client/ton/index.js";
import { externalMessage } from "../../server/chain/external-message.js";
import { Address } from "../../shared/values/address.js";
import { boxAbi, boxSource } from "../helpers/abi/box-contract.js";
import { counterAbi, counterSource, counterOwner as owner } from "../helpers/abi/counter-contract.js";
import { loadProgram, programFor } from "../helpers/abi/load-program.js";
import { compile } from "../helpers/contracts/tolk.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

// Contracts as `tonwire types` writes them, on a service that has no ABI.

const emptyBoc = "te6ccgEBAQEAAgAAAA==";
const { counter, box } = await loadProgram(programFor(counterAbi(), boxAbi()));
const counters = new TypedContract(counter!);
const boxes = new TypedContract(box!);

let service: DevnetService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await sharedService("empty");
  client = createClient({ transport: http(`${service.url}/jsonRPC`), apiKey: service.key });
});
afterAll(async () => {
  client.close();
  await service.close();
});

/** Address of an account with this code and data. */
async function place(source: string, data: string): Promise<string> {
  const address = new Address(0, randomBytes(32)).toRawUpper();
  const code = bocOf(await compile(source));
  await service.run("devnet.setAccount", { address, balance: "10000000000", code, data });
  await service.mine();
  return address;
}

async function send(address: string, body: string): Promise<void> {
  const message = externalMessage(Address.read(address)!.address, cellOf(body), undefined);
  await client.sendBoc({ boc: bocOf(message) });
  await service.mine();
}

const started = { count: -5n, owner, points: { "3": 7n } };
const fill = {
  small: -129n,
  large: 2n ** 200n,
  key: "000102030405060708090A0B0C0D0E0F",
  color: "Blue",
  owner,
  pair: { first: -1n, second: true },
  wherever: null,
  choice: { "@type": "Cell", value: { first: 127n, second: false } },
  shape: [-7n, true],
  note: emptyBoc,
  rest: emptyBoc,
};

describe("a typed contract", () => {
  it("reads storage and get-methods, and writes bodies that the contract takes", async () => {
    const address = await place(counterSource, counters.encodeStorage(started));
    const { get, storage } = counters.at(client, address);
    expect(await storage()).toEqual(started);
    await send(address, counters.encode("Add", { by: 9n }));
    expect(await get["state"]!()).toEqual({ ...started, count: 4n });
    const point = { x: 1n, y: -2n };
    expect(await get["mixed"]!({ flag: true, point, who: owner })).toEqual([false, point, owner]);
    for (const any of [null, { "@type": "Point", ...point }, { "@type": "int", value: 5n }])
      expect(await get["echo"]!({ point: null, any })).toEqual([null, any]);
    expect(await get["takes"]!({ items: [null, point], list: [point] })).toBe(21n);
    const held = {
      items: Array.from({ length: 70 }, (_, i) => BigInt(i)),
      list: [1n, 2n, 3n],
      name: "hello",
    };
    expect(await get["held"]!()).toEqual(held);
    expect(await get["reads"]!({ held })).toEqual([701n, "hello"]);
  });

  it("has values of the other kinds", async () => {
    const address = await place(boxSource, emptyBoc);
    const body = boxes.encode("Fill", fill);
    expect(boxes.decode(body)).toEqual({ message: "Fill", fields: fill });
    await send(address, body);
    const { get, storage } = boxes.at(client, address);
    expect(await storage()).toEqual(fill);
    expect(await get["box"]!()).toEqual(fill);
    expect(await get["turned"]!({ shape: [1n, true], color: "77" })).toEqual([false, "77"]);
  });

  it("names the part of a value that has another type", () => {
    expect(() => boxes.encode("Fill", { ...fill, pair: { first: 200n, second: true } })).toThrow(
      new TypeError("pair.first: 200 does not fit 8 signed bits"),
    );
    expect(() => boxes.encode("Fil", fill)).toThrow(new TypeError("the contract has no message Fil"));
    expect(() => boxes.decode("no cells")).toThrow(TypeError);
    expect(boxes.decode(emptyBoc)).toBeUndefined();
    expect(() => boxes.decodeResult("turned", [1n])).toThrow("turned of Box did not return [bool, Color]");
  });

  it("rejects a run that failed, with the contract's name of the exit code", async () => {
    const throws = "get fun state(): int { throw 1234; }";
    const { get } = counters.at(client, await place(throws, emptyBoc));
    await expect(get["state"]!()).rejects.toMatchObject({
      code: "conflict",
      exitCode: 1234,
      exitName: "ERR_TOO_LARGE",
      exitMeaning: "More than 1000 at once",
    });
  });

  it("refuses a definition of another version", () => {
    expect(() => new TypedContract({ ...counter!, abi: { format: 0 } })).toThrow(
      "Counter was written by another version of tonwire: run tonwire types again",
    );
  });

  it("is a wrapper for @ton/core", async () => {
    const address = await place(counterSource, counters.encodeStorage(started));
    const opened = new TonClient({ client }).open(
      contractWrapper(counters, TonAddress.parse(address)),
    ) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    await opened["sendExternalAdd"]!({ by: 6n });
    await service.mine();
    expect(await opened["getState"]!()).toEqual({ ...started, count: 1n });
    expect(await opened["getPoints"]!()).toEqual([
      { x: 1n, y: 2n },
      { x: 3n, y: 4n },
    ]);
    expect(await opened["getTakes"]!({ items: [], list: [{ x: 1n, y: 1n }] })).toBe(1n);
  });
});
