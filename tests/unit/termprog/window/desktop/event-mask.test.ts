import { expect, test } from 'vitest';
import { EventMask } from '../../../../../src/termprog/window/desktop/event-mask.ts';
import type { XConnection } from '../../../../../src/termprog/x11/x-connection.ts';

const BASE = 0b1001;

function start() {
  const masks: number[] = [];
  const connection = {
    isOpen: true,
    flush: () => {},
    client: {
      ChangeWindowAttributes: (_window: number, values: { eventMask: number }) => masks.push(values.eventMask),
    },
  } as unknown as XConnection;
  return { masks, mask: new EventMask({ connection, window: 1, base: BASE }) };
}

test('the mask has what every part needs, and the server is asked when it changes', async () => {
  const { masks, mask } = start();
  mask.need('one', 0b10);
  mask.need('other', 0b100);
  await Promise.resolve();
  expect(masks).toEqual([0b1111]);
  mask.need('other', 0b10);
  await Promise.resolve();
  mask.need('one', 0);
  await Promise.resolve();
  expect(masks).toEqual([0b1111, 0b1011]);
  mask.need('other', 0);
  await Promise.resolve();
  expect(masks.at(-1)).toBe(BASE);
});

test('a need that comes and goes in one piece of output costs no request', async () => {
  const { masks, mask } = start();
  for (let time = 0; time < 1_000; time += 1) {
    mask.need('mouse', 0b10);
    mask.need('mouse', 0);
  }
  await Promise.resolve();
  expect(masks).toEqual([]);
});
