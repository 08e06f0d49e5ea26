import { randomBytes } from "node:crypto";
import { Gateway } from "../../server/chain/gateway/gateway.js";
import { LitePool } from "../../server/chain/pool/pool.js";
import { remoteLiteApi } from "../../server/chain/pool/remote-lite-api.js";
import { ServerConnection } from "../../server/chain/pool/server-connection.js";
import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import { TrustChain } from "../../shared/ton/proofs/verify/trust-chain.js";
import { verifyingLiteApi } from "../../shared/ton/proofs/verify/verifying-lite-api.js";
import { wire } from "../../shared/ton/tl/codecs.js";
import { decodeAnswer, encodeAnswer, encodeQuery, queryOf } from "../../shared/ton/tl/lite-functions.js";
import { systemTimers } from "../../shared/values/timers.js";
import { busyChain } from "../helpers/chain/busy-chain.js";
import { learn, type Sample } from "../helpers/chain/contract/target.js";
import type { Contender, Suite } from "./harness.js";

const closers: (() => unknown)[] = [];

export const suite: Suite = {
  title: "Liteserver protocol over loopback, both ends in this process (baseline: the devnet asked directly)",
  async rows() {
    const { api, close } = await busyChain();
    closers.push(() => close?.());
    const sample = await learn(api);
    const { gateway, address } = await openGateway(api);
    closers.push(() => gateway.close());
    const line = new ServerConnection({ address, timers: systemTimers, randomBytes, random: Math.random });
    closers.push(() => line.close());
    const remote = remoteLiteApi(line, systemTimers);
    const zeroState = sample.zero;
    const log = { info() {}, warn() {} };
    const trust = await TrustChain.open({
      network: "bench",
      zeroState,
      start: zeroState,
      log,
      now: () => Math.floor(Date.now() / 1000),
    });
    const options = {
      servers: [address],
      zeroState,
      timers: systemTimers,
      random: Math.random,
      randomBytes,
      log,
    };
    const pool = new LitePool(options);
    const verifying = new LitePool({ ...options, verify: (lite) => verifyingLiteApi(lite, trust) });
    closers.push(
      () => pool.close(),
      () => verifying.close(),
    );
    await Promise.all([pool.ready(10_000), verifying.ready(10_000)]);
    return [
      { title: "time, one after the other", ours: timeOf(remote), baseline: timeOf(api) },
      { title: "time, 16 at once", ours: atOnce(timeOf(remote)), baseline: atOnce(timeOf(api)) },
      {
        title: "account with proof, over a connection",
        ours: atOnce(accountOf(remote, sample)),
        baseline: atOnce(accountOf(api, sample)),
      },
      {
        title: "account with proof, over the pool",
        ours: atOnce(accountOf(pool.api, sample)),
        baseline: atOnce(accountOf(api, sample)),
      },
      {
        title: "account with proof, verified by the pool",
        ours: atOnce(accountOf(verifying.api, sample)),
        baseline: atOnce(accountOf(api, sample)),
      },
      {
        title: "account with proof, as TL there and back (baseline: over a connection)",
        ours: await tlOf(api, sample),
        baseline: atOnce(accountOf(remote, sample)),
      },
      {
        title: "block, over a connection",
        ours: atOnce(() => remote.getBlock({ id: sample.busy })),
        baseline: atOnce(() => api.getBlock({ id: sample.busy })),
      },
    ];
  },
  async close() {
    for (const close of closers.reverse()) await close();
  },
};

const inFlight = 16;

async function openGateway(api: LiteApi) {
  const gateway = new Gateway({ api, seed: randomBytes(32), onError: console.error });
  const { address: host, port } = await gateway.listen(0, "127.0.0.1");
  return { gateway, address: { host, port, publicKey: gateway.publicKey } };
}

function timeOf(api: LiteApi): Contender {
  return async () => void (await api.getTime());
}

function accountOf(api: LiteApi, { last: id, recent: { account } }: Sample): () => Promise<unknown> {
  return () => api.getAccountState({ id, account, proof: true });
}

function atOnce(ask: () => unknown): Contender {
  return async () => {
    await Promise.all(Array.from({ length: inFlight }, ask));
    return inFlight;
  };
}

/** Both sides of a request, without the network. */
async function tlOf(api: LiteApi, { last: id, recent: { account } }: Sample): Promise<Contender> {
  const request = { id, account, proof: true };
  const answer = await api.getAccountState(request);
  return () => {
    const question = queryOf("getAccountState", request);
    wire.decode(encodeQuery(question));
    decodeAnswer(question, encodeAnswer(question, answer));
    return 1;
  };
}
