import type { Handlers } from "../../../shared/methods/define.js";
import type { utilMethods } from "../../../shared/methods/v3/utils.js";
import type { AbiBody, AbiOpcode } from "../../../shared/schema/v3/abi.js";
import { opcodeName } from "../../../shared/ton/bodies/read.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import type { Turns } from "../../../shared/ton/run/debug-run.js";
import { base64ToBytes, bytesToBase64, hexToBytes } from "../../../shared/values/bytes.js";
import type { ArtifactStore, ChosenAbi } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
import { ServiceError } from "../../errors.js";
import { abiBodyOf, abiOpcodeOf } from "../../present/v3/abi.js";
import { presentBody, presentSignedRequest } from "../../present/v3/body.js";
import type { RunSources } from "./run-sources.js";

export type UtilDeps = {
  artifacts: Pick<ArtifactStore, "abisOf" | "guesses">;
  runSources: Pick<RunSources, "given">;
};

export const utilHandlers: Handlers<typeof utilMethods, UtilDeps> = {
  decode: async ({ opcodes, bodies, include_abi, code_hash, abi }, { artifacts, runSources }, call) => {
    const numbers = opcodes.map(readOpcode);
    const names = numbers.map((opcode) => opcodeName(opcode) ?? "unknown");
    const turns = paidTurns(call);
    const decoded: Record<string, unknown>[] = [];
    const cells: (Cell | undefined)[] = [];
    for (const text of bodies) {
      const body = await turns(() => readBody(text));
      decoded.push(body instanceof Cell ? await turns(() => decodeCell(body)) : body);
      cells.push(body instanceof Cell ? body : undefined);
    }
    const answer = { opcodes: names, bodies: decoded };
    if (!include_abi) return answer;
    const codeHash = code_hash && bytesToBase64(code_hash);
    const given = (await runSources.given.read({ abi }, turns))?.abis ?? [];
    const abisFor = function* (opcode: number) {
      yield* given;
      yield* codeHash === undefined ? artifacts.guesses(opcode) : artifacts.abisOf({ codeHash });
    };
    return { ...answer, abi: await namesByAbi(numbers, cells, abisFor, turns) };
  },
};

/** Names in ABIs. The caller pays for the time, as ABIs of a catalogue are read when they are needed. */
async function namesByAbi(
  opcodes: readonly number[],
  bodies: readonly (Cell | undefined)[],
  abisFor: (opcode: number) => Iterable<ChosenAbi>,
  turns: Turns,
) {
  const named: { opcodes: (AbiOpcode | null)[]; bodies: (AbiBody | null)[] } = { opcodes: [], bodies: [] };
  for (const opcode of opcodes) named.opcodes.push(await turns(() => abiOpcodeOf(abisFor(opcode), opcode)));
  for (const body of bodies)
    named.bodies.push((await turns(() => body && abiBodyOf(abisFor(firstBits(body)), body))) ?? null);
  return named;
}

/** The opcode of a body; shorter bodies have that of their bits, which no ABI has. */
function firstBits(body: Cell): number {
  return body.parse().preloadUint(Math.min(32, body.bits));
}

/** Parsed as hex if possible, otherwise as a signed or unsigned decimal of 32 bits. */
function readOpcode(input: string, index: number): number {
  const text = input.replace(/^0x/i, "");
  if (/^[0-9a-f]+$/i.test(text) && text.replace(/^0+(?=.)/, "").length <= 8) return Number.parseInt(text, 16);
  const value = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= -(2 ** 31) && value < 2 ** 32) return value >>> 0;
  throw new ServiceError("invalid-params", `invalid opcode format at index ${index}: ${text}`, {
    data: { param: "opcodes" },
  });
}

/** The body, or the record that says why there is none. */
function readBody(text: string): Cell | Record<string, unknown> {
  const isBase64 = text.startsWith("te6");
  const bytes = isBase64 ? base64ToBytes(text) : hexToBytes(text);
  if (!bytes) return { error: `unknown: failed to decode ${isBase64 ? "base64" : "hex"}: invalid character` };
  try {
    return parseBocRoot(bytes);
  } catch (error) {
    if (error instanceof CellError) return { error: `unknown: failed to deserialize boc: ${error.message}` };
    throw error;
  }
}

function decodeCell(body: Cell): Record<string, unknown> {
  const decoded = presentBody(body) ?? presentSignedRequest(body);
  if (decoded) return decoded;
  return {
    error: `unknown: ${body.bits < 32 ? `boc is too small, size ${body.bits}` : "no parser succeeded"}`,
  };
}
