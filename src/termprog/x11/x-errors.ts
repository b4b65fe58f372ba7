import type { XError } from 'x11';

/** Whether an error is an answer of the X server, not one of this program or its socket. */
export function isXError(error: unknown): error is XError {
  return error instanceof Error && 'majorOpcode' in error;
}

/** Describes an X error. The library has texts only for errors of the core protocol. */
export function describeError({ message, error, majorOpcode, badParam }: XError): string {
  return `${message || `error ${error}`} (request ${majorOpcode}, value 0x${(badParam >>> 0).toString(16)})`;
}
