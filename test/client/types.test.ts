import { describe, expectTypeOf, it } from "vitest";
import {
  type Client,
  createClient,
  http,
  type LegacyItem,
  type MethodName,
  type Params,
  type Result,
  rows,
  type StdItem,
} from "../../client/index.js";
import { getAddressBalance, getMasterchainInfo, rpcPing } from "../../client/methods.js";
import type { AnyDefinition, ParamsGiven, ResultOf } from "../../shared/methods/define.js";
import type { Registry } from "../../shared/methods/registry.js";

// Checked by the compiler only; calls here are never answered.
const client = createClient({
  transport: http("http://127.0.0.1:9/jsonRPC", { fetch: () => new Promise(() => {}) }),
  timeoutMs: 0,
});

type DefinitionAt<Group, Name extends string> = Name extends keyof Group
  ? Group[Name]
  : Name extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Group
      ? DefinitionAt<Group[Head], Rest>
      : never
    : never;
type Definition<Name extends MethodName> = Extract<DefinitionAt<Registry, Name>, AnyDefinition>;

/** Equal, or more open: interfaces do not list the further members of loose objects. */
type Same<A, B> = [B] extends [A] ? (string extends keyof B ? true : [A] extends [B] ? true : false) : false;
/** Methods whose generated types differ from the schemas: results must be equal, parameters be accepted. */
type Differing = {
  [Name in MethodName]: Same<Result<Name>, ResultOf<Definition<Name>>> extends false
    ? `the result of ${Name}`
    : [Params<Name>] extends [ParamsGiven<Definition<Name>>]
      ? never
      : `the parameters of ${Name}`;
}[MethodName];

describe("the client's types", () => {
  it("equal the schemas of the registry", () => {
    expectTypeOf<Differing>().toBeNever();
  });

  it("come from the registry", () => {
    expectTypeOf(client.getAddressBalance).parameter(0).toExtend<{ address: string }>();
    expectTypeOf(client.getAddressBalance({ address: "a" })).resolves.toEqualTypeOf<string>();
    expectTypeOf(client.getMasterchainInfo()).resolves.toHaveProperty("last");
    expectTypeOf(client.rpc.ping()).resolves.toEqualTypeOf<"pong">();
    expectTypeOf<StdItem[]>().toExtend<Params<"runGetMethodStd">["stack"]>();
    expectTypeOf<LegacyItem[]>().toExtend<Params<"runGetMethod">["stack"]>();
    expectTypeOf<{ type: "num"; value: bigint }[]>().toExtend<Params<"v3.runGetMethod">["stack"]>();
    expectTypeOf<Result<"getTransactions">>().items.toHaveProperty("transaction_id");
    expectTypeOf<"v3.no.such.method">().not.toExtend<MethodName>();
  });

  it("take options after the parameters", () => {
    const { signal } = new AbortController();
    client.getAddressBalance({ address: "a" }, { signal, timeoutMs: 5 }).catch(() => {});
    client.rpc.ping(undefined, { signal }).catch(() => {});
    // @ts-expect-error the address is missing
    client.getAddressBalance({}).catch(() => {});
    // @ts-expect-error so are the parameters
    client.getAddressBalance().catch(() => {});
    // @ts-expect-error an address is a string
    client.getAddressBalance({ address: 5 }).catch(() => {});
    // @ts-expect-error there is no such method
    client.getAddressBalanse?.({ address: "a" });
    // @ts-expect-error nor such an option
    client.rpc.ping({}, { timeout: 5 }).catch(() => {});
  });

  it("apply to calls by name, and give unknown names the type unknown", () => {
    expectTypeOf(client.call("getAddressBalance", { address: "a" })).resolves.toEqualTypeOf<string>();
    const params = { address: "a", limit: 5, lt: "1", hash: "b" };
    expectTypeOf(client.call("getTransactions", params)).resolves.toEqualTypeOf<Result<"getTransactions">>();
    expectTypeOf(client.call("newer.method", { x: 1 })).resolves.toEqualTypeOf<unknown>();
    // @ts-expect-error a known method requires its parameters
    client.call("getAddressBalance", { addres: "a" }).catch(() => {});
  });

  it("allow paging for methods with an offset", () => {
    expectTypeOf(rows(client.v3.blocks)).toExtend<AsyncGenerator<{ seqno: number }>>();
    rows(client.v3.transactionsByMasterchainBlock, { seqno: 1 });
    // @ts-expect-error the block is missing
    rows(client.v3.transactionsByMasterchainBlock, {});
    // @ts-expect-error without an offset it would return the newest transactions for every page
    rows(client.getTransactions, { address: "a" });
  });

  it("hold for functions of the client", () => {
    expectTypeOf(getAddressBalance(client, { address: "a" })).resolves.toEqualTypeOf<string>();
    expectTypeOf(rpcPing(client)).resolves.toEqualTypeOf<"pong">();
    expectTypeOf(getMasterchainInfo).parameter(0).toEqualTypeOf<Pick<Client, "call">>();
    // @ts-expect-error the address is missing
    getAddressBalance(client, {}).catch(() => {});
  });

  it("have decimals of tokens, and members that no schema knows", () => {
    type Extra = NonNullable<Result<"v3.metadata">[string]["token_info"][number]["extra"]>;
    expectTypeOf<Extra["decimals"]>().toEqualTypeOf<string | number | undefined>();
    expectTypeOf<Extra["uri"]>().toEqualTypeOf<unknown>();
    expectTypeOf<Extra>().toExtend<Record<string, unknown>>();
  });
});
