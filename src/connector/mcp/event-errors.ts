import type { AppError } from '../../kernel/errors.ts';
import { type ErrorCode, EventRefusal } from '../errors.ts';
import type { RpcRefusal } from './methods/define-method.ts';

/**
 * Error codes of the MCP Events profile. A later draft of it has other numbers; only this table would change.
 * @spec connector#errors
 */
const CODES: Partial<Record<ErrorCode, number>> = {
  subscription_invalid: -32_602,
  event_unknown: -32_011,
  channel_not_enabled: -32_012,
  access_ended: -32_012,
  subscription_ended: -32_012,
  subscriptions_exhausted: -32_013,
  too_many_requests: -32_013,
  delivery_mode_unsupported: -32_014,
  callback_failed: -32_015,
};

const isKnown = (code: string): code is keyof typeof CODES => Object.hasOwn(CODES, code);

/** A refusal of an event method with the profile's code; undefined for errors that the profile has no code for. */
export function eventRefusal(error: AppError): RpcRefusal | undefined {
  const code = isKnown(error.code) ? CODES[error.code] : undefined;
  return code === undefined ? undefined : { code, ...dataOf(error) };
}

function dataOf(error: AppError): Pick<RpcRefusal, 'data'> {
  if (!(error instanceof EventRefusal)) return { data: { reason: error.code } };
  return error.facts === undefined ? {} : { data: error.facts };
}
