import { codeOf } from "../../helpers/contracts/contracts.js";
import { someAddress } from "../../helpers/index/detection.js";
import { addressOf } from "../../helpers/servers/waiting.js";
import { jsonBody } from "../../helpers/services/proxied-service.js";
import type { Attack } from "./attacks.js";

/** DROP ZERO SWAP PUSHCONT { 15 0 BLKPUSH } REPEAT: leaves 15 values for each requested one. */
const copying = codeOf("307001925ff0e4");
/** Too many in the thread that serves, too many anywhere, and few: a method is tried in that thread while it is short. */
const times = [100, 1400, 1, 1, 1];

/** Costs little gas, and broke the emulator of the thread that serves once. */
export const largeResults: Attack = {
  title: "get-methods of one address that leave too many values",
  count: 1,
  // 95 of 100 calls take at most one and a half times as long as alone.
  goal: { floor: 0.67, aim: 1 },
  async prepare({ url, place }) {
    const address = someAddress(0xa0).toRaw();
    await place(address, copying);
    let asked = 0;
    return async (caller) => {
      const number = asked++;
      const left = times[number % times.length];
      const stack = [number, left].map((value) => ["num", `${value}`]);
      const body = JSON.stringify({ address, method: Math.floor(number / times.length), stack });
      const headers = { ...jsonBody, ...addressOf(caller) };
      const answer = await fetch(`${url}/api/v2/runGetMethod`, { method: "POST", body, headers });
      await answer.arrayBuffer();
      return answer.status;
    };
  },
};
