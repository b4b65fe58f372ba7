import type { SoakAgent } from './agent.ts';
import { checkMovements } from './checks/movements.ts';
import { doubtfulSends } from './checks/sends.ts';
import { HAND_OVER, longestGaps } from './checks/sessions.ts';
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
  /** Longest time of an account without a session, for what was disturbed then. */
  withoutSession: { cause: string; seconds: number; account: string | undefined; fromSecond: number | undefined }[];
  disturbances: { what: string; which: string | undefined; fromSecond: number; seconds: number }[];
  growths: readonly Growth[];
  violations: readonly Violation[];
}

interface Figures {
  calls: number;
  refreshesOfTokens: number;
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
  /** As the agents saw it: the account's network was away, or no answer came. */
  longestSecondsNotSeenConnected: number;
  longestSecondsWithoutSession: number;
  handOvers: number;
  movementsInHandOvers: number;
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
  const gaps = longestGaps(seen, quietSince);
  const seconds = (ms: number): number => Math.round(ms / 100) / 10;
  return {
    ...{ ...facts, beganAt, refusals, violations },
    figures: {
      calls: agents.reduce((sum, { calls }) => sum + calls, 0),
      refreshesOfTokens: agents.reduce((sum, { refreshes }) => sum + refreshes, 0),
      failedCalls: failures.length,
      linesSaid: said.size,
      linesKept: accounts.reduce((sum, { kept }) => sum + kept.length, 0),
      linesLostByTheBouncer: lostByBouncer(seen),
      sends: sends.length,
      sendsFailed: sends.filter(({ status }) => status === 'failed').length,
      sendsInDoubt: doubtfulSends(seen),
      events: events.length,
      eventsTwice: events.length - new Set(events.map(({ eventId }) => eventId)).size,
      longestSecondsNotSeenConnected: seconds(
        Math.max(
          ...accounts.map(({ connectedAt }) => longestPause([beganAt, ...connectedAt.filter((at) => at > beganAt)])),
        ),
      ),
      longestSecondsWithoutSession: seconds(Math.max(...Object.values(gaps).map(({ ms }) => ms))),
      handOvers: disturbances.filter(({ what }) => what === HAND_OVER).length,
      movementsInHandOvers: movementsIn(seen),
      longestSecondsWithoutAnswer: seconds(
        Math.max(...agents.map(({ longestWithoutAnswerMs }) => longestWithoutAnswerMs)),
      ),
    },
    withoutSession: Object.entries(gaps).map(([cause, { ms, account, at }]) => ({
      ...{ cause, seconds: seconds(ms), account },
      fromSecond: at === undefined ? undefined : seconds(at - beganAt),
    })),
    disturbances: disturbances.map(({ what, which, from, to }) => ({
      ...{ what, which, fromSecond: seconds(from - beganAt), seconds: seconds(Math.min(to, quietSince) - from) },
    })),
  };
}

export const longestPause = (times: readonly number[]): number =>
  times.slice(1).reduce((longest, time, index) => Math.max(longest, time - (times[index] ?? time)), 0);

/** Arrivals and departures of accounts on IRC, while a process handed over, that no failure of the bouncer or network caused. */
function movementsIn(seen: Observations): number {
  const handOvers = seen.disturbances.filter(({ what }) => what === HAND_OVER);
  return checkMovements(seen).filter(({ at = 0 }) => handOvers.some(({ from, to }) => at >= from && at <= to)).length;
}

function lostByBouncer({ accounts, heard, said }: Observations): number {
  const channelOf = new Map(heard.filter(({ text }) => said.has(text)).map(({ text, channel }) => [text, channel]));
  return accounts.reduce((sum, { kept, history }) => {
    const channels = new Set(history.map(({ channel }) => channel));
    const own = new Set(kept.map(({ text }) => text));
    return sum + [...channelOf].filter(([text, channel]) => channels.has(channel) && !own.has(text)).length;
  }, 0);
}

/** The report for people: figures first, then each violation with what is needed to find it. */
export function* reportOf(outcome: Outcome) {
  const { parameters, beganAt, figures, refusals, withoutSession, disturbances, growths, violations } = outcome;
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
  yield 'longest time of an account without a session, by what was disturbed within the minute before:';
  for (const { cause, seconds, account, fromSecond } of withoutSession.toSorted((a, b) => b.seconds - a.seconds)) {
    const which = account === undefined ? '' : ` (${account}, from ${fromSecond?.toFixed(1)} s)`;
    yield `${seconds.toFixed(1).padStart(9)} s  ${cause}${which}`;
  }
  yield '';
  yield 'disturbances:';
  for (const { what, which, fromSecond, seconds } of disturbances) {
    const part = which === undefined ? '' : ` (${which})`;
    yield `${fromSecond.toFixed(1).padStart(9)} s  ${what}${part}, for ${seconds.toFixed(1)} s`;
  }
  yield '';
  yield 'memory at the end, and its growth after the first minute:';
  for (const { name, pid, seconds, processorSeconds, resident, heap } of growths) {
    const used = heap === undefined ? '' : `, in use when collected ${grown(heap, seconds)}`;
    const busy = `${processorSeconds.toFixed(0)} s of a processor`;
    yield `  ${name} (${pid}), ${seconds} s, ${busy}: resident ${grown(resident, seconds)}${used}`;
  }
  yield '';
  yield violations.length === 0 ? 'no violation' : `${violations.length} violations (seed ${seed}):`;
  for (const { kind, at, account, channel, found } of violations) {
    const when =
      at === undefined ? '' : ` at ${((at - beganAt) / SECOND_MS).toFixed(1)} s (${new Date(at).toISOString()})`;
    yield `  ${kind}${when}: ${[account, channel].filter((part) => part !== undefined).join(' in ')}: ${found}`;
  }
}

/** Shorter times have no slope worth a number. */
const SLOPE_AFTER_SECONDS = 600;

const grown = ({ lastMiB, mibAnHour }: Growth['resident'], seconds: number): string =>
  `${lastMiB.toFixed(0)} MiB${seconds < SLOPE_AFTER_SECONDS ? '' : ` (${mibAnHour.toFixed(1)} MiB an hour)`}`;

const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
