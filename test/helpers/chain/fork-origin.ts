import { onTestFinished } from "vitest";
import { globalConfigText } from "../../../server/chain/gateway/global-config.js";
import { openOrigin } from "../../../server/devnet/fork/open-origin.js";
import type { ForkOrigin, OriginOptions } from "../../../server/devnet/fork/origin.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { noFallback } from "../no-fallback.js";
import { openGateway } from "../peers/gateway-line.js";
import { silent } from "./trusted.js";

/** Text of a global configuration that names liteservers of a chain. */
export async function liteserversOf(
  api: LiteApi,
  count = 1,
): Promise<{ config: string; stop(): Promise<void> }> {
  const { init: zeroState } = await api.getMasterchainInfo();
  const gateways = await Promise.all(Array.from({ length: count }, () => openGateway(api)));
  const stop = async () => {
    await Promise.all(gateways.map(({ gateway }) => gateway.close()));
  };
  onTestFinished(stop);
  const texts = gateways.map(({ address }) =>
    JSON.parse(quoted(globalConfigText({ ...address, zeroState }))),
  );
  const [first] = texts;
  const liteservers = texts.flatMap((each) => each.liteservers);
  return { config: JSON.stringify({ ...first, liteservers }), stop };
}

/** Shards exceed the precision of JavaScript numbers. */
function quoted(text: string): string {
  return text.replaceAll("-9223372036854775808", '"-9223372036854775808"');
}

/** An origin that is closed after the test. */
export async function originFor(
  options: OriginOptions,
  environment: Partial<Parameters<typeof openOrigin>[1]> = {},
): Promise<ForkOrigin> {
  const origin = await openOrigin(options, { log: silent, fallback: noFallback, ...environment });
  onTestFinished(() => origin.close());
  return origin;
}
