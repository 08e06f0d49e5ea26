import type { Handlers } from "../../../shared/methods/define.js";
import type { dnsMethods } from "../../../shared/methods/v2/dns.js";
import { nameRefusal, resolveDomain } from "../../../shared/ton/contracts/dns.js";
import { categoryKey } from "../../../shared/ton/contracts/dns-record.js";
import { UnexpectedAnswer } from "../../../shared/ton/contracts/get-method.js";
import { presentResolved } from "../../../shared/ton/present/dns.js";
import { type ContractDeps, getMethodsAt } from "../../contracts/methods-at.js";
import { ServiceError } from "../../errors.js";
import { readAccount } from "./read-account.js";

/** The category that requests the entries of all categories. */
const anyCategory = new Uint8Array(32);

export const dnsHandlers: Handlers<typeof dnsMethods, ContractDeps> = {
  async dnsResolve({ address: resolver, name, category = anyCategory, ttl, seqno }, deps, call) {
    const refusal = nameRefusal(name);
    if (refusal) throw new ServiceError("liteserver-error", refusal);
    const block = await deps.reader.blockAt(seqno, call);
    await readAccount(deps.reader, block, resolver, call);
    const methods = getMethodsAt(block, deps, call);
    const key = typeof category === "string" ? categoryKey(category) : category;
    try {
      return presentResolved(await resolveDomain(methods, { resolver, name, category: key, hops: ttl }));
    } catch (cause) {
      if (!(cause instanceof UnexpectedAnswer)) throw cause;
      throw new ServiceError("liteserver-error", cause.message, { cause });
    }
  },
};
