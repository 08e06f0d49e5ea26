import { createHash, type Hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, test } from "vitest";
import { TimeSlice } from "../../../../server/chain/time-slice.js";
import { decodeBlock, openBlock } from "../../../../server/indexer/decode/decode-block.js";
import { presentBody, presentSignedRequest } from "../../../../server/present/v3/body.js";
import { opcodeName } from "../../../../shared/ton/bodies/read.js";
import { parseBocRoot, serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { masterchain } from "../../../../shared/ton/tlb/block-id.js";
import { base64ToBytes, hexToBytes } from "../../../../shared/values/bytes.js";
import { type ChainEntry, type TraceCase, testData } from "../../../helpers/test-data.js";

const { chain, traces } = testData();

/** Digest of the wire texts of the bodies, by trace or block. */
const wireTexts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("wire-texts.json", import.meta.url), "utf8"),
);

type RealBody = { cell: Cell; isExternal: boolean; from: string };
type RealMessage = { source: string | null; body: string };

/** Numbers too large for JSON are text. */
type GoldenAction = { type: string; success: boolean; amount: number | { $int: string } | null };

function tracedBodies(cases: readonly TraceCase[]): RealBody[] {
  return cases.flatMap((each) => {
    const { transactions } = each.read() as {
      transactions: { in_msg: RealMessage | null; out_msgs: RealMessage[] }[];
    };
    return transactions
      .flatMap(({ in_msg, out_msgs }) => [...(in_msg ? [in_msg] : []), ...out_msgs])
      .map(({ source, body }) => ({
        cell: parseBocRoot(base64ToBytes(body)!),
        isExternal: source === null,
        from: each.id,
      }));
  });
}

async function blockBodies({
  file,
  workchain,
  shard,
  seqno,
  rootHash,
  read,
}: ChainEntry): Promise<RealBody[]> {
  const hash = hexToBytes(rootHash!)!;
  const id = {
    workchain: workchain ?? masterchain,
    shard: BigInt(`0x${shard}`),
    seqno: seqno!,
    rootHash: hash,
    fileHash: hash,
  };
  const block = await decodeBlock(openBlock(read()), {
    id,
    mcSeqno: 1,
    globalVersion: 11,
    timeSlice: new TimeSlice(),
  });
  const contents = new Map(block.contents.map((cell) => [cell.hashHex(), cell]));
  return block.transactions
    .flatMap(({ inMessage, outMessages }) => [...(inMessage ? [inMessage] : []), ...outMessages])
    .map(({ body_hash, source }) => ({
      cell: contents.get(Buffer.from(body_hash).toString("hex"))!,
      isExternal: source === undefined || source === null,
      from: file,
    }));
}

/** Opcodes that other contracts use with other layouts, and why. */
const others = new Map([
  [0x00000001, "many contracts number their operations"],
  [0x00000002, "many contracts number their operations"],
  [0x642b7d07, "one minter begins with an amount"],
  [0xf9471134, "swap.coffee's event has the opcode of its request"],
]);

if (!chain && !traces)
  test.skip("Bodies of real messages: need chain data or traces in a folder of TONWIRE_TEST_DATA", () => {});
else
  describe("Bodies of real messages", () => {
    let bodies: RealBody[] = [];
    let all: RealBody[] = [];
    const opcodeOf = ({ cell }: RealBody) => cell.parse().loadUint(32);
    const decode = ({ cell, isExternal }: RealBody) =>
      presentBody(cell) ?? (isExternal ? presentSignedRequest(cell) : undefined);

    /** Whether every trace and block with a recorded wire text is here. Other sets need not have all its kinds of bodies. */
    const isRecordedSetHere = () => {
      const froms = new Set(all.map(({ from }) => from));
      return Object.keys(wireTexts).every((from) => froms.has(from));
    };

    beforeAll(async () => {
      const blocks = await Promise.all((chain?.where({ kind: "block" }) ?? []).map(blockBodies));
      all = [...tracedBodies(traces ?? []), ...blocks.flat()];
      const unique = new Map(all.map((body) => [`${body.cell.hashHex()} ${body.isExternal}`, body]));
      bodies = [...unique.values()].filter(({ cell }) => cell.bits >= 32);
      expect(bodies).not.toEqual([]);
    });

    it("have the recorded wire text", ({ skip }) => {
      const recorded = new Map(Object.entries(wireTexts));
      const found = new Map<string, Hash>();
      for (const body of all) {
        if (!recorded.has(body.from)) continue;
        if (!found.has(body.from)) found.set(body.from, createHash("sha256"));
        found.get(body.from)!.update(`${JSON.stringify(body.cell.bits < 32 ? undefined : decode(body))}\n`);
      }
      const digests = [...found].map(([from, hash]) => [from, hash.digest("hex").slice(0, 16)]);
      skip(digests.length === 0, "no body was recorded");
      expect(digests).toEqual(digests.map(([from]) => [from, recorded.get(from!)]));
    });

    it("are read if their opcode is known", () => {
      const failed = new Set<string>();
      for (const body of bodies) {
        const opcode = opcodeOf(body);
        const name = opcodeName(opcode);
        if (name === undefined || decode(body)) continue;
        if (!others.has(opcode)) failed.add(`${opcode.toString(16)} ${name} in ${body.from}`);
      }
      expect([...failed]).toEqual([]);
    });

    it("are partly unread for opcodes that other contracts use as well", ({ skip }) => {
      skip(!isRecordedSetHere(), "some of the recorded bodies are not here");
      for (const opcode of others.keys()) {
        const own = bodies.filter((body) => opcodeOf(body) === opcode);
        expect(
          own.some((body) => decode(body) === undefined),
          opcode.toString(16),
        ).toBe(true);
      }
    });

    it("are almost all known", ({ skip }) => {
      const recorded = bodies.filter(({ from }) => from in wireTexts);
      skip(recorded.length < 500, "too few of the recorded bodies are here");
      const named = recorded.filter((body) => !others.has(opcodeOf(body)));
      const unknown = named.filter((body) => decode(body) === undefined);
      expect(unknown.length / named.length).toBeLessThan(0.1);
      const requests = named.filter(({ isExternal }) => isExternal);
      const unread = requests.filter((body) => decode(body) === undefined);
      expect(unread.length / requests.length).toBeLessThan(0.1);
    });

    it("have the amounts of the actions of their traces", ({ skip }) => {
      // By type of action: the body, and its field with the action's amount.
      const amounts: Record<string, [type: string, member: string]> = {
        jetton_transfer: ["jetton_transfer", "amount"],
        jetton_burn: ["jetton_burn", "amount"],
        evaa_supply: ["evaa_supply_success", "amount_supplied"],
        jvault_unstake: ["jvault_unstake_jettons", "jettons_to_unstake"],
        jvault_unstake_request: ["jvault_unstake_request", "jettons_to_unstake"],
        coffee_staking_claim_rewards: ["coffee_staking_claim_rewards", "jetton_amount"],
      };
      const checked = new Map<string, number>();
      let unread = 0;
      for (const each of traces ?? []) {
        const { reference } = each.read() as { reference: { actions: GoldenAction[] } };
        const decoded = tracedBodies([each]).map(decode);
        for (const { type, amount, success } of reference.actions) {
          const [body, member] = amounts[type] ?? [];
          if (!body || !member || !success || amount === null) continue;
          const found = decoded.flatMap((value) => (value?.["@type"] === body ? value[member] : []));
          // The bodies of a trace may be of other contracts (`others`).
          if (found.length === 0) unread++;
          else expect(found, each.id).toContain(typeof amount === "object" ? amount.$int : `${amount}`);
          checked.set(type, (checked.get(type) ?? 0) + 1);
        }
      }
      const count = [...checked.values()].reduce((sum, each) => sum + each, 0);
      skip(count === 0, "no action has an amount to compare with");
      expect(unread).toBeLessThan(1 + 0.02 * count);
      if (isRecordedSetHere()) expect([...checked.keys()].sort()).toEqual(Object.keys(amounts).sort());
    });

    it("have wire text bounded by a multiple of their weight", () => {
      for (const body of bodies) {
        const decoded = decode(body);
        const weight = serializeBoc(body.cell, { crc32: false }).length;
        if (decoded) expect(JSON.stringify(decoded).length).toBeLessThan(4 * (16_384 + 16 * weight));
      }
    });
  });
