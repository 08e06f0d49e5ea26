/** `grow` returns how many pages there were. */
export type WasmMemory = { readonly buffer: ArrayBuffer; grow(pages: number): number };
export type WasmInstance = { readonly exports: Readonly<Record<string, unknown>> };
export type WasmTable = { get(index: number): unknown; set(index: number, value: unknown): void };

type WebAssemblyGlobal = {
  compile<Module extends object>(bytes: Uint8Array): Promise<Module>;
  Module: new <Module extends object>(bytes: Uint8Array) => Module;
  Instance: new (module: object, imports?: object) => WasmInstance;
  Memory: {
    new (type: { initial: number; maximum: number }): WasmMemory;
    prototype: WasmMemory;
  };
  Table: new (type: { element: "anyfunc"; initial: number; maximum: number }) => WasmTable;
  Tag: new (type: { parameters: [] }) => object;
  Exception: new (tag: object, values: []) => object;
};

/** The global, which neither the ES library nor Node's types know. */
export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyGlobal }).WebAssembly;
