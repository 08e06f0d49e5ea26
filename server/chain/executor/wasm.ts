// The node's transaction emulator, compiled to WebAssembly, from @ton/sandbox. Only its two data files are loaded: the
// package's entry also loads @ton/core, a debugger build and test tools, and its wrapper keeps pointers to objects that
// the C++ side has freed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ExecutorError } from "./executor-error.js";

type Instance = { exports: Record<string, unknown> };
// Declared here because neither the ES library nor Node's types know the global.
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<CompiledEmulator>;
  Instance: new (module: CompiledEmulator, imports: object) => Instance;
  Memory: new (...args: never[]) => { readonly buffer: ArrayBuffer };
};

/** A compiled WebAssembly module; threads can share it as worker data. */
export type CompiledEmulator = { readonly __compiledEmulator: never };

type EntryPoint = "_create_emulator" | "_destroy_emulator" | "_emulate_with_emulator" | "_run_get_method";
type Emscripten = Record<EntryPoint | "_malloc" | "_free", (...args: number[]) => number>;
type Hooks = { instantiateWasm(imports: object, done: (instance: Instance) => void): object };
type Glue = (hooks: Hooks) => Promise<Emscripten>;

/** A number is passed unchanged (0 is the null pointer), a text as a C string. */
export type EmulatorArgument = number | string;

const require = createRequire(import.meta.url);
const folder = "@ton/sandbox/dist/executor";

/** The build has 64 KiB of C++ stack, which a tree of depth 350 overflows; the node allows 512. */
const stackBytes = 8 << 20;
const stackAlignment = 16;

/** Takes about 70 ms; once per process is enough. */
export function compileEmulator(): Promise<CompiledEmulator> {
  const { EmulatorEmscriptenWasm: base64 } = require(`${folder}/emulator-emscripten.wasm.js`) as {
    EmulatorEmscriptenWasm: string;
  };
  return WebAssembly.compile(withLargerStacks(Buffer.from(base64, "base64")));
}

/** `i64.const 3500 i64.store` and `i64.const 8001 i64.store`. */
const builtLimit = Buffer.from("42ac1b3703", "hex");
const ourLimit = Buffer.from("42c13e3703", "hex");

/**
 * The build fails get-methods that return 3500 values, such as lists of a few hundred validators. tonlib and our stack
 * codec allow 8000.
 */
function withLargerStacks(wasm: Buffer): Buffer {
  const at = wasm.indexOf(builtLimit);
  if (at < 0 || at !== wasm.lastIndexOf(builtLimit)) throw new Error("unknown build of the emulator");
  ourLimit.copy(wasm, at);
  return wasm;
}

/**
 * One instance of the emulator with its memory. It must not be used after a "crashed" error, which leaves C++ frames
 * without unwinding them.
 */
export class EmulatorInstance {
  readonly #functions: Emscripten;
  readonly #memory: { readonly buffer: ArrayBuffer };
  #view = Buffer.alloc(0);

  private constructor(functions: Emscripten, memory: { readonly buffer: ArrayBuffer }) {
    this.#functions = functions;
    this.#memory = memory;
  }

  /** About 5 ms. */
  static async create(compiled: CompiledEmulator): Promise<EmulatorInstance> {
    const glue = require(`${folder}/emulator-emscripten.js`) as Glue;
    let exported: Instance["exports"] = {};
    const functions = await glue({
      instantiateWasm(imports, done) {
        const instance = new WebAssembly.Instance(compiled, imports);
        exported = instance.exports;
        done(instance);
        return {};
      },
    });
    enlargeStack(functions, exported);
    // The build shortens export names, so the memory is known by its type only.
    const memory = Object.values(exported).find((value) => value instanceof WebAssembly.Memory);
    return new EmulatorInstance(functions, memory as { readonly buffer: ArrayBuffer });
  }

  /** Calls an entry point; returns its pointer. */
  call(name: EntryPoint, ...args: EmulatorArgument[]): number {
    const texts: number[] = [];
    const values = args.map((arg) => {
      if (typeof arg === "number") return arg;
      const pointer = this.allocate(arg);
      texts.push(pointer);
      return pointer;
    });
    const result = this.#run(name, values);
    for (const pointer of texts) this.free(pointer);
    return result;
  }

  /** Calls an entry point that returns a JSON document. */
  callForJson(name: EntryPoint, ...args: EmulatorArgument[]): unknown {
    const pointer = this.call(name, ...args);
    const memory = this.#bytes();
    const text = memory.toString("utf8", pointer, memory.indexOf(0, pointer));
    this.free(pointer);
    return JSON.parse(text);
  }

  /** Copies an ASCII text into the emulator's memory as a C string; release it with `free`. */
  allocate(text: string): number {
    const pointer = this.#run("_malloc", [text.length + 1]);
    if (pointer === 0) throw new ExecutorError("crashed", "The executor is out of memory");
    const memory = this.#bytes();
    memory.write(text, pointer, "latin1");
    memory[pointer + text.length] = 0;
    return pointer;
  }

  free(pointer: number): void {
    this.#run("_free", [pointer]);
  }

  #run(name: keyof Emscripten, args: number[]): number {
    try {
      return this.#functions[name](...args);
    } catch (error) {
      // An uncaught C++ exception arrives as a number, a trap as an Error.
      throw new ExecutorError("crashed", "The executor broke down on this request", error);
    }
  }

  /** Growing the memory detaches earlier views. */
  #bytes(): Buffer {
    if (this.#view.buffer !== this.#memory.buffer) this.#view = Buffer.from(this.#memory.buffer);
    return this.#view;
  }
}

/** Moves the stack, which grows downwards, to a larger block. No function is running, so nothing on it is lost. */
function enlargeStack(functions: Emscripten, exported: Instance["exports"]): void {
  const glue = readFileSync(require.resolve(`${folder}/emulator-emscripten.js`), "utf8");
  const name = /__emscripten_stack_restore=wasmExports\["(\w+)"\]/.exec(glue)?.[1];
  const setStackPointer = name === undefined ? undefined : exported[name];
  if (typeof setStackPointer !== "function") throw new Error("unknown build of the emulator");
  const top = functions._malloc(stackBytes) + stackBytes;
  setStackPointer(top - (top % stackAlignment));
}
