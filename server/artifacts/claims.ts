import { LRUCache } from "lru-cache";
import type { Artifact } from "./artifact.js";

/** A code is asked for so often. */
const restMs = 3_600_000;
/** Codes that are asked for at once, and that wait; codes whose answers are kept, and their characters. */
const limits = { atOnce: 2, waiting: 100, kept: 10_000, characters: 32 << 20 } as const;

/** Bytes of what is fetched about a code in one place. */
export const maxClaimBytes = 4 << 20;

/** Asks a verifier for the artifacts of a code, by its hash in base64. Rejects with the reason if they cannot be read. */
export type ClaimSource = (codeHash: string, signal: AbortSignal) => Promise<Artifact[]>;

type Answer = { readonly at: number; readonly artifacts: readonly Artifact[] };

type ClaimsOptions = {
  sources: readonly ClaimSource[];
  now: () => number;
  /** Receives why answers are not used; equal reasons in a row only once. */
  failed(reason: string): void;
};

/**
 * ABIs, sources and maps that others claim of codes. They are asked beside the answers of this service, which wait for
 * nothing: a later call has what was found.
 */
export class Claims {
  readonly #options: ClaimsOptions;
  readonly #known = new LRUCache<string, Answer>({ max: limits.kept, maxSize: limits.characters });
  readonly #waiting = new Set<string>();
  #asking = 0;
  readonly #closing = new AbortController();
  #failure: string | undefined;

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /** The artifacts of a code that were read before, by its hash in base64. Old or missing ones are asked for. */
  artifactsOf(codeHash: string): readonly Artifact[] {
    const known = this.#known.get(codeHash);
    if (!known || known.at + restMs <= this.#options.now()) this.#want(codeHash);
    return known?.artifacts ?? [];
  }

  async close(): Promise<void> {
    this.#waiting.clear();
    this.#closing.abort();
  }

  #want(codeHash: string): void {
    if (this.#waiting.size >= limits.waiting || this.#closing.signal.aborted) return;
    this.#waiting.add(codeHash);
    this.#next();
  }

  #next(): void {
    const [codeHash] = this.#waiting;
    if (codeHash === undefined || this.#asking >= limits.atOnce) return;
    this.#waiting.delete(codeHash);
    this.#asking++;
    // A failed attempt counts too.
    this.#keep(codeHash, this.#known.peek(codeHash)?.artifacts ?? []);
    void this.#ask(codeHash).finally(() => {
      this.#asking--;
      this.#next();
    });
  }

  async #ask(codeHash: string): Promise<void> {
    const found: Artifact[] = [];
    for (const source of this.#options.sources) found.push(...(await this.#claimed(source, codeHash)));
    const claimed = { trust: "claimed", codeHashes: [codeHash] } as const;
    this.#keep(
      codeHash,
      found.map((artifact) => ({ ...artifact, ...claimed })),
    );
  }

  #keep(codeHash: string, artifacts: readonly Artifact[]): void {
    const size = artifacts.reduce((sum, artifact) => sum + charactersOf(artifact), 1);
    this.#known.set(codeHash, { at: this.#options.now(), artifacts }, { size });
  }

  async #claimed(source: ClaimSource, codeHash: string): Promise<Artifact[]> {
    const { signal } = this.#closing;
    try {
      return await source(codeHash, signal);
    } catch (error) {
      // Whatever the others did, contracts are answered without them.
      const { message } = error as Error;
      if (message !== this.#failure && !signal.aborted) this.#options.failed(message);
      this.#failure = message;
      return [];
    }
  }
}

function charactersOf({ abiJson, sources, map }: Artifact): number {
  const texts = sources.reduce((sum, { text }) => sum + text.length, 0);
  return texts + (abiJson?.length ?? 0) + (map?.content.length ?? 0);
}
