import { expect } from 'vitest';
import { storedSpellings } from '../../../../src/connector/store/spellings.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const test = testWithNewStore();

const spelled = (channels: readonly string[]) => storedSpellings(open.database, channels);

test('a channel that is stored keeps its spelling, by its grants or by its history alone', async () => {
  const accountId = await open.account('ada');
  await open.store.accounts.replaceGrants(accountId, ['#Ops', '#room']);
  const lines = [{ line: { ...capturedLine('said', 1_000), channel: '#Old' }, own: undefined }];
  await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });

  expect(await spelled(['#ops', '#ROOM', '#OLD', '#New'])).toEqual(['#Ops', '#room', '#Old', '#New']);
});

test('two spellings in the configuration are two channels, of which the stored one keeps what it has', async () => {
  const accountId = await open.account('ada');
  await open.store.accounts.replaceGrants(accountId, ['#Ops']);

  expect(await spelled(['#ops', '#Ops'])).toEqual(['#ops', '#Ops']);
  expect(await spelled(['#OPS', '#ops'])).toEqual(['#Ops', '#ops']);
});

test('where a channel is stored in two spellings, the one of the configuration counts', async () => {
  const accountId = await open.account('ada');
  await open.store.accounts.replaceGrants(accountId, ['#Ops', '#ops']);

  expect(await spelled(['#ops'])).toEqual(['#ops']);
  expect(await spelled(['#Ops'])).toEqual(['#Ops']);
});
