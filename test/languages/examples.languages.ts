import { fileURLToPath } from "node:url";
import { expect, inject, it } from "vitest";
import { fetchJson } from "./harness/fetch-json.js";
import { describeTool, type Workshop } from "./harness/workshop.js";

// The programs in client/examples, unchanged, with the commands of their README.

type Example = {
  readonly language: string;
  readonly needs: readonly string[];
  run(workshop: Workshop, env: Record<string, string>): Promise<string>;
};

const examples: readonly Example[] = [
  {
    language: "Python",
    needs: ["python3"],
    async run({ run }, env) {
      await run("python3", ["-m", "venv", "venv"]);
      await run("venv/bin/pip", ["install", "--quiet", "-r", "requirements.txt"]);
      return run("venv/bin/python", ["wallet.py"], env);
    },
  },
  { language: "Go", needs: ["go"], run: ({ run }, env) => run("go", ["run", "."], env) },
  { language: "Rust", needs: ["cargo"], run: ({ run }, env) => run("cargo", ["run", "--quiet"], env) },
  {
    language: "Java",
    needs: ["javac", "mvn"],
    run: ({ run }, env) => run("mvn", ["-q", "-B", "compile", "exec:java"], env),
  },
];

const { url, wallets } = inject("devnet");
const { address, mnemonic } = wallets["Dan"]!;
const env = { TON_URL: url, TON_MNEMONIC: mnemonic };

type JettonWallets = {
  readonly jetton_wallets: readonly { readonly balance: string; readonly jetton: string }[];
  readonly metadata: Record<
    string,
    { readonly token_info: [{ readonly symbol: string; readonly extra: { readonly decimals: string } }] }
  >;
};
type Transactions = {
  readonly transactions: readonly {
    readonly hash: string;
    readonly out_msgs: readonly {
      readonly message_content: { readonly decoded: { readonly comment: string } };
    }[];
  }[];
};

/** The lines about a wallet that a program prints before it sends anything. */
async function expectedLines(): Promise<string[]> {
  const { result: balance } = await fetchJson<{ result: string }>(url, "/api/v2/getAddressBalance", {
    address,
  });
  const held = await fetchJson<JettonWallets>(url, "/api/v3/jetton/wallets", { owner_address: address });
  const jettons = held.jetton_wallets.map(({ balance, jetton }) => {
    const [{ symbol, extra }] = held.metadata[jetton]!.token_info;
    return `jetton: ${units(balance, Number(extra.decimals))} ${symbol}`;
  });
  return [`balance: ${units(balance, 9)} TON`, ...jettons];
}

function units(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

for (const { language, needs, run } of examples)
  describeTool(`example in ${language}`, needs, (workshop) => {
    it("reads, lists jettons, sends and waits, subscribes", async () => {
      const folder = `../../client/examples/${language.toLowerCase()}`;
      workshop.copy(fileURLToPath(new URL(folder, import.meta.url)), ".");
      const expected = await expectedLines();
      const lines = (await run(workshop, env)).match(/(?:balance|jetton|message|transaction): .+/g) ?? [];
      expect(lines.slice(0, expected.length)).toEqual(expected);
      expect(lines.at(-2)).toBe("message: completed");
      const { transactions } = await fetchJson<Transactions>(url, "/api/v3/transactions", {
        account: address,
        limit: "5",
      });
      const told = transactions.find(({ hash }) => lines.at(-1) === `transaction: ${hash}`);
      expect(told?.out_msgs[0]?.message_content.decoded.comment).toBe(`Hello from ${language}`);
    });
  });
