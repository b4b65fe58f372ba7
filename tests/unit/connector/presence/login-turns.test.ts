import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { BouncerSession } from '../../../../src/connector/ports/bouncer-session.ts';
import { LoginTurns } from '../../../../src/connector/presence/login-turns.ts';
import { Mailbox } from '../../../../src/connector/presence/mailbox.ts';
import { silentSession } from '../../../harness/bouncer-double.ts';

const FAILURE = 'the login at the network was not looked after; trying again';

let logged: string[];
let mailbox: Mailbox;
let session: BouncerSession | undefined;
let turns: LoginTurns;

beforeEach(() => {
  logged = [];
  const write = (line: string): void => void logged.push((JSON.parse(line) as { msg: string }).msg);
  const log = pino({ level: 'warn' }, { write });
  mailbox = new Mailbox({ accountId: 'ada', log });
  session = silentSession;
  const follow = (): Promise<void> => Promise.reject(new Error('the bouncer does not answer'));
  turns = new LoginTurns({ accountId: 'ada', context: { log }, mailbox, session: () => session, follow });
});

test('a login that waits for its turn when the account passes to another process is no failure', async () => {
  await mailbox.hold();
  turns.soon();

  void mailbox.close(0);
  session = undefined;
  await turn();

  expect(logged).toEqual([]);
});

test('a login that can’t be followed is reported, and tried again', async () => {
  turns.soon();
  await turn();

  expect(logged).toEqual([FAILURE]);
  turns.stop();
});

test('a login that waits while too many calls do is reported, too', async () => {
  await mailbox.hold();
  for (let call = 0; call < 1_000; call += 1) mailbox.call(async () => undefined).catch(() => undefined);
  turns.soon();
  await turn();

  expect(logged).toEqual([FAILURE]);
  turns.stop();
});

test('a step that finds too many calls while the login is followed again is taken later', async () => {
  const held = Promise.withResolvers<void>();
  let steps = 0;
  const follow = async (): Promise<void> => {
    steps += 1;
    await held.promise;
  };
  const log = pino({ level: 'silent' });
  turns = new LoginTurns({ accountId: 'ada', context: { log }, mailbox, session: () => session, follow });
  turns.later();
  await waitFor('the login is followed again', () => steps === 1);
  for (let call = 0; call < 1_000; call += 1) mailbox.call(async () => undefined).catch(() => undefined);

  turns.soon();
  await turn();
  held.resolve();

  await waitFor('the next step is taken', () => steps === 2);
  turns.stop();
});
