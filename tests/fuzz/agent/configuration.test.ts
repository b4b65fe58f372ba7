import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { agentConfig } from '../../../schemas/agent.ts';
import published from '../../../schemas/json/homeport-agent-v1.schema.json' with { type: 'json' };

type JsonSchema = Record<string, unknown> & { properties?: Record<string, JsonSchema> };

const strings = ['/run/token', '$CREDENTIALS_DIRECTORY/token', 'info', 'ada', '127.0.0.1', '', 'a'.repeat(300)];

const leaves: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  boolean: fc.boolean(),
  integer: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 60_000 }) }, fc.double()),
};

const isPublished = new Ajv({ strict: false, validateFormats: false }).compile(published);

test('a configuration is valid by the published schema exactly when it is by the schema itself', () => {
  let validCount = 0;
  fc.assert(
    fc.property(valueFor(published), (input) => {
      const value = JSON.parse(JSON.stringify(input));
      // A JSON Schema can't say which expressions are well-formed.
      fc.pre(Object.values(value?.agent?.exclude ?? {}).every(isExpression));
      const isValid = agentConfig.safeParse(value).success;
      if (isValid) validCount += 1;
      expect(isPublished(value)).toBe(isValid);
    }),
    { numRuns: 1_000 },
  );
  expect(validCount).toBeGreaterThan(100);
});

test('the schema has no rule that its published form cannot express', () => {
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

function isExpression(value: unknown): boolean {
  try {
    return typeof value !== 'string' || RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}
