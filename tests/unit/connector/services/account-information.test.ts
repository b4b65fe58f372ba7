import { expect, test } from 'vitest';
import { accountInformation } from '../../../../src/connector/services/account-information.ts';
import { capturedLine, openStore } from '../../../harness/open-store.ts';
import { statementsOf } from '../../../harness/statements.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

test('account information that is requested again without new entries sends no query to the database', async () => {
  await using open = await openStore();
  const context = serviceContext(open);
  const accountId = await open.account('ada');
  const caller = { accountId, clientId: 'client' };
  const say = (text: string, at: number) => {
    const lines = [{ line: capturedLine(text, at), own: undefined }];
    return open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
  };
  const { sessionId } = await accountInformation(context, caller);
  const look = async () => {
    const { channels, lastReceived } = await accountInformation(context, caller, sessionId);
    return [channels[0]?.unreadCount, lastReceived?.text];
  };
  await say('one', 1);
  expect(await look()).toEqual([1, 'one']);

  expect(await statementsOf(open, look)).toEqual([]);
  await say('two', 2);

  expect(await look()).toEqual([2, 'two']);
});
