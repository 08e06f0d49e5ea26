import { LRUCache } from "lru-cache";
import { Shape } from "../../shared/ton/abi/json-shape.js";
import { bytesOfBase64, bytesToHex } from "../../shared/values/bytes.js";
import { trimEnd } from "../../shared/values/trim-end.js";
import { fetchText } from "../os/fetch-text.js";
import type { Artifact } from "./artifact.js";
import { cellIn, jsonIn, mapIn, sourcesIn } from "./compiled.js";
import { artifactOf, readArtifact, readCoder, stemOf } from "./formats.js";
import { PackedAbis } from "./packed.js";

const answerLimits = { maxBytes: 4 << 20, timeoutMs: 10_000 } as const;
/** A code is asked for so often. */
const restMs = 3_600_000;
/** Codes that are asked for at once, and that wait; codes whose answers are kept, and their characters. */
const limits = { atOnce: 2, waiting: 100, kept: 10_000, characters: 32 << 20, bundles: 4 } as const;

type Answer = { readonly at: number; readonly artifacts: readonly Artifact[] };

type VerifierOptions = {
  /** Where its API begins. */
  url: string;
  now: () => number;
  /** Receives why answers are not used; equal reasons in a row only once. */
  failed(reason: string): void;
};

/**
 * ABIs, sources and maps that a verifier has by code hash (the API of Acton's). It is asked beside the answers of this
 * service, which wait for nothing: a later call has what was found.
 */
export class Verifier {
  readonly #options: VerifierOptions;
  readonly #known = new LRUCache<string, Answer>({ max: limits.kept, maxSize: limits.characters });
  readonly #abis = new PackedAbis();
  readonly #waiting = new Set<string>();
  #asking = 0;
  readonly #closing = new AbortController();
  #failure: string | undefined;

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /** What is known of a code, whose hash is in base64. */
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
    const hash = bytesToHex(bytesOfBase64(codeHash));
    const found = [
      ...(await this.#answer(`/api/v1/abi?code_hash=${hash}`, (answer) => this.#abisIn(answer, hash))),
      ...(await this.#answer(`/api/v1/verification/source?code_hash=${hash}`, (answer) =>
        sourcesOf(answer, hash),
      )),
    ];
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

  async #answer(path: string, read: (answer: Shape) => Artifact[]): Promise<Artifact[]> {
    try {
      const text = await fetchText(`${trimEnd(this.#options.url, "/")}${path}`, {
        ...answerLimits,
        redirect: "error",
        signal: this.#closing.signal,
      });
      return read(new Shape(jsonIn(text, "the answer"), "answer"));
    } catch (error) {
      // Whatever the server did, contracts are answered without it.
      const { message } = error as Error;
      if (message !== this.#failure && !this.#closing.signal.aborted) this.#options.failed(message);
      this.#failure = message;
      return [];
    }
  }

  #abisIn(answer: Shape, hash: string): Artifact[] {
    const item = answer
      .member("items")
      .list(limits.waiting)
      .find((each) => each.member("code_hash").value === hash);
    const artifact = item && readArtifact(`${hash}.abi.json`, item.member("abi").value);
    if (!artifact?.abiJson) return [];
    const { compiler } = artifact;
    return [{ ...artifact, ...this.#abis.keep(artifact.abiJson, (json) => readCoder(json, compiler)) }];
  }
}

/** Sources and maps in the bundles of a verified code. A map of another code is left out. */
function sourcesOf(answer: Shape, hash: string): Artifact[] {
  if (answer.member("verified").value !== true || answer.member("code_hash").value !== hash) return [];
  return answer
    .member("bundles")
    .list(limits.bundles)
    .map((bundle, i) => {
      const members = bundle.value as Readonly<Record<string, unknown>>;
      const compiler = bundle.member("compiler");
      const map = bundle.member("source_map");
      const isOfCode =
        !map.isAbsent && bytesToHex(cellIn(map.member("code_boc64").value, "the code").hash()) === hash;
      return artifactOf(`${hash}/${i}`, "verifier", {
        contract: stemOf(compiler.member("entrypoint").name("optional")),
        compiler: `${compiler.member("language").name("optional")} ${compiler.member("version").name("optional")}`,
        sources: sourcesIn({ files: members["files"] }),
        map: isOfCode ? mapIn({ source_map: map.value }) : undefined,
      });
    });
}

function charactersOf({ abiJson, sources, map }: Artifact): number {
  const texts = sources.reduce((sum, { text }) => sum + text.length, 0);
  return texts + (abiJson?.length ?? 0) + (map?.content.length ?? 0);
}
