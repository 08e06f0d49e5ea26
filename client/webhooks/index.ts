export type { StreamEvent, WebhookDelivery, WebhookEvent } from "../api.js";
export {
  type DeliveredRequest,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
} from "./verify.js";
