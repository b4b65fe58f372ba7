import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { BoundEvent } from '../../../../src/termprog/translations/event-pattern.ts';
import { keyboardOf, translate } from './translated.ts';

/**
 * Behaviour of libXt 1.2.1 with tables and events made at random, recorded with a widget of its own: each event is
 * `NAME DETAIL STATE TIME -> ACTIONS`.
 */
interface Recording {
  modifiers: number[][];
  /** Keysyms by keycode, hexadecimal. */
  keysyms: Record<string, string>;
  cases: { user: string; builtIn: string; events: string[] }[];
}

for (const layout of ['us', 'de']) {
  const path = `tests/golden/termprog/translations/${layout}.json`;
  const { modifiers, keysyms, cases }: Recording = JSON.parse(readFileSync(path, 'utf8'));
  const rows = Object.entries(keysyms).map(([keycode, row]) => {
    return [Number(keycode), row.split(' ').map((keysym) => Number.parseInt(keysym, 16))] as const;
  });
  const keyboard = keyboardOf(new Map(rows), modifiers);

  for (const [index, { user, builtIn, events }] of cases.entries()) {
    test(`table ${index} does on the keyboard ${layout} what the toolkit does with it`, () => {
      const run = translate(user, builtIn, keyboard);
      const done = events.map((line) => {
        const [event = ''] = line.split(' -> ');
        const [name, detail, state, time] = event.replace(' ->', '').split(' ');
        const ran = run(name as BoundEvent, Number(detail), Number(state), Number(time)) ?? '';
        return `${event.replace(' ->', '')} -> ${ran}`.trim();
      });

      expect(done).toEqual(events);
    });
  }
}
