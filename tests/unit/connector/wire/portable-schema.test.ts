import { expect, test } from 'vitest';
import { z } from 'zod';
import { portableJsonSchema } from '../../../../src/connector/wire/portable-schema.ts';

const shown = (schema: z.ZodType): object => portableJsonSchema(schema, 'output');

const NULL = { type: 'null' };

for (const [what, schema, expected] of [
  ['a value that may be null', z.string().nullable(), { anyOf: [{ type: 'string' }, NULL] }],
  [
    'one with words about it',
    z.boolean().nullable().describe('Known or not.'),
    { description: 'Known or not.', anyOf: [{ type: 'boolean' }, NULL] },
  ],
  ['one of few words, or null', z.enum(['a']).nullable(), { anyOf: [{ type: 'string', enum: ['a'] }, NULL] }],
  ['an integer', z.int(), { type: 'integer' }],
  ['an integer with bounds', z.int().min(1).max(9), { type: 'integer', minimum: 1, maximum: 9 }],
  ['a time', z.iso.datetime(), { type: 'string', format: 'date-time' }],
  ['a text with a pattern', z.string().regex(/^a/), { type: 'string', pattern: '^a' }],
  [
    'parts of a list',
    z.array(z.iso.datetime().nullable()),
    { type: 'array', items: { anyOf: [{ type: 'string', format: 'date-time' }, NULL] } },
  ],
] as const) {
  test(`${what} is described in words that every client takes`, () => {
    expect(shown(schema)).toEqual(expected);
  });
}

test('names of properties are never taken for words of the schema', () => {
  const schema = z.object({ pattern: z.int(), format: z.string().nullable(), type: z.enum(['a']) });

  expect(shown(schema)).toMatchObject({
    type: 'object',
    properties: {
      pattern: { type: 'integer' },
      format: { anyOf: [{ type: 'string' }, NULL] },
      type: { type: 'string', enum: ['a'] },
    },
    required: ['pattern', 'format', 'type'],
    additionalProperties: false,
  });
});
