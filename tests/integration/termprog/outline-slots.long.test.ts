import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/desktop.ts';
import { startTermprog, startXterm } from '../../harness/start-termprog.ts';
import { sizeAfter, sizeOf } from '../../harness/window-size.ts';

const FACE = ['-fa', 'DejaVu Sans Mono', '-fs', '10'];

/** Fonts that the reference terminal's application defaults name; ours are the same without them. */
const FONTS = ['nil2', '5x7', '6x10', '7x13', '9x15', '10x20', '12x24'].flatMap((font, index) => [
  '-xrm',
  `*font${index + 1}: ${font}`,
]);

const faceSizes = (...points: number[]): string[] =>
  points.flatMap((size, index) => ['-xrm', `*faceSize${index + 1}: ${size}`]);

const SMALLER = 'shift+KP_Subtract';
const LARGER = 'shift+KP_Add';

for (const [name, { args, keys }] of Object.entries({
  'sizes derived from bitmap fonts': {
    args: FACE,
    keys: [SMALLER, SMALLER, LARGER, LARGER, LARGER, LARGER, LARGER],
  },
  'configured sizes': {
    args: [...FACE, ...faceSizes(4, 6.5, 9, 12, 14, 20, 30)],
    keys: [SMALLER, SMALLER, SMALLER, LARGER, LARGER, LARGER, LARGER, LARGER, LARGER, LARGER],
  },
  'sizes derived from the one in the pattern': {
    args: ['-fa', 'DejaVu Sans Mono:size=14', '-fs', '7'],
    keys: [LARGER, LARGER, SMALLER, SMALLER, SMALLER],
  },
})) {
  test(`outline fonts step through ${name}, as in xterm`, async ({ desktop }) => {
    verifies('termprog.resource.faceName', 'termprog.resource.faceSize1-faceSize7', 'termprog.action.larger-vt-font');
    const script = 'sleep 60';
    await using reference = await startXterm(desktop, {
      script,
      args: [...FONTS, ...args, '-geometry', '20x5+600+0'],
    });
    await using terminal = await startTermprog(desktop, { script, args: [...args, '-geometry', '20x5'] });
    const sizes = [await sizeOf(desktop, terminal)];
    const expected = [await sizeOf(desktop, reference)];

    for (const key of keys) {
      sizes.push(await sizeAfter(desktop, terminal, key));
      expected.push(await sizeAfter(desktop, reference, key));
    }

    expect(sizes).toEqual(expected);
  });
}

test('a size in pixels in the pattern is what larger and smaller begin from', async ({ desktop }) => {
  const args = ['-fa', 'DejaVu Sans Mono:pixelsize=20', '-geometry', '20x5'];
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', args });
  const width = async (size: Promise<string>): Promise<number> => Number.parseInt(await size, 10);

  const first = await width(sizeOf(desktop, terminal));
  expect(await width(sizeAfter(desktop, terminal, LARGER))).toBeGreaterThan(first);
});

test('set-render-font switches between the renderers in the same entry', async ({ desktop }) => {
  verifies('termprog.action.set-render-font');
  const keys = [
    '*vt100.translations: #override',
    '<Key>F6: set-render-font(toggle)',
    '<Key>F7: set-render-font(on)',
    '<Key>F8: set-render-font(off)',
  ].join(' \\n ');
  const args = [...FACE, '-geometry', '20x5', '-xrm', keys];
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', args });
  const outline = await sizeOf(desktop, terminal);
  const bitmap = '124x69';

  expect(await sizeAfter(desktop, terminal, 'F6')).toBe(bitmap);
  expect(await sizeAfter(desktop, terminal, 'F6')).toBe(outline);
  expect(await sizeAfter(desktop, terminal, 'F8')).toBe(bitmap);
  expect(await sizeAfter(desktop, terminal, 'F7')).toBe(outline);
  await sizeAfter(desktop, terminal, LARGER);
  // This is the entry Medium.
  expect(await sizeAfter(desktop, terminal, 'F8')).toBe('144x69');
});

test('a bitmap font that is missing is reported where its entry is left out, and not where outline fonts draw it', async ({
  desktop,
}) => {
  const keys = '*vt100.translations: #override \\n <Key>F8: set-render-font(off)';
  const args = [...FACE, '-geometry', '20x5', '-xrm', keys, '-xrm', '*font4: no-such-font'];
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', args });
  const outline = await sizeOf(desktop, terminal);

  await sizeAfter(desktop, terminal, LARGER);
  expect(await sizeAfter(desktop, terminal, SMALLER)).toBe(outline);
  expect(terminal.process.output()).toBe('');

  await sizeAfter(desktop, terminal, 'F8');
  await sizeAfter(desktop, terminal, LARGER);
  expect(terminal.process.output()).toBe(
    'termprog: warning: resource vt100.font4: the X server has no font "no-such-font"; the entry Medium of the VT Fonts menu is left out\n',
  );
});

test('the replacement of a font is reported once, even when entries come and go', async ({ desktop }) => {
  const keys = '*vt100.translations: #override \\n <Key>F6: set-render-font(toggle)';
  const faces = ['-fa', 'No Such Face', '-fd', 'Nor This', '-fb', 'nor-that'];
  await using terminal = await startTermprog(desktop, {
    script: "printf '\\033[1m漢\\033[m'; sleep 60",
    args: [...faces, '-geometry', '20x5', '-xrm', keys],
  });

  for (const key of [LARGER, SMALLER, LARGER, 'F6', SMALLER, LARGER, 'F6', SMALLER, 'F6']) {
    await sizeAfter(desktop, terminal, key);
  }
  const told = await waitFor('all is told', () => {
    const output = terminal.process.output();
    return ['faceName:', 'faceNameDoublesize', 'boldFont'].every((name) => output.includes(name)) && output;
  });
  expect(told.trim().split('\n').sort()).toEqual([
    expect.stringContaining('resource vt100.boldFont: no font "nor-that" with the cell of "fixed"; bold is derived'),
    expect.stringContaining('resource vt100.faceName: no font is named "No Such Face";'),
    expect.stringContaining('resource vt100.faceNameDoublesize: no font is named "Nor This";'),
  ]);
});

test('entries of faceName behind the second are reported', async ({ desktop }) => {
  const face = 'DejaVu Sans Mono,DejaVu Sans,Noto Sans CJK JP,No Such Face';
  await using terminal = await startTermprog(desktop, { script: 'sleep 60', args: ['-fa', face] });

  await sizeAfter(desktop, terminal, LARGER);
  expect(terminal.process.output()).toBe(
    'termprog: warning: resource vt100.faceName: it may have two entries; left out: "Noto Sans CJK JP", "No Such Face"\n',
  );
});

for (const empty of ['', ' ', ',']) {
  test(`a faceName of "${empty}" is none: bitmap fonts draw, as in xterm`, async ({ desktop }) => {
    const args = ['-xrm', `*faceName: ${empty}`, '-geometry', '20x5'];
    await using terminal = await startTermprog(desktop, { script: 'sleep 60', args });

    expect(await sizeOf(desktop, terminal)).toBe('124x69');
    expect(terminal.process.output()).toBe('');
  });
}
