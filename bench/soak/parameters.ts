import { parseArgs } from 'node:util';
import type { ReplicaKind } from '../../tests/harness/postgres-replica.ts';

/** Rows that soju stores in a second, in all: it stores each line once for each member. */
const ROWS_A_SECOND_MAX = 2_000;

/** Connectors of a run. */
export const PROCESSES = 3;

export interface Parameters {
  accounts: number;
  channels: number;
  /** Accounts in each channel. */
  members: number;
  /** Lines that people on IRC say in a second, in all channels together. */
  lines: number;
  minutes: number;
  /** Connectors that are neither killed nor frozen nor restarted, whose memory is seen over the whole time. */
  spared: number;
  /** With a replica of the database nothing fails but its server, once, in the middle. */
  replica: 'none' | ReplicaKind;
  seed: number;
  json: boolean;
  /** Folder that gets the logs of the processes. */
  logs: string | undefined;
}

const USUAL = { accounts: '12', channels: '6', members: '4', lines: '4', minutes: '3', spared: '0' };

/** @throws Error for parameters that make no run */
export function parametersOf(words: readonly string[], anySeed: () => number): Parameters {
  const number = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...words],
    options: {
      ...{ accounts: number, channels: number, members: number, lines: number, minutes: number, seed: number },
      spared: number,
      replica: { type: 'string', default: 'none' },
      ...{ json: { type: 'boolean', default: false }, logs: { type: 'string' } },
    },
  });
  const read = (name: Exclude<keyof typeof USUAL, 'spared'>): number => positive(name, values[name] ?? USUAL[name]);
  const parameters: Parameters = {
    accounts: read('accounts'),
    channels: read('channels'),
    members: read('members'),
    lines: read('lines'),
    minutes: read('minutes'),
    replica: replicaOf(values.replica),
    spared: sparedOf(values.spared ?? USUAL.spared),
    seed: values.seed === undefined ? anySeed() : positive('seed', values.seed),
    json: values.json,
    logs: values.logs,
  };
  const { accounts, channels, members, lines } = parameters;
  if (members > accounts) throw new Error(`--members ${members}: expected at most ${accounts}, the number of accounts`);
  if (channels * members < accounts) {
    throw new Error(`--channels ${channels} of ${members} members: expected places for all ${accounts} accounts`);
  }
  if (lines * members > ROWS_A_SECOND_MAX) {
    throw new Error(
      `--lines ${lines}: with ${members} members expected at most ${Math.floor(ROWS_A_SECOND_MAX / members)}, because soju stores about ${ROWS_A_SECOND_MAX} rows a second`,
    );
  }
  return parameters;
}

function replicaOf(word: string): Parameters['replica'] {
  if (word === 'none' || word === 'asynchronous' || word === 'synchronous') return word;
  throw new Error(`--replica ${word}: expected none, asynchronous or synchronous`);
}

function sparedOf(word: string): number {
  const value = Number(word);
  if (Number.isInteger(value) && value >= 0 && value < PROCESSES) return value;
  throw new Error(`--spared ${word}: expected a number from 0 to ${PROCESSES - 1}, of the ${PROCESSES} connectors`);
}

function positive(name: string, word: string): number {
  const value = Number(word);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} ${word}: expected a number above 0`);
}

export const loginOf = (account: number): string => `person${account}`;
export const channelOf = (channel: number): string => `#room${channel}`;

/** Channels of an account: each channel has the same number of members, and each account at least one channel. */
export function channelsOf(account: number, { accounts, channels, members }: Parameters): string[] {
  return Array.from({ length: channels }, (_, channel) => channel)
    .filter((channel) => (account - channel * members + channels * accounts * members) % accounts < members)
    .map(channelOf);
}
