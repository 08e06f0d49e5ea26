import { writeFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { type Config, configWith } from "../../../server/config/settings.js";
import type { Context } from "../../../server/process/context/context.js";
import { createMetadataPart, tokenSettings } from "../../../server/process/index/metadata.js";
import { isLong } from "../../helpers/effort.js";
import { freePort } from "../../helpers/free-port.js";
import { publicAddress, startNetwork } from "../../helpers/peers/metadata-network.js";
import { startService } from "../../helpers/services/service.js";
import { storyEnded } from "../../helpers/stories/story.js";
import { copyStoryService } from "../../helpers/stories/story-service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

type Master = { address: string; jetton_content: Record<string, string> };
type Entry = { is_indexed: boolean; token_info: Record<string, unknown>[] };

const document = { name: "Dollar", symbol: "USD", image: "https://images.example/1.png", social: "a" };
/** Metadata stated by the contract of the jetton, which takes precedence over the document. */
const stated = { name: "Dev dollar", symbol: "DEVUSD" };

/** A service with the story's tokens in its index, and an internet that the test answers for. */
async function serve(settings: Partial<Config>) {
  const network = await startNetwork({}, (_, response) => response.end(JSON.stringify(document)));
  onTestFinished(() => network.close());
  const everything = { ...network, resolve: async () => [publicAddress] };
  const data = temporaryFolder();
  await copyStoryService(data);
  const service = await startService(
    { data, index: true, story: true, adminPort: await freePort(), ...settings },
    { metadataNetwork: everything, metadataHostIntervalMs: 0 },
  );
  onTestFinished(() => service.close());
  await storyEnded(service);
  const result = async <T>(path: string) => (await service.get(`/api/v3/${path}`)).json as T;
  const linking = await until("a jetton that links to its metadata", async () => {
    const { jetton_masters = [] } = await result<{ jetton_masters?: Master[] }>("jetton/masters");
    return jetton_masters.find(({ jetton_content }) => jetton_content["uri"] !== undefined);
  });
  return {
    service,
    network,
    jetton: linking.address,
    url: linking.jetton_content["uri"]!,
    entry: async () =>
      (await result<Record<string, Entry>>(`metadata?address=${linking.address}`))[linking.address],
    metrics: async () => (await fetch(`${service.adminUrl}/metrics`)).text(),
  };
}

it("metadata is fetched for tokens in answers, and those of a spam list are flagged, without a new block", async () => {
  const spamList = `${temporaryFolder()}/spam.txt`;
  writeFileSync(spamList, "");
  const { service, network, jetton, url, entry, metrics } = await serve({
    spamList,
    metadataFetch: "on",
    imageProxy: "https://proxy.example",
    imageProxyKey: "01",
    imageProxySalt: "02",
  });
  const { token_info } = (await until("the metadata", async () => {
    const shown = await entry();
    return shown?.token_info[0]?.["image"] !== undefined && shown;
  })) as Entry;
  const link = expect.stringMatching(/^https:\/\/proxy\.example\/[\w-]{43}\/pr:\w+(\/bl:256)?\/[\w-]+$/);
  const sizes = ["small", "medium", "big"].flatMap((size) => [`_image_${size}`, `_image_${size}_blur`]);
  expect(token_info).toEqual([
    {
      ...stated,
      image: document.image,
      valid: true,
      type: "jetton_masters",
      is_nsfw: false,
      is_scam: false,
      extra: {
        uri: url,
        decimals: "6",
        social: "a",
        ...Object.fromEntries(sizes.map((size) => [size, link])),
      },
    },
  ]);
  const { host, pathname } = new URL(url);
  expect(network.requests).toEqual([`GET ${host}${pathname}`]);
  expect(await metrics()).toContain('tonwire_metadata_fetches_total{outcome="ok"} 1\n');
  expect(service.logLines.join("\n")).not.toContain(host);

  // The operator asks for the list to be read again.
  const flag = async () => (await entry())?.token_info[0]?.["is_scam"];
  writeFileSync(spamList, `${jetton} a copy\n`);
  service.reload();
  await until("the flag", async () => (await flag()) === true);
  writeFileSync(spamList, "no address");
  service.reload();
  expect(service.logLines.join("\n")).toContain("line 1 does not begin with an address");
  expect(await flag()).toBe(true);
  writeFileSync(spamList, "");
  service.reload();
  await until("the flag's end", async () => (await flag()) === false);
});

it.runIf(isLong)("nothing is fetched by default, and overrides of a file are shown", async () => {
  const metadataOverrides = `${temporaryFolder()}/overrides.json`;
  writeFileSync(metadataOverrides, "{}");
  const first = await serve({ metadataOverrides });
  const about = { ...stated, valid: true, type: "jetton_masters", is_nsfw: false, is_scam: false };
  expect(await first.entry()).toEqual({
    is_indexed: true,
    token_info: [{ ...about, extra: { uri: first.url, decimals: "6" } }],
  });
  expect(first.network.connections).toEqual([]);
  expect(await first.metrics()).not.toContain("tonwire_metadata_fetches_total{");

  const flags = { [first.jetton]: { is_nsfw: true, name: "Named", image: "https://images.example/1.png" } };
  writeFileSync(metadataOverrides, JSON.stringify(flags));
  const second = await serve({
    metadataOverrides,
    imageProxy: "https://proxy.example",
    imageProxyKey: "01",
    imageProxySalt: "02",
  });
  const shown = await until(
    "the overrides",
    async () => (await second.entry())?.token_info[0]?.["is_nsfw"] && second.entry(),
  );
  const blurred = expect.stringContaining("/bl:256/");
  expect(shown).toEqual({
    is_indexed: true,
    token_info: [
      {
        valid: true,
        type: "jetton_masters",
        name: "Named",
        symbol: stated.symbol,
        image: "https://images.example/1.png",
        is_nsfw: true,
        is_scam: false,
        extra: {
          uri: second.url,
          decimals: "6",
          _image_small: blurred,
          _image_medium: blurred,
          _image_big: blurred,
        },
      },
    ],
  });
});

it.each([
  [{ metadataOverrides: "/nowhere.json" }, "metadata overrides in /nowhere.json"],
  [{ spamList: "/nowhere.txt" }, "spam list in /nowhere.txt"],
  [{ imageProxy: "https://proxy.example" }, "--image-proxy-key"],
])("a service does not start with %j, which it cannot use", (settings: Partial<Config>, problem) => {
  const context = { config: configWith(settings), now: Date.now } as Context;
  const start = () => [createMetadataPart(context, true), tokenSettings(context, undefined)];
  expect(start).toThrow(problem);
});
