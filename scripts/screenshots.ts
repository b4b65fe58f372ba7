/** Writes pictures of the connector's pages: the test that checks how they look makes them. */
import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { execa } from 'execa';

const PICTURES = resolve('docs/images/pages');

await rm(PICTURES, { recursive: true, force: true });
await mkdir(PICTURES, { recursive: true });
await execa(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'long',
    'tests/integration/connector/looks.long.test.ts',
    '--testNamePattern',
    'pictures of every page',
  ],
  { stdio: 'inherit', env: { HOMEPORT_PICTURES: PICTURES } },
);
