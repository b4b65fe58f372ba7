import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAuthorities } from '../../../../src/connector/webhooks/authorities.ts';
import { EXIT_CONFIG } from '../../../../src/kernel/errors.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { createAuthority } from '../../../harness/test-authority.ts';

test('the certificates of authorities are read from their file', async () => {
  await using folder = await tempFolder();
  const { file, certificate } = await createAuthority(folder.path);

  expect(readAuthorities(file)).toBe(certificate);
});

test('a file without a certificate, and a missing one, are reported with their option, and end the start', async () => {
  await using folder = await tempFolder();
  const empty = join(folder.path, 'empty.pem');
  await writeFile(empty, 'no certificate');

  for (const file of [empty, join(folder.path, 'missing.pem')]) {
    expect(() => readAuthorities(file)).toThrow(`events.callbackCaFile: ${file} can't be used`);
    expect(() => readAuthorities(file)).toThrow(expect.objectContaining({ exitStatus: EXIT_CONFIG }));
  }
});
