import { expect, test } from 'vitest';
import { openFrontDoor } from '../../../harness/front-door.ts';

const LINES = 4_000;
const SEARCHES = 90;
/**
 * Every line has all the runs of characters that the phrase has but not the phrase itself: each search reads all lines.
 */
const [TEXT, PHRASE] = ['aaab', 'aaaab'];

test('an agent that searches a long history many times at once keeps no other account waiting', async () => {
  await using door = await openFrontDoor();
  const [ada, grace] = [await door.agent('ada'), await door.agent('grace')];
  const { database, store, clock } = door.open;
  for (let first = 0; first < LINES; first += 50) {
    const rows = Array.from({ length: 50 }, (_, index) => first + index).map((number) => ({
      ...{ entry_id: `ent_${number}`, fingerprint: `line ${number}`, account_id: ada.accountId },
      ...{ network: 'main', channel: '#room', kind: 'message', sender: 'mallory', text: TEXT, text_folded: TEXT },
      ...{ event_at: clock.now() + number, observed_at: clock.now(), timestamp_source: 'server' },
    }));
    await database('entries').insert(rows);
  }
  while ((await store.textIndex.extend(ada.accountId, '#room')) > 0);
  let answered = 0;
  const searches = Array.from({ length: SEARCHES }, async () => {
    const { entries } = await ada.call('search_history', { phrase: PHRASE });
    answered += 1;
    return entries;
  });

  await grace.call('see_account_information');

  expect(answered).toBeLessThan(SEARCHES / 2);
  expect(await Promise.all(searches)).toEqual(Array.from({ length: SEARCHES }, () => []));
});
