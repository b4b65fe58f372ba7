import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collectionConfig } from '../../../../schemas/agent.ts';
import { parseExposition } from '../../../../scripts/stack/exposition.ts';
import { Collection } from '../../../../src/agent/collection/collection.ts';
import { openCollectors } from '../../../../src/agent/collectors/index.ts';
import { openHost } from '../../../../src/agent/host/host.ts';

const golden = 'tests/golden/agent/node-exporter';
const silent = () => undefined;

test('on the machine node_exporter recorded for its own tests, every value, type and help text is that of its authors', async () => {
  const root = `${golden}/root`;
  const host = openHost({ roots: { procfs: `${root}/proc`, sysfs: root, rootfs: root }, threads: 4 });
  const collection = new Collection({
    host,
    collectors: openCollectors()(collectionConfig.parse({})),
    clock: { now: () => 0, monotonic: () => 0 },
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });

  const ours = parseExposition(String((await collection.run()).metrics(0, 'identity')));
  host.close();

  const theirs = parseExposition(readFileSync(`${golden}/expected.metrics`, 'utf8'));
  const different = [...theirs.samples].filter(([key, value]) => !Object.is(ours.samples.get(key), value));
  const named = new Set([...theirs.samples.keys()].map((key) => key.slice(0, key.indexOf('{'))));
  const extra = [...ours.samples.keys()].filter((key) => named.has(key.slice(0, key.indexOf('{'))));
  expect(theirs.samples.size).toBe(150);
  expect(different).toEqual([]);
  expect(extra.filter((key) => !theirs.samples.has(key))).toEqual([]);
  expect([...theirs.comments].filter((line) => !ours.comments.has(line))).toEqual([]);
});
