import { itemAt } from "../../../../shared/values/lookups.js";
import { type WasmInstance, type WasmTable, webAssembly } from "../../../os/web-assembly.js";
import {
  type CompiledEmulator,
  compiledFunction,
  type Exports,
  type Glue,
  type Imports,
  stackRestore,
} from "../emulator/emscripten.js";
import { invokerModule, isInvoker, linkNames, ownFunctions } from "./invokers.js";
import { tableImport, tableSize, unknownBuild } from "./wasm-patch.js";

// Module state: a memo by the JavaScript, for all instances of a thread.
const compiledInvokers = new WeakMap<Glue, CompiledEmulator>();

function invokersOf(glue: Glue): CompiledEmulator {
  const known = compiledInvokers.get(glue);
  if (known) return known;
  const names = Array.from(glue.text.matchAll(/function (\w+)\(/g), ([, name = ""]) => name).filter(
    isInvoker,
  );
  const compiled = new webAssembly.Module<CompiledEmulator>(invokerModule([...new Set(names)]));
  compiledInvokers.set(glue, compiled);
  return compiled;
}

/** Names of these functions of emscripten's runtime in the JavaScript. */
const compiledNames: Record<(typeof ownFunctions)[number], string> = {
  stackSave: "_emscripten_stack_get_current",
  stackRestore,
  setThrew: "_setThrew",
};

export type LinkedEmulator = WasmInstance & {
  readonly table: Pick<WasmTable, "get">;
  readonly setStackPointer: (address: number) => void;
};

/** Instantiates the emulator with the imports of its JavaScript, and with invokers in WebAssembly unless others are meant. */
export function linkEmulator(
  compiled: CompiledEmulator,
  { glue, imports, hasInvokers }: { glue: Glue; imports: Imports; hasInvokers: boolean },
): LinkedEmulator {
  const table = new webAssembly.Table({ element: "anyfunc", initial: tableSize, maximum: tableSize });
  const thrown = new webAssembly.Tag({ parameters: [] });
  const invokers = new webAssembly.Instance(invokersOf(glue), {
    [linkNames.module]: { [linkNames.table]: table, [linkNames.thrown]: thrown },
  }).exports;
  const replaced = (value: unknown): unknown => {
    if (typeof value !== "function" || !hasInvokers) return value;
    return invokers[value.name] ?? (throwers.has(value.name) ? throwing(value as Thrower, thrown) : value);
  };
  const linked = Object.fromEntries(
    Object.entries(imports).map(([module, group]) => [
      module,
      Object.fromEntries(Object.entries(group).map(([name, value]) => [name, replaced(value)])),
    ]),
  );
  const { exports } = new webAssembly.Instance(compiled, {
    ...linked,
    [tableImport.module]: { [tableImport.name]: table },
  });
  const own = ownFunctions.map((name) => ownFunction(glue, exports, compiledNames[name]));
  own.forEach((value, index) => {
    (invokers[linkNames.own] as WasmTable).set(index, value);
  });
  return { exports, table, setStackPointer: itemAt(own, ownFunctions.indexOf("stackRestore")) };
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
      throw typeof error === "number" ? new webAssembly.Exception(thrown, []) : error;
    }
  };
}

function ownFunction(glue: Glue, exports: Exports, name: string): (address: number) => void {
  const found = compiledFunction(glue, exports, name);
  if (!found) throw unknownBuild();
  return found;
}
