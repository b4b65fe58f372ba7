import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { serviceHardening } from '../../../../src/kernel/systemd/hardening.ts';
import { hiddenBy, obstacleOf } from '../../../../src/kernel/systemd/obstacle.ts';

/** The folder is not below /tmp, which services do not see in any case. */
const folder = mkdtempSync('/dev/shm/hp-');
const program = join(folder, 'home/ada/homeport/bin/homeport-agent');
const obstacle = (path: string): string | undefined =>
  obstacleOf([{ path, remedy: 'move it' }], hiddenBy(serviceHardening.agent));

beforeAll(() => {
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, '');
});

beforeEach(() => {
  for (const directory of ['', 'home', 'home/ada', 'home/ada/homeport', 'home/ada/homeport/bin']) {
    chmodSync(join(folder, directory), 0o755);
  }
  chmodSync(program, 0o755);
});

afterAll(() => rmSync(folder, { recursive: true }));

test('a file that everybody can get at has no obstacle, nor has one that is not there yet', () => {
  expect(obstacle(program)).toBeUndefined();
  expect(obstacle(join(folder, 'not/there/agent.json'))).toBeUndefined();
});

test('the first directory that others may not enter is named, with what to do', () => {
  chmodSync(join(folder, 'home/ada'), 0o700);
  chmodSync(join(folder, 'home/ada/homeport/bin'), 0o750);

  expect(obstacle(program)).toBe(
    `the service's account may not enter ${folder}/home/ada on the way to ${program}: move it`,
  );
  expect(obstacle(join(folder, 'home/ada/agent.json'))).toContain(`may not enter ${folder}/home/ada `);
});

test('a link leads into such a directory or stands in one', () => {
  const into = join(folder, 'into');
  symlinkSync(join(folder, 'home/ada/homeport'), into);
  mkdirSync(join(folder, 'closed'), { mode: 0o700 });
  const from = join(folder, 'closed/from');
  symlinkSync(join(folder, 'home/ada/homeport'), from);

  expect(obstacle(`${from}/bin/homeport-agent`)).toContain(`may not enter ${folder}/closed `);
  expect(obstacle(`${into}/bin/homeport-agent`)).toBeUndefined();
  chmodSync(join(folder, 'home/ada'), 0o700);
  expect(obstacle(`${into}/bin/homeport-agent`)).toContain(`may not enter ${folder}/home/ada `);
  expect(obstacle(`${into}/not/there/agent.json`)).toContain(`may not enter ${folder}/home/ada `);
});

test('a file that others may not read, and a place that services do not see', () => {
  chmodSync(program, 0o711);

  expect(obstacle(program)).toBe(`the service's account may not read ${program}: move it`);
  expect(obstacle('/tmp/homeport/bin/homeport-agent')).toBe(
    'the service does not see what is below /tmp, as /tmp/homeport/bin/homeport-agent is: move it',
  );
  expect(obstacle('/var/tmp/agent.json')).toMatch(/^the service does not see what is below \/var\/tmp, as /);
});

test('the homes that the connector does not see are hidden, and the agent sees them', () => {
  const homes = ['/home/not-there/agent.json', '/run/user/0/not-there/agent.json'];
  const seen = (service: 'agent' | 'connector') =>
    homes.map((path) => obstacleOf([{ path, remedy: 'move it' }], hiddenBy(serviceHardening[service])));

  expect(seen('connector')).toEqual([
    'the service does not see what is below /home, as /home/not-there/agent.json is: move it',
    'the service does not see what is below /run/user, as /run/user/0/not-there/agent.json is: move it',
  ]);
  expect(seen('agent')[0]).toBeUndefined();
});
