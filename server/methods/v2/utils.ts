import type { Handlers } from "../../../shared/methods/define.js";
import type { utilMethods } from "../../../shared/methods/v2/utils.js";
import { presentDetectedAddress, presentDetectedHash } from "../../present/v2/detected.js";

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
