import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../../../src/kernel/config.ts';
import { publishedSchema } from '../../../src/kernel/json-schema.ts';
import { recognizeConfig } from '../../../src/kernel/recognize-config.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const schema = z.strictObject({
  listen: z
    .strictObject({ port: z.int().min(1).max(65_535).default(80), address: z.string().max(9).default('::1') })
    .prefault({}),
  level: z.enum(['low', 'high']).default('low'),
  isOpen: z.boolean().optional(),
  tokenFile: z.string().regex(/^\//, 'an absolute path'),
  peers: z.record(z.string().min(2), z.string()).default({}),
  later: z.boolean().default(false).meta({ pending: true }).describe('Later.'),
});
const published = publishedSchema('test', schema);

async function recognize(text: string, by: Record<string, unknown> = published): Promise<unknown> {
  await using folder = await tempFolder();
  const file = join(folder.path, 'config.json');
  writeFileSync(file, text);
  return recognizeConfig(file, by);
}

test('a valid file is what the schema makes of it', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'config.json');
  const texts = [
    '{"tokenFile":"/t"}',
    '{"tokenFile":"/t","listen":{"port":1},"level":"high","isOpen":false,"peers":{"ada":"x"}}',
  ];
  for (const text of texts) {
    writeFileSync(file, text);
    expect(recognizeConfig(file, published)).toEqual(loadConfig(file, schema).value);
  }
});

const unrecognized: readonly [why: string, text: string][] = [
  ['is no JSON', '{"tokenFile":"/t",}'],
  ['is no object', '[]'],
  ['is null', 'null'],
  ['lacks what is required', '{}'],
  ['has an unknown option', '{"tokenFile":"/t","extra":1}'],
  ['has an unknown option inside', '{"tokenFile":"/t","listen":{"extra":1}}'],
  ['has an option of the wrong type', '{"tokenFile":1}'],
  ['has null for an option', '{"tokenFile":"/t","isOpen":null}'],
  ['misses a pattern', '{"tokenFile":"t"}'],
  ['has a number out of range', '{"tokenFile":"/t","listen":{"port":65536}}'],
  ['has a fraction for a whole number', '{"tokenFile":"/t","listen":{"port":1.5}}'],
  ['has a text that is too long', '{"tokenFile":"/t","listen":{"address":"0123456789"}}'],
  ['has a word that is none of those allowed', '{"tokenFile":"/t","level":"mid"}'],
  ['has a name that is too short', '{"tokenFile":"/t","peers":{"a":"x"}}'],
  ['has the name of a prototype', '{"tokenFile":"/t","peers":{"__proto__":"x"}}'],
  ['sets an option that has no effect yet', '{"tokenFile":"/t","later":true}'],
];
for (const [why, text] of unrecognized) {
  test(`a file that ${why} is left to the schema`, async () => {
    expect(await recognize(text)).toBeUndefined();
  });
}

test('a file that is not there is left to the schema', () => {
  expect(recognizeConfig('/nonexistent/config.json', published)).toBeUndefined();
});

test('a rule of a kind this reader does not know leaves every file to the schema', async () => {
  expect(await recognize('{}', { type: 'object', properties: {} })).toEqual({});
  expect(await recognize('{}', { type: 'object', properties: {}, anyOf: [{}] })).toBeUndefined();
});
