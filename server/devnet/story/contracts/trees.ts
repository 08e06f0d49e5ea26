import { itemAt } from "../../../../shared/values/lookups.js";

// Metadata of Eve's trees. The links contain the documents, with their pictures, so that nothing is fetched.

/** Pictures of 64 × 64 pixels in four colours. */
const species = [
  {
    name: "oak",
    png:
      "iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAgMAAADXB5lNAAAADFBMVEXi7vZKfEBuUDiWtG7hUTSvAAAAgUlEQVR42uWS3Q2AIAyE" +
      "ywMjuA8j8NAu4WhdUlEEehhiYkw0sU/cF+5afog+VgGlE4kAJhEBkLQEdKDHb4C7CAjZtQ3pgcsgjoEIenwBDE1N46qLpweugXgX" +
      "+Ab4sdDr0c+nTYOwzt48RNqrSvaWAyWAH2AD9EOw5FI9FkNQ6yWwAlkNB0NHJu5sAAAAAElFTkSuQmCC",
  },
  {
    name: "birch",
    png:
      "iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAgMAAADXB5lNAAAADFBMVEXi7vaWuFLw8OyWtG7jsoTDAAAAY0lEQVR42mNgoCVwQOOL" +
      "hqLyGUNDA1AEWENDQ/ALiIaGohoC5Ic64BNgBAkEkCTAChIIobsAyG8ovhsgd5ARYoSjATPmCEc2RvrASEEMXAnoAguGgcB/CPi1" +
      "HsrAKQAHAyQAAAT42bnXT6mfAAAAAElFTkSuQmCC",
  },
  {
    name: "pine",
    png:
      "iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAgMAAADXB5lNAAAADFBMVEXi7vYmXEpoSjaqvJZMGIzYAAAAhUlEQVR42sXSzQ2AIAyG" +
      "YXpgBJZwio7AgW9HEzdzCQ1B1JZIY+JPT+Y5vG0Mzn05xBb4qCAkCwDVBLgPHpBrApD6AMg1lIF74DNE2ZTVBgC95v4dzVr7Dr2W" +
      "CrBMnCMNhAJJNZsqv3yYeQdVYJk4IqFCUgnx44dRvcJnYSkzT9vHJezzE6weJepItI2Z4QAAAABJRU5ErkJggg==",
  },
  {
    name: "maple",
    png:
      "iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAgMAAADXB5lNAAAADFBMVEXi7vbMXDJgRDKwsGwA6sASAAAAfElEQVR42mNgGFjggMYP" +
      "DUUVYQ0NDUEREA0NDUXTgaqHESQQgE+AFSQQQooAmI8sEgoFDsh2INvDChMIwSUgChMIJV8Azoc5hBqGEnY6hm8xwgMzxDADmXBE" +
      "YcQtZuxjpA+MFMSglYGWxrRWDHqB/xDwajWUgVMADgZIAACpffadcTXQMQAAAABJRU5ErkJggg==",
  },
];

const beginning = '{"name":"Tree ';

/** Links to the metadata of trees, which take turns in their species. */
export const treeLinks = {
  items: `data:application/json,${encodeURIComponent(beginning)}`,
  endOf: (index: bigint): string => {
    const { name, png } = itemAt(species, Number(index % BigInt(species.length)));
    const document = {
      name: `Tree ${index}`,
      description: `Eve planted this ${name}.`,
      image: `data:image/png;base64,${png}`,
      attributes: [{ trait_type: "Species", value: name }],
    };
    return encodeURIComponent(JSON.stringify(document).slice(beginning.length));
  },
};
