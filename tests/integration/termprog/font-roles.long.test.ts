import type { PNG } from 'pngjs';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { spawnTermprog, startTermprog } from '../../harness/start-termprog.ts';

// A face whose cells are 10 pixels wide.
const FACE = ['-fa', 'DejaVu Sans Mono:pixelsize=16'];
const REPORT_BY_KEY = ['-xrm', '*vt100.translations: #override \\n <Key>F5: report-font-routing()'];
const EMOJI = '\u{fe0f}';
const TEXT = '\u{fe0e}';

/** Signs that DejaVu Sans has and DejaVu Sans Mono has not, 11, 12 and 14 pixels wide; the last one, 13, is an emoji as text. */
const [SIGN_11, SIGN_12, SIGN_14, EMOJI_SIGN] = ['\u{22fe}', '\u{26b2}', '\u{26b6}', '\u{26a7}'];

/** Drawn last: when its record is there, those of all others are. */
const LAST = '~';

/** Arguments that set resources of the terminal. */
const set = (resources: Record<string, string>): string[] =>
  Object.entries(resources).flatMap(([name, value]) => ['-xrm', `*vt100.${name}: ${value}`]);

test('faceNameEmoji serves emoji first, and faceNameDoublesize second', async () => {
  verifies('termprog.resource.faceNameEmoji', 'termprog.option.fe', 'termprog.resource.faceNameDoublesize');
  const named = await reportOf('😀', ['-fe', 'DejaVu Sans', '-fd', 'Noto Color Emoji']);
  expect(named('😀')).toContain(': emoji, DejaVu Sans Book');
  const missed = await reportOf('😀', ['-fe', 'DejaVu Serif', '-fd', 'DejaVu Sans']);
  expect(missed('😀')).toMatch(/: doublesize, DejaVu Sans Book.*faceNameEmoji "DejaVu Serif" has no glyph/);
});

test('faceNameDoublesize serves wide text first', async () => {
  verifies('termprog.resource.faceNameDoublesize', 'termprog.option.fd');
  const report = await reportOf('ひ', ['-fd', 'Noto Serif CJK JP']);
  expect(report('ひ')).toContain(': doublesize, Noto Serif CJK JP');
});

test('faceNameHan serves Han first, and no other script', async () => {
  verifies('termprog.resource.faceNameHan');
  const report = await reportOf(
    '漢ひ',
    set({ faceNameHan: 'Noto Serif CJK JP', faceNameDoublesize: 'Noto Sans CJK JP' }),
  );
  expect(report('漢')).toContain(': han, Noto Serif CJK JP');
  expect(report('ひ')).toContain(': doublesize, Noto Sans CJK JP');
});

test('faceNameEmojiText serves emoji as text after the numbered faces, and no ordinary text', async () => {
  verifies('termprog.resource.faceNameEmojiText');
  const faces = { faceNameEmojiText: 'DejaVu Sans', fallbackFace1: 'DejaVu Serif', systemFallback: 'false' };
  const report = await reportOf(`${EMOJI_SIGN}${SIGN_11}😀`, set(faces));
  expect(report(EMOJI_SIGN)).toMatch(/: emojiText, DejaVu Sans .*fallbackFace1 "DejaVu Serif" has no glyph/);
  for (const character of [SIGN_11, '😀']) expect(report(character)).toContain(': placeholder box');
});

test('boldFont and wideBoldFont name faces for bold text', async () => {
  verifies('termprog.resource.boldFont', 'termprog.resource.wideBoldFont', 'termprog.option.fwb');
  const args = ['-fb', 'xft:Liberation Mono:bold', '-fwb', 'xft:Noto Serif CJK JP:bold'];
  const named = await reportOf('\\033[1mbひ\\033[m', args);
  expect(named('b')).toContain(': bold, Liberation Mono Bold');
  expect(named('ひ')).toContain(': wideBold, Noto Serif CJK JP Bold');
  const derived = await reportOf('\\033[1mb\\033[m');
  expect(derived('b')).toContain(': primary, DejaVu Sans Mono Bold');
});

test('fallback faces are asked in order after the primary face and before the system', async () => {
  verifies('termprog.resource.fallbackFace1-fallbackFace16', 'termprog.limit.fallbackFace-slots');
  const report = await reportOf(
    `漢😀b`,
    set({ fallbackFace1: 'DejaVu Serif', fallbackFace2: 'DejaVu Sans', fallbackFace16: 'Noto Serif CJK JP' }),
  );
  expect(report('b')).toContain(': primary,');
  expect(report('😀')).toMatch(/: fallback, DejaVu Sans .*fallbackFace1 "DejaVu Serif" has no glyph/);
  expect(report('漢')).toContain(': fallback, Noto Serif CJK JP');
});

test('the second entry of faceName is the first fallback', async () => {
  verifies('termprog.resource.faceName', 'termprog.option.fa');
  const report = await reportOf('漢', [
    '-fa',
    'DejaVu Sans Mono:pixelsize=16,Noto Serif CJK JP',
    ...set({ fallbackFace1: 'Noto Sans CJK JP' }),
  ]);
  expect(report('漢')).toContain(': fallback, Noto Serif CJK JP');
});

test('with systemFallback false what no named face has is a box', async () => {
  verifies('termprog.resource.systemFallback');
  expect((await reportOf('漢', set({ systemFallback: 'false' })))('漢')).toContain(': placeholder box');
  expect((await reportOf('漢'))('漢')).toContain(': system,');
});

test('a plain emoji is shrunk to its cell, or refused with fitEmojiText false', async () => {
  verifies('termprog.resource.fitEmojiText');
  const faces = { faceNameEmojiText: 'DejaVu Sans', systemFallback: 'false' };
  expect((await reportOf(EMOJI_SIGN, set(faces)))(EMOJI_SIGN)).toContain(', scaled by 0.769');
  const refused = await reportOf(EMOJI_SIGN, set({ ...faces, fitEmojiText: 'false' }));
  expect(refused(EMOJI_SIGN)).toContain(': placeholder box');
});

test('with limitFontsets 0 there is no fallback', async () => {
  verifies('termprog.resource.limitFontsets');
  const report = await reportOf('漢😀', set({ limitFontsets: '0', fallbackFace1: 'DejaVu Sans' }));
  for (const character of ['漢', '😀']) expect(report(character)).toContain(': placeholder box');
});

test('limitFontWidth is how much wider than its cell a fallback glyph may be; beyond it is shrunk to the cell', async () => {
  verifies('termprog.resource.limitFontWidth', 'termprog.limit.limitFontWidth');
  const faces = { fallbackFace1: 'DejaVu Sans', systemFallback: 'false' };
  const usual = await reportOf(SIGN_11 + SIGN_12 + SIGN_14, set(faces));
  expect(usual(SIGN_11)).toContain(': fallback, DejaVu Sans');
  expect(usual(SIGN_11)).not.toContain('scaled');
  for (const sign of [SIGN_12, SIGN_14]) expect(usual(sign)).toMatch(/: fallback, DejaVu Sans.*, scaled by 0\.[78]/);
  const wider = await reportOf(SIGN_14, set({ ...faces, limitFontWidth: '40' }));
  expect(wider(SIGN_14)).toContain(': fallback, DejaVu Sans');
  expect(wider(SIGN_14)).not.toContain('scaled');
});

test('emojiPresentation forces text or emoji, and variation selectors win over it', async () => {
  verifies('termprog.resource.emojiPresentation');
  const text = `😀❤\\r\\n☔${TEXT}✌${EMOJI}`;
  const unicode = await reportOf(text);
  expect([unicode('😀'), unicode('❤')]).toEqual([
    expect.stringContaining(' emoji,'),
    expect.stringContaining(' emoji as text,'),
  ]);
  for (const presentation of ['unicode', 'text', 'emoji']) {
    const report = await reportOf(text, set({ emojiPresentation: presentation }));
    if (presentation !== 'unicode') {
      const expected = expect.stringContaining(presentation === 'text' ? ' emoji as text,' : ' emoji,');
      expect([report('😀'), report('❤')]).toEqual([expected, expected]);
    }
    expect(report('☔')).toContain(' emoji as text,');
    expect(report('✌')).toMatch(/ emoji, .*Noto Color Emoji/);
  }
});

test('with colorGlyphs false a face without outlines does not serve', async () => {
  verifies('termprog.resource.colorGlyphs');
  const args = ['-fe', 'Noto Color Emoji'];
  expect((await reportOf('😀', args))('😀')).toMatch(/: emoji, Noto Color Emoji .*in colours/);
  const plain = await reportOf('😀', [...args, ...set({ colorGlyphs: 'false' })]);
  expect(plain('😀')).toMatch(/: system, DejaVu Sans .*faceNameEmoji "Noto Color Emoji" has colours and no outline/);
});

test('an emoji is in colours on the screen by a colour face alone', async () => {
  const inkBy = async (face: string, isThere: (ink: ReturnType<typeof countInk>) => boolean) => {
    const script = "printf '\\033[?25l😀'; sleep 60";
    await using terminal = await startTermprog(desktop, { args: [...FACE, '-fe', face], script });
    return await waitFor('the emoji shows', async () => {
      const ink = countInk(await terminal.screenshot());
      return isThere(ink) ? ink : undefined;
    });
  };
  await inkBy('Noto Color Emoji', ({ colored }) => colored > 50);
  expect(await inkBy('DejaVu Sans', ({ gray }) => gray > 20)).toMatchObject({ colored: 0 });
});

test('the report lists clusters by their numbers, each once', async () => {
  verifies(
    'termprog.action.report-font-routing',
    'termprog.option.report-font-routing',
    'termprog.resource.reportFontRouting',
  );
  const report = await reportOf('bb👍🏽');
  expect(report('b')).toMatch(
    /^U\+0062 text, 1 cell at 16 pixels: primary, DejaVu Sans Mono Book \(.*DejaVuSansMono\.ttf\)$/,
  );
});

test('without reportFontRouting the action says that no decisions were collected', async () => {
  verifies('termprog.action.report-font-routing', 'termprog.resource.reportFontRouting');
  await using terminal = await startTermprog(desktop, { args: [...FACE, ...REPORT_BY_KEY], script: 'sleep 60' });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  await desktop.run('xdotool', 'key', 'F5');
  await waitFor('it says so', () => terminal.process.output().includes('reportFontRouting is false'), {
    process: terminal.process,
  });
});

test('a face that does not exist is one line, with what is used instead', async () => {
  await using terminal = await startTermprog(desktop, {
    args: [...FACE, '-fd', 'No Such Face', ...set({ faceNameHan: 'No Such Face' })],
    script: "printf '漢字\\r\\nひら'; sleep 60",
  });
  await waitFor('both are told', () => terminal.process.output().split('No Such Face').length > 2, {
    process: terminal.process,
  });
  expect(terminal.process.output().trim().split('\n').sort()).toEqual([
    expect.stringMatching(/faceNameDoublesize: no font is named "No Such Face"; .* is used instead/),
    expect.stringMatching(/faceNameHan: no font is named "No Such Face"; .* is used instead/),
  ]);
});

test('limits of fallback are 50 faces, 10 percent of width and 10 percent of height', async () => {
  verifies('termprog.limit.limitFontsets', 'termprog.limit.limitFontHeight', 'termprog.resource.limitFontHeight');
  const configuration = async (...args: string[]): Promise<string> => {
    const process = spawnTermprog(['-report-config', ...args], desktop.environment);
    await process.ended;
    return process.output();
  };
  const usual = await configuration();
  expect(usual).toMatch(/\.limitFontsets: 50$/m);
  expect(usual).toMatch(/\.limitFontHeight: 10$/m);
  expect(await configuration(...set({ limitFontHeight: '20' }))).toMatch(/\.limitFontHeight: 20$/m);
});

/** Pixels that are not white, by whether they are gray. */
function countInk({ data }: PNG): { gray: number; colored: number } {
  const count = { gray: 0, colored: 0 };
  for (let at = 0; at < data.length; at += 4) {
    const channels = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
    const [least, most] = [Math.min(...channels), Math.max(...channels)];
    if (least === 255) continue;
    count[most - least > 30 ? 'colored' : 'gray'] += 1;
  }
  return count;
}

/** Shows a text, and gives the lines of the report about its characters. */
async function reportOf(text: string, args: readonly string[] = []): Promise<(start: string) => string> {
  await using terminal = await startTermprog(desktop, {
    args: [...FACE, '-report-font-routing', ...REPORT_BY_KEY, ...args],
    script: `printf '${text}${LAST}'; sleep 60`,
  });
  await desktop.run('xdotool', 'windowfocus', '--sync', `${terminal.window}`);
  const output = await waitFor(
    'the report is complete',
    async () => {
      await desktop.run('xdotool', 'key', 'F5');
      const written = terminal.process.output();
      return written.includes('U+007E') ? written : undefined;
    },
    { process: terminal.process },
  );
  const lines = output.split('\n').map((line) => line.trim());
  return (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return lines.findLast((line) => line.startsWith(`U+${code}`)) ?? '';
  };
}
