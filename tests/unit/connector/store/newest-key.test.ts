import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSeal } from '../../../../src/connector/store/aes-seal.ts';
import { isOfNewestKey, recordInstallation } from '../../../../src/connector/store/installation.ts';
import { type OpenStore, openStore } from '../../../harness/open-store.ts';

const INSTALLATION = { baseUrl: 'https://homeport.example', issuer: 'https://id.example', networks: ['main'] };

let open: OpenStore;

beforeEach(async () => {
  open = await openStore();
});

afterEach(() => open[Symbol.asyncDispose]());

test('a process with newer keys serves beside another one only when that one encrypts with them, too', async () => {
  const [earlier, newer] = [randomBytes(32), randomBytes(32)];
  const [before, both] = [createSeal(earlier), createSeal(newer, [earlier])];
  const { database } = open;
  expect(await isOfNewestKey(database, before)).toBe(false);
  await recordInstallation(database, before, INSTALLATION);
  expect(await isOfNewestKey(database, before)).toBe(true);
  expect(await isOfNewestKey(database, both)).toBe(false);

  await recordInstallation(database, both, INSTALLATION);

  expect(await isOfNewestKey(database, both)).toBe(true);
});
