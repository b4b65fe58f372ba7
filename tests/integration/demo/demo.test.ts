import { execFileSync } from 'node:child_process';
import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Demo, startDemo } from '../../harness/start-demo.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** A program of the demo that dies is up again within this time: far more than it takes on an idle machine. */
const RESTART_MS = 20_000;

describe('a demo', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = startDemo();
    await demo.ready();
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test('reports its running programs in a private file', async () => {
    const { connector, agent, soju, ergo } = demo.facts();

    expect(statSync(demo.readyFile).mode & 0o777).toBe(0o600);
    expect([connector.pid, agent.pid, soju.pid, ergo.pid].every(isAlive)).toBe(true);
    expect((await fetch(`${connector.baseUrl}/healthz`)).status).toBe(200);
    expect(
      (await fetch(`${agent.baseUrl}/v1/report`, { headers: { authorization: `Bearer ${agent.token}` } })).status,
    ).toBe(200);
  });

  for (const name of ['ergo', 'soju', 'connector', 'agent'] as const) {
    test(`has ${name} up again soon after it was killed, and the terminal says so`, async () => {
      const before = demo.facts();
      const command = execFileSync('ps', ['-o', 'args=', '-p', String(before[name].pid)], { encoding: 'utf8' });

      process.kill(before[name].pid, 'SIGKILL');

      const after = await waitFor(
        `${name} runs again`,
        () => {
          const facts = demo.facts();
          return facts[name].pid !== before[name].pid && isAlive(facts[name].pid) && facts;
        },
        { timeoutMs: RESTART_MS },
      );
      expect(execFileSync('ps', ['-o', 'args=', '-p', String(after[name].pid)], { encoding: 'utf8' })).toBe(command);
      expect({ ...after, [name]: null }).toEqual({ ...before, [name]: null });
      expect(demo.process.output()).toContain(`${name} ended (SIGKILL), starting it again`);
    });
  }

  test('ends by Ctrl-C with status 0 and leaves no process', async () => {
    demo.process.kill('SIGINT');

    expect(await demo.process.ended).toMatchObject({ exitCode: 0 });
    expect(demo.mark.alive()).toEqual([]);
  });
});

test('a demo that is killed outright takes its programs with it', async () => {
  await using demo = startDemo();
  await demo.ready();

  demo.process.kill('SIGKILL');

  await demo.process.ended;
  await waitFor('no process of the demo is left', () => demo.mark.alive().length === 0);
});

test('a DISPLAY without an X server ends the start with one line saying what to do', async () => {
  await using demo = startDemo({ env: { DISPLAY: ':4711' } });

  expect(await demo.process.ended).toMatchObject({ exitCode: 1 });
  expect(demo.process.output().trim()).toBe(
    'npm start: DISPLAY is ":4711" and no X server answers there: correct it, or unset it for a private one',
  );
  expect(demo.mark.alive()).toEqual([]);
});

test('a missing bouncer ends the start with one line with the remedy, and leaves no trace', async () => {
  await using folder = await tempFolder();
  const programs = folder.path;
  for (const program of ['setpriv', 'sh', 'Xvfb', 'ergochat', 'readlink', 'dirname'])
    symlinkSync(`/usr/bin/${program}`, join(programs, program));
  await using demo = startDemo({ env: { PATH: programs } });

  expect(await demo.process.ended).toMatchObject({ exitCode: 1 });
  expect(demo.process.output()).toContain('npm start: soju is not installed: run scripts/setup');
  await waitFor('no process of the demo is left', () => demo.mark.alive().length === 0);
});

test('an unknown option is answered with the usage', async () => {
  await using demo = startDemo({ args: ['--chekc'] });

  expect(await demo.process.ended).toMatchObject({ exitCode: 64 });
  expect(demo.process.output()).toContain("npm start: Unknown option '--chekc'");
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
