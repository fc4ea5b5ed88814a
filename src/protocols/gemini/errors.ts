import type { ContextOverflow, GatewayError } from "../../errors.ts";
import { describeFailure, type Status } from "../failure.ts";
import type { ErrorAnswer } from "../protocol.ts";

const STATUSES: { readonly [K in Status]: string } = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  405: "NOT_FOUND",
  409: "ALREADY_EXISTS",
  412: "FAILED_PRECONDITION",
  413: "INVALID_ARGUMENT",
  415: "INVALID_ARGUMENT",
  428: "FAILED_PRECONDITION",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
  508: "INTERNAL",
};

/** The body; in-band once the status is out, where the SDK takes it for an error by its `code` being a number. */
export function errorBody(error: GatewayError): { error: object } {
  const { status, message } = describeFailure(error, describeOverflow);
  const details = detailsOf(error);
  return { error: { code: status, message, status: STATUSES[status], ...(details.length > 0 && { details }) } };
}

/** A failure before the first byte. */
export function renderError(error: GatewayError): ErrorAnswer {
  const { status, headers } = describeFailure(error, describeOverflow);
  return { status, body: errorBody(error), headers };
}

/** What other wires have a field or a header for: the SDK's error holds the body alone, so agents look for it there. */
function detailsOf(error: GatewayError): object[] {
  if ("param" in error && error.param !== undefined) {
    return [detail("BadRequest", { fieldViolations: [{ field: error.param, description: error.message }] })];
  }
  if ("retryAfter" in error && error.retryAfter !== undefined) {
    return [detail("RetryInfo", { retryDelay: `${Math.ceil(error.retryAfter)}s` })];
  }
  return [];
}

function detail(type: string, fields: object): object {
  return { "@type": `type.googleapis.com/google.rpc.${type}`, ...fields };
}

/** Agents look for the vendor's own beginning of this sentence, and those of other makers for `prompt is too long`. */
function describeOverflow({ limit, used, output = 0 }: ContextOverflow): string {
  const count = used === undefined ? "" : ` (${used + output})`;
  const maximum = limit === undefined ? "" : ` (${limit})`;
  const asked = output > 0 ? `: ${output} of them are asked for as output` : "";
  return `The input token count${count} exceeds the maximum number of tokens allowed${maximum}. The prompt is too long${asked}.`;
}
