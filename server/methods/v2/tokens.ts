import type { Handlers } from "../../../shared/methods/define.js";
import type { tokenMethods } from "../../../shared/methods/v2/tokens.js";
import { readTokenData, shownAddress } from "../../../shared/ton/present/token-data.js";
import { type ContractDeps, getMethodsAt } from "../../contracts/methods-at.js";
import { ServiceError } from "../../errors.js";
import { readAccount } from "./read-account.js";

export type TokenDeps = ContractDeps;

export const tokenHandlers: Handlers<typeof tokenMethods, TokenDeps> = {
  async getTokenData({ address: written, seqno }, deps, call) {
    const block = await deps.reader.blockAt(seqno, call);
    await readAccount(deps.reader, block, written.address, call);
    const found = await readTokenData(getMethodsAt(block, deps, call), written);
    if (!found)
      throw new ServiceError("not-a-token", `Smart contract ${shownAddress(written)} is not Jetton or NFT`);
    return found;
  },
};
