import type { Handlers } from "../../../shared/methods/define.js";
import type { utilMethods } from "../../../shared/methods/v2/utils.js";
import { presentDetectedAddress, presentDetectedHash } from "./present/detected.js";
import type { ParsedAddress } from "../../../shared/values/address.js";
import { bytesToBase64, bytesToBase64Url, bytesToHex } from "../../../shared/values/bytes.js";

export const utilHandlers: Handlers<typeof utilMethods> = {
  detectAddress({ address: written }) {
    return presentDetectedAddress(written);
  },

  detectHash({ hash }) {
    return presentDetectedHash(hash);
  },

  packAddress({ address: written }) {
    return written.address.toFriendly(written);
  },

  unpackAddress({ address: written }) {
    return written.address.toRawUpper();
  },
};
