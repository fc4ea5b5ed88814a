import { GatewayFailure } from "../../../src/errors.ts";

/** The error that an attempt at reading a request ends in. */
export function refusalOf(read: () => unknown): unknown {
  try {
    read();
  } catch (thrown) {
    return thrown instanceof GatewayFailure ? thrown.error : thrown;
  }
  return "read";
}
