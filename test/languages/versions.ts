/** Versions of all that the suite installs. The examples in client/examples name their own. */
export const versions = {
  go: {
    "github.com/ethereum/go-ethereum": "v1.17.10",
    "github.com/oapi-codegen/oapi-codegen/v2": "v2.8.2",
    "github.com/oapi-codegen/runtime": "v1.9.0",
  },
  crates: {
    anyhow: "1.0",
    jsonrpsee: "0.26.1",
    progenitor: "0.15.1",
    "progenitor-client": "0.15.1",
    regress: "0.12",
    reqwest: "0.13.5",
    serde: "1.0",
    serde_json: "1.0",
    tokio: "1.54",
  },
  pypi: {
    mypy: "2.4.1",
    "openapi-python-client": "0.29.1",
    toncenter: "0.4.0",
    tonutils: "2.5.1",
  },
  maven: {
    "com.fasterxml.jackson.core:jackson-databind": "2.19.2",
    "com.fasterxml.jackson.datatype:jackson-datatype-jsr310": "2.19.2",
    "jakarta.annotation:jakarta.annotation-api": "2.1.1",
    "org.openapitools:openapi-generator-cli": "7.17.0",
    "org.ton.ton4j:toncenter": "1.3.5",
  },
  npm: {
    "@hey-api/openapi-ts": "0.99.0",
    "@redocly/cli": "2.77.0",
    "@stoplight/spectral-cli": "6.16.3",
    "@types/node": "20.19.43",
    "openapi-fetch": "0.17.0",
    "openapi-typescript": "7.13.0",
    orval: "8.38.0",
    typescript: "5.9.3",
  },
} as const;
