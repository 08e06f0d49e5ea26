import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Devnet } from "../../server/devnet/devnet.js";
import { TestWallet, ton } from "../helpers/devnet.js";
import { type StoryApp, startStory, startStoryApp } from "../helpers/story-app.js";

const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const elector = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";
const conversion = (name: string) => `failed to decode: schema: error converting value for "${name}"`;

let devnet: Devnet;
let app: StoryApp;
beforeAll(async () => {
  devnet = await startStory();
  // None of these methods needs an index where it is late.
  app = await startStoryApp(devnet, undefined, { isIndexLate: true });
});
afterAll(async () => {
  await app.close();
  await devnet.close();
});

const post = async (method: string, body: unknown) => {
  const { status, json } = await app.post(`/api/v3/${method}`, body);
  return [status, json];
};

describe("a legacy method refuses", () => {
  it.each([
    ["walletInformation", 401, "address of account is required"],
    ["addressInformation", 401, "address of account is required"],
    ["account?use_v2=true", 401, "address of account is required"],
    ["walletInformation?address=bad", 422, conversion("address")],
    ["wallet?address=", 422, conversion("address")],
    [`addressInformation?address=${friendly}&use_v2=maybe`, 422, conversion("use_v2")],
    [`walletInformation?address=${elector}`, 409, "not a wallet"],
  ])("GET %s with %i", async (path, status, error) => {
    const answer = await app.ask(`/api/v3/${path}`);
    expect([answer.status, answer.json]).toEqual([status, { error }]);
  });

  const address = friendly;
  it.each([
    ["message", {}, 401, "boc is required"],
    ["message", { boc: "" }, 401, "boc is required"],
    ["message", { boc: "!" }, 400, "INVALID_BAG_OF_CELLS"],
    ["message", { boc: "te6cckEBAQEAAgAAAEysuc0=" }, 500, "Failed to unpack Message"],
    ["estimateFee", {}, 401, "address is required"],
    ["estimateFee", { address, body: "AAAA" }, 400, "INVALID_BAG_OF_CELLS: body"],
    ["runGetMethod", { method: "seqno" }, 401, "address is required"],
    ["runGetMethod", { address }, 401, "method is required"],
    ["runGetMethod", { address, method: "x", stack: 5 }, 422, "stack should be a list"],
    [
      "runGetMethod",
      { address, method: "x", stack: [{ type: "tuple", value: [] }] },
      422,
      "unsupported stack parameter type: tuple",
    ],
    [
      "runGetMethod",
      { address, method: "x", stack: [{ type: "num", value: "1e5" }] },
      422,
      "stack entry is no number: 1e5",
    ],
  ])("POST %s %j with %i", async (method, body, status, error) => {
    expect(await post(method, body)).toEqual([status, { error }]);
  });
});

describe("runGetMethod", () => {
  it("answers entries as objects, whatever their depth", async () => {
    const [status, list] = await post("runGetMethod", {
      address: elector,
      method: "participant_list",
      stack: [],
    });
    expect([status, list]).toEqual([
      200,
      { gas_used: expect.any(Number), exit_code: 0, stack: [{ type: "list", value: [] }] },
    ]);
  });

  it("hands over arguments, and tells how a method failed", async () => {
    const stack = [
      { type: "num", value: "-0x1" },
      { type: "num", value: "18" },
    ];
    expect(await post("runGetMethod", { address: elector, method: "no_such_method", stack })).toEqual([
      200,
      { gas_used: expect.any(Number), exit_code: 11, stack: expect.any(Array) },
    ]);
    const bag = "te6cckEBAQEAAgAAAEysuc0=";
    const cells = [
      { type: "cell", value: bag },
      { type: "slice", value: bag },
      { type: "num", value: -5 },
    ];
    expect(await post("runGetMethod", { address: friendly, method: "85143", stack: cells })).toEqual([
      200,
      {
        gas_used: 0,
        exit_code: -13,
        stack: [
          { type: "cell", value: bag },
          { type: "slice", value: bag },
          { type: "num", value: "-0x5" },
          { type: "num", value: "0x14c97" },
        ],
      },
    ]);
  });
});

describe("message", () => {
  it("is taken in once, with the hashes it is found by", async () => {
    const wallet = new TestWallet("v3 legacy", "v4r2");
    await devnet.controls.faucet({ workchain: 0, id: wallet.address.hash }, 5n * ton);
    await devnet.controls.mine(2);
    const boc = Buffer.from(wallet.pay({ to: wallet.address, value: ton })).toString("base64");
    const [status, hashes] = await post("message", { boc });
    expect([status, hashes]).toEqual([
      200,
      { message_hash: expect.any(String), message_hash_norm: expect.any(String) },
    ]);
    const [again, refusal] = await post("message", { boc });
    expect([again, refusal]).toEqual([500, { error: expect.stringContaining("duplicate message") }]);
  });
});
