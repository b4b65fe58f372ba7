import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../../../../src/kernel/config/load-config.ts';
import { ConfigError } from '../../../../src/kernel/errors.ts';

const schema = z.strictObject({
  listen: z
    .strictObject({ port: z.int().min(1).max(65_535).default(80), address: z.string().default('::1') })
    .prefault({}),
  level: z.enum(['low', 'high']).default('low'),
  tokenFile: z.string().regex(/^\//, 'an absolute path').meta({ secret: true }),
  names: z.array(z.string().min(2)).min(1).default(['ada']),
  store: z
    .union([
      z.strictObject({ file: z.strictObject({ path: z.string() }) }),
      z.strictObject({ memory: z.strictObject({}) }),
    ])
    .default({ memory: {} }),
  peers: z.record(z.string().min(1).max(3), z.string()).default({}),
  later: z.boolean().default(false).meta({ pending: true }),
});

test('a minimal file gets every default', async () => {
  const { value, warnings } = await loadConfig(fileWith('{"tokenFile":"/t"}'), schema);

  expect(value).toMatchObject({
    listen: { port: 80, address: '::1' },
    level: 'low',
    names: ['ada'],
    store: { memory: {} },
  });
  expect(warnings).toEqual([]);
});

test('every problem is listed at once with its path, what was expected and what came', async () => {
  const problems = await problemsWith({
    listen: { port: 70_000, adress: 'x' },
    level: 'mid',
    names: ['a', 3],
    store: { file: { path: 4 } },
  });

  expect(problems).toEqual([
    'listen.port: expected a number of at most 65535, received 70000',
    'listen.adress: unknown option, did you mean address?',
    'level: expected one of "low", "high", received "mid"',
    'tokenFile: expected a string, received nothing',
    'names[0]: expected at least 2 characters, received "a"',
    'names[1]: expected a string, received 3',
    'store.file.path: expected a string, received 4',
  ]);
});

test('a name that a user may not give is reported beside the rule for names', async () => {
  expect(await problemsWith({ tokenFile: '/t', peers: { '': 'a', grace: 'b' } })).toEqual([
    'peers: expected names of at least 1 character, received the name ""',
    'peers: expected names of at most 3 characters, received the name "grace"',
  ]);
});

test('an unknown alternative is answered with the known ones', async () => {
  expect(await problemsWith({ tokenFile: '/t', store: { disk: {} } })).toEqual([
    'store: expected one of { file } or { memory }, such as {"file":{"path":"…"}}, received an object with disk',
  ]);
  expect(await problemsWith({ tokenFile: '/t', store: { file: { path: 'x' }, memory: {} } })).toEqual([
    'store: expected one of { file } or { memory }, such as {"file":{"path":"…"}}, received an object with file, memory',
  ]);
});

test('a secret pasted where its file belongs is not repeated', async () => {
  expect(await problemsWith({ tokenFile: 'hunter2hunter2' })).toEqual([
    'tokenFile: expected an absolute path, received a string that is not repeated, in case it is a secret',
  ]);
  expect(await problemsWith({ tokenFile: '' })).toEqual(['tokenFile: expected an absolute path, received ""']);
});

for (const [why, text, problems] of [
  ['is empty', '', ['line 1, column 1: expected a value, received the end of the file']],
  [
    'lacks a comma',
    '{\n  "tokenFile": "hunter2"\n  "level": 1 }',
    ['line 3, column 3: expected a comma, received something else'],
  ],
  ['has a comma too many', '{ "level": 1, }', ['line 1, column 15: expected a name in double quotes, received }']],
  [
    'has a comment',
    '{\n  // hunter2\n}',
    ['line 2, column 3: expected JSON, which has no comments, received something else'],
  ],
  [
    'has a text without end',
    '{ "level": "hunter2\n}',
    ['line 1, column 12: expected a closing double quote on the same line, received something else'],
  ],
] as const) {
  test(`a file that ${why} is reported once, by line and column, and never quoted`, async () => {
    await expect(loadConfig(fileWith(text), schema)).rejects.toThrow(expect.objectContaining({ problems }));
  });
}

test('a missing file says how to name another', async () => {
  await expect(loadConfig('/nonexistent/config.json', schema)).rejects.toThrow(
    expect.objectContaining({ problems: ['the file does not exist: name another with --config FILE'] }),
  );
});

test('an option without effect is accepted with a warning', async () => {
  const { warnings } = await loadConfig(fileWith('{"tokenFile":"/t","later":true}'), schema);

  expect(warnings).toEqual(['later is set but has no effect in this version']);
});

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'config.json');
  writeFileSync(file, text);
  return file;
}

async function problemsWith(input: unknown): Promise<readonly string[]> {
  try {
    await loadConfig(fileWith(JSON.stringify(input)), schema);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
