/** Refusals of limits that hold in peace, too. */
const LIMITS = /more lines wait to be sent|calls wait for this account/;

/** Refusals, and ends of calls, that a disturbance may cause. */
const EXPECTED = [
  /the bouncer does not answer|another process has the sessions/,
  /not begun in time|takes longer than usual/,
  /database (?:does not answer|is not available|can't be reached|has)|database_unavailable/,
  /^status 503/,
  /^(?:ECONNRESET|ECONNREFUSED|EPIPE|socket hang up|no answer in 10 s)$/,
];

export const isLimit = (why: string): boolean => LIMITS.test(why);
export const isExpected = (why: string): boolean => EXPECTED.some((pattern) => pattern.test(why));

/** The kind of a refusal, for counting. */
export const kindOf = (why: string): string => why.replaceAll(/\d+ s\b/g, 'N s').slice(0, 90);
