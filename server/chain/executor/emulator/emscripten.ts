// The emulator as emscripten compiled it: WebAssembly, and the JavaScript that belongs to it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { compileFunction } from "node:vm";
import { type WasmInstance, type WasmMemory, webAssembly } from "../../../os/web-assembly.js";
import type { ExecutorError } from "../executor-error.js";

/** A compiled WebAssembly module; threads can share it as worker data. */
export type CompiledEmulator = { readonly __compiledEmulator: never };
export type Exports = Readonly<Record<string, unknown>>;
export type Imports = Record<string, Record<string, unknown>>;

/** Functions that every build of @ton/sandbox exports, by their names in its JavaScript. */
export const exportedNames = [
  "_malloc",
  "_free",
  "_create_emulator",
  "_destroy_emulator",
  "_emulate_with_emulator",
  "_run_get_method",
] as const;
export type ExportedName = (typeof exportedNames)[number];
type Emscripten = Record<ExportedName, (...args: never[]) => number>;

type Hooks = {
  instantiateWasm(imports: Imports, done: (instance: WasmInstance) => void): object;
  print(): void;
  printErr(): void;
};
type Factory = (hooks: Hooks) => Promise<Emscripten>;

/** The JavaScript of a build. */
export type Glue = { readonly text: string; readonly start: Factory };

// Module state: a memo by the path of a build, of which a thread loads one or two.
const glues = new Map<string, Glue>();

/** Read once per thread. */
export function glueAt(path: string): Glue {
  const known = glues.get(path);
  if (known) return known;
  const text = readFileSync(path, "utf8");
  // Not by `require`, which would take it for an ES module below a package.json of that type.
  const module = { exports: undefined as unknown as Factory };
  const run = compileFunction(text, ["module", "exports", "require", "__filename", "__dirname"], {
    filename: path,
  });
  run(module, {}, createRequire(path), path, dirname(path));
  const glue = { text, start: module.exports };
  glues.set(path, glue);
  return glue;
}

/** Starts an instance. `link` instantiates the module with the imports of its JavaScript. */
export async function startEmscripten(
  { start }: Glue,
  link: (imports: Imports) => WasmInstance,
): Promise<{ functions: Emscripten; exports: Exports }> {
  let instance: WasmInstance | undefined;
  const functions = await start({
    instantiateWasm(imports, done) {
      instance = link(imports);
      done(instance);
      return {};
    },
    // Its reason to abort becomes part of errors.
    print() {},
    printErr() {},
  });
  return { functions, exports: instance!.exports };
}

/** A function of emscripten's runtime by its name in the JavaScript; undefined if the build does not export it. */
export function compiledFunction(
  { text }: Glue,
  exports: Exports,
  name: string,
): ((address: number) => void) | undefined {
  // The build shortens the names of exports; the JavaScript that belongs to it knows them.
  // Bounded input: this is the emulator's own code.
  const short = new RegExp(`[;,{]\\s*${name}\\s*=\\s*wasmExports\\["(\\w+)"\\]`).exec(text)?.[1];
  const value = short === undefined ? undefined : exports[short];
  return typeof value === "function" ? (value as (address: number) => void) : undefined;
}

/** Sets the pointer of the C++ stack. */
export const stackRestore = "__emscripten_stack_restore";

/** The build has 64 KiB of C++ stack, which a tree of depth 350 overflows into other data; the node allows 512. */
const stackBytes = 8 << 20;
const stackAlignment = 16;

/** Moves the stack, which grows downwards, to a larger block. No function may be running: what is on it would be lost. */
export function enlargeStack({ _malloc }: Emscripten, setStackPointer: (address: number) => void): void {
  const top = _malloc(stackBytes as never) + stackBytes;
  setStackPointer(top - (top % stackAlignment));
}

/** A number is passed unchanged (0 is the null pointer), a text as a C string. */
export type EmulatorArgument = number | bigint | string;

type Crash = (cause: unknown) => ExecutorError;

/** Calls functions of one instance with texts. */
export class EmulatorMemory<Name extends string = ExportedName> {
  readonly #functions: Record<Name | "_malloc" | "_free", (...args: never[]) => number>;
  readonly #memory: WasmMemory;
  readonly #crash: Crash;
  #view = Buffer.alloc(0);

  /** `crash`: the error of a call that broke the instance. */
  constructor(
    functions: Record<Name | "_malloc" | "_free", (...args: never[]) => number>,
    memory: WasmMemory,
    crash: Crash,
  ) {
    this.#functions = functions;
    this.#memory = memory;
    this.#crash = crash;
  }

  /** Calls a function; returns its pointer. */
  call(name: Name, ...args: EmulatorArgument[]): number {
    const texts: number[] = [];
    const values = args.map((arg) => {
      if (typeof arg !== "string") return arg;
      const pointer = this.allocate(arg);
      texts.push(pointer);
      return pointer;
    });
    const result = this.run(name, values);
    for (const pointer of texts) this.free(pointer);
    return result;
  }

  /** Calls a function that returns an answer as a JSON document. */
  callForJson<Answer>(name: Name, ...args: EmulatorArgument[]): Answer {
    const pointer = this.call(name, ...args);
    const memory = this.bytes();
    const text = memory.toString("utf8", pointer, memory.indexOf(0, pointer));
    this.free(pointer);
    return JSON.parse(text) as Answer;
  }

  /** Copies an ASCII text into the emulator's memory as a C string; release it with `free`. */
  allocate(text: string): number {
    const pointer = this.run("_malloc", [text.length + 1]);
    if (pointer === 0) throw this.#crash(new RangeError("out of memory"));
    const memory = this.bytes();
    memory.write(text, pointer, "latin1");
    memory[pointer + text.length] = 0;
    return pointer;
  }

  free(pointer: number): void {
    this.run("_free", [pointer]);
  }

  run(name: Name | "_malloc" | "_free", args: (number | bigint)[]): number {
    try {
      return this.#functions[name](...(args as never[]));
    } catch (error) {
      // An uncaught C++ exception arrives as a number, a trap as an Error.
      throw this.#crash(error);
    }
  }

  /** Growing the memory detaches earlier views. */
  bytes(): Buffer {
    if (this.#view.buffer !== this.#memory.buffer) this.#view = Buffer.from(this.#memory.buffer);
    return this.#view;
  }
}

/** The build shortens export names, so the memory is known by its type only. */
export function memoryOf(exports: Exports): WasmMemory | undefined {
  return Object.values(exports).find((value) => value instanceof webAssembly.Memory) as
    | WasmMemory
    | undefined;
}
