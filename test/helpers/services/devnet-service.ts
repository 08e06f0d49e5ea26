import type { Config } from "../../../server/config/settings.js";
import type { Environment } from "../../../server/process/service/service.js";
import { flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { type Askable, callAs, type Ended, type FormName, formNames } from "../http/wire.js";
import { startService, type TestService } from "./service.js";

/** A service on an empty devnet that makes blocks on request, one second apart. */
export interface DevnetService extends TestService {
  /** The result of a call; fails the test when it is refused. */
  run<T = unknown>(method: string, params?: object): Promise<T>;
  /** The result or error of a call in every wire form it has. They must be equal, except for the name of the form. */
  inAllForms(method: string, params: Readonly<Record<string, unknown>>): Promise<[FormName, Ended][]>;
  /** Makes blocks; returns the seqno of the last one. */
  mine(blocks?: number): Promise<number>;
}

export async function startDevnetService(
  settings: Partial<Config> = {},
  environment: Environment = {},
): Promise<DevnetService> {
  const service = await startService({ clock: "fixed", ...settings }, environment);
  const askable: Askable = {
    ask: (path) => service.get(path),
    post: (path, body) => service.post(path, body),
  };
  async function run<T>(method: string, params: object = {}): Promise<T> {
    const answer = (await service.rpc(method, params)) as { result?: T; error?: { message: string } };
    if (answer.error) throw new Error(`${method} is refused: ${answer.error.message}`);
    return answer.result!;
  }
  return {
    ...service,
    run,
    async inAllForms(method, params) {
      const ends: [FormName, Ended][] = [];
      for (const form of formsOf(method)) ends.push([form, await callAs(form, askable, method, params)]);
      return ends;
    },
    mine: async (blocks = 1) =>
      (await run<{ block: { seqno: number } }>("devnet.mine", { blocks })).block.seqno,
  };
}

function formsOf(method: string): FormName[] {
  const verbs = flatten(registry).find(([name]) => name === method)?.[1].verbs ?? [];
  return formNames.filter((form) => (form !== "GET" && form !== "POST") || verbs.includes(form));
}
