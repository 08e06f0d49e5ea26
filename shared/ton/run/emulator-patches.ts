const [getLocal, i32, i64, storeI32, storeI64, nop] = [0x20, 0x41, 0x42, 0x36, 0x37, 0x01];
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

/** Changes to a build that runs get-methods only: their gas is limited, and the VM writes no log, which takes most of the time. */
export const methodPatches = [gasLimitPatch, methodLogPatch([i32, fatal])];
