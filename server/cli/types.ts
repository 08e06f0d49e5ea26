import { Command } from "commander";

export type TypesContext = {
  print: (line: string) => void;
  /** TypeScript of the contracts in these files. */
  writeTypes: (files: readonly string[]) => Promise<string>;
};

/** `tonwire types`: prints TypeScript of contracts, for `tonwire/contract`. */
export function typesCommand({ print, writeTypes }: TypesContext): Command {
  return new Command("types")
    .description("write TypeScript for a contract's messages, storage, get-methods and errors")
    .argument("<file...>", "ABIs of Tolk or Tact, packages of Tact, artifacts of Acton, catalogues")
    .addHelpText("after", "\nExample: tonwire types build/Counter.abi.json > src/counter.ts")
    .action(async (files: string[]) => print((await writeTypes(files)).trimEnd()));
}
