import { expect, test } from 'vitest';
import type { SlotFonts } from '../../../../../src/termprog/fonts/slot-fonts.ts';
import { FontSwitching } from '../../../../../src/termprog/window/fonts/font-switching.ts';
import type { LoadedSlot } from '../../../../../src/termprog/window/fonts/loaded-slot.ts';
import { optionsWith } from '../../options/options-with.ts';

const SIZES = [3, 1, 2, undefined, 5];

test('steps that come faster than the window follows are made one after the other, and only the last fonts stay open', async () => {
  const { switching, shown, open, settle, rings } = start();

  switching.larger();
  switching.smaller();
  switching.smaller();
  await new Promise((resolve) => setImmediate(resolve));
  expect(shown).toEqual(['bitmap 4']);
  await settle();

  expect(shown).toEqual(['bitmap 4', 'bitmap 0', 'bitmap 2']);
  expect([...open]).toEqual(['bitmap 2']);
  expect(rings()).toBe(0);
});

test('the ends and slots without a font only ring the bell', async () => {
  const { switching, shown, settle, rings } = start();

  switching.select(3);
  await settle();
  switching.select(4);
  switching.larger();
  await settle();

  expect(rings()).toBe(2);
  expect(shown).toEqual(['bitmap 4']);
  expect(switching.slot).toBe(4);
});

test('a key that is held down leads to the end, not to a queue of steps', async () => {
  const { switching, settle, rings } = start();

  for (let press = 0; press < 1_000; press += 1) switching.smaller();
  await settle();

  expect(switching.slot).toBe(1);
  expect(rings()).toBeLessThan(10);
});

test('the renderer follows its resource, and stays with its slot', async () => {
  const { switching, options, shown, open, settle } = start();

  switching.select(2);
  options.set('renderFont', 'true');
  await settle();
  expect([switching.isOutline, switching.slot]).toEqual([true, 2]);
  switching.setOutline(false);
  await settle();

  expect(shown).toEqual(['bitmap 2', 'outline 2', 'bitmap 2']);
  expect([...open]).toEqual(['bitmap 2']);
  expect(options.get('renderFont')).toBe('false');
});

test('without outline fonts the resource goes back to what is true, and the bell rings', async () => {
  const { switching, options, settle, rings } = start({ outline: false });

  switching.setOutline(true);
  await settle();

  expect([switching.isOutline, options.get('renderFont'), rings()]).toEqual([false, 'false', 1]);
});

test('a terminal that had to start with bitmap fonts says so in its resource', () => {
  const { options } = start({ values: { faceName: 'Mono' } });

  expect(options.get('renderFont')).toBe('false');
});

test('fonts that arrive after the end are closed', async () => {
  const { switching, open, shown, settle } = start();

  switching.larger();
  switching.close();
  await settle();

  expect([...open]).toEqual([]);
  expect(shown).toEqual([]);
});

test('a change of the renderer is not lost while many steps wait', async () => {
  const { switching, options, shown, settle } = start({ values: { faceName: 'Mono', renderFont: 'false' } });

  for (let step = 0; step < 12; step += 1) switching.select(step % 2 === 0 ? 4 : 0);
  switching.setOutline(true);
  switching.setOutline(false);
  switching.setOutline(true);
  await settle();

  expect(options.get('renderFont')).toBe('true');
  expect(switching.isOutline).toBe(true);
  expect(shown.filter((name) => name.startsWith('outline'))).toHaveLength(1);
});

test('after an unexpected failure the resource goes back to what is true', async () => {
  const { switching, options, open, settle, rings, failures } = start({ failure: new Error('broken') });

  switching.setOutline(true);
  await settle();

  expect(options.get('renderFont')).toBe('false');
  expect([...open]).toEqual(['bitmap 0']);
  expect([rings(), failures()]).toEqual([1, 1]);
});

/** Fonts that only say which slot and renderer they are of. */
function start({
  outline = true,
  values = {},
  failure,
}: {
  outline?: boolean;
  values?: Record<string, string>;
  /** Outline fonts can't even be looked for. */
  failure?: Error;
} = {}) {
  const open = new Set<string>();
  const shown: string[] = [];
  let rings = 0;
  let failures = 0;
  const gates: PromiseWithResolvers<void>[] = [];
  const load = (slot: number, kind: SlotFonts['kind']): LoadedSlot => {
    const name = `${kind} ${slot}`;
    open.add(name);
    return {
      fonts: { kind, name } as unknown as SlotFonts,
      listen: () => {},
      wantBold: () => {},
      wantWider: () => {},
      close: () => open.delete(name),
    };
  };
  const options = optionsWith(values);
  const switching = new FontSwitching({
    loader: {
      open: async (slot, kind) => {
        if (kind === 'outline' && failure !== undefined) throw failure;
        return SIZES[slot] === undefined || (kind === 'outline' && !outline) ? undefined : load(slot, kind);
      },
      sizes: async () => SIZES,
    },
    options,
    first: load(0, 'bitmap'),
    show: (fonts) => {
      shown.push((fonts as unknown as { name: string }).name);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      return gate.promise;
    },
    showMore: () => {},
    ring: () => {
      rings += 1;
    },
    failed: (error) => {
      if (error !== failure) throw error;
      failures += 1;
    },
  });
  /** Lets windows take their sizes until no window waits. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      gates.shift()?.resolve();
    }
  };
  return { switching, options, open, shown, settle, rings: () => rings, failures: () => failures };
}
