import { z } from "zod";
import {
  hashBase64,
  logicalTime,
  nanotons as nanotonsText,
  rawAddressUpper,
  unixTime,
} from "../forms/values.js";
import { flag, milliseconds, nanotons, oneOf } from "../schema/devnet-params.js";
import { rule } from "../schema/input.js";
import { accountAddress, bytes, int32, int64, nonEmptyBytes, optionalHash } from "../schema/v2/params.js";
import { blockId } from "../schema/v2/records.js";
import { messageStatus } from "../schema/v3/message-status.js";
import { defineMethod } from "./define.js";
import { blockMethods } from "./devnet-blocks.js";
import { atBlock, effect, exampleAtBlock, exampleBlock, settled, someone } from "./devnet-common.js";
import { electionMethods } from "./devnet-elections.js";
import { messageMethods } from "./devnet-messages.js";
import { setupMethods } from "./devnet-setup.js";
import { snapshotMethods } from "./devnet-snapshots.js";
import { stateMethods } from "./devnet-state.js";
import { ofStory } from "./story-roles.js";

// Controls of the devnet for developers. Other networks do not have these methods.

const ton = 1_000_000_000n;
const maxFaucetAmount = 1_000_000n * ton;

const address = accountAddress.describe("Address of the account.");
const receipt = z.object({
  tx_hash: hashBase64.describe("Hash of the transaction that received the message."),
  lt: logicalTime.describe("Its logical time."),
  block: blockId.describe("The masterchain block that finalizes it."),
  settled,
});
const messageStatusWanted = flag
  .prefault(false)
  .describe("Whether the answer also has the status of the message, as `v3.messageStatus`.");
const delivered = receipt.extend({
  status: messageStatus.optional().describe("Status of the message, if requested."),
});

const wallet = z.object({
  address: rawAddressUpper,
  name: z.string().describe("Its owner in the sample data."),
  type: z.string().describe("Version of the wallet contract; `tg` is Telegram's wallet."),
  mnemonic: z
    .string()
    .describe(
      "The words of its key: 24, or 12 of BIP 39 for `tg`. They are public: never use them on other networks.",
    ),
  balance: nanotonsText.describe("Balance in nanotons."),
});

const named = z.object({ address: rawAddressUpper, name: z.string().describe("Its name.") });

const contract = named.extend({
  kind: z
    .enum([
      "wallet",
      "jetton_master",
      "jetton_wallet",
      "nft_collection",
      "nft_item",
      "nft_sale",
      "nft_auction",
      "dns_root",
      "dns_item",
      "telemint_item",
      "multisig",
      "multisig_order",
      "vesting",
      "nominator_pool",
      "single_nominator",
    ])
    .describe("Kind of the contract."),
  description: z.string().describe("What it is there to show."),
});

const mining = z.object({
  mode: z.enum(["interval", "message", "manual"]).describe("When blocks are made."),
  interval_ms: z.int().describe("Milliseconds between blocks while messages wait, in mode `interval`."),
});

const fork = z.object({
  source: z.string().describe("Name of the forked network, or host of the service that answers for it."),
  block: blockId.describe("The masterchain block at which the fork begins."),
  utime: unixTime.describe("Time of that block."),
  proven: z.boolean().describe("Whether what the network answers is proven."),
  requests: z.int().describe("Requests to the network."),
  failures: z.int().describe("Requests that failed."),
  cached: z.int().describe("Answers from the cache."),
  waiting: z.int().describe("Requests that wait for an answer."),
  cache_full: z.boolean().describe("Whether the file of the cache is full."),
  problem: z.string().optional().describe("Why the last request failed."),
});

const exampleReceipt = {
  tx_hash: "UeAF1HyT9Umb6FkC4K3NB1kOnce3SUSiUyplHJYueic=",
  lt: "3000003",
  ...exampleAtBlock,
};
const emptyCell = "te6cckEBAQEAAgAAAEysuc0=";

/** The methods `devnet.*`. All of them are available by JSON-RPC only. */
export const devnetMethods = {
  info: defineMethod({
    summary: "The devnet's identity, clock, mining, prefunded wallets and sample contracts.",
    ...effect,
    freshness: { kind: "none" },
    command: { shows: ["wallets", "contracts"] },
    params: z.object({}),
    result: z.object({
      network: z.literal("devnet").describe("Always `devnet`."),
      global_id: z.int().describe("Network id for message signatures."),
      seed: z.string().describe("Seed of the zero states, keys and wallets."),
      now: unixTime.describe("Time of the next block."),
      clock: z.enum(["wall", "fixed"]).describe("Clock mode: `wall` or `fixed`."),
      clock_step: z.int().describe("Seconds between the blocks of a fixed clock."),
      mining: mining.describe("Mining mode."),
      zero_states: z
        .object({
          masterchain: blockId,
          basechain: blockId,
        })
        .describe("The zero states of both chains."),
      faucet: wallet.describe("The wallet that `devnet.faucet` pays from."),
      wallets: z.array(wallet).describe("Prefunded wallets with public keys."),
      contracts: z.array(contract).describe("Contracts of the sample data that are deployed."),
      names: z.array(named).describe("Names given by `devnet.setName`."),
      story_told: z.boolean().describe("False while the sample data are being made."),
      fork: fork.optional().describe("The fork that the devnet is; absent if it is none."),
    }),
    examples: [
      {
        params: {},
        result: {
          network: "devnet",
          global_id: -20250,
          seed: "tonwire",
          now: 1735689601,
          clock: "fixed",
          clock_step: 1,
          mining: { mode: "manual", interval_ms: 400 },
          zero_states: {
            masterchain: { ...exampleBlock, seqno: 0 },
            basechain: { ...exampleBlock, workchain: 0, seqno: 0 },
          },
          faucet: {
            address: someone,
            name: "Faucet",
            type: "v4r2",
            mnemonic: "office essay carry ...",
            balance: "1000000000000000000",
          },
          wallets: [],
          contracts: [{ address: someone, kind: "nft_item", name: "Tree 3", description: "NFT." }],
          names: [],
          story_told: true,
        },
      },
    ],
  }),

  faucet: defineMethod({
    summary: "Sends TON to an address and answers once it has arrived.",
    ...effect,
    // The sample data come first, and use the same wallet.
    timeoutMs: 60_000,
    params: z.object({
      address,
      amount: nanotons({ atLeast: 1n, atMost: maxFaucetAmount })
        .prefault(`${10n * ton}`)
        .describe("Nanotons to send; at most a million TON."),
    }),
    result: receipt,
    examples: [{ params: { address: someone, amount: "10000000000" }, result: exampleReceipt }],
    errors: ["conflict"],
  }),

  faucetJetton: defineMethod({
    summary: "Mints jettons for an address and answers once they have arrived.",
    description:
      "The message to mint is sent in the name of the jetton's admin, in the form that most minters take, or that of the " +
      "governed stablecoins. `conflict` if the jetton has no admin, or its contract refuses.",
    ...effect,
    params: z.object({
      address: accountAddress.describe("Owner of the jettons."),
      amount: nanotons({ atLeast: 1n }).describe("Amount in the jetton's smallest units."),
      jetton: accountAddress
        .optional()
        .describe("Master of the jetton. Default: the first one of the sample data."),
    }),
    result: receipt,
    examples: [{ params: { address: someone, amount: "1000000000" }, result: exampleReceipt }],
    errors: ["conflict", "absent"],
  }),

  relay: defineMethod({
    summary: "Sends a message, such as a request that the owner of a wallet signed, from the faucet.",
    description:
      "For gasless flows: wallets v5 and Telegram's wallet take signed requests that another account delivers and pays for. " +
      "Here that account is the faucet's wallet. A wallet ignores a wrong signature: its transaction succeeds and sends nothing. " +
      "`v3.emulate.trace` of a message from the faucet to the wallet tells beforehand what the request costs.",
    ...effect,
    // As the faucet.
    timeoutMs: 60_000,
    params: z
      .object({
        boc: nonEmptyBytes
          .optional()
          .describe(
            "The internal message as a bag of cells in base64: what `signMessage` of TON Connect returns as `internalBoc`. Its own value does not count.",
          ),
        address: accountAddress
          .optional()
          .describe("Receiver of the message; with `body`, instead of `boc`."),
        body: bytes
          .optional()
          .describe("Message body as a bag of cells in base64, at most 512 levels deep; with `address`."),
        state_init: bytes
          .optional()
          .describe("StateInit as a bag of cells in base64, at most 512 levels deep; with `address`."),
        value: nanotons({ atLeast: 1n, atMost: maxFaucetAmount })
          .prefault(`${ton / 10n}`)
          .describe("Nanotons for the message; the rest stays with the receiver."),
        status: messageStatusWanted,
      })
      .check(
        rule(({ boc, address, body, state_init }) => {
          const hasParts = address !== undefined && body !== undefined;
          const hasPart = address !== undefined || body !== undefined || state_init !== undefined;
          const isWrong = boc === undefined ? !hasParts : hasPart;
          return isWrong ? "either boc or both address and body should be specified" : undefined;
        }),
      ),
    result: delivered,
    examples: [{ params: { address: someone, body: emptyCell }, result: exampleReceipt }],
    errors: ["conflict"],
  }),

  mine: defineMethod({
    summary: "Makes blocks immediately.",
    ...effect,
    // A thousand blocks take ten to twenty seconds.
    timeoutMs: 120_000,
    params: z.object({
      blocks: int32({ atLeast: 1, atMost: 1000 }).prefault(1).describe("Number of blocks."),
      interval: int32({ atLeast: 0 }).prefault(1).describe("Minimum seconds between block times."),
    }),
    result: z.object({
      block: blockId.describe("The newest masterchain block."),
      mined: z.int().describe("Number of blocks made."),
      settled,
    }),
    examples: [{ params: { blocks: 1 }, result: { ...exampleAtBlock, mined: 1 } }],
    errors: ["conflict"],
  }),

  settle: defineMethod({
    summary:
      "Waits until nothing is on its way: no message for a block, and no block for the index and the streams.",
    description:
      "Makes no blocks: in mining mode `manual` it waits for the index only. Ends early if the chain is reverted. Answers with the " +
      "pending work.",
    ...effect,
    freshness: { kind: "none" },
    timeoutMs: 90_000,
    params: z.object({
      timeout_ms: milliseconds({ atLeast: 0, atMost: 60_000 })
        .prefault(5000)
        .describe("Longest time to wait, in milliseconds."),
    }),
    result: z.object({
      settled: z.boolean().describe("Whether nothing waits, and the sample data are made."),
      waiting: z
        .object({
          messages: z.int().describe("External messages that wait for a block."),
          queued: z.int().describe("Messages between contracts that wait for a block."),
          blocks: z
            .int()
            .describe("Masterchain blocks that the index of this process, or its streams, lack."),
        })
        .describe("The pending work."),
      story_told: z.boolean().describe("False while the sample data are being made."),
      block: blockId.describe("The newest masterchain block."),
    }),
    examples: [
      {
        params: {},
        result: {
          settled: true,
          waiting: { messages: 0, queued: 0, blocks: 0 },
          story_told: true,
          block: exampleBlock,
        },
      },
    ],
  }),

  setMining: defineMethod({
    summary: "Sets when blocks are made: at an interval, for every message, or on request.",
    ...effect,
    params: z.object({
      mode: oneOf("interval", "message", "manual").describe("When blocks are made."),
      interval_ms: milliseconds({ atLeast: 50, atMost: 60_000 })
        .optional()
        .describe("Milliseconds between blocks in mode `interval`; unchanged if absent."),
    }),
    result: mining,
    examples: [
      { params: { mode: "interval", interval_ms: 400 }, result: { mode: "interval", interval_ms: 400 } },
    ],
  }),

  setTime: defineMethod({
    summary: "Sets the time of the next block.",
    ...effect,
    command: { name: "time" },
    params: z.object({
      time: int64({ atLeast: 0 }).describe("Unix time in seconds, not before the last block's time."),
    }),
    result: z.object({ now: unixTime }),
    examples: [{ params: { time: 1893456000 }, result: { now: 1893456000 } }],
    errors: ["conflict"],
  }),

  advanceTime: defineMethod({
    summary: "Moves the time of the next block forward.",
    ...effect,
    params: z.object({ seconds: int32({ atLeast: 1 }).describe("Seconds to add.") }),
    result: z.object({ now: unixTime }),
    examples: [{ params: { seconds: 3600 }, result: { now: 1735693201 } }],
  }),

  setClock: defineMethod({
    summary: "Selects the machine's clock, or a fixed clock with the same step for every block.",
    ...effect,
    params: z
      .object({
        mode: oneOf("wall", "fixed").describe("`wall` or `fixed`."),
        step: int32({ atLeast: 0 })
          .optional()
          .describe("Seconds from block to block of a fixed clock: 1 at first, and unchanged if absent."),
      })
      .check(
        rule(({ mode, step }) =>
          mode === "wall" && step !== undefined ? "step is for the fixed clock" : undefined,
        ),
      ),
    result: z.object({
      mode: z.enum(["wall", "fixed"]).describe("Clock mode."),
      step: z.int().describe("Seconds between the blocks of a fixed clock."),
      now: unixTime,
    }),
    examples: [{ params: { mode: "fixed", step: 5 }, result: { mode: "fixed", step: 5, now: 1735689601 } }],
  }),

  setNextBlockTime: defineMethod({
    summary: "Sets the time of the next block only.",
    description: "The block after it has the clock's time again, if that is later.",
    ...effect,
    params: z.object({
      time: int64({ atLeast: 0 }).describe("Unix time in seconds, not before the last block's time."),
    }),
    result: z.object({ now: unixTime }),
    examples: [{ params: { time: 1893456000 }, result: { now: 1893456000 } }],
    errors: ["conflict"],
  }),

  ...snapshotMethods,

  reset: defineMethod({
    summary: "Resets the chain to its zero states and makes a first block.",
    ...effect,
    params: z.object({}),
    result: atBlock,
    examples: [{ params: {}, result: { ...exampleAtBlock, block: { ...exampleBlock, seqno: 1 } } }],
  }),

  setBalance: defineMethod({
    summary: "Sets the balance of an account, without a transaction.",
    ...effect,
    params: z.object({ address, balance: nanotons({ atLeast: 0n }).describe("New balance in nanotons.") }),
    result: atBlock,
    examples: [{ params: { address: someone, balance: "1000000000" }, result: exampleAtBlock }],
    errors: ["conflict"],
  }),

  setCode: defineMethod({
    summary: "Replaces the code of an account, without a transaction.",
    ...effect,
    params: z.object({
      address,
      code: bytes.describe("The code as a bag of cells in base64, at most 512 levels deep."),
    }),
    result: atBlock,
    examples: [{ params: { address: someone, code: emptyCell }, result: exampleAtBlock }],
    errors: ["conflict"],
  }),

  setData: defineMethod({
    summary: "Replaces the data of an account, without a transaction.",
    ...effect,
    params: z.object({
      address,
      data: bytes.describe("The data as a bag of cells in base64, at most 512 levels deep."),
    }),
    result: atBlock,
    examples: [{ params: { address: someone, data: emptyCell }, result: exampleAtBlock }],
    errors: ["conflict"],
  }),

  impersonate: defineMethod({
    summary: "Sends an internal message from any account, without its key.",
    ...effect,
    params: z.object({
      from: accountAddress.describe("Sender of the message."),
      to: accountAddress.describe("Receiver of the message."),
      value: nanotons({ atLeast: 0n }).describe(
        "Value in nanotons; it is created, not taken from the sender.",
      ),
      body: bytes.optional().describe("Message body as a bag of cells in base64, at most 512 levels deep."),
      state_init: bytes
        .optional()
        .describe("StateInit as a bag of cells in base64, at most 512 levels deep."),
      bounce: flag.prefault(true).describe("Whether the message bounces if it fails."),
      status: messageStatusWanted,
    }),
    result: delivered,
    examples: [{ params: { from: someone, to: someone, value: "1000000000" }, result: exampleReceipt }],
    errors: ["conflict"],
  }),

  transactionLog: defineMethod({
    summary: "The virtual machine's log of a transaction, obtained by running it again.",
    description: "The time of the run and the bytes of the log cost points.",
    ...effect,
    freshness: { kind: "none" },
    paysForLength: true,
    params: z
      .object({
        hash: optionalHash.describe("Hash of the transaction."),
        address: accountAddress
          .optional()
          .describe("Account of the transaction; with `lt`, instead of `hash`."),
        lt: int64({ atLeast: 0 }).optional().describe("Logical time of the transaction; with `address`."),
      })
      .check(
        rule(({ hash, address, lt }) =>
          (hash === undefined) === (address === undefined || lt === undefined)
            ? "either hash or both address and lt should be specified"
            : undefined,
        ),
      ),
    result: z.object({
      vm_log: z.string().describe("One line per step; empty if the compute phase was skipped."),
      exit_code: z.int().optional().describe("Exit code of the compute phase; absent if it was skipped."),
      actions: z.string().optional().describe("The output actions as a bag of cells in base64."),
      prints: z.array(z.string()).describe("What the contract printed, such as by DUMPSTK or STRDUMP."),
    }),
    examples: [
      {
        params: { hash: exampleReceipt.tx_hash },
        story: { hash: ofStory("transaction_hash") },
        result: { vm_log: "", prints: [] },
      },
    ],
    errors: ["absent", "conflict"],
  }),

  calls: defineMethod({
    summary:
      "The newest calls of this key to the service, the newest first; with the devnet's own key those of all callers.",
    description:
      "The last 1,000 of all callers are kept in memory, without keys; long parameters are cut. " +
      "Callers on the devnet's machine have its own key.",
    ...effect,
    freshness: { kind: "none" },
    forOwner: true,
    needsKey: true,
    params: z.object({
      limit: int32({ atLeast: 1, atMost: 1000 }).prefault(100).describe("Maximum number of calls."),
    }),
    result: z
      .array(
        z.object({
          time: z.iso.datetime().describe("When it ended, ISO 8601."),
          method: z.string().describe("Name of the method."),
          params: z.record(z.string(), z.unknown()).describe("Its parameters as they were sent."),
          duration_ms: z.number().describe("How long it took, in milliseconds."),
          outcome: z.string().describe("`ok`, or the kind of its error."),
          exit_meaning: z.string().optional().describe("Why a contract refused the message that was sent."),
        }),
      )
      .describe("The calls."),
    examples: [
      {
        params: { limit: 1 },
        result: [
          {
            time: "2025-01-01T00:00:01.000Z",
            method: "getAddressBalance",
            params: { address: someone },
            duration_ms: 3,
            outcome: "ok",
          },
        ],
      },
    ],
  }),

  ...stateMethods,
  ...blockMethods,
  ...messageMethods,
  ...setupMethods,
  ...electionMethods,
};
