import { expect, test } from 'vitest';
import { z } from 'zod';
import { configSchemas } from '../../../../schemas/index.ts';
import { nodeAt, pendingPaths, softPaths } from '../../../../src/kernel/config/schema-paths.ts';
import { schemaTree } from '../../../../src/kernel/config/schema-tree.ts';

const soft = (program: keyof typeof configSchemas): string[] =>
  softPaths(schemaTree(configSchemas[program])).map((path) => path.join('.'));

test('a reload applies what is collected, and of the connector what no socket, secret or key hangs on', () => {
  expect(soft('agent')).toEqual([
    ...['unameInfo', 'networkFilesystems', 'exclude', 'wireguard', 'wgPeers', 'postfix', 'knot', 'knotSocket'].map(
      (name) => `agent.${name}`,
    ),
    'hosts',
  ]);
  expect(soft('connector')).toEqual(['logLevel', 'corsOrigins', 'settings', 'retention', 'rateLimits']);
});

test('an option is found through lists, records and alternatives', () => {
  const tree = schemaTree(
    z.strictObject({
      store: z.union([z.strictObject({ file: z.strictObject({ path: z.string().describe('Path.') }) })]).optional(),
      peers: z.record(z.string(), z.array(z.strictObject({ key: z.string().describe('Key.') }))).default({}),
    }),
  );

  expect(nodeAt(tree, ['store', 'file', 'path'])?.meta.description).toBe('Path.');
  expect(nodeAt(tree, ['peers', 'ada', 0, 'key'])?.meta.description).toBe('Key.');
  expect(nodeAt(tree, ['store', 'disk', 'path'])).toBeUndefined();
});

test('an option without effect is reported when it is set, however its schema is wrapped', () => {
  const tree = schemaTree(
    z.strictObject({
      outer: z.boolean().default(false).meta({ pending: true }),
      inner: z.boolean().meta({ pending: true }).optional(),
      section: z.strictObject({ deep: z.int().default(1).meta({ pending: true }) }).prefault({}),
    }),
  );

  expect(pendingPaths(tree, { outer: false, inner: true, section: { deep: 1 } })).toEqual([
    'outer',
    'inner',
    'section.deep',
  ]);
  expect(pendingPaths(tree, { section: {} })).toEqual([]);
});
