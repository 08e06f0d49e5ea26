import { expectTypeOf, it } from "vitest";
import type * as plain from "../../client/text/answer-types.js";
import type * as actions from "../../shared/schema/v3/actions.js";
import type * as status from "../../shared/schema/v3/message-status.js";
import type * as records from "../../shared/schema/v3/records.js";
import type * as texts from "../../shared/schema/v3/texts.js";

// The compiler checks them.
it("has the types of the schemas", () => {
  expectTypeOf<plain.ActionType>().toEqualTypeOf<actions.ActionType>();
  expectTypeOf<keyof plain.ActionDetails>().toEqualTypeOf<keyof actions.ActionDetails>();
  expectTypeOf<actions.ActionDetails>().toExtend<plain.ActionDetails>();
  expectTypeOf<actions.Action>().toExtend<plain.Action>();
  expectTypeOf<status.MessageStatus>().toExtend<plain.MessageStatus>();
  expectTypeOf<status.TraceFailure>().toEqualTypeOf<plain.TraceFailure>();
  expectTypeOf<records.AddressBook>().toExtend<plain.AddressBook>();
  expectTypeOf<records.Metadata>().toExtend<plain.Metadata>();
  expectTypeOf<records.TokenInfo>().toExtend<plain.TokenInfo>();
  expectTypeOf<texts.Preview>().toEqualTypeOf<plain.Preview>();
});
