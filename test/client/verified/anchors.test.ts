import { expect, test } from "vitest";
import { anchors } from "../../../client/verified/anchors.js";
import { trustedStart } from "../../../server/chain/liteservers/global-config.js";
import { shippedConfig, shippedNetworks } from "../../../server/chain/networks/shipped.js";
import { presentBlockId } from "../../../shared/ton/present/records.js";

test.each(shippedNetworks)("verified clients of %s start where the service starts", (network) => {
  const config = shippedConfig(network);
  const { zero, start } = anchors[network];
  expect({ "@type": "ton.blockIdExt", ...zero }).toEqual(presentBlockId(config.zeroState));
  expect({ "@type": "ton.blockIdExt", ...start }).toEqual(presentBlockId(trustedStart(config)));
});
