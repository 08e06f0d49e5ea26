// npx tsx test/example/serve.ts: a devnet, and a page that shows it. Control-C stops both.
import { configWith } from "../../server/config/settings.js";
import { createService } from "../../server/process/service/service.js";
import { servePage } from "./page.js";

const service = createService(configWith({ port: 0, adminPort: 0, index: false, logLevel: "warn" }));
const { url, devnetKey } = await service.listen();
const page = await servePage();
console.log(`open ${page.url}?${new URLSearchParams({ service: url, key: devnetKey! })}`);

process.once("SIGINT", async () => {
  page.close();
  await service.close();
});
