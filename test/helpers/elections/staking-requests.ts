import { type Builder, beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { firstSet, testKey } from "./elections.js";

/** The beginning of a request to a staking contract: opcode and query id. */
export const stakingRequest = (opcode: number): Builder => beginCell().storeUint(opcode, 32).storeUint(5, 64);

/** A comment of one letter. */
export const letterComment = (letter: string): Cell =>
  beginCell().storeUint(0, 32).storeUint(letter.charCodeAt(0), 8).endCell();

/** A set of one validator, another one for each number. */
export const loneValidatorSet = (number: number) =>
  firstSet([{ key: testKey(number).publicKey, weight: 1n }]);
