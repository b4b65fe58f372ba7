// Fetches npm tarballs by name and version, and checks each against the lock's integrity.
//   node fetch-tarballs.mjs LIST.json FOLDER    LIST.json: [{ "spec": "name@version", "file": …, "integrity": … }]
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** npm takes many packages in one run; more would only lengthen the command line. */
const PER_RUN = 40;

/** A registry that is silent this long is taken for dead. */
const RUN_DEADLINE_MS = 600_000;

const [listFile, folder] = process.argv.slice(2);
if (listFile === undefined || folder === undefined) throw new Error('usage: fetch-tarballs.mjs LIST.json FOLDER');

/** @type {{ spec: string, file: string, integrity: string }[]} */
const tarballs = JSON.parse(readFileSync(listFile, 'utf8'));
mkdirSync(folder, { recursive: true });

for (let first = 0; first < tarballs.length; first += PER_RUN) {
  const specs = tarballs.slice(first, first + PER_RUN).map(({ spec }) => spec);
  await promisify(execFile)(
    'npm',
    ['pack', '--ignore-scripts', '--prefer-offline', '--loglevel=error', '--pack-destination', folder, ...specs],
    { timeout: RUN_DEADLINE_MS, maxBuffer: 64 * 1024 * 1024 },
  );
}

for (const { spec, file, integrity } of tarballs) {
  const algorithm = integrity.slice(0, integrity.indexOf('-'));
  const digest = createHash(algorithm).update(readFileSync(join(folder, file)));
  const actual = `${algorithm}-${digest.digest('base64')}`;
  if (actual !== integrity) throw new Error(`${spec}: the tarball fetched is ${actual}, the lock says ${integrity}`);
}
