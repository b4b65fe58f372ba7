import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { openAddress } from '../../../../src/termprog/desktop/open-address.ts';
import { writeProgram } from '../../../harness/fake-program.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

afterEach(() => vi.unstubAllEnvs());

test('an opener that fails at once has opened no link, and one that fails later was the browser', async () => {
  await using folder = await tempFolder();
  const bin = join(folder.path, 'bin');
  const [ended, goOn] = [join(folder.path, 'ended'), join(folder.path, 'go-on')];
  mkdirSync(bin);
  writeProgram(bin, 'xdg-open', `until [ -e ${goOn} ]; do sleep 0.02; done; echo > ${ended}; exit 4`);
  const environment = { PATH: `${bin}:${process.env['PATH']}` };
  vi.stubEnv('PATH', environment.PATH);
  const told: string[] = [];

  openAddress('https://example.org/', environment, (message) => told.push(`as the browser: ${message}`), 0);
  writeProgram(folder.path, 'go-on', '');
  await waitFor('the browser ends', () => existsSync(ended));
  openAddress('https://example.org/', environment, (message) => told.push(message));
  await waitFor('the failure is told', () => told.length > 0);
  expect(told).toEqual(['xdg-open ended with status 4']);
});
