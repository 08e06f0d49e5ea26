import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../server/errors.js";
import { receiveText } from "../../../server/http/requests/body.js";

function upload(headers: Record<string, string> = {}) {
  const stream = new PassThrough();
  return { stream, request: Object.assign(stream, { headers }) as unknown as IncomingMessage };
}

async function failure(body: Promise<string>) {
  const error = await body.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return [error.statusIn("v2"), error.code, error.message];
}

describe("reading a body", () => {
  it("joins chunks, also when they split a character", async () => {
    const { stream, request } = upload();
    const body = receiveText(request, 10).content;
    const bytes = Buffer.from("zwölf");
    stream.write(bytes.subarray(0, 3));
    stream.end(bytes.subarray(3));
    expect(await body).toBe("zwölf");
  });

  it("rejects when the client disconnects", async () => {
    const { stream, request } = upload();
    const body = receiveText(request, 10).content;
    stream.destroy(new Error("reset"));
    expect(await failure(body)).toEqual([408, "invalid-request", "request body was cut off"]);
  });

  it("stops buffering at the limit, and ignores the rest", async () => {
    const { stream, request } = upload();
    const body = receiveText(request, 10).content;
    for (let i = 0; i < 1000; i++) stream.write("x".repeat(1000));
    expect(await failure(body)).toEqual([413, "too-large", "request is too large: at most 10 bytes"]);
    expect(stream.readableFlowing).toBe(true);
  });

  it("refuses by the announced length above the limit", async () => {
    const { request } = upload({ "content-length": "11" });
    expect(await failure(receiveText(request, 10).content)).toEqual([
      413,
      "too-large",
      "request is too large: at most 10 bytes",
    ]);
  });

  it("keeps nothing of one that is dropped, and lets it flow off", async () => {
    const { stream, request } = upload();
    const body = receiveText(request, 10);
    stream.write("12345");
    body.drop();
    // Beyond the limit, after the refusal.
    stream.end("x".repeat(1000));
    expect(await body.content).toBe("");
    expect(stream.readableLength).toBe(0);
  });

  it("may fail before it is awaited", async () => {
    const { request } = upload({ "content-length": "11" });
    const body = receiveText(request, 10);
    await new Promise(setImmediate);
    expect(await failure(body.content)).toEqual([413, "too-large", "request is too large: at most 10 bytes"]);
  });
});
