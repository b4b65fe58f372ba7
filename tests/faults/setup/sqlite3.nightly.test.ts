import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { tempFolder } from '../../harness/temp-folder.ts';
import { makeTrialCheckout, SQLITE_ADDON } from '../../harness/trial-checkout.ts';

/** Names that make splits, quotes, expands or takes for a comment. */
const AWKWARD = "a house's #1 $HOME";

test('sqlite3 is built in a checkout with an awkward path; of the builds kept before, one stays', async () => {
  await using folder = await tempFolder();
  const checkout = join(folder.path, AWKWARD);
  const temporary = join(folder.path, 'for a time');
  const cache = join(folder.path, 'caches of mine');
  makeTrialCheckout(checkout);
  mkdirSync(temporary);
  for (const [day, name] of ['sqlite3-1', 'sqlite3-3', 'sqlite3-2'].entries()) {
    const build = join(cache, 'homeport', name);
    mkdirSync(build, { recursive: true });
    utimesSync(build, day * 86_400, day * 86_400);
  }
  const { stdout: version } = await execa('node', ['-p', 'require("sqlite3/package.json").version']);
  const key = `sqlite3-${version}-node-${process.version}-${process.arch}`;
  const kept = join(cache, 'homeport', key, 'node_sqlite3.node');
  mkdirSync(join(kept, '..'));
  writeFileSync(kept, 'not a build');
  const env = { XDG_CACHE_HOME: cache, TMPDIR: temporary };

  await execa('sh', ['scripts/setup', 'start'], { cwd: checkout, env });

  const load = 'new (require("sqlite3").Database)(":memory:", (error) => process.exit(error ? 1 : 0))';
  await execa('node', ['-e', load], { cwd: checkout });
  expect(readFileSync(kept).equals(readFileSync(join(checkout, SQLITE_ADDON)))).toBe(true);
  expect(readdirSync(join(cache, 'homeport')).sort()).toEqual(['sqlite3-2', key]);
  expect(readdirSync(temporary)).toEqual([]);

  const { stderr } = await execa('sh', ['scripts/setup', 'start'], { cwd: checkout, env });

  expect(stderr).not.toContain('building');
});
