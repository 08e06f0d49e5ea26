/**
 * On whose behalf something waits: names from the most general to the most specific, such as those of a lane, of all callers
 * without a key, of a network and of an address.
 */
import { itemAt, takeFirst } from "../../../../shared/values/lookups.js";
export type Share = readonly string[];

type QueueLimits = {
  /** Items of one share. */
  readonly perShare: number;
  /** Items with the same first name. */
  readonly perLane: number;
};

/** Takes the time in milliseconds that an item has had. */
export type Settle = (ms: number) => void;

/** Shares of one parent that are remembered for what they have used, besides those that wait. */
const maxRemembered = 1000;

type Entry<T> = { readonly item: T; readonly costMs: number };

/** Shares with the same beginning. */
class Node<T> {
  readonly children = new Map<string, Node<T>>();
  readonly queue: Entry<T>[] = [];
  /** Items that wait here and below, and the time that they are expected to take. */
  waiting = 0;
  waitingMs = 0;
  /** Items that were taken and are not settled. */
  taken = 0;
  /** Processing time in milliseconds since it last began to wait. */
  usedMs = 0;
  /** `usedMs` of the child whose turn it was last: what a child that was away has missed. */
  turnMs = 0;

  get isIdle(): boolean {
    return this.waiting === 0 && this.taken === 0;
  }
}

/**
 * A queue that gives each share the same processing time. The names before the last one have shares as well, which are
 * divided among the shares below them. The share that has used the least is next. A share that was away is not compensated,
 * and one that used more than was expected waits until the others have used as much. Once nothing waits or runs, all of
 * this is forgotten.
 */
export class FairQueue<T> {
  readonly #limits: QueueLimits;
  readonly #root = new Node<T>();

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Items that wait. */
  get length(): number {
    return this.#root.waiting;
  }

  /**
   * Adds an item, which is expected to take so long. If the queue of its share is full it is returned; if that of its lane is,
   * the newest item of the longest queue is removed and returned.
   */
  push(share: Share, item: T, costMs: number): T | undefined {
    const path = this.#open(share);
    const leaf = itemAt(path, -1);
    if (leaf.queue.length >= this.#limits.perShare) {
      this.#forgetIdle(share);
      return item;
    }
    if (leaf.waiting === 0) arrive(path);
    leaf.queue.push({ item, costMs });
    count(path, 1, costMs);
    const lane = itemAt(path, 1);
    return lane.waiting > this.#limits.perLane ? this.#dropFrom(lane, itemAt(share, 0)) : undefined;
  }

  /** Takes the next item. Its time must be settled. */
  shift(): { item: T; settle: Settle } | undefined {
    if (this.#root.waiting === 0) return undefined;
    const path = [this.#root];
    const share: string[] = [];
    for (let node = this.#root; node.queue.length === 0; ) {
      const [name, child] = leastServed(node);
      node.turnMs = child.usedMs;
      share.push(name);
      path.push(child);
      node = child;
    }
    const { item, costMs } = takeFirst(itemAt(path, -1).queue);
    count(path, -1, -costMs);
    return { item, settle: this.#charge(share, path, costMs) };
  }

  /** Charges for an item that did not have to wait. Its time must be settled. */
  enter(share: Share, costMs: number): Settle {
    const path = this.#open(share);
    if (itemAt(path, -1).waiting === 0) arrive(path);
    return this.#charge(share, path, costMs);
  }

  /** Removes an item that waits. */
  remove(share: Share, item: T): void {
    const path = this.#find(share) ?? [];
    const queue = path.at(-1)?.queue ?? [];
    const place = queue.findIndex((entry) => entry.item === item);
    if (place < 0) return;
    const [entry] = queue.splice(place, 1);
    count(path, -1, -entry!.costMs);
    this.#forgetIdle(share);
  }

  /** All items that wait. */
  items(): T[] {
    return itemsOf(this.#root);
  }

  /** Milliseconds of processing before an item of the share that comes now would begin, if all goes as expected. */
  waitMs(share: Share): number {
    let node = this.#root;
    let [rivals, owedMs] = [1, 0];
    for (const name of share) {
      const child = node.children.get(name);
      if (!child) return 0;
      rivals *= Math.max(1, [...node.children.values()].filter(({ waiting }) => waiting > 0).length);
      owedMs += Math.max(0, child.usedMs - node.turnMs);
      node = child;
    }
    return Math.min(this.#root.waitingMs, (node.waitingMs + owedMs) * rivals);
  }

  /** Charges what is expected; the function that is returned replaces it by what it was. */
  #charge(share: Share, path: readonly Node<T>[], costMs: number): Settle {
    for (const node of path) {
      node.usedMs += costMs;
      node.taken++;
    }
    return (ms) => {
      for (const node of path) {
        node.usedMs += ms - costMs;
        node.taken--;
      }
      this.#forgetIdle(share);
    };
  }

  #open(share: Share): Node<T>[] {
    const path = [this.#root];
    for (const name of share) {
      path.push(childOf(itemAt(path, -1), name));
    }
    return path;
  }

  #find(share: Share): Node<T>[] | undefined {
    const path = [this.#root];
    for (const name of share) {
      const child = itemAt(path, -1).children.get(name);
      if (!child) return undefined;
      path.push(child);
    }
    return path;
  }

  /** Removes nodes of a path that are idle and have used no more than others. */
  #forgetIdle(share: Share): void {
    const path = this.#find(share) ?? [];
    for (let depth = path.length - 1; depth > 0; depth--) {
      const [node, parent] = [itemAt(path, depth), itemAt(path, depth - 1)];
      const owes = node.usedMs > parent.turnMs && !parent.isIdle;
      if (!node.isIdle || owes) return;
      parent.children.delete(itemAt(share, depth - 1));
    }
    if (this.#root.isIdle) this.#root.children.clear();
  }

  #dropFrom(lane: Node<T>, name: string): T {
    const path = [this.#root, lane];
    const share = [name];
    for (let node = lane; node.queue.length === 0; ) {
      const [name, child] = [...node.children].reduce((most, each) =>
        each[1].waiting >= most[1].waiting ? each : most,
      );
      share.push(name);
      path.push(child);
      node = child;
    }
    const { item, costMs } = itemAt(path, -1).queue.pop()!;
    count(path, -1, -costMs);
    this.#forgetIdle(share);
    return item;
  }
}

function childOf<T>({ children, turnMs }: Node<T>, name: string): Node<T> {
  const known = children.get(name);
  if (known) return known;
  if (children.size >= maxRemembered)
    for (const [name, child] of children)
      if (child.isIdle && (child.usedMs <= turnMs || children.size >= maxRemembered)) children.delete(name);
  const child = new Node<T>();
  children.set(name, child);
  return child;
}

/** A share that has to wait again begins where the others are. */
function arrive(path: readonly Node<unknown>[]): void {
  for (const [depth, node] of path.entries()) {
    if (depth === 0 || node.waiting > 0) continue;
    node.usedMs = Math.max(node.usedMs, itemAt(path, depth - 1).turnMs);
  }
}

function count(path: readonly Node<unknown>[], items: number, ms: number): void {
  for (const node of path) {
    node.waiting += items;
    node.waitingMs += ms;
  }
}

function leastServed<T>({ children }: Node<T>): [string, Node<T>] {
  let least: [string, Node<T>] | undefined;
  for (const entry of children)
    if (entry[1].waiting > 0 && (!least || entry[1].usedMs < least[1].usedMs)) least = entry;
  return least!;
}

function itemsOf<T>({ queue, children }: Node<T>): T[] {
  return [...queue.map(({ item }) => item), ...[...children.values()].flatMap(itemsOf)];
}
