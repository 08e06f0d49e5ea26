import { beginCell, SendMode } from "@ton/core";
import { WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sized } from "../helpers/effort.js";
import { type IndexApp, startIndexApp } from "../helpers/http/index-app.js";

let app: IndexApp;
beforeAll(async () => {
  app = await startIndexApp(undefined);
});
afterAll(() => app.close());

describe("v3.decode", () => {
  const comment = "te6cckEBAQEACwAAEgAAAABoZWxsb5oNank=";
  it("reads bodies in base64 and hex, and answers an error for each bad one", async () => {
    const bodies = [
      comment,
      Buffer.from(comment, "base64").toString("hex"),
      "te6cckEBAQEAAgAAAEysuc0=",
      "te6cckEBAQEAAwAAAhIrS5n9",
      "zz",
      "te6!",
      "00",
      "",
    ];
    const { json } = await app.post("/api/v3/decode", { opcodes: ["0x5fcc3d14", "7"], bodies });
    expect(json).toEqual({
      opcodes: ["nft_transfer", "unknown"],
      bodies: [
        { "@type": "text_comment", text: "hello" },
        { "@type": "text_comment", text: "hello" },
        { "@type": "empty_cell" },
        {
          error: expect.stringMatching(/^unknown: (boc is too small, size 8|failed to deserialize boc: .*)$/),
        },
        { error: "unknown: failed to decode hex: invalid character" },
        { error: "unknown: failed to decode base64: invalid character" },
        { error: expect.stringMatching(/^unknown: failed to deserialize boc: ./) },
        { error: expect.stringMatching(/^unknown: failed to deserialize boc: ./) },
      ],
    });
  });

  it("reads opcodes as hex first, then as a decimal with or without a sign", async () => {
    const opcodes = ["10", "260734629", "4294967295", "-718113061", "0XF8A7EA5", "00000f8a7ea5"];
    const { json } = await app.post("/api/v3/decode", { opcodes });
    expect(json).toEqual({
      opcodes: ["unknown", "jetton_transfer", "bounce", "excess", "jetton_transfer", "jetton_transfer"],
      bodies: [],
    });
  });

  it("reads numbers as opcodes, and refuses invalid ones", async () => {
    const { json } = await app.post("/api/v3/decode", { opcodes: [0, 260_734_629, -718_113_061, "0"] });
    expect(json).toEqual({
      opcodes: ["text_comment", "jetton_transfer", "excess", "text_comment"],
      bodies: [],
    });
    const call = { jsonrpc: "2.0", id: 1, method: "v3.decode", params: { opcodes: [0] } };
    expect((await app.post("/jsonRPC", call)).json).toMatchObject({ result: { opcodes: ["text_comment"] } });
    for (const wrong of [1.5, 2 ** 32, -(2 ** 31) - 1, true, {}]) {
      const { status, json: refusal } = await app.post("/api/v3/decode", { opcodes: [0, wrong] });
      const error = 'failed to decode: schema: error converting value for index 1 of "opcodes"';
      expect([status, refusal]).toEqual([422, { error }]);
    }
  });

  it("recognises a signed order of a wallet by its layout", async () => {
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32) });
    const request = wallet.createTransfer({
      seqno: 5,
      secretKey: Buffer.alloc(64, 1),
      sendMode: SendMode.NONE,
      messages: [],
    });
    const bodies = [(await request).toBoc().toString("hex")];
    const { json } = await app.post("/api/v3/decode", { bodies });
    expect(json).toMatchObject({ opcodes: [], bodies: [{ "@type": "wallet_signed_v4", msg_seqno: "5" }] });
  });

  it("answers many bodies of shared cells without expanding them", async () => {
    let shared = beginCell().storeUint(0, 32).storeStringTail("again and again").endCell();
    for (let depth = 0; depth < 10; depth++)
      shared = beginCell()
        .storeUint(0xc0ffee44, 32)
        .storeUint(0, 64)
        .storeRef(shared)
        .storeRef(shared)
        .endCell();
    const bodies = Array.from({ length: sized(100, 1000) }, () => shared.toBoc().toString("base64"));
    const { json } = await app.post("/api/v3/decode", { bodies });
    expect(json).toEqual({
      opcodes: [],
      bodies: bodies.map(() => ({ error: "unknown: no parser succeeded" })),
    });
  });

  it("refuses a body that is not JSON", async () => {
    const plain = await app.ask("/api/v3/decode", {
      method: "POST",
      headers: { "Content-Type": "text/plain" },
      body: "{}",
    });
    expect([plain.status, plain.json]).toEqual([422, { error: "Unprocessable Entity" }]);
  });
});
