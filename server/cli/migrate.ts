import { Command } from "commander";
import { type Config, ConfigError } from "../config/settings.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { indexOf, noIndex } from "./redetect.js";

/** How an index was divided among the nodes of a cluster now; `before` if it was already. */
type Divided = { shards: number; nodes: number } | "before";

export type MigrateContext = ConfiguredContext & {
  migrateIndex: (config: Config, plan: { citus: boolean }) => Promise<Divided | undefined>;
};

/** `tonwire migrate`: creates or migrates the tables of the index, and divides them among the nodes of a cluster. */
export function migrateCommand(context: MigrateContext): Command {
  const command = new Command("migrate")
    .description("create the tables of the index, or migrate them, as `index` does when it starts")
    .option("--citus", "divide an empty index among the nodes of a Citus cluster");
  const run = async (config: Config, { citus = false }: { citus?: boolean }) => {
    if (config.databaseUrl === undefined && config.data === undefined) throw noIndex("migrate");
    if (citus && config.databaseUrl === undefined)
      throw new ConfigError([
        "--citus needs the coordinator of a cluster: set --database-url or DATABASE_URL",
      ]);
    const divided = await context.migrateIndex(config, { citus });
    context.print(`the tables of the index in ${indexOf(config)} are ready${endOf(divided)}`);
  };
  return configured(command, context, { keys: ["data", "logLevel", "databaseUrl"], run });
}

function endOf(divided: Divided | undefined): string {
  if (divided === undefined) return "";
  if (divided === "before") return ", divided as before";
  return `, divided into ${divided.shards} shards on ${divided.nodes} nodes`;
}
