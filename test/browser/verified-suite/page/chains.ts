// Chains of the process of the tests, asked by the page in TL. They take the place of the helpers that make chains.
import {
  type LiteApi,
  type LiteCall,
  LiteError,
  liteErrorCode,
} from "../../../../shared/ton/lite/lite-api.js";
import { invokerOf, liteApiFrom } from "../../../../shared/ton/lite/lite-methods.js";
import { decodeAnswer, encodeQuery, liteMethods, queryOf } from "../../../../shared/ton/tl/lite-functions.js";
import { bytesToCharacters } from "../../../../shared/values/bytes.js";
import type { Target } from "../../../helpers/chain/contract/target.js";
import { callTests } from "./remote.js";

type Opened = {
  id: number;
  method?: { account: string; methodId: string; result: string };
  library?: string;
};

/** A chain, whose answers are kept until it goes on. */
class RemoteChain {
  readonly api: LiteApi;
  readonly #id: number;
  readonly #answers = new Map<string, Promise<Uint8Array>>();

  constructor(id: number) {
    this.#id = id;
    this.api = liteApiFrom(liteMethods, async (name, request, call) => {
      const question = queryOf(name, request);
      const query = encodeQuery(question);
      const isKept = name !== "sendMessage" && call.waitSeqno === undefined;
      const answer = isKept ? this.#kept(query) : callTests<Uint8Array>("ask", this.#id, query, bounds(call));
      return decodeAnswer(question, await unlessAborted(call, answer));
    });
  }

  #kept(query: Uint8Array): Promise<Uint8Array> {
    const key = bytesToCharacters(query);
    let answer = this.#answers.get(key);
    if (!answer) {
      answer = callTests("ask", this.#id, query);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  run<Result>(name: string, ...args: unknown[]): Promise<Result> {
    this.#answers.clear();
    return callTests(name, this.#id, ...args);
  }
}

function bounds({ waitSeqno, deadline }: LiteCall) {
  return { waitSeqno, deadline };
}

function unlessAborted<Answer>({ signal }: LiteCall, answer: Promise<Answer>): Promise<Answer> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new LiteError(liteErrorCode.cancelled, "cancelled"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    answer.then(resolve, reject);
  });
}

async function opened(kind: string, ...args: unknown[]) {
  const { id, method, library } = await callTests<Opened>("open", kind, ...args);
  const chain = new RemoteChain(id);
  return {
    chain,
    method: method && {
      account: { workchain: 0, id: new Uint8Array(Buffer.from(method.account, "hex")) },
      methodId: BigInt(method.methodId),
      result: BigInt(method.result),
    },
    library: library ? new Uint8Array(Buffer.from(library, "hex")) : undefined,
  };
}

export async function busyChain(): Promise<Target> {
  const { chain, method, library } = await opened("busy");
  return {
    api: chain.api,
    advance: () => chain.run("advance"),
    message: () => chain.run<Uint8Array>("message"),
    ...(method && { method }),
    ...(library && { library }),
    close: () => chain.run("close"),
  };
}

export const rememberedChain = busyChain;

/** Opened by its first question. */
export function replayOf(...folders: string[]): LiteApi {
  let replay: Promise<LiteApi> | undefined;
  return liteApiFrom(liteMethods, async (name, request, call) => {
    replay ??= opened("replay", ...folders).then(({ chain }) => chain.api);
    return invokerOf(await replay)(name, request, call);
  });
}

export class KeyBlockChain {
  readonly #chain: RemoteChain;

  private constructor(chain: RemoteChain) {
    this.#chain = chain;
  }

  static async open(seed = "key blocks"): Promise<KeyBlockChain> {
    return new KeyBlockChain((await opened("key blocks", seed)).chain);
  }

  get api(): LiteApi {
    return this.#chain.api;
  }

  blocks(count: number): Promise<void> {
    return this.#chain.run("blocks", count);
  }

  keyBlocks(count: number): Promise<void> {
    return this.#chain.run("keyBlocks", count);
  }

  close(): Promise<void> {
    return this.#chain.run("close");
  }
}
