import type { Disturbance, Movement, Observations, Violation } from '../observations.ts';
import { violation } from './violation.ts';

/** Time in which others see a departure after the bouncer's connection was lost. */
const SEEN_WITHIN_MS = 10_000;

/**
 * Checks that accounts left channels only when the bouncer, the network or the way between them was disturbed, and came only
 * after they had left: a process that hands over, dies or freezes must not be seen on IRC. All are in their channels at first.
 */
export function checkMovements({ accounts, movements, disturbances }: Observations): Violation[] {
  const names = new Set(accounts.map(({ name }) => name));
  const last = new Map<string, number>();
  return movements.flatMap((movement, number) => {
    const { kind, channel, nick } = movement;
    if (kind === 'reset') last.set('all left', number);
    if (!names.has(nick)) return [];
    if (kind === 'left') {
      last.set(`left ${nick} ${channel}`, number);
      return isCaused(movement, disturbances) ? [] : [found('departure on IRC', movement)];
    }
    const left = ['all left', `left ${nick} `, `left ${nick} ${channel}`].map((key) => last.get(key) ?? -1);
    const isAway = Math.max(...left) > (last.get(`came ${nick} ${channel}`) ?? -1);
    last.set(`came ${nick} ${channel}`, number);
    return isAway ? [] : [found('arrival on IRC', movement)];
  });
}

const found = (kind: string, { at, nick, channel, line }: Movement): Violation =>
  violation(kind, line, { at, account: nick, ...(channel === '' ? {} : { channel }) });

const isCaused = ({ at }: Movement, disturbances: readonly Disturbance[]): boolean =>
  disturbances.some(
    ({ touches, from, to }) =>
      (touches === 'bouncer' || touches === 'network') && at >= from && at <= to + SEEN_WITHIN_MS,
  );
