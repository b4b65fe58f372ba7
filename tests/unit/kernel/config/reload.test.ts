import { expect, test } from 'vitest';
import { changedPaths, createReload, type SecretSource } from '../../../../src/kernel/config/reload.ts';
import { ConfigError } from '../../../../src/kernel/errors.ts';
import type { Logger } from '../../../../src/kernel/logger.ts';

test('soft options take effect and are named, others are listed as waiting for the next start', async () => {
  const { reload, file, applied, lines } = program();
  file.content = { level: 'debug', rates: { perClient: 20 }, port: 2 };

  await reload();
  await reload();

  // The configuration in force keeps the port it was started with, for every reader.
  const inForce = { ...file.content, port: 1 };
  expect(applied).toEqual([inForce, inForce]);
  expect(lines).toEqual([
    ['info', { changed: ['level', 'rates.perClient'] }],
    ['warn', { options: ['port'] }],
    ['info', { changed: [] }],
    ['warn', { options: ['port'] }],
  ]);
});

test('a bad file keeps the options in force and lists what is wrong with it', async () => {
  const { reload, file, applied, lines } = program();
  file.content = new ConfigError('/etc/x.json', ['level: expected one of "info", received "loud"']);

  await reload();

  expect(applied).toEqual([]);
  expect(lines).toEqual([['error', { problems: ['level: expected one of "info", received "loud"'] }]]);
});

test('several signals at once are taken one after the other, and the last file wins', async () => {
  const { reload, file, applied, started } = program();
  const first = reload();
  file.content = { ...started, level: 'warn' };

  await Promise.all([first, reload()]);

  expect(applied.at(-1)?.level).toBe('warn');
});

test('signals that come during a reload are all answered by one more', async () => {
  const { reload, file, applied, started } = program();
  const reloads = [reload()];
  // The first one has begun.
  await Promise.resolve();

  for (let port = 2; port <= 40; port += 1) {
    file.content = { ...started, rates: { perClient: port } };
    reloads.push(reload());
  }
  await Promise.all(reloads);
  expect(applied.map(({ rates }) => rates.perClient)).toEqual([10, 40]);

  await reload();
  expect(applied).toHaveLength(3);
});

test('a list is one value', () => {
  expect(changedPaths({ a: [1, 2], b: 1 }, { a: [1, 3], b: 1, c: undefined })).toEqual(['a']);
});

test('secret files with another content are named, and those that the program can not take on wait for its next start', async () => {
  const files = { token: 'old', password: 'old' };
  const { reload, lines } = program({ started: { ...files }, read: () => ({ ...files }), soft: ['token'] });
  await reload();
  files.token = 'new';
  files.password = 'new';
  await reload();
  await reload();

  expect(lines).toEqual([
    ['info', { changed: [] }],
    ['info', { changed: ['token', 'password'] }],
    ['warn', { options: ['password'] }],
    ['info', { changed: [] }],
    ['warn', { options: ['password'] }],
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/new|old/);
});

test('a secret file that can not be read leaves everything as it is', async () => {
  const { reload, applied, lines } = program({
    started: {},
    read: () => {
      throw new Error('token: /t does not exist');
    },
    soft: [],
  });

  await reload();

  expect(applied).toEqual([]);
  expect(lines).toEqual([['error', { problems: ['token: /t does not exist'] }]]);
});

/** A program that runs with port 1, and the file it would read next. */
function program(secrets?: SecretSource<Config>) {
  const lines: [level: string, fields: object][] = [];
  const log = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [level, (fields: object) => lines.push([level, fields])]),
  ) as Record<string, unknown> as Logger;
  const started: Config = { level: 'info', rates: { perClient: 10 }, port: 1 };
  const file: { content: Config | Error } = { content: started };
  const applied: Config[] = [];
  const reload = createReload({
    started,
    load: async () => {
      if (file.content instanceof Error) throw file.content;
      return { value: file.content, soft: [['level'], ['rates']] };
    },
    apply: (config) => void applied.push(config),
    ...(secrets === undefined ? {} : { secrets }),
    log,
  });
  return { reload, file, applied, lines, started };
}

interface Config {
  level: string;
  rates: { perClient: number };
  port: number;
}
