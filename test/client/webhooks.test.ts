import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { type VerifyOptions, verifyWebhook, WebhookError } from "../../client/webhooks/index.js";
import { signatureOf } from "../../server/stream/webhooks/post.js";

const secret = "whsec_of-this-test-0123456789";
const seconds = 1_735_689_728;
const now = () => seconds * 1000;
const delivery = {
  webhook: "wh_1",
  after: "a",
  cursor: "b",
  events: [{ cursor: "b", finality: "finalized", id: "7", event: { type: "end" } }],
};
const body = JSON.stringify(delivery);

const sign = (text: string, key = secret, at = seconds) =>
  createHmac("sha256", key).update(`${at}.${text}`).digest("hex");
const header = `t=${seconds},v1=${sign(body)}`;

/** The code of the refusal, or the delivery. */
async function verified(
  { signature = header, text = body }: { signature?: string; text?: string | Uint8Array },
  secrets: string | readonly string[] = secret,
  options: VerifyOptions = { now },
) {
  const headers = signature === "" ? {} : { "tonwire-signature": signature };
  return verifyWebhook({ headers, body: text }, secrets, options).catch((error) =>
    error instanceof WebhookError ? error.code : error,
  );
}

describe("verifyWebhook", () => {
  it("gives the delivery of a request that the service signed", async () => {
    expect(signatureOf([secret], seconds, body)).toBe(header);
    expect(await verified({})).toEqual(delivery);
    expect(await verified({ text: Buffer.from(body) })).toEqual(delivery);
    expect(await verified({ signature: ` t=${seconds} , v1=${sign(body).toUpperCase()}` })).toEqual(delivery);
  });

  it.each([
    [
      "of workers and Deno",
      new Request("https://a.example/", { method: "POST", body, headers: { "Tonwire-Signature": header } }),
    ],
    ["with the headers of Node", { headers: { "Tonwire-Signature": [header] }, body }],
    [
      "with headers as an object of fetch",
      { headers: new Headers({ "tonwire-signature": header }), body: Buffer.from(body) },
    ],
  ])("takes a request %s", async (_, request) => {
    expect(await verifyWebhook(request, secret, { now })).toEqual(delivery);
  });

  it("takes a request while one secret replaces another", async () => {
    const both = signatureOf(["the-new-secret-of-it", secret], seconds, body);
    expect(both.match(/v1=/g)).toHaveLength(2);
    for (const each of [secret, "the-new-secret-of-it", ["another-secret-of-it", secret]])
      expect(await verified({ signature: both }, each)).toEqual(delivery);
    expect(await verified({ signature: both }, "another-secret-of-it")).toBe("wrong-signature");
    expect(await verified({ signature: `${header},v2=later` })).toEqual(delivery);
  });

  it.each([
    ["another body", { text: body.replace('"7"', '"8"') }],
    ["another body of the same signature", { text: `${body} ` }],
    ["another secret", { signature: `t=${seconds},v1=${sign(body, "another-secret-of-it")}` }],
    ["another time", { signature: `t=${seconds + 1},v1=${sign(body)}` }],
    [
      "the signature of the body alone",
      { signature: `t=${seconds},v1=${createHmac("sha256", secret).update(body).digest("hex")}` },
    ],
    ["a later scheme only as v1", { signature: `t=${seconds},v1=${"0".repeat(64)}` }],
  ])("refuses a forged signature: %s", async (_, request) => {
    expect(await verified(request)).toBe("wrong-signature");
  });

  it.each([
    "",
    "t=1",
    `v1=${sign(body)}`,
    `t=${seconds},v0=${sign(body)}`,
    `t=${seconds},t=${seconds},v1=${sign(body)}`,
    `t=-5,v1=${sign(body)}`,
    `t=1e9,v1=${sign(body)}`,
    `t=${seconds},v1=${sign(body).slice(1)}`,
    `t=${seconds},v1=${sign(body)}00`,
    `t=${seconds},v1=${sign(body).replace(/.$/, "g")}`,
    `${header},${Array(9)
      .fill(`v1=${sign(body)}`)
      .join()}`,
    `${header},${"x".repeat(3000)}`,
  ])("refuses a malformed header: %j", async (signature) => {
    expect(await verified({ signature })).toBe("no-signature");
  });

  it("refuses requests signed too long ago, or in the future", async () => {
    const at = (offset: number, toleranceSec?: number) =>
      verified({}, secret, {
        now: () => now() + offset * 1000,
        ...(toleranceSec !== undefined && { toleranceSec }),
      });
    for (const offset of [-300, 0, 300]) expect(await at(offset)).toEqual(delivery);
    for (const offset of [-301, 301, 86_400]) expect(await at(offset)).toBe("stale");
    expect(await at(400, 500)).toEqual(delivery);
    expect(await at(2, 1)).toBe("stale");
    expect(await verified({}, secret, { now: () => Number.NaN })).toBe("stale");
    // By default it is compared with the present time.
    expect(await verified({}, secret, {})).toBe("stale");
  });

  it("distinguishes a stale request from a forged one only if it is signed", async () => {
    const old = () => now() + 86_400_000;
    expect(await verified({ text: `${body} ` }, secret, { now: old })).toBe("wrong-signature");
  });

  it.each(["", "null", "[]", "{}", '{"events":{}}', "no JSON"])(
    "refuses a signed body that is no delivery: %j",
    async (text) => {
      expect(await verified({ text, signature: `t=${seconds},v1=${sign(text)}` })).toBe("no-delivery");
    },
  );

  it("reports wrong use of its arguments", async () => {
    const parsed = { headers: { "tonwire-signature": header }, body: delivery as unknown as string };
    await expect(verifyWebhook(parsed, secret, { now })).rejects.toThrow("as text or bytes, not parsed");
    expect(await verified({}, "")).toEqual(new TypeError("verifyWebhook needs the secret of the webhook"));
    expect(await verified({}, [])).toBe("wrong-signature");
  });

  it("reads the request of a server of Node", async () => {
    const answers: unknown[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { headers } = request;
      answers.push(await verifyWebhook({ headers, body: Buffer.concat(chunks) }, secret, { now }));
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    await fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      body,
      headers: { "Tonwire-Signature": header },
    });
    server.close();
    expect(answers).toEqual([delivery]);
  });
});
