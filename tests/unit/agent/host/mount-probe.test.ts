import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FilesystemUsage, MountProbe } from '../../../../src/agent/host/mount-probe.ts';
import { MountThreads } from '../../../../src/agent/host/mount-threads.ts';

const usage: FilesystemUsage = { bsize: 1, blocks: 2, bfree: 1, bavail: 1, files: 0, ffree: 0 };
const newThreads = (size: number): MountThreads => new MountThreads(size, () => performance.now());
const question = (path: string) => ({ path, device: undefined });

/** Calls that answer at once, except below /hung until they are released. */
function callsWithHung() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    asked,
    release: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
    usage: async (path: Buffer) => {
      asked.push(String(path));
      if (String(path).startsWith('/hung')) await new Promise<void>((resolve) => waiting.push(resolve));
      return usage;
    },
    device: async () => 7,
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('answers come in the order of the questions', async () => {
  const probe = new MountProbe(callsWithHung(), newThreads(4));

  const answers = await probe.ask([
    { path: '/a', device: 7 },
    { path: '/b', device: 8 },
    { path: '/c', device: undefined },
  ]);

  expect(answers).toEqual([{ state: 'answered', usage }, { state: 'elsewhere' }, { state: 'answered', usage }]);
});

test('hung mounts cost one deadline once, and the others answer', async () => {
  const calls = callsWithHung();
  const threads = newThreads(4);
  const probe = new MountProbe(calls, threads);
  const questions = ['/hung1', '/hung2', '/a', '/b', '/c'].map(question);

  const first = probe.ask(questions);
  await vi.advanceTimersByTimeAsync(2_000);
  const second = await probe.ask(questions);

  const states = ['hanging', 'hanging', 'answered', 'answered', 'answered'];
  expect((await first).map(({ state }) => state)).toEqual(states);
  expect(second.map(({ state }) => state)).toEqual(states);
  expect(calls.asked.filter((path) => path === '/hung1')).toHaveLength(1);
  expect(threads.taken).toBe(2);
});

test('a mount that comes back is asked again', async () => {
  const calls = callsWithHung();
  const threads = newThreads(4);
  const probe = new MountProbe(calls, threads);
  const first = probe.ask([question('/hung')]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await first).toEqual([{ state: 'hanging' }]);

  calls.release();
  await expect.poll(() => threads.taken).toBe(0);
  const second = probe.ask([question('/hung')]);
  calls.release();

  expect(await second).toEqual([{ state: 'answered', usage }]);
  expect(await first).toEqual([{ state: 'hanging' }]);
});

test('at most as many calls start as there are threads, and the rest is reported as unasked', async () => {
  const calls = callsWithHung();
  const probe = new MountProbe(calls, newThreads(2));

  const first = probe.ask(['/hung1', '/hung2', '/a'].map(question));
  await vi.advanceTimersByTimeAsync(2_000);

  expect((await first).map(({ state }) => state)).toEqual(['hanging', 'hanging', 'unasked']);
  expect((await probe.ask([question('/a')])).map(({ state }) => state)).toEqual(['unasked']);
  expect(calls.asked).toEqual(['/hung1', '/hung2']);
});

test('servers that are gone leave threads to local file systems, also in the next collection', async () => {
  const calls = callsWithHung();
  const probe = new MountProbe(calls, newThreads(4));
  const remote = ['/hung1', '/hung2', '/hung3'].map((path) => ({ ...question(path), isRemote: true }));
  const questions = [...remote, question('/a')];

  const first = probe.ask(questions);
  await vi.advanceTimersByTimeAsync(2_000);
  const second = probe.ask(questions);
  await vi.advanceTimersByTimeAsync(2_000);

  const states = ['hanging', 'hanging', 'unasked', 'answered'];
  expect((await first).map(({ state }) => state)).toEqual(states);
  expect((await second).map(({ state }) => state)).toEqual(states);
  expect(calls.asked.filter((path) => path !== '/a')).toEqual(['/hung1', '/hung2']);
});

test('servers that answer again are asked again', async () => {
  const calls = callsWithHung();
  const threads = newThreads(1);
  const probe = new MountProbe(calls, threads);
  const share = { ...question('/hung'), isRemote: true };
  const first = probe.ask([share]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await first).map(({ state }) => state)).toEqual(['hanging']);

  calls.release();
  await expect.poll(() => threads.taken).toBe(0);

  const second = probe.ask([share, { ...share, path: '/b' }]);
  calls.release();
  expect((await second).map(({ state }) => state)).toEqual(['answered', 'answered']);
});

test('a refused call is a reason, not an exception', async () => {
  const probe = new MountProbe(
    {
      usage: async () => {
        throw new Error("EACCES: permission denied, statfs '/a'");
      },
      device: async () => 7,
    },
    newThreads(4),
  );

  expect(await probe.ask([question('/a')])).toEqual([{ state: 'failed', reason: 'EACCES: permission denied' }]);
});

test('a mount that cannot hang is asked on this thread, while others that hang have all of those', async () => {
  const calls = callsWithHung();
  const threads = newThreads(1);
  const now = {
    isSafe: (path: Buffer) => !String(path).startsWith('/hung'),
    usage: () => usage,
    device: (path: Buffer) => {
      if (String(path) === '/closed') throw new Error("EACCES: permission denied, stat '/closed'");
      return 7;
    },
  };
  const probe = new MountProbe(calls, threads, now);
  const asked = probe.ask([question('/hung'), { path: '/', device: 7 }, { path: '/hidden', device: 8 }]);
  const safe = await probe.ask([question('/'), question('/closed')]);
  await vi.advanceTimersByTimeAsync(2_000);

  expect(await asked).toEqual([{ state: 'hanging' }, { state: 'answered', usage }, { state: 'elsewhere' }]);
  expect(safe).toEqual([
    { state: 'answered', usage },
    { state: 'failed', reason: 'EACCES: permission denied' },
  ]);
  expect(calls.asked).toEqual(['/hung']);
});
