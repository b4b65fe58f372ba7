import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MountGuard } from '../../../../src/agent/host/mount-guard.ts';
import { MountProbe } from '../../../../src/agent/host/mount-probe.ts';
import { MountThreads } from '../../../../src/agent/host/mount-threads.ts';

const DEADLINE_MS = 2_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const newThreads = (): MountThreads => new MountThreads(4, () => performance.now());
const newGuard = (): MountGuard => new MountGuard(newThreads());
const hangs = (): Promise<never> => new Promise(() => undefined);

test('a mount that hangs costs its deadline once, and is not touched again until it answers', async () => {
  const threads = newThreads();
  const guard = new MountGuard(threads);
  const { promise, resolve } = Promise.withResolvers<string>();
  let touched = 0;
  const again = async (): Promise<string> => {
    touched += 1;
    return 'again';
  };
  const first = expect(guard.run('/var', () => promise)).rejects.toThrow('/var does not answer');
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  await first;

  const second = expect(guard.run('/var', again)).rejects.toThrow('/var does not answer');
  await vi.advanceTimersByTimeAsync(0);
  await second;

  expect([touched, threads.taken]).toEqual([0, 1]);
  resolve('late');
  await vi.advanceTimersByTimeAsync(0);
  expect(await guard.run('/var', again)).toBe('again');
  expect(threads.taken).toBe(0);
});

test('calls below one mount come one after the other, and what one throws is its own', async () => {
  const guard = newGuard();
  const order: string[] = [];
  const call = (name: string) => async (): Promise<string> => {
    order.push(`${name} starts`);
    await Promise.resolve();
    order.push(`${name} ends`);
    if (name === 'a') throw new Error('ENOENT');
    return name;
  };

  const [a, b] = await Promise.allSettled([guard.run('/var', call('a')), guard.run('/var', call('b'))]);

  expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
  expect([a?.status, b]).toEqual(['rejected', { status: 'fulfilled', value: 'b' }]);
});

test('when two mounts hang no further one gets a thread', async () => {
  const guard = newGuard();
  const hanging = Promise.allSettled([guard.run('/a', hangs), guard.run('/b', hangs)]);
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  await hanging;

  await expect(guard.run('/c', async () => 'c')).rejects.toThrow('/c was not asked');
});

test('calls to many mounts at once take two threads, and the rest is reported as not asked', async () => {
  const guard = newGuard();
  let started = 0;
  const call = (): Promise<never> => {
    started += 1;
    return hangs();
  };
  const all = Promise.allSettled(['/a', '/b', '/c', '/d', '/e'].map((mount) => guard.run(mount, call)));
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);

  const reasons = (await all).map((result) => (result.status === 'rejected' ? (result.reason as Error).message : ''));
  expect(started).toBe(2);
  expect(reasons.map((reason) => / (.*?)(,|$)/.exec(reason)?.[1])).toEqual([
    ...Array(2).fill('does not answer'),
    ...Array(3).fill('was not asked'),
  ]);
});

test('a mount that the guard waits for takes no second thread of the probe, which answers for other mounts', async () => {
  const threads = newThreads();
  const guard = new MountGuard(threads);
  const asked: string[] = [];
  const usage = { bsize: 1, blocks: 2, bfree: 1, bavail: 1, files: 0, ffree: 0 };
  const probe = new MountProbe(
    {
      usage: async (path) => {
        asked.push(String(path));
        return usage;
      },
      device: async () => 7,
    },
    threads,
  );
  const questions = ['/', '/local', '/var'].map((path) => ({ path, device: undefined }));
  const hanging = Promise.allSettled([guard.run('/var', hangs), guard.run('/local', hangs)]);
  const first = probe.ask(questions);
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  await hanging;
  const states = ['answered', 'hanging', 'hanging'];

  expect((await first).map(({ state }) => state)).toEqual(states);
  expect((await probe.ask(questions)).map(({ state }) => state)).toEqual(states);
  expect([asked, threads.taken]).toEqual([['/', '/'], 2]);
});

test('the guard touches no mount that the probe waits for, and leaves it the last thread', async () => {
  const threads = newThreads();
  const guard = new MountGuard(threads);
  const probe = new MountProbe({ usage: hangs, device: hangs }, threads);
  const hanging = probe.ask(['/a', '/b', '/c'].map((path) => ({ path, device: undefined })));
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  await hanging;

  await expect(guard.run('/a', async () => 'a')).rejects.toThrow('/a does not answer');
  await expect(guard.run('/d', async () => 'd')).rejects.toThrow('/d was not asked');
});
