import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { agentConfig } from '../../../schemas/agent.ts';
import published from '../../../schemas/json/homeport-agent-v1.schema.json' with { type: 'json' };
import { recognizeConfig } from '../../../src/kernel/recognize-config.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

type JsonSchema = Record<string, unknown> & { properties?: Record<string, JsonSchema> };

const strings = ['/run/token', '$CREDENTIALS_DIRECTORY/token', 'info', 'ada', '127.0.0.1', '', 'a'.repeat(300)];

const leaves: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  boolean: fc.boolean(),
  integer: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 60_000 }) }, fc.double()),
};

function leafFor({ type, pattern, enum: words }: JsonSchema): fc.Arbitrary<unknown> {
  if (type !== 'string') return leaves[String(type)] ?? fc.jsonValue();
  const allowed = Array.isArray(words)
    ? words
    : strings.filter((text) => text !== '' && new RegExp(String(pattern ?? '')).test(text));
  return fc.oneof({ weight: 19, arbitrary: fc.constantFrom(...allowed) }, fc.constantFrom(...strings));
}

/** Mostly what the schema allows, sometimes anything. */
function valueFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const right =
    schema['type'] === 'object'
      ? fc.record(
          Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, rule]) => [key, valueFor(rule)])),
          { requiredKeys: Array.isArray(schema['required']) ? schema['required'] : [] },
        )
      : leafFor(schema);
  return fc.oneof({ weight: 60, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
}

test('what is recognised by the published schema is what the schema itself makes of it', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'agent.json');
  let recognizedCount = 0;
  fc.assert(
    fc.property(valueFor(published), (input) => {
      writeFileSync(file, JSON.stringify(input));
      const recognized = recognizeConfig(file, published);
      if (recognized === undefined) return;
      recognizedCount += 1;
      expect(recognized).toEqual(agentConfig.parse(JSON.parse(JSON.stringify(input))));
    }),
    { numRuns: 1_000 },
  );
  expect(recognizedCount).toBeGreaterThan(100);
});

test('the schema has no rule that its published form cannot tell', () => {
  const custom: string[] = [];
  const visit = (schema: z.core.$ZodType, path: string): void => {
    const { type, checks = [] } = schema._zod.def;
    if (type === 'custom' || type === 'transform' || type === 'pipe') custom.push(`${path} is a ${type}`);
    if (checks.some(({ _zod }) => _zod.def.check === 'custom')) custom.push(`${path} has a check of its own`);
    if (schema instanceof z.ZodObject) for (const key in schema.shape) visit(schema.shape[key], `${path}.${key}`);
    if ('innerType' in schema._zod.def) visit(schema._zod.def.innerType as z.core.$ZodType, path);
    if (schema instanceof z.ZodRecord) visit(schema.valueType as z.core.$ZodType, `${path}.*`);
  };
  visit(agentConfig, 'configuration');

  expect(custom).toEqual([]);
});
