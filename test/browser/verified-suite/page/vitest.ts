// Takes the place of `vitest` in a page: its runner and its assertions, without the parts that need Node.
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  addCustomEqualityTesters,
  chai,
  type ExpectStatic,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from "@vitest/expect";
import { bytesEqual } from "../../../../shared/values/bytes.js";

export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  it,
  onTestFinished,
  test,
} from "@vitest/runner";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

type Global = Record<symbol, unknown>;
const own = ((value: unknown, message?: string) => chai.expect(value, message)) as unknown as ExpectStatic;
Object.assign(own, chai.expect, (globalThis as unknown as Global)[ASYMMETRIC_MATCHERS_OBJECT]);
Object.assign(own, {
  getState: () => getState(own),
  setState: (state: object) => setState(state, own),
  unreachable: (message = "") => chai.assert.fail(`this is not to be reached: ${message}`),
});
// A Buffer equals other arrays of its bytes, as Node's does.
addCustomEqualityTesters([
  (a, b) => (a instanceof Uint8Array && b instanceof Uint8Array ? bytesEqual(a, b) : undefined),
]);
setState({ assertionCalls: 0 }, own);
(globalThis as unknown as Global)[GLOBAL_EXPECT] = own;
export const expect = own;
