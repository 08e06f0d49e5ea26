import type { Handlers } from "../../../shared/methods/define.js";
import type { utilMethods } from "../../../shared/methods/v2/utils.js";
import type { ParsedAddress } from "../../../shared/values/address.js";
import { bytesToBase64, bytesToBase64Url, bytesToHex } from "../../../shared/values/bytes.js";

export const utilHandlers: Handlers<typeof utilMethods> = {
  detectAddress({ address: written }) {
    return {
      "@type": "ext.utils.detectedAddress",
      raw_form: written.address.toRaw(),
      bounceable: variant(written, true),
      non_bounceable: variant(written, false),
      given_type: givenType(written),
      test_only: written.testOnly,
    };
  },

  detectHash({ hash }) {
    return {
      "@type": "ext.utils.detectedHash",
      b64: bytesToBase64(hash),
      b64url: bytesToBase64Url(hash),
      hex: bytesToHex(hash),
    };
  },

  packAddress({ address: written }) {
    return written.address.toFriendly(written);
  },

  unpackAddress({ address: written }) {
    return written.address.toRawUpper();
  },
};

function variant({ address, testOnly }: ParsedAddress, bounceable: boolean) {
  return {
    "@type": "ext.utils.detectedAddressVariant" as const,
    b64: address.toFriendly({ bounceable, testOnly, urlSafe: false }),
    b64url: address.toFriendly({ bounceable, testOnly }),
  };
}

function givenType({ form, bounceable }: ParsedAddress) {
  if (form === "raw") return "raw_form";
  return bounceable ? "friendly_bounceable" : "friendly_non_bounceable";
}
