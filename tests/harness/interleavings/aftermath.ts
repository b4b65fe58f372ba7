import { expect } from 'vitest';
import { enabledChannels } from '../../../src/connector/domain/account.ts';
import type { NetworkLogin } from '../../../src/connector/domain/login-at-network.ts';
import { BOTH, type World } from './world.ts';

/** Expects that everything works again: the account comes back, or can be put online, and later lines are captured. */
export async function recover(world: World): Promise<void> {
  const { bouncer, time } = world;
  await world.allAnswered();
  world.calmDown();
  if (world.closing !== undefined || world.program.isKilled) await world.restart();
  await time.until('what is stored and what stands agree', async () => {
    const { isOnline } = await world.account();
    return isOnline === (world.presence.live !== undefined) && bouncer.isEnabled === isOnline;
  });
  if (!(await world.account()).isOnline) {
    expect(bouncer.openSessions).toBe(0);
    await world.presence.goOnline();
  }
  expect(bouncer.openSessions).toBe(1);
  expect(bouncer.network).toBe((await world.account()).network ?? 'main');
  await time.until('the nick is followed', async () => world.presence.live?.nick === (await world.account()).nick);
  await time.until('the bouncer follows', async () => {
    const enabled = enabledChannels(await world.account());
    return enabled.join() === bouncer.channels.join();
  });
  await world.select(BOTH);
  for (const channel of BOTH) bouncer.hear(channel, `the end of ${channel}`);
  for (const channel of BOTH) await time.until('it is stored', () => world.isStored(`the end of ${channel}`));
  await time.until('the login has an end', async () => hasEnded(await world.login()));
  await world.quiet();
  expect(await world.writtenStatus()).toEqual(world.presence.status);
  await expectLoginAsStored(world);
}

/** Neither under way nor still to be begun, while the network is connected. */
const hasEnded = (login: NetworkLogin | undefined): boolean =>
  login === undefined || !['waiting', 'trying', 'cleared'].includes(login.state);

/** Expects that a login is in use exactly if it is stored as accepted, and that the bouncer offers no other one. */
async function expectLoginAsStored(world: World): Promise<void> {
  const { logins } = world.bouncer;
  const login = await world.login();
  const proof = login?.proof?.kind === 'password' ? login.proof : undefined;
  const used = login?.state === 'accepted' ? proof?.name : undefined;
  expect(logins.kept?.name).toBe(used);
  expect(world.presence.status?.loggedInAs ?? undefined).toBe(logins.account);
  // A connection that stands may still be logged in by an earlier login.
  if (used !== undefined || login === undefined || proof?.name === logins.account) expect(logins.account).toBe(used);
  // Each login is sent twice at most in an attempt, and a refused one never again.
  const refused = logins.offered.filter((offer) => offer.endsWith(' wrong'));
  expect(refused.length).toBeLessThanOrEqual(2);
}

/** Expects what must hold after any event. @throws Error of an expectation */
export async function expectNothingLostOrDoubled(world: World): Promise<void> {
  const { bouncer } = world;
  const entries = await world.entries();
  const captured = entries.filter(({ sender }) => sender === 'bob').map(({ text }) => text);
  const kept = BOTH.flatMap((channel) => bouncer.linesFrom(channel, 0)).filter(({ own }) => own === undefined);
  expect(captured.toSorted()).toEqual(kept.map(({ line: { text } }) => text).toSorted());
  expect(entries.filter(({ kind }) => kind === 'gap')).toEqual([]);

  const said = bouncer.said.map(({ text }) => text);
  expect(said).toEqual([...new Set(said)]);
  const messages = await world.messages();
  const stored = messages.map(({ message_id: id }) => id);
  expect(world.answered.filter(({ messageId }) => !stored.includes(messageId))).toEqual([]);
  expect(messages.map(({ text }) => text)).toEqual([...new Set(messages.map(({ text }) => text))]);
  for (const { text, status } of messages) {
    expect(status, text).not.toBe('pending');
    // A broken session's line may have been ignored; one that was said is found in the history.
    if (world.isFirstRun && said.includes(text)) expect(status, text).not.toBe('queued');
    if (status === 'echoed') expect(said).toContain(text);
    if (status === 'failed') expect(said).not.toContain(text);
  }
  const saidAfter = world.saidAtChange === undefined ? [] : bouncer.said.slice(world.saidAtChange);
  expect(saidAfter.filter(({ channel }) => channel === '#room')).toEqual([]);
}

/** Expects that the account has passed unnoticed from one process to another. */
export function expectPassedUnnoticed(
  world: World,
  undisturbed: { endedCount: number; logins: number; mayTryAgain: boolean },
): void {
  expect(world.trespasses).toEqual([]);
  // A send at any process needs the record of a session.
  expect(world.endedCount).toBe(undisturbed.endedCount);
  const more = world.bouncer.logins.offered.length - undisturbed.logins;
  expect(more).toBeLessThanOrEqual(undisturbed.mayTryAgain ? 1 : 0);
}
