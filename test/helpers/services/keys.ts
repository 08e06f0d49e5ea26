import { createKey } from "../../../server/access/keys/key-commands.js";
import { changeKeyFile } from "../../../server/access/keys/key-file.js";
import type { CustomPlan } from "../../../server/access/limits/plan.js";
import { until } from "../until.js";
import type { TestService } from "./service.js";

/** Adds a key to the store of a devnet's service. Resolves with its text once the service knows it. */
export async function addKey(
  service: Pick<TestService, "keysFile" | "get">,
  { plan = "unlimited", plans = {} }: { plan?: string; plans?: Readonly<Record<string, CustomPlan>> } = {},
): Promise<string> {
  await changeKeyFile(service.keysFile, (file) => ({
    file: { ...file, plans: { ...file.plans, ...plans } },
    result: undefined,
  }));
  const { text } = await changeKeyFile(service.keysFile, (file) =>
    createKey(file, { network: "devnet", plan, label: "test" }, new Date()),
  );
  await until(
    "the key",
    async () => (await service.get("/api/v2/getMasterchainInfo", { key: text })).status !== 401,
  );
  return text;
}
