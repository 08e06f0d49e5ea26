import type { z } from "zod";
import type { contractAbi } from "../../shared/schema/v3/abi.js";
import type { contractSources } from "../../shared/schema/v3/artifacts.js";
import type { DebugRunRecord, DebugTrailRecord, debugSteps } from "../../shared/schema/v3/debug.js";
import type { debugCode } from "../../shared/schema/v3/debug-state.js";
import type { AbiCoder } from "../../shared/ton/abi/coder.js";
import { RecentMap } from "../../shared/values/recent-map.js";
import { keptRead, sharedRead } from "../../shared/values/shared-reads.js";
import { readArtifactText } from "../artifacts/formats.js";
import { coderOf } from "../artifacts/store.js";
import { CodeListing, type Listed } from "./code-listing.js";
import type { GivenContract } from "./launch/given-contract.js";
import type { LocalCode, LocalSources } from "./local-sources.js";
import type { CallService } from "./service-calls.js";
import { stepsOf, type Trail, TrailBuilder, type TrailStep } from "./trail.js";
import { mayDecode } from "./values/expression.js";
import { type MachineState, MachineView } from "./values/machine-view.js";

/** Parameters that name a run, for methods that read it. */
export type AskedRun = {
  readonly run: string;
  readonly force?: boolean;
  readonly account?: string;
  readonly lt?: string;
  /** Parameters of the method that made it, as JSON. */
  readonly message?: string;
  readonly get_method?: string;
};

type StepPage = z.output<typeof debugSteps>;
type Code = z.output<typeof debugCode>;
type AbiAnswer = { matches: z.output<typeof contractAbi>[]; sources?: z.output<typeof contractSources>[] };

/** What is read of a run before it can be walked. */
export type Loaded = {
  readonly trail: Trail;
  readonly listing: CodeListing;
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Lines for the user about its sources. */
  readonly notes: readonly string[];
};

/** At least; at most twice as many. */
const keptStates = 8;

/** A run that is debugged: a thread of the session. */
export class DebuggedRun {
  readonly run: DebugRunRecord;
  readonly #asked: AskedRun;
  readonly #call: CallService;
  readonly #local: LocalSources;
  readonly #given: GivenContract | undefined;
  readonly #states = new RecentMap<number, Promise<MachineState>>(keptStates);
  /** Reads its steps, its code and its source files. */
  readonly load = keptRead(() => this.#load());
  /** The ABIs of the contract, the best first. */
  readonly #abis = keptRead(() => this.#readAbis());
  /** The step that it stands before; undefined if it was not walked yet. */
  at: number | undefined;

  /** `given`: what the client has given about the contract. */
  constructor(
    run: DebugRunRecord,
    asked: AskedRun,
    { call, local, given }: { call: CallService; local: LocalSources; given: GivenContract | undefined },
  ) {
    this.run = run;
    this.#asked = asked;
    this.#call = call;
    this.#local = local;
    this.#given = given;
  }

  /** Frees what was loaded; it is loaded again when it is needed again. */
  unload(): void {
    this.load.forget();
    this.#abis.forget();
    this.#states.clear();
  }

  /** The machine before a step, as a user sees it from the function that is `level` functions around the innermost one. */
  async view(n: number, level: number, expression = ""): Promise<MachineView> {
    const state = await this.state(n);
    return new MachineView({ run: this.run, state, level }, mayDecode(expression) ? await this.#abis() : []);
  }

  /** The machine before a step. */
  state(n: number): Promise<MachineState> {
    return sharedRead(this.#states, n, () => this.#ask<MachineState>("v3.debug.state", { step: n }));
  }

  /** Steps that do something, in order: see `v3.debug.find`. */
  async find(search: object): Promise<{ steps: number[]; is_cut: boolean }> {
    return this.#ask("v3.debug.find", search);
  }

  /** Data of the contract by its ABI after a step that writes it; undefined if none fits. */
  async storageAfter(n: number): Promise<unknown> {
    const page = await this.#ask<StepPage>("v3.debug.steps", { from: n, limit: 1, include: ["registers"] });
    return page.steps[0]?.registers?.c4?.storage;
  }

  #ask<Result>(method: string, params: object): Promise<Result> {
    return this.#call(method, { ...this.#asked, ...params, ...this.#given?.texts }) as Promise<Result>;
  }

  async #load(): Promise<Loaded> {
    const { code } = this.run;
    const hashes = code ? [code.hash, ...(code.library === null ? [] : [code.library])] : [];
    const local = hashes.length > 0 ? await this.#local.codeOf(hashes) : undefined;
    const trail = await this.#readTrail(local);
    const listed = code ? await this.#readCode(code.hash) : [];
    const moved = local?.locate
      ? listed.map(({ at, text }) => ({ at, text, source: local.locate?.(at).source }))
      : listed;
    const listing = new CodeListing(moved, trail);
    const texts = code && !local?.locate ? await this.#readSources(code) : new Map<string, string>();
    const files = new Map<string, string | undefined>(
      [...listing.files].map((file) => [file, texts.get(file)]),
    );
    const unused = code?.map_error === undefined ? [] : [`a source map is not used: ${code.map_error}`];
    return { trail, listing, files, notes: [...unused, ...(local?.notes ?? [])] };
  }

  async #readTrail(local: LocalCode | undefined): Promise<Trail> {
    const steps: TrailStep[] = [];
    let builder: TrailBuilder | undefined;
    for (let from: number | null | undefined; from !== null; ) {
      const page: DebugTrailRecord = await this.#ask("v3.debug.trail", from === undefined ? {} : { from });
      builder ??= new TrailBuilder(page.first_step);
      // Functions by the sources of a project are known when all steps are.
      if (local?.locate) steps.push(...stepsOf(page));
      else for (const step of stepsOf(page)) builder.add(step);
      from = page.next;
    }
    builder ??= new TrailBuilder(0);
    for (const step of local?.relocated(steps) ?? []) builder.add(step);
    return builder.finish();
  }

  /** The instructions of the code; none if the service does not know it any more. */
  async #readCode(hash: string): Promise<Listed[]> {
    for (const asked of [{ code_hash: hash }, { account: this.run.account }]) {
      const params = { ...asked, ...this.#given?.texts };
      // A run can be walked without the rest of its code.
      const found = (await this.#call("v3.debug.code", params).catch(() => undefined)) as Code | undefined;
      if (found?.code_hash !== hash) continue;
      return found.instructions.map(({ at, op = "", args, source }) => ({
        at,
        text: args === undefined ? op : `${op} ${args}`,
        source,
      }));
    }
    return [];
  }

  /** Texts of the source files that the service knows of the codes that ran. */
  async #readSources(code: NonNullable<DebugRunRecord["code"]>): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    const add = (files: GivenContract["sources"]) => {
      for (const { file, text } of files) if (!texts.has(file)) texts.set(file, text);
    };
    add(this.#given?.sources ?? []);
    for (const { hash } of [code, ...(code.executed ?? [])]) {
      const asked = { code_hash: hash, include_sources: true };
      const { sources = [] } = (await this.#call("v3.debug.abi", asked)) as AbiAnswer;
      add(sources.flatMap(({ files }) => files));
    }
    return texts;
  }

  async #readAbis(): Promise<readonly AbiCoder[]> {
    const given = this.#given?.abis ?? [];
    const { code } = this.run;
    if (!code) return given;
    const asked = { code_hash: code.hash, include_abi: true };
    const { matches } = (await this.#call("v3.debug.abi", asked)) as AbiAnswer;
    const known = matches.flatMap(({ abi }) => {
      const artifact = abi && readArtifactText("abi", JSON.stringify(abi));
      return (artifact && coderOf(artifact)) ?? [];
    });
    return [...given, ...known];
  }
}
