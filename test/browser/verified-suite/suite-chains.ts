import { type LiteApi, type LiteCall, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { invokerOf } from "../../../shared/ton/lite/lite-methods.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { encodeAnswer, encodeError, queryFrom } from "../../../shared/ton/tl/lite-functions.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { busyChain } from "../../helpers/chain/busy-chain.js";
import { KeyBlockChain } from "../../helpers/chain/key-block-chain.js";
import { replayOf } from "../../helpers/chain/open-replay.js";

type Chain = {
  api: LiteApi;
  advance?: (() => Promise<unknown>) | undefined;
  message?: (() => Uint8Array | Promise<Uint8Array>) | undefined;
  close?: (() => Promise<unknown>) | undefined;
  blocks?: (count: number) => Promise<void>;
  keyBlocks?: (count: number) => Promise<void>;
};

/** The chains that suites in a page open, by number. */
export class SuiteChains {
  readonly #chains: Chain[] = [];

  async open(kind: string, ...names: string[]): Promise<object> {
    const id = this.#chains.length;
    if (kind === "busy") {
      const { api, advance, message, close, method, library } = await busyChain();
      this.#chains[id] = { api, advance, message, close };
      const { account, methodId, result } = method!;
      return {
        id,
        method: {
          account: bytesToHex(account.id),
          methodId: methodId.toString(),
          result: result.toString(),
        },
        library: bytesToHex(library!),
      };
    }
    if (kind === "replay") this.#chains[id] = { api: replayOf(...names) };
    else {
      const chain = await KeyBlockChain.open(names[0]);
      this.#chains[id] = {
        api: chain.api,
        blocks: (count) => chain.blocks(count),
        keyBlocks: (count) => chain.keyBlocks(count),
        close: () => chain.close(),
      };
    }
    return { id };
  }

  /** A liteserver's answer to a query, both in TL. */
  async ask(id: number, query: Uint8Array, call: LiteCall = {}): Promise<Uint8Array> {
    const question = queryFrom(wire.decode(query));
    try {
      const answer = await invokerOf(this.#chains[id]!.api)(question.method, question.request, call);
      return encodeAnswer(question, answer);
    } catch (error) {
      if (error instanceof LiteError) return encodeError(error);
      throw error;
    }
  }

  async advance(id: number): Promise<void> {
    await this.#chains[id]!.advance!();
  }

  async message(id: number): Promise<Uint8Array> {
    return this.#chains[id]!.message!();
  }

  async blocks(id: number, count: number): Promise<void> {
    await this.#chains[id]!.blocks!(count);
  }

  async keyBlocks(id: number, count: number): Promise<void> {
    await this.#chains[id]!.keyBlocks!(count);
  }

  async close(id: number): Promise<void> {
    await this.#chains[id]?.close?.();
    delete this.#chains[id];
  }

  /** Chains that a suite left open. */
  async closeAll(): Promise<void> {
    for (const id of this.#chains.keys()) await this.close(id);
  }
}
