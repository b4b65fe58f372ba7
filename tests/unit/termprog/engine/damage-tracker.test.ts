import { expect, test } from 'vitest';
import type { Damage } from '../../../../src/termprog/engine/damage.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

const marked = ({ rows }: Damage): number[] => [...rows].flatMap((isMarked, row) => (isMarked === 1 ? [row] : []));

function start() {
  const started = startEngine({ rows: 6 });
  started.engine.takeDamage();
  return { ...started, damage: () => started.engine.takeDamage() };
}

test('scrolls of one region in one direction are one', () => {
  const { write, damage } = start();
  write('\x1b[2;5r\x1b[5;1Ha\n\r\nb');
  const { scrolls, ...rest } = damage();
  expect(scrolls).toEqual([{ top: 1, bottom: 4, lines: 2 }]);
  expect(marked({ scrolls, ...rest })).toEqual([2, 3, 4]);
});

test('a row that changed before it moved is marked where it is now', () => {
  const { write, damage } = start();
  write('\x1b[3;1Hx\x1b[6;1H\n');
  expect(marked(damage())).toEqual([1, 5]);
});

test('scrolls in other directions and regions are reported in order', () => {
  const { write, damage } = start();
  write('\x1b[S\x1b[2T\x1b[2;4r\x1b[S');
  expect(damage().scrolls).toEqual([
    { top: 0, bottom: 5, lines: 1 },
    { top: 0, bottom: 5, lines: -2 },
    { top: 1, bottom: 3, lines: 1 },
  ]);
});

test('scrolling by more than the height of a region marks all of it', () => {
  const { write, damage } = start();
  write(`\x1b[2;4r\x1b[4;1H${'\n'.repeat(50)}`);
  expect(marked(damage())).toEqual([1, 2, 3]);
});

test('many scrolls of many regions mark all rows instead of being listed', () => {
  const { write, damage } = start();
  write('\x1b[1;3r\x1b[S\x1b[2;5r\x1b[S'.repeat(100));
  const taken = damage();
  expect(taken.scrolls.length).toBeLessThanOrEqual(64);
  expect(marked(taken)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('clusters that were renumbered are reported after a change of the size, too', () => {
  const { engine, write, damage } = start();
  for (let code = 0x4e00; code < 0x6400; code += 1) write(`${String.fromCodePoint(code)}\u0301`);
  engine.resize(70, 8);
  expect(damage().isRenumbered).toBe(true);
});
