import { Executor } from "../../../server/chain/executor/executor.js";
import { testConfig } from "../../helpers/sample-chain.js";
import { describeExecutor } from "./executor-cases.js";

describeExecutor({
  create: () => Executor.create(),
  config: testConfig,
  isNative: false,
  hasExtraCurrencies: true,
});
