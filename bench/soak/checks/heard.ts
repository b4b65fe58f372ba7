import type { HeardLine } from '../observations.ts';

/** How a line was heard on IRC. */
export interface Hearing {
  /** When the first listener heard it. */
  at: number;
  /** Its place among all lines, as the first listener heard them. */
  place: number;
  /** How often the listener heard it that heard it most often. */
  times: number;
}

/** Text -> how it was heard. */
export function hearings(lines: readonly HeardLine[]): Map<string, Hearing> {
  const times = new Map<string, number>();
  const heard = new Map<string, Hearing>();
  for (const [place, { text, at, listener }] of lines.entries()) {
    const key = `${listener} ${text}`;
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    const known = heard.get(text);
    if (known === undefined) heard.set(text, { at, place, times: count });
    else known.times = Math.max(known.times, count);
  }
  return heard;
}
