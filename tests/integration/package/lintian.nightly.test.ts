import { execa } from 'execa';
import { expect } from 'vitest';
import type { Processor } from '../../../scripts/release/addons.ts';
import { buildPackages } from '../../../scripts/release/debian/build-packages.ts';
import { nodeParts } from '../../../scripts/release/debian/node-parts.ts';
import { needs } from '../../harness/needs.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** It reads each file of the packages, on a machine that is busy. */
const RUN_DEADLINE_MS = 500_000;

const EPOCH = 1_700_000_000;

/** Debian's own words for what the test leaves out to be quick. */
const LEFT_OUT = ['uses-no-compression-for-control-tarball', 'uses-no-compression-for-data-tarball'];

const lintianTest = needs('Debian packages', 'lintian');

lintianTest('lintian finds nothing but what is explained', async () => {
  const processor = process.arch as Processor;
  await using folder = await tempFolder();
  await using parts = await nodeParts(processor);
  const packages = await buildPackages({ folder: folder.path, processor, parts, epoch: EPOCH, compression: 'none' });

  const { exitCode, all } = await execa(
    'lintian',
    ['--fail-on=error,warning', `--suppress-tags=${LEFT_OUT.join()}`, ...packages],
    { all: true, reject: false, timeout: RUN_DEADLINE_MS },
  );

  expect(all.replace('running with root privileges is not recommended!', '').trim()).toBe('');
  expect(exitCode).toBe(0);
});
