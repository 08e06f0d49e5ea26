import { type LiteApi, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { invokerOf, type LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { encodeAnswer, encodeError, queryFrom } from "../../../shared/ton/tl/lite-functions.js";
import { type RpcRequest, serve } from "./rpc-server.js";

/** Changes an answer before it is sent. `nth`: how often the function was asked before. */
export type Lie = (asked: { method: LiteMethod; nth: number }, answer: Uint8Array) => Uint8Array;

type Options = {
  lie?: Lie;
  /** Texts by path, as pages and scripts. */
  pages?: Readonly<Record<string, string>>;
};

/** A service with the method `lite.query` alone, over a LiteApi. */
export async function liteQueryService(api: LiteApi, { lie, pages = {} }: Options = {}) {
  const asked: LiteMethod[] = [];
  const answerTo = async (query: string): Promise<Uint8Array> => {
    const question = queryFrom(wire.decode(Buffer.from(query, "base64")));
    const { method } = question;
    const nth = asked.filter((each) => each === method).length;
    asked.push(method);
    const answer = await invokerOf(api)(method, question.request, {}).then(
      (value) => encodeAnswer(question, value),
      (error) => {
        if (error instanceof LiteError) return encodeError(error);
        throw error;
      },
    );
    return lie?.({ method, nth }, answer) ?? answer;
  };
  const reply = async ({ id, method, params }: RpcRequest) => {
    if (method !== "lite.query")
      return { jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } };
    const answer = await answerTo(String(params["query"]));
    return { jsonrpc: "2.0", id, result: { answer: Buffer.from(answer).toString("base64") } };
  };
  const { url, requests } = await serve(async ({ body, path, verb }, response) => {
    if (verb === "GET") {
      response.setHeader("Content-Type", path.endsWith(".js") ? "text/javascript" : "text/html");
      return void response.end(pages[path]);
    }
    const answers = Array.isArray(body) ? await Promise.all(body.map(reply)) : await reply(body);
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(answers));
  });
  return { url, requests, asked };
}
