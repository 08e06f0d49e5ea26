import { describe, expect, test } from "vitest";
import { globalConfigText } from "../../../server/chain/gateway/global-config.js";
import { GlobalConfigError, parseGlobalConfig } from "../../../server/chain/liteservers/global-config.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { describeWithChain } from "../../helpers/test-data.js";

const key = new Uint8Array(32).fill(1);
const zeroState = {
  workchain: -1,
  rootHash: new Uint8Array(32).fill(2),
  fileHash: new Uint8Array(32).fill(3),
};
const zeroBlock = { ...zeroState, shard: wholeShard, seqno: 0 };
const served = { host: "127.0.0.1", port: 30_303, publicKey: key, zeroState };
type Json = Record<string, unknown>;

describe("a global configuration", () => {
  test("written by the gateway is parsed", () => {
    expect(parseGlobalConfig(globalConfigText(served))).toEqual({
      servers: [{ host: "127.0.0.1", port: 30_303, publicKey: key }],
      zeroState: zeroBlock,
      initBlock: zeroBlock,
      hardforks: [],
    });
  });

  test("written by the gateway has all digits of the shard, and signed addresses", () => {
    const text = globalConfigText({ ...served, host: "203.0.113.7" });
    expect(text.match(/"shard": -9223372036854775808,/g)).toHaveLength(2);
    expect(JSON.parse(text).liteservers[0]).toEqual({
      ip: -889_163_513,
      port: 30_303,
      id: { "@type": "pub.ed25519", key: bytesToBase64(key) },
    });
    expect(parseGlobalConfig(text).servers[0]!.host).toBe("203.0.113.7");
    expect(parseGlobalConfig(globalConfigText({ ...served, host: "0.0.0.0" })).servers[0]!.host).toBe(
      "127.0.0.1",
    );
    expect(parseGlobalConfig(globalConfigText({ ...served, host: "::1" })).servers[0]!.host).toBe("::1");
  });

  const changed = (
    change: (config: Json & { liteservers: Json[]; validator: { zero_state: Json } }) => void,
  ) => {
    const config = JSON.parse(globalConfigText(served));
    change(config);
    const text = JSON.stringify(config).replaceAll("-9223372036854776000", "-9223372036854775808");
    return () => parseGlobalConfig(text);
  };

  test("written by other programs is parsed", () => {
    const text = globalConfigText(served);
    const { init_block: _, ...validator } = JSON.parse(text).validator;
    const rounded = { ...JSON.parse(text), validator };
    expect(JSON.stringify(rounded)).toContain("-9223372036854776000");
    const whole = parseGlobalConfig(text);
    for (const same of [`\uFEFF${text}`, text.replaceAll("-9223372036854775808", '"$&"')])
      expect(parseGlobalConfig(same)).toEqual(whole);
    const empty = { ...validator, init_block: null, hardforks: null };
    for (const same of [rounded, { ...rounded, liteservers_v2: null, validator: empty }])
      expect(parseGlobalConfig(JSON.stringify(same))).toEqual({ ...whole, initBlock: undefined });
  });

  const entry = (fill: number, slices?: unknown) => ({
    ip: 1,
    port: fill,
    id: { key: bytesToBase64(new Uint8Array(32).fill(fill)) },
    ...(slices !== undefined && { slices }),
  });

  test("lists each server once, newer entries with their slices", () => {
    const shard = (workchain: number, number: string) => ({ workchain, shard: number });
    const bound = (workchain: number, seqno: number, lt: unknown) => ({
      shard_id: shard(workchain, "-9223372036854775808"),
      seqno,
      utime: 7,
      lt,
    });
    const timed = { shards_from: [bound(-1, 5, 9), bound(0, 6, "10")], shards_to: [bound(-1, 8, "11")] };
    const { servers } = changed((config) => {
      config["liteservers_v2"] = [
        entry(1),
        entry(8),
        entry(9, [{ "@type": "liteserver.descV2.sliceSimple", shards: [shard(0, "-6917529027641081856")] }]),
        entry(10, [{ "@type": "liteserver.descV2.sliceTimed", ...timed }]),
      ];
    })();
    const start = { seqno: 0, utime: 0, lt: 0n };
    const whole = { shard: wholeShard, utime: 7 };
    expect(servers.map(({ port, slices }) => [port, slices])).toEqual([
      [1, undefined],
      [8, undefined],
      [
        9,
        [
          {
            from: [
              { workchain: -1, shard: wholeShard, ...start },
              { workchain: 0, shard: 0xa000000000000000n, ...start },
            ],
            to: [],
          },
        ],
      ],
      [
        10,
        [
          {
            from: [
              { workchain: -1, ...whole, seqno: 5, lt: 9n },
              { workchain: 0, ...whole, seqno: 6, lt: 10n },
            ],
            to: [{ workchain: -1, ...whole, seqno: 8, lt: 11n }],
          },
        ],
      ],
    ]);
  });

  test("with invalid slices is rejected with the reason", () => {
    const part = { shard_id: { workchain: 0, shard: "1" }, seqno: 1, utime: 1, lt: "1" };
    const refusals: [unknown, string][] = [
      [{}, "no lower bounds"],
      [{ shards_from: [part] }, "no bound for the masterchain"],
      [{ shards_from: [{ ...part, seqno: -1 }] }, "no seqno or utime"],
      [{ shards_from: [{ ...part, lt: "x" }] }, "no shard or lt"],
      [{ shards: [{ workchain: 0, shard: "0" }] }, "a shard has no number"],
      [{ shards: [{ shard: "1" }] }, "a shard has no workchain"],
      [{ shards: 5 }, "a list is not an array"],
      [7, "a slice is not an object"],
    ];
    for (const [slice, reason] of refusals) {
      const parse = changed((config) => {
        config["liteservers_v2"] = [entry(9, [slice])];
      });
      expect(parse).toThrow(GlobalConfigError);
      expect(parse).toThrow(reason);
    }
  });

  test("that is invalid is rejected with the reason", () => {
    const refusals: [() => unknown, string][] = [
      [() => parseGlobalConfig("{"), "the global configuration is not JSON"],
      [() => parseGlobalConfig("[]"), "the global configuration is not an object"],
      [changed((config) => config.liteservers.pop()), "lists no liteservers"],
      [
        changed(({ liteservers }) => Object.assign(liteservers[0]!, { port: 0 })),
        "a liteserver has no port: 0",
      ],
      [changed(({ liteservers }) => delete liteservers[0]!["ip"]), "a liteserver has no address: undefined"],
      [changed(({ liteservers }) => Object.assign(liteservers[0]!, { id: { key: "AA==" } })), "not 32 bytes"],
      [
        changed(({ validator }) => Object.assign(validator.zero_state, { workchain: 0 })),
        "not a masterchain block",
      ],
      [
        changed(({ validator }) => Object.assign(validator.zero_state, { shard: "x" })),
        "not a masterchain block",
      ],
      [
        changed(({ validator }) => Object.assign(validator, { zero_state: undefined })),
        "zero_state is not an object",
      ],
    ];
    for (const [parse, reason] of refusals) {
      expect(parse).toThrow(GlobalConfigError);
      expect(parse).toThrow(reason);
    }
  });
});

describeWithChain("the published configuration", (chain) => {
  for (const { file, network, facts, read } of chain.where({ kind: "global_config" }))
    test(`of ${network} in ${file} is parsed`, () => {
      const {
        servers,
        zeroState: zero,
        initBlock,
        hardforks,
      } = parseGlobalConfig(Buffer.from(read()).toString());
      expect({
        count: servers.length,
        first: `${servers[0]!.host}:${servers[0]!.port}`,
        zero: bytesToBase64(zero.rootHash),
        init: initBlock?.seqno,
        hardforks: hardforks.map(({ seqno }) => seqno),
      }).toEqual({
        count: facts["liteservers"],
        first: facts["first_liteserver"],
        zero: facts["zero_state_root_hash"],
        init: facts["init_block_seqno"],
        hardforks: facts["hardforks"],
      });
    });
});
