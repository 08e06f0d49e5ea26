import type { DebugStep } from "../../../../client/api.js";

type Bounds = {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** Steps per call, and calls whose steps are kept: others are asked for again. */
  readonly pageSize: number;
  readonly keptPages: number;
};

/** Reads so many steps of the run from a number on. */
type ReadSteps<Step> = (from: number, limit: number) => Promise<readonly Step[]>;

/** The steps of a run, of which the last used pages are kept. */
export class RunSteps<Step extends Pick<DebugStep, "n"> = DebugStep> {
  readonly first: number;
  readonly end: number;
  readonly #pageSize: number;
  readonly #keptPages: number;
  readonly #read: ReadSteps<Step>;
  readonly #pages = new Map<number, Promise<readonly Step[]>>();

  constructor({ first, end, pageSize, keptPages }: Bounds, read: ReadSteps<Step>) {
    this.first = first;
    this.end = end;
    this.#pageSize = pageSize;
    this.#keptPages = keptPages;
    this.#read = read;
  }

  /** The nearest step that the run has. */
  within(n: number): number {
    return Math.max(this.first, Math.min(n, this.end - 1));
  }

  /** Bounds of the pages that have the steps around one, so many pages to each side. */
  around(n: number, pages: number): { readonly from: number; readonly to: number } {
    const page = Math.floor(n / this.#pageSize);
    return {
      from: Math.max(this.first, (page - pages) * this.#pageSize),
      to: Math.min(this.end, (page + pages + 1) * this.#pageSize),
    };
  }

  async at(n: number): Promise<Step | undefined> {
    const [step] = await this.between(n, n + 1);
    return step;
  }

  async between(from: number, to: number): Promise<readonly Step[]> {
    const numbers: number[] = [];
    for (let page = Math.floor(from / this.#pageSize); page * this.#pageSize < to; page++) numbers.push(page);
    const pages = await Promise.all(numbers.map((page) => this.#page(page)));
    return pages.flat().filter(({ n }) => n >= from && n < to);
  }

  /** The first step from `n` on, or back from it, that has a property; reads page by page. */
  async find(n: number, isWanted: (step: Step) => boolean, direction: 1 | -1 = 1): Promise<Step | undefined> {
    for (let at = n; at >= this.first && at < this.end; ) {
      const page = Math.floor(at / this.#pageSize);
      const steps = await this.#page(page);
      const ahead = steps.filter((step) => (direction > 0 ? step.n >= at : step.n <= at));
      const found = direction > 0 ? ahead.find(isWanted) : ahead.findLast(isWanted);
      if (found) return found;
      at = direction > 0 ? (page + 1) * this.#pageSize : page * this.#pageSize - 1;
    }
    return undefined;
  }

  #page(page: number): Promise<readonly Step[]> {
    const steps = this.#pages.get(page) ?? this.#fetch(page);
    // The last used one becomes the last one.
    this.#pages.delete(page);
    this.#pages.set(page, steps);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= this.#keptPages) break;
      this.#pages.delete(oldest);
    }
    return steps;
  }

  #fetch(page: number): Promise<readonly Step[]> {
    const from = Math.max(this.first, page * this.#pageSize);
    const steps = this.#read(from, Math.min(this.end, (page + 1) * this.#pageSize) - from);
    steps.catch(() => {
      // It is read again when it is needed again.
      if (this.#pages.get(page) === steps) this.#pages.delete(page);
    });
    return steps;
  }
}
