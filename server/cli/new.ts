import { Command } from "commander";
import { ConfigError } from "../config/settings.js";

/** Names of the projects that `tonwire new` writes. */
const projectTemplates = ["counter"] as const;
type ProjectTemplate = (typeof projectTemplates)[number];

export type NewContext = {
  print: (line: string) => void;
  /** Writes a project into a folder, and returns its path. */
  writeProject: (template: ProjectTemplate, folder: string) => Promise<string>;
};

/** `tonwire new`: writes a project to begin with. */
export function newCommand({ print, writeProject }: NewContext): Command {
  return new Command("new")
    .description(
      "write a project to begin with: a contract in Tolk, its wrapper, tests, and a script that deploys it",
    )
    .argument("<template>", projectTemplates.join(", "))
    .argument("[folder]", "an empty or new folder (default: the name of the template)")
    .addHelpText("after", "\nExample: npx tonwire new counter my-counter")
    .action(async (given: string, folder = given) => {
      const template = projectTemplates.find((each) => each === given);
      if (!template)
        throw new ConfigError([`there is no template ${given}: name ${projectTemplates.join(", ")}`]);
      print(`Wrote ${await writeProject(template, folder)}. Next, in that folder:`);
      for (const line of ["npm install", "npm test"]) print(`  ${line}`);
    });
}
