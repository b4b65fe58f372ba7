import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const GUIDE = 'docs/guides/prometheus.md';

const made = sourceFiles('src/connector').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/name: '(homeport_connector_\w+)'/g)].map(([, name]) => name),
);

test('the guide to Prometheus has a row for each metric of the connector, and for no other', () => {
  const listed = [...readFileSync(GUIDE, 'utf8').matchAll(/^\| `(homeport_connector_\w+)` \|/gm)].map(
    ([, name]) => name,
  );

  expect(made).toContain('homeport_connector_sessions_online');
  expect(listed.toSorted()).toEqual(made.toSorted());
});
