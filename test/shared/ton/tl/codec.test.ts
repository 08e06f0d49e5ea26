import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TlCodec, TlObject, TlValue } from "../../../../shared/ton/tl/codec.js";
import { proofs, wire } from "../../../../shared/ton/tl/codecs.js";
import type { Declaration, FieldType } from "../../../../shared/ton/tl/declaration.js";
import { TlError } from "../../../../shared/ton/tl/tl-error.js";
import { TlReader } from "../../../../shared/ton/tl/tl-reader.js";
import { bytesToHex, hexToBytes } from "../../../../shared/values/bytes.js";
import { sized } from "../../../helpers/effort.js";
import { describeWithChain } from "../../../helpers/test-data.js";
import { liteApiIds, tonApiIds } from "./known-ids.js";

function hex(text: string): Uint8Array {
  return hexToBytes(text.replaceAll(" ", ""))!;
}

function idsOf(codec: TlCodec): Record<string, string> {
  return Object.fromEntries(
    codec.declarations.map(({ name, id }) => [name, id.toString(16).padStart(8, "0")]),
  );
}

describe("constructor ids", () => {
  test("all 90 of lite_api.tl and those of connections and signatures are as published", () => {
    expect(Object.keys(liteApiIds)).toHaveLength(90);
    expect({ ...idsOf(wire), ...idsOf(proofs) }).toEqual({ ...liteApiIds, ...tonApiIds });
  });
});

describe("values as bytes", () => {
  test("a block id inside a function is bare", () => {
    const rootHash = new Uint8Array(32).fill(0xaa);
    const fileHash = new Uint8Array(32).fill(0xbb);
    const id = { workchain: -1, shard: 0x8000000000000000n, seqno: 0xfffffffe, rootHash, fileHash };
    const written = wire.encode("liteServer.getBlock", { id });
    const numbers = "0dcf7763 ffffffff 0000000000000080 feffffff";
    expect(written).toEqual(hex(`${numbers} ${"aa".repeat(32)} ${"bb".repeat(32)}`));
    expect(wire.decode(written)).toEqual({ name: "liteServer.getBlock", value: { id } });
  });

  test("byte strings are padded to four bytes, and long ones have a longer head", () => {
    const sent = (length: number) =>
      wire.encode("liteServer.query", { data: new Uint8Array(length).fill(1) });
    expect(bytesToHex(sent(0))).toBe("df068c7900000000");
    expect(bytesToHex(sent(2))).toBe("df068c7902010100");
    expect(bytesToHex(sent(3))).toBe("df068c7903010101");
    expect(bytesToHex(sent(4))).toBe("df068c790401010101000000");
    expect(sent(253)).toHaveLength(4 + 256);
    expect(bytesToHex(sent(254).subarray(0, 8))).toBe("df068c79fefe0000");
    expect(sent(254)).toHaveLength(4 + 4 + 256);
    expect(bytesToHex(sent(0x10203).subarray(0, 8))).toBe("df068c79fe030201");
  });

  test("links of a proof are boxed, and carry their type", () => {
    const block = { workchain: -1, shard: 1n << 63n, seqno: 1, rootHash: zeros, fileHash: zeros };
    const ends = { toKeyBlock: true, from: block, to: block, destProof: empty };
    const signatures = { type: "ordinary", validatorSetHash: 0xffffffff, catchainSeqno: 7, signatures: [] };
    const steps = [
      { type: "back", ...ends, proof: empty, stateProof: empty },
      { type: "forward", ...ends, configProof: empty, signatures },
    ];
    const proof = { complete: false, from: block, to: block, steps };
    const written = wire.encode("liteServer.partialBlockProof", proof);
    expect(wire.decode(written).value).toEqual(proof);
    const text = bytesToHex(written);
    for (const id of ["ef1b7eef", "1cce0f52", "e6a644f6", "379779bc", "b5757299"]) expect(text).toContain(id);
  });

  test("optional fields must match the bits of the mode", () => {
    const lookup = { mode: 2, id: { workchain: 0, shard: 1n, seqno: 0 }, lt: 5n };
    expect(wire.decode(wire.encode("liteServer.lookupBlock", lookup)).value).toEqual(lookup);
    const wrong = [
      { ...lookup, mode: 0 },
      { ...lookup, mode: 6 },
      { mode: 2, id: lookup.id },
    ];
    for (const each of wrong) expect(() => wire.encode("liteServer.lookupBlock", each)).toThrow(TlError);
  });

  test("numbers out of range are rejected", () => {
    const pong = (randomId: bigint) => wire.encode("tcp.pong", { randomId });
    expect(bytesToHex(pong(-1n))).toBe(bytesToHex(pong((1n << 64n) - 1n)));
    for (const number of [1n << 64n, -(1n << 63n) - 1n]) expect(() => pong(number)).toThrow(TlError);
    for (const code of [2 ** 32, -(2 ** 31) - 1, 0.5])
      expect(() => wire.encode("liteServer.error", { code, message: "" })).toThrow(TlError);
    expect(() => wire.encode("pub.ed25519", { key: new Uint8Array(31) })).toThrow(TlError);
  });
});

const zeros = new Uint8Array(32);
const empty = new Uint8Array(0);

describe("every declaration", () => {
  for (const codec of [wire, proofs])
    for (const declaration of codec.declarations)
      test(`${declaration.name} survives a round trip`, () => {
        fc.assert(
          fc.property(objectOf(codec, declaration), (value) => {
            const written = codec.encode(declaration.name, value);
            const read = codec.decode(written);
            expect(read).toEqual({ name: declaration.name, value });
            expect(codec.encode(read.name, read.value)).toEqual(written);
          }),
          { numRuns: sized(3, 20) },
        );
      });
});

describeWithChain("answers of a real liteserver", (chain) => {
  const answers = chain.entries.filter(({ kind }) => kind.endsWith("(boxed TL)"));

  test("is tested", () => {
    expect(answers.length).toBeGreaterThan(0);
  });

  for (const { file, kind, facts, read } of answers)
    test(`${file} is decoded and encoded to the same bytes`, () => {
      const bytes = new Uint8Array(read());
      const { name, value } = wire.decode(bytes);
      expect(name).toBe(kind.split(" ")[0]);
      expect(wire.encode(name, value)).toEqual(bytes);
      const id = (value["last"] ?? value["id"]) as TlObject;
      expect({ seqno: id["seqno"], rootHash: bytesToHex(id["rootHash"] as Uint8Array) }).toEqual({
        seqno: facts["seqno"],
        rootHash: facts["root_hash"],
      });
    });
});

describe("hostile bytes", () => {
  test("nothing is read past the end", () => {
    const whole = wire.encode("liteServer.blockData", {
      id: { workchain: 0, shard: 1n, seqno: 1, rootHash: zeros, fileHash: zeros },
      data: new Uint8Array(300),
    });
    for (let length = 0; length < whole.length; length++)
      expect(() => wire.decode(whole.subarray(0, length))).toThrow(TlError);
    expect(() => wire.decode(new Uint8Array([...whole, 0]))).toThrow("1 bytes are left over");
  });

  test("a vector longer than its bytes is rejected before memory is allocated", () => {
    expect(() => wire.decode(hex("62b622d1 ffffffff"))).toThrow("there is no room for 4294967295 items");
    const long = `62b622d1 01400000 ${"00".repeat(32 * 0x4001)}`;
    expect(() => wire.decode(hex(long))).toThrow("a list of 16385 items is too long");
    expect(() => wire.decode(hex(`62b622d1 02000000 ${"00".repeat(63)}`))).toThrow("no room");
  });

  test("byte strings must be canonical", () => {
    const cases = {
      "fe020000 01020000": "a short byte string has a long length",
      "01 ff0000 01": "bytes are left over",
      "01 ff0001": "the padding of a byte string is not zero",
      "ff 00000000000000": "unknown length encoding",
      "fe ffffff 00": "bytes too early",
    };
    for (const [bytes, problem] of Object.entries(cases))
      expect(() => wire.decode(hex(`df068c79 ${bytes}`))).toThrow(problem);
  });

  test("constructor ids and Bool values must be known, strings must be UTF-8", () => {
    expect(() => wire.decode(hex("00000000"))).toThrow("no constructor has the id 00000000");
    expect(() => new TlReader(hex("01000000")).bool()).toThrow("1 is not a Bool");
    expect(() => wire.decode(hex("48e1a9bb 00000000 01ff0000"))).toThrow("a text is not UTF-8");
  });

  test("any bytes give a value or a TlError", () => {
    const ids = wire.declarations.map(({ id }) => id);
    const start = fc.constantFrom(...ids).map((id) => new Uint8Array(Uint32Array.of(id).buffer));
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 400 }), (id, rest) => {
        const bytes = new Uint8Array([...id, ...rest]);
        try {
          const { name, value } = wire.decode(bytes);
          expect(wire.encode(name, value)).toEqual(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(TlError);
        }
      }),
      { numRuns: sized(300, 2000) },
    );
  });
});

/** An arbitrary value of a declaration, with every combination of flags. */
function objectOf(codec: TlCodec, { name, result, fields, isFunction }: Declaration): fc.Arbitrary<TlObject> {
  const siblings = codec.declarations.filter((each) => each.result === result && !each.isFunction);
  const tag = isFunction || siblings.length === 1 ? undefined : tags[name];
  const values = Object.fromEntries(
    fields.map((field) => [field.name, anyOf(codec, field.type, field.name)]),
  );
  return fc.record(values).map((all) => {
    const object: Record<string, TlValue> = tag === undefined ? {} : { type: tag };
    for (const { name: field, type, flag } of fields) {
      const there = flag === undefined || ((all[flag.field] as number) & (1 << flag.bit)) !== 0;
      if (type.kind !== "true" && there) object[field] = all[field] as TlValue;
    }
    return object;
  });
}

/** The tags of types with several constructors. */
const tags: Record<string, string> = {
  "adnl.message.query": "query",
  "adnl.message.answer": "answer",
  "liteServer.signatureSet.ordinary": "ordinary",
  "liteServer.signatureSet.simplex": "simplex",
  "liteServer.blockLinkBack": "back",
  "liteServer.blockLinkForward": "forward",
  "tcp.authentificate": "authentificate",
  "tcp.authentificationNonce": "authentificationNonce",
  "tcp.authentificationComplete": "authentificationComplete",
  "consensus.candidateParent": "candidateParent",
  "consensus.candidateWithoutParents": "candidateWithoutParents",
  "consensus.candidateHashDataOrdinary": "ordinary",
  "consensus.candidateHashDataEmpty": "empty",
  "consensus.simplex.finalizeVote": "finalizeVote",
  "consensus.simplex.notarizeVote": "notarizeVote",
};

const unsignedFields =
  /seqno|shard|capabilities|now|utime|modifiedAfter|validatorSetHash|slot|^(lt|afterLt|minLt|maxLt|initiatorLt)$/i;

function anyOf(codec: TlCodec, type: FieldType, name: string): fc.Arbitrary<TlValue | undefined> {
  switch (type.kind) {
    case "int":
      return unsignedFields.test(name)
        ? fc.integer({ min: 0, max: 0xffffffff })
        : fc.integer({ min: -0x80000000, max: 0x7fffffff });
    case "long":
      return unsignedFields.test(name)
        ? fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
        : fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });
    case "flags":
      return fc.integer({ min: 0, max: 0xffffffff });
    case "bool":
      return fc.boolean();
    case "int256":
      return fc.uint8Array({ minLength: 32, maxLength: 32 });
    case "bytes":
      return fc.uint8Array({ maxLength: 300 });
    case "string":
      return fc.string({ unit: "grapheme", maxLength: 100 });
    case "true":
      return fc.constant(undefined);
    case "vector":
      return fc.array(anyOf(codec, type.item, name), { maxLength: 4 }) as fc.Arbitrary<TlValue>;
    case "bare":
      return objectOf(codec, codec.declarations.find((each) => each.name === type.constructor)!);
    case "boxed": {
      const all = codec.declarations.filter((each) => each.result === type.type && !each.isFunction);
      return fc.oneof(...all.map((each) => objectOf(codec, each)));
    }
  }
}
