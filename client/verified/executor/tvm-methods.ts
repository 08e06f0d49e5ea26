import { nameRefusal, resolveDomain } from "../../../shared/ton/contracts/dns.js";
import { categoryKey } from "../../../shared/ton/contracts/dns-record.js";
import { UnexpectedAnswer } from "../../../shared/ton/contracts/get-method.js";
import { readPlainWallet, readWalletAddress } from "../../../shared/ton/contracts/jetton.js";
import { readNftData } from "../../../shared/ton/contracts/nft.js";
import { presentResolved } from "../../../shared/ton/present/dns.js";
import { presentLegacyRun, presentTypedRun } from "../../../shared/ton/present/run-result.js";
import { readTokenData, shownAddress } from "../../../shared/ton/present/token-data.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import { Address } from "../../../shared/values/address.js";
import { readMethodName } from "../../../shared/values/method-name.js";
import { RpcError } from "../../errors.js";
import type { Params, Result } from "../../registry-types.js";
import { addressOf, hashOf, maybeCount } from "../inputs.js";
import type { ProvenRuns } from "./proven-runs.js";
import { readArguments } from "./stack-arguments.js";
import type { AtBlock, TvmMethod, TvmReads } from "./tvm-reads.js";

type Table = { [Name in TvmMethod]: { params: Params<Name>; result: Result<Name> } } & TvmReads;
type Handlers = {
  readonly [Name in keyof Table]: (
    params: Table[Name]["params"],
    runsAt: (seqno: AtBlock["seqno"]) => Promise<ProvenRuns>,
  ) => Promise<Table[Name]["result"]>;
};

const mostHops = 16;
const anyCategory = new Uint8Array(32);

export const tvmHandlers: Handlers = {
  async runGetMethod(params, runsAt) {
    return presentLegacyRun(await run(params, runsAt));
  },

  async runGetMethodStd(params, runsAt) {
    return presentTypedRun(await run(params, runsAt));
  },

  async getTokenData({ address, seqno }, runsAt) {
    const written = Address.read(address);
    if (!written) throw new RpcError("invalid-params", `${address} is not an address`);
    const runs = await runsAt(seqno);
    await runs.named(written.address);
    const found = await readTokenData(runs, written);
    if (!found)
      throw new RpcError("not-a-token", `Smart contract ${shownAddress(written)} is not Jetton or NFT`);
    return found;
  },

  async dnsResolve({ address, name = "", category, ttl, seqno }, runsAt) {
    const resolver = addressOf(address);
    const runs = await runsAt(seqno);
    await runs.named(resolver);
    return resolved(runs, { resolver, name, category, hops: maybeCount("ttl", ttl) ?? 0 });
  },

  async getJettonBalance({ owner: ownerText, jetton, seqno }, runsAt) {
    const [owner, master] = [addressOf(ownerText), addressOf(jetton)];
    const runs = await runsAt(seqno);
    await runs.named(master);
    const address = await readWalletAddress(runs, { owner, master });
    if (!(await runs.account(address)).code) return "0";
    const wallet = await readPlainWallet(runs, address);
    if (!wallet.owner.equals(owner)) throw new UnexpectedAnswer(`${address} is the wallet of another owner`);
    return wallet.balance.toString();
  },

  async getNftOwner({ item, seqno }, runsAt) {
    const address = addressOf(item);
    const runs = await runsAt(seqno);
    await runs.named(address);
    return (await readNftData(runs, address)).owner?.toFriendly() ?? null;
  },

  async resolveDomain({ name, category, seqno }, runsAt) {
    const runs = await runsAt(seqno);
    return resolved(runs, { resolver: await runs.dnsRoot(), name, category, hops: mostHops });
  },
};

async function run(
  { address: text, method, stack, seqno, overrides }: Params<"runGetMethod" | "runGetMethodStd">,
  runsAt: (seqno: AtBlock["seqno"]) => Promise<ProvenRuns>,
) {
  if (overrides) throw new RpcError("invalid-params", "overrides are not proven");
  const [address, name] = [addressOf(text), readMethodName(method)];
  if (name === undefined) throw new RpcError("invalid-params", `${method} is not a get-method`);
  const methodRun = {
    methodId: typeof name === "number" ? name : methodId(name),
    stack: readArguments(stack),
  };
  const runs = await runsAt(seqno);
  const account = await runs.named(address);
  return { account, outcome: await runs.runOn(account, methodRun) };
}

type Question = { resolver: Address; name: string; category: string | undefined; hops: number };

async function resolved(runs: ProvenRuns, { name, category, ...question }: Question) {
  const full = name.endsWith(".") ? name : `${name}.`;
  const refusal = nameRefusal(full);
  if (refusal) throw new RpcError("liteserver-error", refusal);
  const entries = await resolveDomain(runs, {
    ...question,
    name: full,
    category: category ? keyOf(category) : anyCategory,
    hops: Math.min(question.hops, mostHops),
  });
  return presentResolved(entries);
}

/** The key of a category: a hash, or that of its name. */
function keyOf(category: string): Uint8Array {
  return /^([0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(category) ? hashOf(category) : categoryKey(category);
}
