import { readFileSync } from "node:fs";
import { lazy } from "../../../shared/values/lazy.js";
import { vendored } from "../../os/vendored.js";
import { invokerModule, isInvoker, linkNames, ownFunctions } from "./invokers.js";
import { tableImport, tableSize } from "./wasm-patch.js";

type Exports = Record<string, unknown>;
type Instance = { readonly exports: Exports };
type Imports = Record<string, Record<string, unknown>>;
type Table = { get(index: number): unknown; set(index: number, value: unknown): void };
/** A compiled WebAssembly module; threads can share it as worker data. */
export type CompiledEmulator = { readonly __compiledEmulator: never };

// Declared here because neither the ES library nor Node's types know the global.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => CompiledEmulator;
  Instance: new (module: CompiledEmulator, imports: Imports) => Instance;
  Table: new (type: { element: "anyfunc"; initial: number; maximum: number }) => Table;
  Tag: new (type: { parameters: [] }) => object;
  Exception: new (tag: object, values: []) => object;
};

/** The emulator's JavaScript, which the compiler made. */
export const gluePath = vendored("emulator/emulator.cjs");
const glue = lazy(() => readFileSync(gluePath, "utf8"));

/** Compiled once per thread, for all its instances. */
const compiledInvokers = lazy(() => {
  const names = new Set([...glue().matchAll(/function (\w+)\(/g)].map(([, name]) => name!).filter(isInvoker));
  return new WebAssembly.Module(invokerModule([...names]));
});

/** What the compiler calls the emulator's own functions that are needed here. */
const compiledNames: Record<(typeof ownFunctions)[number], string> = {
  stackSave: "_emscripten_stack_get_current",
  stackRestore: "__emscripten_stack_restore",
  setThrew: "_setThrew",
};

export type LinkedEmulator = {
  readonly exports: Exports;
  readonly table: Pick<Table, "get">;
  readonly setStackPointer: (address: number) => void;
};

/** Instantiates the emulator with the imports of its JavaScript, and with invokers in WebAssembly. */
export function linkEmulator(compiled: CompiledEmulator, imports: Imports): LinkedEmulator {
  const table = new WebAssembly.Table({ element: "anyfunc", initial: tableSize, maximum: tableSize });
  const thrown = new WebAssembly.Tag({ parameters: [] });
  const invokers = new WebAssembly.Instance(compiledInvokers(), {
    [linkNames.module]: { [linkNames.table]: table, [linkNames.thrown]: thrown },
  }).exports;
  const replaced = (value: unknown): unknown => {
    if (typeof value !== "function") return value;
    return invokers[value.name] ?? (throwers.has(value.name) ? throwing(value as Thrower, thrown) : value);
  };
  const linked = Object.fromEntries(
    Object.entries(imports).map(([module, group]) => [
      module,
      Object.fromEntries(Object.entries(group).map(([name, value]) => [name, replaced(value)])),
    ]),
  );
  const { exports } = new WebAssembly.Instance(compiled, {
    ...linked,
    [tableImport.module]: { [tableImport.name]: table },
  });
  const own = ownFunctions.map((name) => exportOf(exports, compiledNames[name]));
  own.forEach((value, index) => {
    (invokers[linkNames.own] as Table).set(index, value);
  });
  return { exports, table, setStackPointer: own[ownFunctions.indexOf("stackRestore")]! };
}

type Thrower = (...args: number[]) => void;

/** Functions of the JavaScript that throw a C++ exception, as a number. */
const throwers = new Set(["___cxa_throw", "___cxa_rethrow", "___resumeException"]);

/** The same, but with an exception that invokers catch. */
function throwing(thrower: Thrower, thrown: object): Thrower {
  return (...args) => {
    try {
      thrower(...args);
    } catch (error) {
      throw typeof error === "number" ? new WebAssembly.Exception(thrown, []) : error;
    }
  };
}

/** The build shortens the names of exports; the JavaScript that belongs to it knows them. */
function exportOf(exports: Exports, name: string): (address: number) => void {
  // Bounded input: this is the emulator's own code.
  const short = new RegExp(`[;,{]${name}=wasmExports\\["(\\w+)"\\]`).exec(glue())?.[1];
  const value = short === undefined ? undefined : exports[short];
  if (typeof value !== "function") throw new Error("unknown build of the emulator");
  return value as (address: number) => void;
}
