import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, it } from "vitest";
import { examplesIn } from "../../helpers/readmes.js";
import { fetchJson } from "../harness/fetch-json.js";
import { useCommonJs } from "../harness/packages.js";
import { describeTool, type Workshop } from "../harness/workshop.js";
import { versions } from "../versions.js";

// A project of Blueprint, made and deployed by its own commands, with the configuration that the README of the devnet has.

const { url, key, wallets } = inject("devnet");

/** The configuration in the README, for the devnet of this run. */
function configOf(api: "v2" | "v4"): string {
  const config = examplesIn("server/devnet/README.md", "ts")
    .find((example) => example.includes("@ton/blueprint"))!
    .replace("http://127.0.0.1:8081", url)
    .replace('key: "dev"', `key: "${key}"`);
  if (api === "v2") return config;
  return config
    .replace("/api/v2/jsonRPC", "/api/v4")
    .replace('version: "v2"', 'version: "v4"')
    .replace(/, key: ".*?"/, "");
}

const tsconfig = {
  compilerOptions: {
    target: "ES2020",
    module: "commonjs",
    esModuleInterop: true,
    strict: true,
    skipLibCheck: true,
  },
};

describeTool(`Blueprint ${versions.npm["@ton/blueprint"]}`, ["npm"], (workshop) => {
  const blueprint = ({ run }: Workshop, args: readonly string[], env?: Record<string, string>) =>
    run("npx", ["--no-install", "blueprint", ...args], env);

  beforeAll(async () => {
    await useCommonJs(
      workshop,
      "@tact-lang/compiler",
      "@ton-community/func-js",
      "@ton/blueprint",
      "@ton/core",
      "@ton/crypto",
      "@ton/sandbox",
      "@ton/tolk-js",
      "@ton/ton",
      "@types/node",
      "typescript",
    );
    workshop.write("tsconfig.json", JSON.stringify(tsconfig));
    for (const made of ["contracts", "scripts", "tests", "wrappers"])
      rmSync(join(workshop.folder, made), { recursive: true, force: true });
    await blueprint(workshop, ["create", "Counter", "--type", "tolk-counter"]);
  });

  it.each([
    ["Ann", "v3r2", "v2"],
    ["Cleo", "v4r2", "v4"],
    ["Eve", "v5r1", "v2"],
  ] as const)("deploys a contract from %s's wallet, %s, by API %s", async (name, walletVersion, api) => {
    const { address, mnemonic } = wallets[name]!;
    workshop.write("blueprint.config.ts", configOf(api));
    const env = { WALLET_MNEMONIC: mnemonic, WALLET_VERSION: walletVersion };
    const printed = await blueprint(workshop, ["run", "deployCounter", "--mnemonic"], env);
    const [, deployed] = printed.match(/Contract deployed at address (\S+)/)!;
    const { result } = await fetchJson<{ result: string }>(url, "/api/v2/getAddressState", {
      address: deployed!,
    });
    expect(result).toBe("active");
    const { messages } = await fetchJson<{ messages: { source: string }[] }>(url, "/api/v3/messages", {
      destination: deployed!,
    });
    expect(messages.map(({ source }) => source)).toEqual([address.toUpperCase()]);
  });
});
