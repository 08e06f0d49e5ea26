import { inspect } from "node:util";
import { Address } from "@ton/core";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Client, createCaller, createClient, http } from "../../client/index.js";
import { TonClient } from "../../client/ton/index.js";
import { createVerifiedClient } from "../../client/verified/index.js";
import { watch } from "../../client/watch/index.js";

/** Nothing listens there. */
const transport = http("http://127.0.0.1:9/jsonRPC");
const zeroAddress = Address.parseRaw(`0:${"0".repeat(64)}`);

function closed<T extends { close(): void }>(made: T): T {
  onTestFinished(() => made.close());
  return made;
}
const open = (): Client => closed(createClient({ transport, retry: false }));

/** Calls whose failures are asked for; their names are looked for in the stack. */
const callers: Record<string, () => Promise<unknown>> = {
  async callingByName() {
    return await open().call("getMasterchainInfo");
  },
  async callingByProxy() {
    const client = open();
    await client.v3.jetton.wallets({ limit: 1 });
  },
  async callingAllAtOnce() {
    const client = open();
    await Promise.all([client.getMasterchainInfo(), client.v3.blocks({})]);
  },
  async callingTheSmallClient() {
    return await closed(createCaller({ transport })).call("getMasterchainInfo");
  },
  async callingTonClient() {
    return await new TonClient({ client: open() }).getBalance(zeroAddress);
  },
  async callingTheVerifiedClient() {
    const client = closed(createVerifiedClient({ transport, network: "mainnet" }));
    return await client.getAddressBalance({ address: zeroAddress.toString() });
  },
  async loopingOverBlocks() {
    const client = closed(createClient({ transport: http("http://127.0.0.1:9/jsonRPC"), retry: false }));
    for await (const block of watch(client).blocks({ signal: AbortSignal.abort() })) return block;
    return undefined;
  },
};

describe("The stack of an error", () => {
  it.each(Object.keys(callers))("has the line that awaited the call: %s", async (name) => {
    const error = await callers[name]!().catch((error: unknown) => error as Error);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).stack).toMatch(new RegExp(`at .*${name} .*stack\\.test\\.ts:\\d+`));
  });

  it("is that of the caller, also if several share a call", async () => {
    const client = open();
    async function first() {
      await client.getMasterchainInfo();
    }
    async function second() {
      await client.getMasterchainInfo();
    }
    const errors = (await Promise.all(
      [first, second].map((call) => call().catch((error) => error)),
    )) as Error[];
    expect(errors[0]).not.toBe(errors[1]);
    expect(errors.map(({ stack }) => /at .*\b(first|second) /.exec(stack!)?.[1])).toEqual([
      "first",
      "second",
    ]);
    expect(errors[0]).toMatchObject({ code: "network", cause: expect.any(Error) });
  });
});

it("Errors keep their names in minified builds", async () => {
  const contents = `
    export { RpcError } from "./client/errors.js";
    export { ProofError } from "./shared/ton/proofs/verify/proof-error.js";
    export { WebhookError } from "./client/webhooks/verify.js";`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: new URL("../..", import.meta.url).pathname },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const code = Buffer.from(outputFiles[0]!.contents).toString("base64");
  const classes = (await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)) as Record<
    string,
    new (
      code: string,
      message: string,
    ) => Error
  >;
  expect(Object.keys(classes)).toHaveLength(3);
  for (const [name, Made] of Object.entries(classes))
    expect(inspect(new Made("code", "text"))).toMatch(new RegExp(`^${name}: (code|text)\\n`));
});
