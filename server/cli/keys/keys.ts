import { Command, Option } from "commander";
import {
  changeKey,
  copyKeys,
  createKey,
  type KeyEdit,
  removeCopied,
  removePlan,
  revokeKey,
  rotateKey,
  setPlan,
} from "../../access/keys/key-commands.js";
import { KeyStoreError } from "../../access/keys/key-file.js";
import type { CustomPlan } from "../../access/limits/plan.js";
import { ConfigError, keyStoreOf, type Network, networks } from "../../config/settings.js";
import { readDuration, readMoment } from "../duration.js";
import {
  type CommandContext,
  configOf,
  forScripts,
  openStore,
  type StoreFlags,
  subcommand,
  useExistingStore,
  useStore,
} from "./key-context.js";
import {
  monthOfPlan,
  type OutputFlags,
  planSentence,
  printKeys,
  printNewKey,
  printPlans,
  publicRecord,
} from "./key-output.js";
import { usageCommand } from "./key-usage.js";
import {
  methodsHelp,
  originsHelp,
  readCount,
  readLabel,
  readList,
  readMethods,
  readObject,
  readQuota,
} from "./key-values.js";

type MonthFlags = { monthCalls?: number | "unlimited"; monthPoints?: number | "unlimited" };

/** `tonwire keys`: changes the key store. A running service applies changes within a second. */
export function keysCommand(context: CommandContext): Command {
  return new Command("keys")
    .description(
      "create, change, list, revoke and rotate API keys, and show what they use; a running service applies changes within a second",
    )
    .addCommand(createCommand(context))
    .addCommand(changeCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(planCommand(context))
    .addCommand(plansCommand(context))
    .addCommand(moveCommand(context))
    .addCommand(usageCommand(context));
}

function createCommand(context: CommandContext): Command {
  const { now, print } = context;
  type Flags = StoreFlags &
    OutputFlags & {
      network?: Network;
      plan: string;
      label: string;
      expires?: Date;
      methods?: string[];
      origins?: string[];
    };
  return forScripts(subcommand("create"), { quiet: true })
    .description("create a key and print it once")
    .addOption(
      new Option("--network <name>", "network of the key; default: the configured one").choices(networks),
    )
    .option("--plan <name>", "standard, unlimited, or a custom plan", "standard")
    .option("--label <text>", "purpose of the key", readLabel, "")
    .option(
      "--expires <when>",
      "ISO 8601 time such as 2030-12-31, or a duration such as 90d, 12h, 30m",
      (text) => readMoment(text, now()),
    )
    .option("--methods <list>", `the only methods of the key: ${methodsHelp}; default: all`, readMethods)
    .option("--origins <list>", `the only pages of the key: ${originsHelp}; default: all`, readList)
    .action((flags: Flags) =>
      useStore(flags, context, async (store, config) => {
        const { network = config.network, plan, label, expires, methods, origins } = flags;
        const order = { network, plan, label, ...(expires && { expiresAt: expires }), methods, origins };
        const made = await store.change((file) => createKey(file, order, now()));
        const sameOptions = keyStoreOf(config) === "file" ? "--data or --keys-file" : "--database-url";
        const notes = [
          `stored in ${store.place}; a service reads it there with the same ${sameOptions}`,
          ...(network === config.network ? [] : [`it is valid for a service with --network ${network}`]),
        ];
        printNewKey(made, flags, { print, notes });
      }),
    );
}

function changeCommand(context: CommandContext): Command {
  const all = (read: (text: string) => string[]) => (text: string) => (text === "all" ? text : read(text));
  return forScripts(subcommand("change"))
    .description("change a key, and those that replaced it or that it replaced")
    .argument("<id>")
    .option("--plan <name>", "standard, unlimited, or a custom plan")
    .option("--label <text>", "purpose of the key", readLabel)
    .option("--methods <list>", `the only methods of the key: ${methodsHelp}; or all`, all(readMethods))
    .option("--origins <list>", `the only pages of the key: ${originsHelp}; or all`, all(readList))
    .action((id: string, flags: StoreFlags & OutputFlags & KeyEdit) =>
      useExistingStore(flags, context, async (store) => {
        const { plan, label, methods, origins, json } = flags;
        const edit = { plan, label, methods, origins };
        if (Object.values(edit).every((value) => value === undefined))
          throw new KeyStoreError("nothing to change: name --plan, --label, --methods or --origins");
        const record = await store.change((file) => changeKey(file, id, edit));
        context.print(json ? JSON.stringify(publicRecord(record)) : `${id} changed`);
      }),
    );
}

function listCommand(context: CommandContext): Command {
  return forScripts(subcommand("list"))
    .description("list all keys, without their text")
    .action((flags: StoreFlags & OutputFlags) =>
      useStore(flags, context, async (store) => {
        const { keys } = await store.read({ needed: true });
        printKeys(keys, context.now(), flags, context.print);
      }),
    );
}

function revokeCommand(context: CommandContext): Command {
  return forScripts(subcommand("revoke"))
    .description("revoke a key immediately")
    .argument("<id>")
    .action((id: string, flags: StoreFlags & OutputFlags) =>
      useExistingStore(flags, context, async (store) => {
        const record = await store.change((file) => revokeKey(file, id, context.now()));
        context.print(flags.json ? JSON.stringify(publicRecord(record)) : `${id} revoked`);
      }),
    );
}

function rotateCommand(context: CommandContext): Command {
  return forScripts(subcommand("rotate"), { quiet: true })
    .description("replace a key by a new one and print it")
    .argument("<id>")
    .option("--grace <duration>", "how long the old key stays valid, such as 1h", readDuration, 0)
    .action((id: string, flags: StoreFlags & OutputFlags & { grace: number }) =>
      useExistingStore(flags, context, async (store) => {
        const made = await store.change((file) => rotateKey(file, id, flags.grace, context.now()));
        printNewKey(made, flags, { print: context.print, notes: [] });
      }),
    );
}

function planCommand(context: CommandContext): Command {
  type Flags = StoreFlags &
    OutputFlags & { rps: number; burst?: number; streams?: CustomPlan["streams"] } & MonthFlags;
  return forScripts(subcommand("plan"))
    .description("create or change a custom plan")
    .argument("<name>")
    .requiredOption("--rps <n>", "calls per second", readCount)
    .option("--burst <n>", "calls at once, a multiple of rps; default: rps", readCount)
    .option(
      "--streams <json>",
      'limits of streams and webhooks, such as {"connections":100}; default: unchanged',
      readObject,
    )
    .option("--month-calls <n>", "calls of each key in a month, or unlimited; default: unchanged", readQuota)
    .option(
      "--month-points <n>",
      "points of each key in a month, or unlimited; default: unchanged",
      readQuota,
    )
    .action(async (name: string, flags: Flags) => {
      const limit = { rps: flags.rps, burst: flags.burst ?? flags.rps };
      const { monthCalls: calls, monthPoints: points } = flags;
      const edit = { ...(calls !== undefined && { calls }), ...(points !== undefined && { points }) };
      await useStore(flags, context, async (store) => {
        const plan = await store.change((file) => setPlan(file, name, limit, flags.streams, edit));
        context.print(
          flags.json ? JSON.stringify({ name, ...limit, ...monthOfPlan(plan) }) : planSentence(name, plan),
        );
      });
    });
}

function plansCommand(context: CommandContext): Command {
  return forScripts(subcommand("plans"))
    .description("list the plans with the number of their keys, or remove a custom plan")
    .option("--remove <name>", "the plan to remove; its keys must be revoked before")
    .action((flags: StoreFlags & OutputFlags & { remove?: string }) =>
      useStore(flags, context, async (store) => {
        const { remove: name, json } = flags;
        const file = await store.read({ needed: true });
        if (name === undefined) return printPlans(file, flags, context.print);
        await store.change((current) => removePlan(current, name));
        context.print(json ? JSON.stringify({ removed: name }) : `plan ${name} removed`);
      }),
    );
}

function moveCommand(context: CommandContext): Command {
  type Flags = StoreFlags & OutputFlags & { to: "file" | "database"; remove?: true };
  return forScripts(subcommand("move"))
    .description("copy all keys and plans from the key store in a file into the database, or back")
    .addOption(
      new Option("--to <store>", "where they are copied to")
        .choices(["file", "database"])
        .makeOptionMandatory(),
    )
    .option("--remove", "remove them from where they were: services that read them there then know no key")
    .action(async (flags: Flags) => {
      const config = configOf(flags, context);
      if (config.databaseUrl === undefined)
        throw new ConfigError(["keys can be moved with --database-url, which is not set"]);
      const { to, remove = false, json } = flags;
      const source = await openStore(to === "file" ? "database" : "file", config, context);
      const target = await openStore(to, config, context);
      try {
        const from = await source.read({ needed: true });
        const copied = await target.change((file) => copyKeys(file, from));
        if (remove) await source.change((file) => removeCopied(file, from));
        const rest = remove
          ? `${source.place} has none any more`
          : `${source.place} has them, too: once no service reads them there, --remove removes them`;
        context.print(
          json
            ? JSON.stringify({ ...copied, to, removed: remove })
            : `${copied.keys} keys and ${copied.plans} plans are in ${target.place}; ${rest}`,
        );
      } finally {
        await source.close();
        await target.close();
      }
    });
}
