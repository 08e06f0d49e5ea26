// The parser of SQL is one switch, of whose cases 2,018 end with a jump to the same place. When V8 optimizes it, which it does some
// seconds after a start, it keeps the variables of all cases for each of these jumps: 604 MB for a few seconds. If 50 jumps at a time
// lead to a place in between, and one jump leads on from there, it takes 23 MB. The function does the same.
import { emptyBlock, opcode, readUnsigned, unsigned } from "../../os/wasm-bytes.js";

const codeSection = 10;
const headBytes = 8;
/** Bytes of a function that may have so many jumps. */
const largeFunction = 1 << 16;
const manyJumps = 1000;
const jumpsPerLanding = 50;
/** Stands for a landing among the numbers of open blocks. */
const landing = -1;

/** Groups the jumps of such functions of a module, in its bytes. Returns how many functions it has changed. */
export function groupJumps(wasm: Buffer): number {
  let changed = 0;
  for (const body of largeFunctions(wasm)) {
    const grouped = withLandings(body);
    // Jumps to the nearer landings take fewer bytes, which leaves room for these.
    if (!grouped || grouped.length > body.length) continue;
    body.fill(opcode.nop, grouped.length - 1, body.length - 1);
    body.set(grouped.subarray(0, -1));
    changed++;
  }
  return changed;
}

function* largeFunctions(wasm: Buffer): Generator<Buffer> {
  for (let at = headBytes; at < wasm.length; ) {
    const size = readUnsigned(wasm, at + 1);
    const end = size.end + size.value;
    if (wasm[at] === codeSection) {
      for (let next = readUnsigned(wasm, size.end).end; next < end; ) {
        const { value: length, end: start } = readUnsigned(wasm, next);
        next = start + length;
        if (length >= largeFunction) yield wasm.subarray(start, next);
      }
    }
    at = end;
  }
}

/** Whether there may be a switch with so many cases. Most functions have none, and need not be decoded. */
function mayHaveManyCases(body: Buffer): boolean {
  const find = (from: number) => body.indexOf(opcode.jumpTable, from);
  for (let at = find(0); at >= 0; at = find(at + 1)) {
    // The count of a table takes two bytes then.
    const [low = 0, high = 0] = body.subarray(at + 1, at + 3);
    if (low > 0x7f && high <= 0x7f && (low & 0x7f) + (high << 7) >= manyJumps) return true;
  }
  return false;
}

/** The body with landings; `undefined` if it needs none, or has instructions that are not known here. */
function withLandings(body: Buffer): Buffer | undefined {
  const code = mayHaveManyCases(body) ? decoded(body) : undefined;
  const target = code && mostJumpedTo(code);
  if (target === undefined) return undefined;
  const landings = landingsFor(target, code!);
  const parts: Uint8Array[] = [];
  const add = (...bytes: number[]) => parts.push(Uint8Array.from(bytes));
  const open = [0];
  const label = (block: number) => unsigned(open.length - 1 - open.lastIndexOf(block));
  const jumpToTarget = () => add(opcode.jump, ...label(open.includes(landing) ? landing : target));
  let copied = 0;
  for (const { kind, at, end, next, blocks } of code!.steps) {
    const isToTarget = kind === opcode.jump && blocks[0] === target;
    const isEndOfLanding = kind === opcode.end && open.at(-1) === landing;
    parts.push(body.subarray(copied, isToTarget || isEndOfLanding ? at : end));
    copied = next;
    if (isToTarget) {
      jumpToTarget();
      continue;
    }
    if (isEndOfLanding) {
      open.pop();
      add(opcode.end);
      jumpToTarget();
      add(opcode.end);
    }
    if (isJump(kind)) add(...blocks.flatMap(label));
    else if (kind === opcode.end) open.pop();
    else {
      open.push(blocks[0]!);
      if (!landings.has(blocks[0]!)) continue;
      add(opcode.block, emptyBlock);
      open.push(landing);
    }
  }
  return Buffer.concat(parts);
}

/** The blocks whose content is to be enclosed by a landing: a jump ends each, so that its end is reached by jumps only. */
function landingsFor(target: number, { steps, emptyBlocks }: Decoded): Set<number> {
  const landings = new Set<number>();
  let jumps = 0;
  let afterJump: number | undefined;
  for (const { kind, at, next, blocks } of steps) {
    const block = blocks[0]!;
    if (kind === opcode.jump) {
      afterJump = next;
      if (block === target) jumps++;
    } else if (kind === opcode.end) {
      if (block === target) break;
      const isFree = block > target && emptyBlocks.has(block) && at === afterJump;
      if (isFree && jumps >= jumpsPerLanding) {
        landings.add(block);
        jumps = 0;
      }
    }
  }
  return landings;
}

/** The block that most jumps leave, if they are many and it takes no values. */
function mostJumpedTo({ steps, emptyBlocks }: Decoded): number | undefined {
  const jumps = new Map<number, number>();
  for (const { kind, blocks } of steps)
    if (kind === opcode.jump) jumps.set(blocks[0]!, (jumps.get(blocks[0]!) ?? 0) + 1);
  for (const [block, count] of jumps) if (count >= manyJumps && emptyBlocks.has(block)) return block;
  return undefined;
}

/**
 * An instruction that opens, ends or leaves `blocks`: their numbers are in the order in which they open; the function itself is 0.
 * `end`: where the labels of a jump begin; `next`: the next instruction.
 */
type Step = { kind: number; at: number; end: number; next: number; blocks: number[] };
/** `emptyBlocks`: those that neither take nor leave values. */
type Decoded = { steps: Step[]; emptyBlocks: Set<number> };

/** `undefined` if an instruction is not known here. */
function decoded(body: Buffer): Decoded | undefined {
  const steps: Step[] = [];
  const emptyBlocks = new Set<number>();
  const open = [0];
  let opened = 0;
  for (let at = endOfLocals(body), next = 0; at < body.length; at = next) {
    const kind = body[at]!;
    if (isJump(kind)) {
      const isTable = kind === opcode.jumpTable;
      const count = isTable ? readUnsigned(body, at + 1) : { value: 0, end: at + 1 };
      next = count.end;
      const blocks: number[] = [];
      for (let left = count.value; left >= 0; left--) {
        const label = readUnsigned(body, next);
        blocks.push(open.at(-1 - label.value)!);
        next = label.end;
      }
      steps.push({ kind, at, end: count.end, next, blocks });
      continue;
    }
    const numbers = numbersAfter(kind, body[at + 1]!);
    if (numbers === undefined) return undefined;
    next = skipNumbers(body, at + 1, numbers);
    if (kind === opcode.end) steps.push({ kind, at, end: next, next, blocks: [open.pop()!] });
    else if (isStart(kind)) {
      open.push(++opened);
      steps.push({ kind, at, end: next, next, blocks: [opened] });
      if (kind === opcode.block && body[at + 1] === emptyBlock) emptyBlocks.add(opened);
    }
  }
  return { steps, emptyBlocks };
}

function endOfLocals(body: Buffer): number {
  let { value: groups, end } = readUnsigned(body, 0);
  for (; groups > 0; groups--) end = skipNumbers(body, end, 1) + 1;
  return end;
}

function isJump(kind: number): boolean {
  return kind === opcode.jump || kind === opcode.jumpIf || kind === opcode.jumpTable;
}

function isStart(kind: number): boolean {
  return kind === opcode.block || kind === opcode.loop || kind === opcode.if;
}

/** How many numbers follow instructions: from and to which opcode. */
const following: readonly (readonly [from: number, to: number, numbers: number])[] = [
  [0x00, 0x01, 0],
  [opcode.block, opcode.if, 1],
  [0x05, 0x05, 0],
  [opcode.end, opcode.end, 0],
  [0x0f, 0x0f, 0],
  [opcode.call, opcode.call, 1],
  [opcode.callIndirect, opcode.callIndirect, 2],
  [0x1a, 0x1b, 0],
  [opcode.getLocal, opcode.setGlobal, 1],
  [opcode.loadI32, 0x3e, 2],
  [0x3f, opcode.i64, 1],
  [0x45, 0xc4, 0],
];
const [prefixed, copyMemory, fillMemory] = [0xfc, 0x0a, 0x0b];

/** `next`: the byte after the opcode. `undefined`: the instruction is not known here. */
function numbersAfter(kind: number, next: number): number | undefined {
  if (kind === prefixed) return { [copyMemory]: 3, [fillMemory]: 2 }[next];
  return following.find(([from, to]) => from <= kind && kind <= to)?.[2];
}

/** The end of so many numbers in LEB128. */
function skipNumbers(body: Buffer, at: number, numbers: number): number {
  for (; numbers > 0; numbers--) while (body[at++]! > 0x7f);
  return at;
}
