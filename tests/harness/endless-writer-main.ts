import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/connector/store/database.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { choiceOf } from './open-store.ts';

/** A process that writes into the database of its argument as often as it can, until another process has taken it. */
const { database, onLost } = await openDatabase(choiceOf(JSON.parse(process.argv[2] ?? '')), systemClock);
onLost(() => process.exit(1));
for (let number = 0; ; number += 1) {
  await database('totals')
    .insert({ name: `written ${number}`, value: 1 })
    .catch(() => undefined);
  await delay(5);
}
