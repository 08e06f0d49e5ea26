import type { Attempt } from "./attempt.js";
import { callContract, tickTock, tonTransfer } from "./basic-blocks.js";
import type { AnyBlockKind, Block } from "./block.js";
import type { Refusal } from "./refusal.js";

// The pattern language of families. Rules are written in this notation:
//
// 0x0f8a7ea5               call(0x0f8a7ea5)
// T                        transfer()
// <jetton_transfer>        made(jettonTransfer)
// A > B, A > B?            A.followedBy(B), A.followedBy(B.optional())
// A > [B, C?]              A.followedBy([B, C.optional()])
// A < B, A < B?            A.precededBy(B), A.precededBy(B.optional())
// B | C                    either(B, C)
// B+ .. X                  repeat(B, X)
// #label                   .as("label")
// -x                       .withoutExcess()
// ~deployed                .where("that deploys", ({ node }) => node.isDeployed)
// #s = B > #s?             lazy(() => s)

/** A pattern of blocks around one block. Patterns are immutable: methods return new ones. */
export interface Pattern {
  readonly isOptional: boolean;
  /** Its form in errors and explanations. */
  readonly text: string;
  /** Whether a trace with such blocks can contain a match. */
  couldFit(present: Presence): boolean;
  /** Whether a block fits on its own, regardless of its neighbours. */
  fitsHead(block: Block): boolean;
  /** Whether a block fits; if so, adds the taken blocks to the attempt. */
  take(block: Block, attempt: Attempt): boolean;
  /** The failed condition of a block with the anchor's opcode or composite kind. */
  anchorRefusal?(block: Block): Refusal | undefined;
}

type OptionalPattern = Pattern & { optional(): Pattern };
type AlternativesPattern = OptionalPattern & { as(label: string): BlockPattern };

/** Contents of a trace, used to skip matchers that cannot match. */
export type Presence = {
  readonly opcodes: ReadonlySet<number | undefined>;
  readonly kinds: ReadonlySet<AnyBlockKind>;
};

/** Conditions on a block alone. */
type Head = {
  readonly text: string;
  readonly opcodes?: readonly number[];
  readonly kinds?: readonly AnyBlockKind[];
  readonly test: (block: Block) => boolean;
  /** For explanations: the head without its last condition, and that condition. */
  readonly narrows?: { readonly head: Head; readonly condition: string };
};

type Neighbours = {
  readonly followers?: Pattern | readonly Pattern[];
  readonly previous?: Pattern;
  readonly label?: string;
  readonly isOptional?: boolean;
  readonly hasExcess?: boolean;
};

const basicKinds: ReadonlySet<AnyBlockKind> = new Set<AnyBlockKind>([callContract, tonTransfer, tickTock]);
const excess = 0xd53276db;
const bounced = 0xffffffff;

/** A single block, with conditions on its neighbours. */
export class BlockPattern implements Pattern {
  readonly #head: Head;
  readonly #neighbours: Neighbours;

  constructor(head: Head, neighbours: Neighbours = {}) {
    this.#head = head;
    this.#neighbours = neighbours;
  }

  /**
   * A condition on followers. A single pattern takes every follower that fits. Patterns in a list take one follower
   * each: the first that fits and is not taken by another.
   */
  followedBy(followers: Pattern | readonly Pattern[]): BlockPattern {
    return this.#with({ followers });
  }

  /** A condition on the previous block. */
  precededBy(previous: Pattern): BlockPattern {
    return this.#with({ previous });
  }

  /** The block may be absent; a block that does not fit completely counts as absent. */
  optional(): BlockPattern {
    return this.#with({ isOptional: true });
  }

  /** Labels the block in the match. */
  as(label: string): BlockPattern {
    return this.#with({ label });
  }

  /** Does not take excesses sent by the block. */
  withoutExcess(): BlockPattern {
    return this.#with({ hasExcess: false });
  }

  /** Adds a condition on the block itself. A throw cancels the match. */
  where(text: string, test: (block: Block) => boolean): BlockPattern {
    const { test: before } = this.#head;
    const head = {
      ...this.#head,
      text: `${this.#head.text} ${text}`,
      test: (block: Block) => before(block) && test(block),
      narrows: { head: this.#head, condition: text },
    };
    return new BlockPattern(head, this.#neighbours);
  }

  #with(changed: Neighbours): BlockPattern {
    return new BlockPattern(this.#head, { ...this.#neighbours, ...changed });
  }

  get isOptional(): boolean {
    return this.#neighbours.isOptional ?? false;
  }

  get text(): string {
    return this.#head.text;
  }

  couldFit({ opcodes: presentOpcodes, kinds: presentKinds }: Presence): boolean {
    const { opcodes, kinds } = this.#head;
    if (opcodes && !hasAny(presentOpcodes, opcodes)) return false;
    return !kinds || hasAny(presentKinds, kinds);
  }

  fitsHead(block: Block): boolean {
    // The artificial root has no message.
    return block.previous !== undefined && this.#head.test(block);
  }

  anchorRefusal(block: Block): Refusal | undefined {
    const { opcodes, kinds } = this.#head;
    // Every trace has transfers and calls, so these are not specific.
    const isSpecific = opcodes !== undefined || kinds?.some((kind) => !basicKinds.has(kind));
    return isSpecific ? nearMiss(this.#head, block) : undefined;
  }

  take(block: Block, attempt: Attempt): boolean {
    attempt.countStep();
    if (!this.fitsHead(block)) {
      const refusal = attempt.isExplained ? nearMiss(this.#head, block) : undefined;
      if (refusal) attempt.note(refusal, 1);
      return false;
    }
    const { previous, followers, label, hasExcess = true } = this.#neighbours;
    const isAnchor = block === attempt.anchor;
    const mark = attempt.mark();
    attempt.add(block, label);
    const fits =
      (previous === undefined || takePrevious(previous, block, attempt)) &&
      (followers === undefined || takeFollowers(followers, block, attempt));
    if (!fits) {
      attempt.undo(mark);
      return false;
    }
    if (!isAnchor || attempt.isExcessOfAnchorTaken) takeExcess(block, attempt, hasExcess);
    return true;
  }
}

/** A loop, because every matcher checks every trace. */
function hasAny<T>(present: ReadonlySet<T>, wanted: readonly T[]): boolean {
  for (const each of wanted) if (present.has(each)) return true;
  return false;
}

/** The first failed condition of a block that has the opcode or kind of a head. */
function nearMiss({ narrows }: Head, block: Block): Refusal | undefined {
  if (!narrows || block.previous === undefined) return undefined;
  const { head, condition } = narrows;
  if (!head.test(block)) return nearMiss(head, block);
  return { reason: `${shown(block)} is not one ${condition}`, at: block, candidates: [] };
}

function takePrevious(pattern: Pattern, block: Block, attempt: Attempt): boolean {
  const { previous } = block;
  const { noted } = attempt;
  if ((previous && pattern.take(previous, attempt)) || pattern.isOptional) {
    attempt.noted = noted;
    return true;
  }
  if (attempt.isExplained)
    attempt.note({
      reason: `the block before ${shown(block)} is not ${pattern.text}`,
      at: block,
      candidates: previous?.previous ? [previous] : [],
    });
  return false;
}

function takeFollowers(patterns: Pattern | readonly Pattern[], block: Block, attempt: Attempt): boolean {
  if (isList(patterns)) return takeOneEach(patterns, block, attempt);
  const { noted } = attempt;
  let hasTaken = false;
  for (const follower of block.followers) if (patterns.take(follower, attempt)) hasTaken = true;
  if (hasTaken || patterns.isOptional) {
    attempt.noted = noted;
    return true;
  }
  if (attempt.isExplained)
    attempt.note({
      reason: `no block after ${shown(block)} is ${patterns.text}`,
      at: block,
      candidates: block.followers,
    });
  return false;
}

function takeOneEach(patterns: readonly Pattern[], block: Block, attempt: Attempt): boolean {
  const used = new Set<Block>();
  for (const pattern of patterns) {
    const { noted } = attempt;
    const follower = block.followers.find((each) => !used.has(each) && pattern.take(each, attempt));
    if (follower) used.add(follower);
    else if (!pattern.isOptional) {
      if (attempt.isExplained)
        attempt.note({
          reason: `no free block after ${shown(block)} is ${pattern.text}`,
          at: block,
          candidates: block.followers.filter((each) => !used.has(each)),
        });
      return false;
    }
    attempt.noted = noted;
  }
  return true;
}

/** Excesses and bounces belong to the block that sent them. */
function takeExcess(block: Block, attempt: Attempt, hasExcess: boolean): void {
  for (const follower of block.followers)
    if (follower.kind === callContract) {
      const { opcode } = follower;
      if (opcode === bounced || (hasExcess && opcode === excess)) attempt.add(follower, undefined);
    }
}

function isList(patterns: Pattern | readonly Pattern[]): patterns is readonly Pattern[] {
  return Array.isArray(patterns);
}

/** A block's form in explanations. */
function shown(block: Block): string {
  return block.opcode === undefined ? block.kind.name : hex(block.opcode);
}

export function hex(opcode: number): string {
  return `0x${opcode.toString(16).padStart(8, "0")}`;
}

/** A `call_contract` with one of the opcodes: a message or a log. */
export function call(...opcodes: readonly number[]): BlockPattern {
  const [only] = opcodes;
  const test =
    opcodes.length === 1
      ? (block: Block) => block.kind === callContract && block.opcode === only
      : (block: Block) => block.kind === callContract && opcodes.includes(block.opcode!);
  return new BlockPattern({ text: opcodes.map(hex).join(" or "), opcodes, test });
}

/** A log with one of the opcodes. */
export function log(...opcodes: readonly number[]): BlockPattern {
  return call(...opcodes).where("(log)", (block) => block.isLog);
}

/** A `call_contract` with any opcode. */
export function anyCall(): BlockPattern {
  return made(callContract);
}

/** A `ton_transfer`. */
export function transfer(): BlockPattern {
  return made(tonTransfer);
}

/** A block of one of the kinds. */
export function made(...kinds: readonly AnyBlockKind[]): BlockPattern {
  const names = [...new Set(kinds.map(({ name }) => name))];
  return new BlockPattern({
    text: names.join(" or "),
    kinds,
    test: (block) => kinds.includes(block.kind),
  });
}

/** Any block except the root. */
export function anyBlock(): BlockPattern {
  return new BlockPattern({ text: "any block", test: () => true });
}

/** The first alternative that fits. */
export function either(...alternatives: readonly Pattern[]): AlternativesPattern {
  return new Alternatives(alternatives);
}

class Alternatives implements Pattern {
  readonly #alternatives: readonly Pattern[];
  readonly isOptional: boolean;

  constructor(alternatives: readonly Pattern[], isOptional = false) {
    this.#alternatives = alternatives;
    this.isOptional = isOptional;
  }

  optional(): Pattern {
    return new Alternatives(this.#alternatives, true);
  }

  /** Tests only the heads of the alternatives, without their neighbours. */
  as(label: string): BlockPattern {
    const head = {
      text: this.text,
      test: (block: Block) => this.#alternatives.some((pattern) => pattern.fitsHead(block)),
    };
    return new BlockPattern(head, { label, isOptional: this.isOptional });
  }

  get text(): string {
    return this.#alternatives.map(({ text }) => text).join(" or ");
  }

  couldFit(present: Presence): boolean {
    return this.#alternatives.some((pattern) => pattern.couldFit(present));
  }

  fitsHead(block: Block): boolean {
    return this.#alternatives.some((pattern) => pattern.fitsHead(block));
  }

  take(block: Block, attempt: Attempt): boolean {
    return this.#alternatives.some((pattern) => pattern.take(block, attempt));
  }
}

/**
 * Starting at one block: `end` if it fits, else `step`, then continues with the followers of all blocks that the step
 * took; the first follower that fits counts. If no end is found, the blocks taken so far still fit.
 */
export function repeat(step: Pattern, end: Pattern): OptionalPattern {
  return new Repetition(step, end);
}

class Repetition implements Pattern {
  readonly #step: Pattern;
  readonly #end: Pattern;
  readonly isOptional: boolean;

  constructor(step: Pattern, end: Pattern, isOptional = false) {
    this.#step = step;
    this.#end = end;
    this.isOptional = isOptional;
  }

  optional(): Pattern {
    return new Repetition(this.#step, this.#end, true);
  }

  get text(): string {
    return `${this.#step.text} up to ${this.#end.text}`;
  }

  couldFit(present: Presence): boolean {
    return this.#step.couldFit(present) || this.#end.couldFit(present);
  }

  fitsHead(block: Block): boolean {
    return this.#end.fitsHead(block) || this.#step.fitsHead(block);
  }

  take(start: Block, attempt: Attempt): boolean {
    let candidates: readonly Block[] = [start];
    let hasTaken = false;
    for (;;) {
      const mark = attempt.mark();
      let hasStepped = false;
      for (const block of candidates) {
        if (this.#end.take(block, attempt)) return true;
        hasStepped = this.#step.take(block, attempt);
        if (hasStepped) break;
      }
      if (!hasStepped) return hasTaken;
      hasTaken = true;
      const taken = new Set(attempt.takenSince(mark));
      candidates = [...taken].flatMap(({ followers }) => followers).filter((block) => !taken.has(block));
    }
  }
}

/** A recursive pattern. Its depth in one match is bounded. */
export function lazy(pattern: () => Pattern): OptionalPattern {
  return new LazyPattern(pattern);
}

class LazyPattern implements Pattern {
  readonly #pattern: () => Pattern;
  readonly isOptional: boolean;

  constructor(pattern: () => Pattern, isOptional = false) {
    this.#pattern = pattern;
    this.isOptional = isOptional;
  }

  optional(): Pattern {
    return new LazyPattern(this.#pattern, true);
  }

  get text(): string {
    return this.#pattern().text;
  }

  couldFit(present: Presence): boolean {
    return this.#pattern().couldFit(present);
  }

  fitsHead(block: Block): boolean {
    return this.#pattern().fitsHead(block);
  }

  take(block: Block, attempt: Attempt): boolean {
    return attempt.nested(() => this.#pattern().take(block, attempt));
  }
}
