import { inspectAccountSlots } from '../store/database.ts';
import type { AccountSlotCount } from '../store/hold/account-slot-counts.ts';
import { type Check, type Finding, ok, problem } from './check.ts';

const SECOND_MS = 1_000;
/** Time after which a process should take accounts, and after which accounts should have been spread. */
const SETTLED_MS = 60_000;
/** Difference of slots at which a process gives one to another one. */
const UNEVEN = 2;

const GONE = 'a process that has ended';

const counted = ({ slots, accounts }: AccountSlotCount): string =>
  `${slots} (${accounts} ${accounts === 1 ? 'account' : 'accounts'})`;

/** "a acts for 22 (3 accounts), b for 21 (2 accounts)" */
const described = (live: readonly AccountSlotCount[]): string =>
  live.map((each, n) => `${each.name ?? GONE} ${n === 0 ? 'acts ' : ''}for ${counted(each)}`).join(', ');

function ownerless(dead: readonly AccountSlotCount[], says: string): Finding | undefined {
  if (dead.length === 0) return undefined;
  const each = dead.map(
    (one) => `${counted(one)} of ${one.name === undefined ? GONE : `${one.name}, which is silent`}`,
  );
  return problem(
    `${says}; not served: ${each.join(', ')}`,
    'another process takes them within 15 s: look again then; a process that hangs has to be ended',
  );
}

function declining(live: readonly AccountSlotCount[], says: string): Finding | undefined {
  const names = live
    .filter(({ declinesForMs }) => declinesForMs !== undefined && declinesForMs > SETTLED_MS)
    .map(({ name }) => name ?? GONE);
  if (names.length === 0) return undefined;
  return problem(
    `${says}; ${names.join(', ')} ${names.length === 1 ? 'takes' : 'take'} no accounts`,
    'see its log: it has to reach soju’s admin socket, and needs the keys of the others',
  );
}

function uneven(live: readonly AccountSlotCount[], unmovedForMs: number, says: string): Finding | undefined {
  const slots = live.filter(({ declinesForMs }) => declinesForMs === undefined).map((each) => each.slots);
  if (Math.max(...slots) - Math.min(...slots) < UNEVEN) return undefined;
  const unevenForMs = Math.min(unmovedForMs, ...live.map(({ servesForMs }) => servesForMs));
  if (unevenForMs <= SETTLED_MS) return ok(`${says}; they are being spread`);
  return problem(
    `${says}; they have not been spread for ${Math.round(unevenForMs / SECOND_MS)} s`,
    'look again in a minute; then see the log of the process that has most: an account that is being logged in at the network, or waits for soju, stays where it is',
  );
}

/** Reports which process acts for how many of the 64 slots that all accounts are in. */
export const accounts: Check = {
  name: 'accounts',
  examine: async ({ database }) => {
    if ('sqlite' in database) return ok('all with the only process');
    // A database that can't be opened has its own line.
    const found = await inspectAccountSlots(database).catch(() => undefined);
    if (found === undefined) return ok('not known: the database can’t be opened, or lacks the tables for it');
    const [live, dead] = [true, false].map((isLive) => found.processes.filter((each) => each.isLive === isLive));
    if (live === undefined || dead === undefined || live.length === 0) return ok('none runs');
    const says = described(live);
    return ownerless(dead, says) ?? declining(live, says) ?? uneven(live, found.unmovedForMs, says) ?? ok(says);
  },
};
