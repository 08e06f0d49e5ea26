import type { ResultOf } from "../../../shared/methods/define.js";
import type { utilMethods } from "../../../shared/methods/v2/utils.js";
import type { ParsedAddress } from "../../../shared/values/address.js";
import { bytesToBase64, bytesToBase64Url, bytesToHex } from "../../../shared/values/bytes.js";

export function presentDetectedAddress(written: ParsedAddress): ResultOf<typeof utilMethods.detectAddress> {
  return {
    "@type": "ext.utils.detectedAddress",
    raw_form: written.address.toRaw(),
    bounceable: presentVariant(written, true),
    non_bounceable: presentVariant(written, false),
    given_type: formOf(written),
    test_only: written.testOnly,
  };
}

export function presentDetectedHash(hash: Uint8Array): ResultOf<typeof utilMethods.detectHash> {
  return {
    "@type": "ext.utils.detectedHash",
    b64: bytesToBase64(hash),
    b64url: bytesToBase64Url(hash),
    hex: bytesToHex(hash),
  };
}

function presentVariant({ address, testOnly }: ParsedAddress, bounceable: boolean) {
  return {
    "@type": "ext.utils.detectedAddressVariant" as const,
    b64: address.toFriendly({ bounceable, testOnly, urlSafe: false }),
    b64url: address.toFriendly({ bounceable, testOnly }),
  };
}

function formOf({ form, bounceable }: ParsedAddress) {
  if (form === "raw") return "raw_form";
  return bounceable ? "friendly_bounceable" : "friendly_non_bounceable";
}
