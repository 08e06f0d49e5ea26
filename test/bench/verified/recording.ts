import { gzipSync } from "node:zlib";
import { compressFromBytes } from "../../../server/http/answers/compress.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { invokerOf } from "../../../shared/ton/lite/lite-methods.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { encodeAnswer, queryFrom } from "../../../shared/ton/tl/lite-functions.js";
import type { Recorded } from "../../helpers/servers/recorded-answers.js";

/** Answers in TL, what is sent for them, compressed as by a service, and the requests. */
export type Traffic = { bytes: number; sent: number; requests: number };
const noTraffic: Traffic = { bytes: 0, sent: 0, requests: 0 };

/** Answers queries from a chain, and records them for a server that does no work. */
export class Recording {
  readonly recorded: Recorded = { heads: [], headQuery: "", answers: {}, results: {} };
  readonly #api: LiteApi;
  #spent: Traffic = noTraffic;

  constructor(api: LiteApi) {
    this.#api = api;
  }

  /** Since the last call. */
  spent(): Traffic {
    const spent = this.#spent;
    this.#spent = noTraffic;
    return spent;
  }

  /** Takes the place of a client's `fetch`. */
  readonly fetch: typeof fetch = async (_, init) => {
    const calls = JSON.parse(String(init!.body)) as Call | Call[];
    const answers = Array.isArray(calls)
      ? await Promise.all(calls.map((call) => this.#answer(call)))
      : await this.#answer(calls);
    const text = JSON.stringify(answers);
    this.#add({ bytes: 0, sent: sentBytes(text), requests: 1 });
    return new Response(text, { headers: { "Content-Type": "application/json" } });
  };

  async #answer({ id, params: { query } }: Call): Promise<object> {
    const question = queryFrom(wire.decode(Buffer.from(query, "base64")));
    const value = await invokerOf(this.#api)(question.method, question.request, {});
    const bytes = encodeAnswer(question, value);
    this.#add({ bytes: bytes.length, sent: 0, requests: 0 });
    const answer = Buffer.from(bytes).toString("base64");
    if (question.method === "getMasterchainInfo") {
      this.recorded.headQuery = query;
      this.recorded.heads.push(answer);
    } else this.recorded.answers[query] = answer;
    return { jsonrpc: "2.0", id, result: { answer } };
  }

  #add({ bytes, sent, requests }: Traffic): void {
    const { bytes: b, sent: s, requests: r } = this.#spent;
    this.#spent = { bytes: b + bytes, sent: s + sent, requests: r + requests };
  }
}

/** As a service sends a text. */
function sentBytes(text: string): number {
  return text.length < compressFromBytes ? text.length : gzipSync(text, { level: 1 }).length;
}

type Call = { id: number; params: { query: string } };
