import { expect, test } from "vitest";
import { clientOf, echo, type RpcRequest, sendJson, serve } from "../helpers/peers/rpc-server.js";

test("A client tells the newest block of the index that it has seen", async () => {
  const answers = [undefined, "41", "40", "x", "43"];
  const { url, requests } = await serve(({ body }, response) => {
    const seqno = answers[requests.length - 1];
    sendJson(response, echo(body as RpcRequest), 200, seqno === undefined ? {} : { "X-Index-Seqno": seqno });
  });
  const client = clientOf(url);
  for (const _ of [...answers, "last"]) await client.rpc.ping();
  expect(requests.map(({ headers }) => headers["x-index-seqno"])).toEqual([
    undefined,
    undefined,
    "41",
    "41",
    "41",
    "43",
  ]);
});
