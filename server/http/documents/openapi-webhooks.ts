import { deliveryBody } from "../../../shared/schema/streams/webhook-records.js";
import type { Operation, Parameter, PathItem } from "./openapi-document.js";
import type { SchemaCollection } from "./schemas.js";

/** Headers of deliveries, as `server/stream/webhooks/delivery.ts` sends them. */
const headers = {
  "Tonwire-Signature": {
    pattern: "^t=\\d+(,v1=[0-9a-f]{64})+$",
    description:
      "`t=<unix time>,v1=<HMAC-SHA-256 of the time, a dot and the body, in hex>`; a second `v1` for a day after a change of the secret.",
  },
  "Tonwire-Webhook": { description: "Id of the webhook." },
};

/** The requests that the service makes to the URLs of webhooks. */
export function webhooksOf(schemas: SchemaCollection): Record<string, PathItem> {
  const parameters = Object.entries(headers).map(
    ([name, { description, ...schema }]): Parameter => ({
      name,
      in: "header",
      required: true,
      description,
      schema: { type: "string", ...schema },
    }),
  );
  const schema = schemas.of(deliveryBody, "output");
  const post: Operation = {
    operationId: "webhookDelivery",
    tags: ["Webhooks"],
    summary: "Events of a webhook of v3.webhooks.create.",
    description:
      "In order, at least once, one delivery at a time. A delivery without a status from 200 to 299 within 15 seconds is repeated.",
    security: [],
    parameters,
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: {
      "2XX": { description: "The receiver has the events." },
      410: { description: "Nothing more is delivered: the webhook is paused." },
      default: { description: "The events are delivered again later." },
    },
  };
  return { events: { post } };
}
