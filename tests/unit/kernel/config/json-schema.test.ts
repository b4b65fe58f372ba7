import { expect, test } from 'vitest';
import { z } from 'zod';
import { publishedSchema } from '../../../../src/kernel/config/json-schema.ts';

test('a published schema has what editors understand, and no metadata of our own', () => {
  const schema = z.strictObject({
    port: z
      .int()
      .min(1)
      .max(9)
      .default(3)
      .describe('Port.')
      .meta({ nix: { type: 'types.port' }, pending: true, example: 4 }),
  });

  expect(publishedSchema('homeport-agent', schema)).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:homeport-agent:v1',
    title: 'Configuration of homeport-agent',
    type: 'object',
    properties: {
      port: {
        type: 'integer',
        minimum: 1,
        maximum: 9,
        default: 3,
        description: 'Port. Accepted, without effect in this version.',
        examples: [4],
      },
    },
    additionalProperties: false,
  });
});
