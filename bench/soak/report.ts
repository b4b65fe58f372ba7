import type { SoakAgent } from './agent.ts';
import { doubtfulSends } from './checks/sends.ts';
import type { Growth } from './memory.ts';
import type { Observations, Violation } from './observations.ts';
import type { Parameters } from './parameters.ts';
import { kindOf } from './refusals.ts';

const SECOND_MS = 1_000;

export interface Outcome {
  parameters: Parameters;
  beganAt: number;
  figures: Figures;
  refusals: Record<string, number>;
  disturbances: { what: string; fromSecond: number; seconds: number }[];
  growths: readonly Growth[];
  violations: readonly Violation[];
}

interface Figures {
  calls: number;
  failedCalls: number;
  linesSaid: number;
  /** Lines of all accounts together that the bouncer has kept. */
  linesKept: number;
  /** Lines that were said in a channel, and that the bouncer of an account there has not kept: it was down or cut off. */
  linesLostByTheBouncer: number;
  sends: number;
  sendsFailed: number;
  sendsInDoubt: number;
  events: number;
  eventsTwice: number;
  longestSecondsWithoutSession: number;
  longestSecondsWithoutAnswer: number;
}

interface Checked {
  seen: Observations;
  quietSince: number;
  violations: Violation[];
}

interface Facts {
  parameters: Parameters;
  beganAt: number;
  agents: readonly SoakAgent[];
  growths: readonly Growth[];
}

export function outcomeOf({ seen, quietSince, violations }: Checked, { agents, beganAt, ...facts }: Facts): Outcome {
  const { accounts, failures, events, said, disturbances } = seen;
  const sends = accounts.flatMap((account) => account.sends);
  const refusals: Record<string, number> = {};
  for (const { tool, why } of failures) {
    const kind = `${tool}: ${kindOf(why)}`;
    refusals[kind] = (refusals[kind] ?? 0) + 1;
  }
  const seconds = (ms: number): number => Math.round(ms / 100) / 10;
  return {
    ...{ ...facts, beganAt, refusals, violations },
    figures: {
      calls: agents.reduce((sum, { calls }) => sum + calls, 0),
      failedCalls: failures.length,
      linesSaid: said.size,
      linesKept: accounts.reduce((sum, { kept }) => sum + kept.length, 0),
      linesLostByTheBouncer: lostByBouncer(seen),
      sends: sends.length,
      sendsFailed: sends.filter(({ status }) => status === 'failed').length,
      sendsInDoubt: doubtfulSends(seen),
      events: events.length,
      eventsTwice: events.length - new Set(events.map(({ eventId }) => eventId)).size,
      longestSecondsWithoutSession: seconds(
        Math.max(
          ...accounts.map(({ connectedAt }) => longestPause([beganAt, ...connectedAt.filter((at) => at > beganAt)])),
        ),
      ),
      longestSecondsWithoutAnswer: seconds(
        Math.max(...agents.map(({ longestWithoutAnswerMs }) => longestWithoutAnswerMs)),
      ),
    },
    disturbances: disturbances.map(({ what, from, to }) => ({
      ...{ what, fromSecond: seconds(from - beganAt), seconds: seconds(Math.min(to, quietSince) - from) },
    })),
  };
}

export const longestPause = (times: readonly number[]): number =>
  times.slice(1).reduce((longest, time, index) => Math.max(longest, time - (times[index] ?? time)), 0);

function lostByBouncer({ accounts, heard, said }: Observations): number {
  const channelOf = new Map(heard.filter(({ text }) => said.has(text)).map(({ text, channel }) => [text, channel]));
  return accounts.reduce((sum, { kept, history }) => {
    const channels = new Set(history.map(({ channel }) => channel));
    const own = new Set(kept.map(({ text }) => text));
    return sum + [...channelOf].filter(([text, channel]) => channels.has(channel) && !own.has(text)).length;
  }, 0);
}

/** The report for people: figures first, then each violation with what is needed to find it. */
export function* reportOf({ parameters, beganAt, figures, refusals, disturbances, growths, violations }: Outcome) {
  const { seed, accounts, channels, members, lines, minutes } = parameters;
  yield `seed ${seed}: ${accounts} accounts, ${channels} channels of ${members}, ${lines} lines a second, ${minutes} minutes`;
  yield '';
  for (const [name, value] of Object.entries(figures)) yield `${String(value).padStart(10)}  ${wordsOf(name)}`;
  yield '';
  yield 'calls that failed:';
  for (const [kind, count] of Object.entries(refusals).toSorted((a, b) => b[1] - a[1])) {
    yield `${String(count).padStart(10)}  ${kind}`;
  }
  yield '';
  yield 'disturbances:';
  for (const { what, fromSecond, seconds } of disturbances) {
    yield `${fromSecond.toFixed(1).padStart(9)} s  ${what}, for ${seconds.toFixed(1)} s`;
  }
  yield '';
  yield 'memory:';
  for (const { name, pid, seconds, lastMiB, kibAMinute } of growths) {
    yield `  ${name} (${pid}): ${lastMiB.toFixed(0)} MiB after ${seconds} s, ${kibAMinute.toFixed(0)} KiB a minute`;
  }
  yield '';
  yield violations.length === 0 ? 'no violation' : `${violations.length} violations (seed ${seed}):`;
  for (const { kind, at, account, channel, found } of violations) {
    const when =
      at === undefined ? '' : ` at ${((at - beganAt) / SECOND_MS).toFixed(1)} s (${new Date(at).toISOString()})`;
    yield `  ${kind}${when}: ${[account, channel].filter((part) => part !== undefined).join(' in ')}: ${found}`;
  }
}

const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
