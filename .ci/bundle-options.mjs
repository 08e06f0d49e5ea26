// How entries of the server are bundled, for the build and for the tests.
import { readFile } from "node:fs/promises";

/** Modules find files beside them, so they keep their own URLs: `urlOf` gives the expression of a source's URL. */
const ownUrls = (urlOf) => ({
  name: "own URLs",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return { contents: text.replaceAll("import.meta.url", () => urlOf(path)), loader: "ts" };
    });
  },
});

/** Zod brings its messages in fifty languages, which take a third of it; the service has its own. */
const oneLanguage = {
  name: "one language of zod",
  setup({ onLoad }) {
    onLoad({ filter: /zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/** Packages that find files of theirs beside their modules, are large and seldom needed, or need not be installed. */
const external = [
  "@electric-sql/pglite",
  "fs-native-extensions",
  "ioredis",
  "pg-native",
  "bufferutil",
  "utf-8-validate",
];
/** With which CommonJS packages load what is external and what Node has. */
const require = `import { createRequire as requireFrom$ } from "node:module"; const require = requireFrom$(import.meta.url);`;

export const bundleOptions = (urlOf) => ({
  bundle: true,
  splitting: true,
  packages: "bundle",
  external,
  banner: { js: require },
  platform: "node",
  format: "esm",
  target: "node20",
  // Comments would be kept, in two bytes per character of the file if one is beyond Latin-1.
  minifyWhitespace: true,
  lineLimit: 160,
  plugins: [ownUrls(urlOf), oneLanguage],
  logLevel: "error",
});
