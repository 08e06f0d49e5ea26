// biome-ignore lint/suspicious/noTsIgnore: whether it is unused depends on the project.
/** @ts-ignore Programs that open no contracts need not install it. */
import type { Contract, ContractProvider, Sender } from "@ton/core";
import type { Caller } from "../../../client/caller.js";
import { isDevnetSender } from "./sender.js";
import type { DevnetTrace } from "./trace.js";

type Rest<Method> = Method extends (provider: ContractProvider, ...args: infer Args) => infer Result
  ? { args: Args; result: Result }
  : never;

/** What a method that sends resolves with: what the message caused, and what the wrapper itself returned. */
export type DevnetSent<Returned> = DevnetTrace & { readonly returned: Returned };

/** A contract of a devnet: methods `get…` and `is…` read it, and those with `send…` resolve with what they caused. */
export type DevnetContract<T> = {
  readonly [Name in keyof T]: Name extends `send${string}`
    ? (...args: Rest<T[Name]>["args"]) => Promise<DevnetSent<Awaited<Rest<T[Name]>["result"]>>>
    : Name extends `${"get" | "is"}${string}`
      ? (...args: Rest<T[Name]>["args"]) => Rest<T[Name]>["result"]
      : T[Name];
};

/** How an opened contract reaches the devnet. */
type Way = {
  call(method: string, params: object): Promise<unknown>;
  /** Sends a message from outside, a bag of cells in base64, and waits for what follows. */
  sendExternal(boc: string): Promise<DevnetTrace>;
};

/** Opens a wrapper written for @ton/core. */
export function openOnDevnet<T extends Contract>(contract: T, way: Way): DevnetContract<T> {
  const open = (target: T, name: string | symbol) => {
    const member: unknown = Reflect.get(target, name);
    if (typeof name !== "string" || typeof member !== "function" || !/^(get|is|send)/.test(name))
      return member;
    return async (...args: unknown[]) => {
      const recorder = new Recorder(way);
      const provider = await recorder.provider(contract);
      const returned = await Reflect.apply(member, target, [provider, ...args]);
      return name.startsWith("send") ? { ...recorder.last(name), returned } : returned;
    };
  };
  return new Proxy(contract, { get: open }) as unknown as DevnetContract<T>;
}

/** Keeps what the messages of one call of a wrapper caused. */
class Recorder {
  readonly #way: Way;
  readonly #traces: DevnetTrace[] = [];

  constructor(way: Way) {
    this.#way = way;
  }

  async provider({ address, init }: Contract): Promise<ContractProvider> {
    const { contractProvider } = await import("../../../client/ton/contract-provider.js");
    const call = (method: string, params: object = {}) =>
      method === "sendBoc" ? this.#sendExternal(params as { boc: string }) : this.#way.call(method, params);
    const provider = contractProvider({ call: call as Caller["call"] }, address, init);
    const { internal } = provider;
    provider.internal = (via, message) => Reflect.apply(internal, provider, [this.#recorded(via), message]);
    return provider;
  }

  /** What the last message caused. */
  last(method: string): DevnetTrace {
    const trace = this.#traces.at(-1);
    if (!trace) throw new Error(`${method} sent no message`);
    return trace;
  }

  #recorded(via: Sender): Sender {
    if (!isDevnetSender(via))
      throw new TypeError(
        "a contract of devnet.open sends through devnet.sender(), which gives what it caused",
      );
    const send: Sender["send"] = async (message) => {
      this.#traces.push(await via.send(message));
    };
    return { address: via.address, send };
  }

  async #sendExternal({ boc }: { boc: string }): Promise<void> {
    this.#traces.push(await this.#way.sendExternal(boc));
  }
}
