import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientPackages } from '../faults/connector/clients/versions.ts';

/** Packages that a client needs beside its own. */
const BESIDE = new Set(['zod', '@langchain/core', '@langchain/langgraph']);

test('the guide names the versions of clients that the tests try, and no others', () => {
  const rows = readFileSync('docs/guides/tried-clients.md', 'utf8').matchAll(/^\|[^|]*\| `([^`]+)` ([\d.]+) \|/gm);
  const documented = [...rows].map(([, name = '', version = '']) => `${name} ${version}`);
  const tried = Object.values(clientPackages).flatMap((packages) =>
    Object.entries(packages).flatMap(([name, version]) => (BESIDE.has(name) ? [] : [`${name} ${version}`])),
  );

  expect(new Set(documented)).toEqual(new Set(tried));
});
