import { CLOCK_OFF_MS } from '../store/hold/clock-difference.ts';
import { differingSettings } from '../store/hold/differing-settings.ts';
import type { Member, SharingSeen } from '../store/hold/membership.ts';
import { type Check, type Finding, ok, problem } from './check.ts';

const SECOND_MS = 1_000;
const UNKNOWN = 'a process that nothing is known of';

const at = (time: number): string => new Date(time).toISOString();

const namesOf = (members: readonly Member[], does: Member['does']): string[] =>
  members.filter((member) => member.does === does).map(({ name }) => name);

/** "a, b VERB", with the verb in the number of the names. */
const saying = (names: readonly string[], one: string, several: string): string =>
  `${names.join(', ')} ${names.length === 1 ? one : several}`;

/** Describes all but the one that has the database. */
function describeOthers({ members }: SharingSeen): string {
  const [serving, waiting] = [namesOf(members, 'serves'), namesOf(members, 'waits')];
  const parts = [
    ...(serving.length === 0 ? [] : [saying(serving, 'serves as well', 'serve as well')]),
    ...(waiting.length === 0 ? [] : [saying(waiting, 'waits', 'wait')]),
  ];
  return parts.length === 0 ? 'none waits' : parts.join(', ');
}

/** Adds the versions, if they differ: as in an update that is under way, or that has left a process out. */
function versionsOf(members: readonly Member[]): string {
  if (new Set(members.map(({ version }) => version)).size < 2) return '';
  const each = members.map(({ name, version }) => `${name} is ${version}`).join(', ');
  return `; versions differ: ${each}; restart the earlier ones to end the update`;
}

/** Compares the settings of each process with those of the one that was started last. */
function settingsOf(members: readonly Member[]): Finding | undefined {
  const stating = members.filter(({ stated }) => stated?.settings !== undefined);
  const newest = stating.at(-1);
  const differ = stating.flatMap(({ name, stated }) => {
    const options = differingSettings(stated?.settings ?? {}, newest?.stated?.settings ?? {});
    return options.length === 0 ? [] : [`${name} in ${options.join(', ')}`];
  });
  if (newest === undefined || differ.length === 0) return undefined;
  return problem(
    `settings differ from those of ${newest.name}, which was started last: ${differ.join('; ')}`,
    'make them the same in all configurations, then restart the processes that have the earlier ones, or reload them where a reload applies them',
  );
}

function clocksOf(members: readonly Member[]): Finding | undefined {
  const off = members.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) > CLOCK_OFF_MS);
  if (off.length === 0) return undefined;
  const each = off.map(({ name, clockAheadMs }) => {
    const seconds = Math.round(Math.abs(clockAheadMs) / SECOND_MS);
    return `${name} is ${seconds} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} the database’s`;
  });
  return problem(
    `the clock of ${each.join(', that of ')}: with more than 5 s a process is not ready`,
    'set the clock of that machine right',
  );
}

/** Reports the process that has the database, and the others that share it. */
export const processes: Check = {
  name: 'processes',
  examine: async ({ database, sharing }) => {
    if ('sqlite' in database) return ok('one at a time, as always with SQLite');
    // A database that can't be opened has its own line.
    const found = await sharing().catch(() => undefined);
    if (found === undefined) return ok('not known: the database can’t be opened, or lacks the tables for it');
    const { holder, unfit, members } = found;
    const others = describeOthers(found);
    if (unfit.length > 0) {
      return problem(
        `${holder === undefined ? 'none' : (holder.name ?? UNKNOWN)} has the database; ${others}; ${saying(unfit, 'has', 'have')} a clock that is more than 30 s off the database’s, and can’t take over`,
        'set the clock of that machine right',
      );
    }
    if (holder === undefined) {
      return members.length === 0
        ? ok('none runs')
        : problem(
            `none has the database, and ${others}`,
            'see in their logs why none takes it, such as a clock that is wrong',
          );
    }
    const since = `${holder.name ?? UNKNOWN} has the database since ${at(holder.takenAt)}`;
    if (holder.isSilent) return problem(`${since}, but is silent; ${others}`, 'start it, or let it be ended');
    return clocksOf(members) ?? settingsOf(members) ?? ok(`${since}; ${others}${versionsOf(members)}`);
  },
};
