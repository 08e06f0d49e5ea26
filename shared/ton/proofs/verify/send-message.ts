import type { LiteCall } from "../../lite/lite-api.js";
import { check } from "./proof-error.js";
import type { Proving } from "./proven-chain.js";

export async function sendMessage({ lite }: Proving, request: { body: Uint8Array }, call: LiteCall) {
  const answer = await lite.sendMessage(request, call);
  check(answer.status === 1, `unexpected status of a message: ${answer.status}`);
  return answer;
}
