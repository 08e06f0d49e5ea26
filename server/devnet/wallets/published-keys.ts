/** The default seed of a devnet. */
export const publishedSeed = "tonwire";

/**
 * The default seed's keys per role, precomputed because deriving them takes 0.1 s each. They are not secret: they
 * control only test money.
 */
export const publishedKeys: Readonly<Record<string, { words: string; secret: string }>> = {
  faucet: {
    words:
      "woman dynamic typical south intact swallow gospel inch develop office amount draft wagon smile two battle discover caught gold oven make eager equal alley",
    secret: "b659e1706689d9dab9fc40747241cbdb4a185733a32556b2ea1caab1bd074ef6",
  },
  "wallet v3r2 1": {
    words:
      "vast start slot soup pilot habit corn position employ gaze repair trash kingdom wear rebuild any dolphin forward trial eye high sweet addict sweet",
    secret: "535d069606e4f101a786cc000c4a69811dd0726707a60c80021fb8fff729676b",
  },
  "wallet v3r2 2": {
    words:
      "there advice swear into work girl loud angry height lab amused cliff drop swear accident come grid recipe two degree finish glove expire three",
    secret: "77f9ca191d09a0a34dd3dab8270a37ad6cd278edec7b89d8aa4d5c3bc9a30fac",
  },
  "wallet v4r2 1": {
    words:
      "office essay carry public foil document priority cotton lounge frame unable divert shoe grid ethics suspect layer blur advance pledge silver argue where end",
    secret: "5a856a550643b69d1dd4769b046b0331afb6633d4a1621b2229dd7bf595bc7f9",
  },
  "wallet v4r2 2": {
    words:
      "blade gaze divert occur choice spoon link amused rabbit oppose blade yellow field bullet boil act basic aspect cute vibrant release injury glory walk",
    secret: "7437bc602cd0d00a9ec124923fb668e725c4e56a25f1d2fea7e3dc3c7bf13289",
  },
  "wallet v5r1 1": {
    words:
      "cup tackle route helmet blade winter length hotel hover banana accuse avoid boost uncle caught stadium banner fork hockey game enemy modify cliff box",
    secret: "7538c80c2ca316f59cf90240c9559753035d09d01bc53ab81a716d5472279b6b",
  },
  "wallet v5r1 2": {
    words:
      "inner law access viable betray edit jacket member napkin pave shoot sniff net mobile december express token pistol fault success best exhibit tooth physical",
    secret: "9c83196724b3197ab58dde7725ce736950f718f479657888ab6600dfca96c488",
  },
  "wallet tg 1": {
    words: "unable medal walk chief evoke face task girl unveil wonder family umbrella",
    secret: "04cb762eef186ae0bc6cb68cc569e68790c0086cec409fc839437d5588acfb9e",
  },
};
