const [getLocal, i32, i64, storeI32, storeI64, nop] = [0x20, 0x41, 0x42, 0x36, 0x37, 0x01];

/** LEB128 of a number that is not negative, where the highest bit of the last byte but one is the sign. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 0x3f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** `i64.store`, to a member of vm::GasLimits. */
const storeGas = (offset: number) => [storeI64, 3, offset];
/** `i64.const 2^63-1` */
const infinite = [i64, ...Array<number>(9).fill(0xff), 0];

/**
 * Makes the gas limit of a get-method its highest gas limit, too: ACCEPT and SETGASLIMIT raise a limit to the highest one, which
 * TON Center and liteservers do not let them. Without it any contract runs until something else ends it.
 */
export const gasLimitPatch = {
  // tvm_emulator_set_gas_limit: `vm::GasLimits(limit)`, whose gas_max is infinite.
  find: [...storeGas(16), getLocal, 2, ...infinite, ...storeGas(8)],
  replace: [...storeGas(16), getLocal, 2, getLocal, 1, ...Array<number>(9).fill(nop), ...storeGas(8)],
} as const;

/** `i32.store offset=736`, at the frame's address that lies below; before it, the two bytes at 740. */
const methodLogOptions = [storeI32, 2, 0xe0, 0x05];
const [fatal, debug] = [0, 4];

/** `level`: the code that gives the level of the VM's log in get-methods, of as many bytes as the build has there. */
export const methodLogPatch = (level: readonly [number, number]) => ({
  find: [i32, debug, ...methodLogOptions],
  replace: [...level, ...methodLogOptions],
});

const mebibyte = 1 << 20;
/** Bytes of a transaction's log that are kept at most. */
export const maxLogBytes = 64 * mebibyte;
/** `select`, by whether the verbosity is above 0: 256 bytes, or as many as stand before. */
const orLittle = [i32, ...signed(256), getLocal, 3, i32, 0, 0x4a, 0x1b];

/**
 * Sizes of the log of a transaction, which keeps its end: with stacks, then without. The build has 32 MiB and one. `codes`: of as
 * many bytes as the build has there.
 */
export const logTailPatch = (
  codes: readonly [withStacks: readonly number[], without: readonly number[]],
) => ({
  find: [i32, ...signed(32 * mebibyte), i32, ...signed(mebibyte), ...orLittle],
  replace: [...codes.flat(), ...orLittle],
});

/** `vm_debug_enabled` */
const loadDebug = [i32, ...signed(1_843_380), 0x2d, 0, 0];
/** `i32.eqz`, `if` */
const unlessDebug = [0x45, 0x04, 0x40];

/**
 * The table of instructions, which the first run of an instance makes, always has those that print (DUMPSTK, STRDUMP, DUMP).
 * They print in runs with debug enabled. The first run is mostly one without; gas and results are those of the instructions
 * that take their place. Without it nothing is ever printed by an instance whose first run had debug disabled.
 */
export const printsPatch = {
  // vm::register_debug_ops: `if (!vm_debug_enabled)`.
  find: [...loadDebug, ...unlessDebug],
  replace: [i32, 1, ...Array<number>(loadDebug.length - 2).fill(nop), ...unlessDebug],
};

const wholeLog = [i32, ...signed(maxLogBytes)];

/**
 * Changes to a build that runs contracts in a page: the gas of get-methods is limited and their VM writes no log, which takes most
 * of the time; transactions have whole logs.
 */
export const pagePatches = [
  gasLimitPatch,
  methodLogPatch([i32, fatal]),
  logTailPatch([wholeLog, wholeLog]),
  printsPatch,
];
