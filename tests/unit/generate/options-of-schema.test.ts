import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { nixOptionsFile } from '../../../src/generate/nix-options.ts';
import { optionSetOf } from '../../../src/generate/options-of-schema.ts';

const golden = join(import.meta.dirname, '../../golden/generate');
const described = <T extends z.ZodType>(schema: T): T => schema.describe('What it is for.');
const secret = z
  .string()
  .regex(/^\/.+$/)
  .meta({ secret: true });

/** One schema a kind; each has one option. */
const kinds: Record<string, z.ZodType> = {
  boolean: described(z.boolean()).default(false),
  integer: described(z.int()),
  'integer-between': described(z.int().min(-5).max(9)).default(-1),
  'integer-positive': described(z.int().positive()),
  'integer-unsigned': described(z.int().min(0)).default(0),
  number: described(z.number()),
  'number-between': described(z.number().min(0).max(1)).default(0.5),
  'number-nonnegative': described(z.number().min(0)),
  text: described(z.string().max(9)).default('a "quoted" \x24{word}, a \\ and\na second line'),
  'text-not-empty': described(z.string().min(1)),
  'text-matching': described(z.string().regex(/^(?:[\d/]+|a\.b)$/, 'digits and slashes')),
  'choice-of-words': described(z.enum(['debug', 'info'])).default('info'),
  'one-word': described(z.literal('on')),
  list: described(z.array(z.string())).default([]),
  'list-not-empty': described(z.array(z.enum(['a', 'b'])).min(1)),
  'list-of-objects': described(z.array(z.strictObject({ name: described(z.string()) }))).default([]),
  record: described(z.record(z.string(), z.int().min(1).max(9))).default({ 'not an identifier': 1 }),
  section: z.strictObject({ inner: described(z.string()).default('x') }).prefault({}),
  'object-or-unset': described(z.strictObject({ inner: described(z.string()) }).optional()),
  'text-or-unset': described(z.string().optional()),
  'nullable-by-default': described(z.string().nullable().default(null)),
  alternatives: described(
    z.union([
      z.strictObject({ file: described(z.strictObject({ path: described(z.string()).default('/x') })) }),
      z.strictObject({ server: described(z.strictObject({ secretFile: described(secret) })) }),
    ]),
  ).default({ file: { path: '/x' } }),
  'secret-file': described(secret),
  'type-of-nix': described(z.int().min(1).max(65_535)).meta({ nix: { type: 'types.port' } }),
  'number-positive-at-most': described(z.int().positive().lt(9)).default(1),
  pending: described(z.boolean()).default(true).meta({ pending: true }),
  soft: described(z.boolean()).default(true).meta({ soft: true }),
  'soft-section': z
    .strictObject({ inner: described(z.strictObject({ deep: described(z.int()) })).optional() })
    .meta({ soft: true }),
  example: described(z.array(z.string())).meta({ example: ['a', 'b'] }),
};

for (const [kind, schema] of Object.entries(kinds)) {
  test(`an option of the kind ${kind} is written as recorded`, async () => {
    const text = nixOptionsFile(optionSetOf(z.strictObject({ option: schema })));

    await expect(text).toMatchFileSnapshot(join(golden, `${kind}.nix`));
  });
}

test('a field that is hidden from Nix has no option', () => {
  const schema = z.strictObject({
    $schema: z
      .string()
      .optional()
      .meta({ nix: { hidden: true } }),
  });

  expect(optionSetOf(schema).members.size).toBe(0);
});

test.each<[string, z.ZodType, RegExp]>([
  ['a kind it does not know', described(z.date()), /^a: no option can be made of the Zod kind date$/],
  ['a kind inside a list', described(z.array(z.bigint())), /^a\.\*: no option can be made of the Zod kind bigint$/],
  ['an option without a description', z.boolean(), /^a: an option without a description$/],
  ['an inner option without one', z.strictObject({ b: z.int() }), /^a\.b: an option without a description$/],
  ['an object that takes any key', described(z.looseObject({})), /^a: an object must be strict$/],
  ['an object that drops unknown keys', described(z.object({})), /^a: an object must be strict$/],
  [
    'a default of a whole object',
    z.strictObject({ b: described(z.int()) }).default({ b: 1 }),
    /^a: defaults belong on/,
  ],
  [
    'a prefault with values',
    z.strictObject({ b: described(z.int()) }).prefault({ b: 1 }),
    /^a: prefault is understood/,
  ],
  ['a bound Nix has no type for', described(z.int().max(5)), /^a: Nix has no type for these bounds/],
  ['a format of strings', described(z.email() as unknown as z.ZodString), /^a: /],
  ['a pattern POSIX lacks', described(z.string().regex(/^\w+$/)), /^a: .*\\w has no counterpart/],
  [
    'alternatives without a key',
    described(z.union([z.string(), z.int()])),
    /^a: no option can be made of the Zod kind union$/,
  ],
  [
    'alternatives that hold no objects',
    described(z.union([z.strictObject({ b: described(z.int()) }), z.strictObject({ c: described(z.int()) })])),
    /^a\.b: an alternative must hold an object$/,
  ],
  ['an exclusive bound of a fraction', described(z.number().gt(0)), /^a: .*exclusive bound$/],
  [
    'a branch without a description',
    described(z.union([z.strictObject({ b: z.strictObject({}) })])),
    /^a\.b: an option without/,
  ],
  ['an optional element', described(z.array(z.string().optional())), /^a\.\*: an element is either there or not/],
  ['a choice of numbers', described(z.literal([1, 2])), /^a: a choice must be among strings/],
  ['a section without effect', z.strictObject({}).meta({ pending: true }), /^a: a section has no effect of its own/],
  [
    'a type of Nix for a list',
    described(z.array(z.int())).meta({ nix: { type: 'types.str' } }),
    /^a: only numbers and/,
  ],
  ['a transformation', described(z.string().transform(Number)), /^a: no option can be made of the Zod kind pipe$/],
])('%s stops the generation with its path', (_what, schema, message) => {
  expect(() => optionSetOf(z.strictObject({ a: schema }))).toThrow(message);
});

test('a part of an option that is soft stops the generation: a reload applies whole options', () => {
  const part = described(z.strictObject({ b: described(z.int()).meta({ soft: true }) }).optional());

  expect(() => nixOptionsFile(optionSetOf(z.strictObject({ a: part })))).toThrow(
    /^a\.b: a reload applies whole options only: mark a$/,
  );
});

test('a secret in a list stops the generation: its credential could have no name', () => {
  const schema = z.strictObject({ files: described(z.array(secret)) });

  expect(() => nixOptionsFile(optionSetOf(schema))).toThrow(/^files: a secret file in a list or a record/);
});
