import { describe, expect, test } from 'vitest';
import { nameOf, routerOf } from './small-fonts.ts';

const EMOJI = '\u{fe0f}';
const PRIMARY = { name: 'Primary', has: 'abc' };
const COLOR = { name: 'Color', has: '😀❤☺🇨🇭1', isColor: true, hasOutlines: false, advance: 20 };
const PLAIN = { name: 'Plain', has: '😀❤☺', advance: 20 };
const CJK = { name: 'Cjk', has: '漢ひ。', advance: 20 };

describe('the order of the roles', () => {
  const everything = 'a漢ひ😀❤';
  const all = ['Emoji', 'Han', 'Double', 'Primary', 'Second', 'One', 'Two', 'EmojiText', 'System'];
  const roles = {
    emoji: ['Emoji'],
    han: ['Han'],
    doublesize: ['Double'],
    fallback: ['Second', 'One', 'Two'],
    emojiText: ['EmojiText'],
  };
  /** Returns the faces in the order in which they are asked, if each lacks the character. */
  const orderFor = (text: string, cells: 1 | 2): string[] => {
    const left = [...all];
    const order: string[] = [];
    for (;;) {
      const fonts = all.map((name) => ({
        name,
        has: left.includes(name) ? everything : '',
        isColor: name === 'Emoji',
      }));
      const found = routerOf({ roles, system: ['System'], fonts }).faceFor(text, cells);
      if (found === '') return order;
      order.push(found);
      left.splice(left.indexOf(found), 1);
    }
  };

  test('ordinary text', () => {
    expect(orderFor('a', 1)).toEqual(['Primary', 'Second', 'One', 'Two', 'System']);
  });

  test('wide text', () => {
    expect(orderFor('ひ', 2)).toEqual(['Double', 'Primary', 'Second', 'One', 'Two', 'System']);
  });

  test('Han', () => {
    expect(orderFor('漢', 2)).toEqual(['Han', 'Double', 'Primary', 'Second', 'One', 'Two', 'System']);
  });

  test('emoji as text', () => {
    expect(orderFor('❤', 1)).toEqual(['Primary', 'Second', 'One', 'Two', 'EmojiText', 'System']);
  });

  test('emoji: a primary face without colours waits for the faces that the user named for what it lacks', () => {
    expect(orderFor('😀', 2)).toEqual(['Emoji', 'Double', 'Second', 'One', 'Two', 'Primary', 'System']);
  });
});

describe('bold and italic', () => {
  const fonts = [PRIMARY, { name: 'Heavy', has: 'a' }, { name: 'WideHeavy', has: '漢ひ', advance: 20 }, CJK];

  test('are variants of the primary face without faces of their own', () => {
    const { faceFor } = routerOf({ fonts });
    expect(faceFor('a', 1, { isBold: true })).toBe('Primary bold');
    expect(faceFor('a', 1, { isItalic: true })).toBe('Primary italic');
    expect(faceFor('a', 1, { isBold: true, isItalic: true })).toBe('Primary bold italic');
  });

  test('boldFont is asked first for bold text and taken as it is; what it lacks is derived', () => {
    const { faceFor } = routerOf({ fonts, roles: { bold: ['Heavy'] } });
    expect(faceFor('a', 1, { isBold: true })).toBe('Heavy');
    expect(faceFor('a', 1, { isBold: true, isItalic: true })).toBe('Heavy italic');
    expect(faceFor('b', 1, { isBold: true })).toBe('Primary bold');
    expect(faceFor('a')).toBe('Primary');
  });

  test('wideBoldFont is asked for wide bold text before faceNameDoublesize', () => {
    const { faceFor } = routerOf({ fonts, roles: { wideBold: ['WideHeavy'], doublesize: ['Cjk'], bold: ['Heavy'] } });
    expect(faceFor('ひ', 2, { isBold: true })).toBe('WideHeavy');
    expect(faceFor('。', 2, { isBold: true })).toBe('Cjk bold');
    expect(faceFor('ひ', 2)).toBe('Cjk');
  });

  test('the entries of a chain are asked in order', () => {
    const { faceFor } = routerOf({
      fonts: [...fonts, { name: 'Heavier', has: 'abc' }],
      roles: { bold: ['Heavy', 'Heavier'] },
    });
    expect([faceFor('a', 1, { isBold: true }), faceFor('b', 1, { isBold: true })]).toEqual(['Heavy', 'Heavier']);
  });

  test('emoji have one face for all styles', () => {
    const { faceFor, opened } = routerOf({ fonts: [PRIMARY, COLOR], roles: { emoji: ['Color'] } });
    expect(faceFor('😀', 2, { isBold: true, isItalic: true })).toBe('Color');
    expect(faceFor('😀', 2)).toBe('Color');
    expect(opened).toEqual(['Primary', 'Color']);
  });
});

describe('presentation', () => {
  test('VS16 asks the face for emoji, VS15 does not', () => {
    const { faceFor } = routerOf({
      fonts: [{ name: 'Primary', has: 'a❤' }, COLOR, PLAIN],
      roles: { emoji: ['Color'], fallback: ['Plain'] },
    });
    expect(faceFor(`❤${EMOJI}`, 2)).toBe('Color');
    expect(faceFor('❤')).toBe('Primary');
    expect(faceFor('😀\u{fe0e}', 2)).toBe('Plain');
    expect(faceFor('😀', 2)).toBe('Color');
  });

  test('an emoji is in colours where a system face has them, though the primary face has its outline', () => {
    const { named, faceFor } = routerOf({
      fonts: [{ name: 'Primary', has: '❤' }, PLAIN, COLOR],
      system: ['Plain', 'Color'],
    });
    expect(named(`❤${EMOJI}`, 2).kind).toBe('missing');
    expect(faceFor(`❤${EMOJI}`, 2)).toBe('Color');
    expect(faceFor('❤')).toBe('Primary');
  });

  test('an emoji as text is plain where a system face is, and in colours rather than a box', () => {
    const both = routerOf({ fonts: [PRIMARY, COLOR, PLAIN], system: ['Color', 'Plain'] });
    expect(both.faceFor('❤', 2)).toBe('Plain');
    const one = routerOf({ fonts: [PRIMARY, COLOR], system: ['Color'] });
    expect(one.faceFor('❤', 2)).toBe('Color');
  });

  test('a fallback in colours waits for a plain one when the emoji is text', () => {
    const fonts = [PRIMARY, COLOR, PLAIN];
    expect(routerOf({ fonts, roles: { fallback: ['Color'], emojiText: ['Plain'] } }).faceFor('❤', 2)).toBe('Plain');
    expect(routerOf({ fonts, roles: { fallback: ['Color'] } }).faceFor('❤', 2)).toBe('Color');
  });
});

describe('faceNameEmojiText', () => {
  const plain = { name: 'Plain', has: 'ax❤漢😀', advance: 10 };

  test('never serves ordinary text, Han and emoji', () => {
    const { faceFor } = routerOf({ fonts: [PRIMARY, plain], roles: { emojiText: ['Plain'] } });
    expect([faceFor('x'), faceFor('漢', 2), faceFor('😀', 2), faceFor('❤')]).toEqual(['', '', '', 'Plain']);
  });

  test('never gives a glyph in colours', () => {
    const { faceFor } = routerOf({ fonts: [PRIMARY, COLOR], roles: { emojiText: ['Color'] } });
    expect(faceFor('❤')).toBe('');
  });
});

describe('limitFontWidth', () => {
  const wide = (advance: number) => [PRIMARY, { name: 'Wide', has: 'x', advance }];

  test.each([
    [11, 10, 1],
    [12, 10, 10 / 12],
    [12, 20, 1],
    [10.4, 0, 1],
    [11, 0, 10 / 11],
    [500, 100, 1 / 50],
  ])('an advance of %d pixels in a cell of 10 with %d percent is drawn at %d', (advance, limitFontWidth, scale) => {
    const fonts = wide(advance);
    const route = { kind: 'face', scale, face: { family: 'Wide' } };
    expect(routerOf({ fonts, system: ['Wide'], limitFontWidth }).system('x')).toMatchObject(route);
    const named = routerOf({ fonts, roles: { fallback: ['Wide'] }, limitFontWidth });
    expect(named.named('x').kind).toBe(scale === 1 ? 'face' : 'missing');
    expect(named.system('x')).toMatchObject(route);
  });

  test('is asked of each cluster: the face serves others as they are', () => {
    const { system } = routerOf({ fonts: [PRIMARY, { name: 'Wide', has: 'x漢', advance: 20 }], system: ['Wide'] });
    expect([system('x'), system('漢', 2)]).toMatchObject([{ scale: 0.5 }, { scale: 1 }]);
  });

  test('lets the least wide of the faces serve when none fits, the first of equals', () => {
    const fonts = [...wide(30), { name: 'Less', has: 'x', advance: 15 }, { name: 'Same', has: 'x', advance: 15 }];
    const { system } = routerOf({ fonts, roles: { fallback: ['Wide'] }, system: ['Less', 'Same'] });
    expect(system('x')).toMatchObject({ face: { family: 'Less' }, scale: 10 / 15, role: 'system' });
    expect(system('x', 2)).toMatchObject({ face: { family: 'Less' }, scale: 1 });
  });

  test('shrinks a letter with its marks as a whole', () => {
    const fonts = [PRIMARY, { name: 'Wide', has: 'ѯ\u{483}', advance: 20 }];
    expect(routerOf({ fonts, system: ['Wide'] }).system('ѯ\u{483}')).toMatchObject({ scale: 0.5 });
  });

  test('does not make a box of what no system face may be asked for', () => {
    const options = { fonts: wide(15), roles: { fallback: ['Wide'] }, systemFallback: false };
    expect(routerOf(options).system('x')).toMatchObject({ face: { family: 'Wide' }, role: 'fallback' });
  });

  test('the next face that fits serves', () => {
    const fonts = [...wide(15), { name: 'Narrow', has: 'x' }];
    expect(routerOf({ fonts, system: ['Wide', 'Narrow'] }).faceFor('x')).toBe('Narrow');
  });

  test('does not concern faces that the user named for a role', () => {
    const fonts = [PRIMARY, { name: 'Big', has: '漢', advance: 30 }];
    expect(routerOf({ fonts, roles: { han: ['Big'] } }).faceFor('漢', 2)).toBe('Big');
  });
});

describe('fitting', () => {
  test('a plain emoji is shrunk to its cells, and never enlarged', () => {
    const { named } = routerOf({ fonts: [PRIMARY, PLAIN], roles: { emojiText: ['Plain'] } });
    expect(named('❤')).toMatchObject({ kind: 'face', scale: 0.5 });
    const small = routerOf({ fonts: [PRIMARY, { ...PLAIN, advance: 4 }], roles: { emojiText: ['Plain'] } });
    expect(small.named('❤')).toMatchObject({ kind: 'face', scale: 1 });
  });

  test('a plain emoji that does not fit is refused when fitEmojiText is false', () => {
    const options = { fonts: [PRIMARY, PLAIN], fitEmojiText: false };
    expect(routerOf({ ...options, roles: { emojiText: ['Plain'] } }).faceFor('❤')).toBe('');
    expect(routerOf({ ...options, system: ['Plain'] }).faceFor('❤')).toBe('');
    expect(routerOf({ ...options, roles: { emoji: ['Plain'] } }).faceFor(`❤${EMOJI}`, 1)).toBe('');
    expect(routerOf({ ...options, roles: { emoji: ['Plain'] } }).faceFor(`❤${EMOJI}`, 2)).toBe('Plain');
  });

  test('colours are fitted in width and height with any fitEmojiText', () => {
    const options = { roles: { emoji: ['Color'] }, fitEmojiText: false };
    expect(routerOf({ ...options, fonts: [PRIMARY, { ...COLOR, advance: 40 }] }).named('😀', 2)).toMatchObject({
      scale: 0.5,
    });
    expect(routerOf({ ...options, fonts: [PRIMARY, { ...COLOR, advance: 5 }] }).named('😀', 2)).toMatchObject({
      scale: 1,
    });
  });

  test('the primary face is as large as it is', () => {
    const { named } = routerOf({ fonts: [{ name: 'Primary', has: 'a❤', advance: 13 }] });
    expect(named('❤')).toMatchObject({ scale: 1 });
  });
});

describe('colorGlyphs false', () => {
  test('refuses faces without outlines', () => {
    const { faceFor } = routerOf({
      fonts: [PRIMARY, COLOR, PLAIN],
      roles: { emoji: ['Color'] },
      system: ['Color', 'Plain'],
      colorGlyphs: false,
    });
    expect(faceFor('😀', 2)).toBe('Plain');
  });

  test('takes the outline of a face that has one', () => {
    const { named } = routerOf({
      fonts: [PRIMARY, { ...COLOR, hasOutlines: true }],
      roles: { emoji: ['Color'] },
      colorGlyphs: false,
    });
    expect(named('😀', 2)).toMatchObject({ kind: 'face', isColor: false });
  });

  test('lets the primary face draw emoji', () => {
    const { named } = routerOf({ fonts: [{ name: 'Primary', has: '❤' }], colorGlyphs: false });
    expect(nameOf(named(`❤${EMOJI}`, 2))).toBe('Primary');
  });
});

describe('fallback', () => {
  test('systemFallback false leaves what no named face has', () => {
    const fonts = [PRIMARY, CJK, { name: 'One', has: 'x' }];
    const { faceFor, sorted } = routerOf({
      fonts,
      roles: { fallback: ['One'] },
      system: ['Cjk'],
      systemFallback: false,
    });
    expect([faceFor('漢', 2), faceFor('x')]).toEqual(['', 'One']);
    expect(sorted).toEqual([]);
  });

  test('limitFontsets 0 turns all fallback off, and not the faces of roles', () => {
    const fonts = [PRIMARY, CJK, COLOR, { name: 'One', has: 'x' }];
    const { faceFor, sorted } = routerOf({
      fonts,
      roles: { fallback: ['One'], emoji: ['Color'] },
      system: ['Cjk'],
      limitFontsets: 0,
    });
    expect([faceFor('x'), faceFor('漢', 2), faceFor('😀', 2), faceFor('a')]).toEqual(['', '', 'Color', 'Primary']);
    expect(sorted).toEqual([]);
  });

  test('limitFontsets is the number of fallback faces opened for each style', () => {
    const fonts = [PRIMARY, ...['x', 'y', 'z'].map((has) => ({ name: `Font ${has}`, has }))];
    const { faceFor } = routerOf({
      fonts,
      roles: { fallback: ['Font x'] },
      system: ['Font y', 'Font z'],
      limitFontsets: 2,
    });
    expect([faceFor('x'), faceFor('y'), faceFor('z')]).toEqual(['Font x', 'Font y', '']);
    expect(faceFor('z', 1, { isBold: true })).toBe('Font z bold');
    expect([faceFor('y'), faceFor('x')]).toEqual(['Font y', 'Font x']);
  });

  test('a font is opened once for all who ask', () => {
    const fonts = [PRIMARY, { name: 'One', has: 'xy', advance: 20 }];
    const { faceFor, opened } = routerOf({ fonts, roles: { fallback: ['One'] }, system: ['Primary', 'One'] });
    expect([faceFor('x'), faceFor('y'), faceFor('漢', 2)]).toEqual(['One', 'One', '']);
    expect(opened).toEqual(['Primary', 'One']);
  });

  test('a face is opened only when it has a glyph', () => {
    const { faceFor, opened } = routerOf({
      fonts: [PRIMARY, CJK, COLOR],
      roles: { fallback: ['Color'] },
      system: ['Cjk'],
    });
    faceFor('a');
    faceFor('漢', 2);
    expect(opened).toEqual(['Primary', 'Cjk']);
  });
});

test('all faces are as large as the primary one, and the list begins with the wanted face', () => {
  const { faceFor, matched, sorted } = routerOf({ fonts: [PRIMARY], roles: { fallback: ['Absent'] } });
  faceFor('x');
  faceFor('😀', 2);
  expect(matched.map(({ size }) => size)).toEqual([{ pixels: 16 }]);
  expect(sorted).toMatchObject([
    { pattern: 'Primary:color=false', size: { pixels: 16 } },
    { pattern: 'Primary:color=true', size: { pixels: 16 } },
  ]);
});

describe('clusters', () => {
  test('one face draws the whole of it', () => {
    const fonts = [PRIMARY, { name: 'Marks', has: '\u{301}' }, { name: 'Both', has: 'a\u{301}' }];
    expect(routerOf({ fonts, system: ['Marks', 'Both'] }).faceFor('a\u{301}')).toBe('Both');
  });

  test('characters that are not drawn need no glyph', () => {
    const scotland = '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';
    const { faceFor } = routerOf({ fonts: [PRIMARY, { ...COLOR, has: '🏴👩🔥' }], system: ['Color'] });
    expect(faceFor(scotland, 2)).toBe('Color');
    expect(faceFor('👩\u{200d}🔥', 2)).toBe('Color');
  });
});

describe('faults', () => {
  test('a pattern that names no font is reported once, with what is used instead', () => {
    const fonts = [PRIMARY, { name: 'Substitute', has: 'x' }];
    const { faceFor, warnings } = routerOf({ fonts, roles: { fallback: ['Absent'] } });
    expect([faceFor('x'), faceFor('x', 1, { isBold: true })]).toEqual(['Substitute', 'Substitute bold']);
    expect(warnings).toEqual(['resource vt100.fallback: no font is named "Absent"; Substitute is used instead']);
  });

  test('without any font a pattern is left out', () => {
    const { faceFor, warnings } = routerOf({ fonts: [PRIMARY], roles: { han: ['Absent'] } });
    expect(faceFor('漢', 2)).toBe('');
    expect(warnings).toEqual(['resource vt100.han: no font is named "Absent"; it is left out']);
  });

  test('a font that can not be opened is reported once and passed over', () => {
    const fonts = [PRIMARY, { name: 'Bad', has: 'xy', isBroken: true }, { name: 'Good', has: 'xy' }];
    const { faceFor, warnings } = routerOf({ fonts, roles: { fallback: ['Bad'] }, system: ['Bad', 'Good'] });
    expect([faceFor('x'), faceFor('y'), faceFor('x', 1, { isBold: true })]).toEqual(['Good', 'Good', 'Good bold']);
    expect(warnings).toEqual(['a font is not used: the file of Bad is damaged']);
  });

  test('without any face there is no route', () => {
    expect(routerOf({ fonts: [] }).faceFor('a')).toBe('');
  });
});

describe('bounds', () => {
  test('ever new characters that no font has search the system once for each', () => {
    const { system, asked, sorted } = routerOf({ fonts: [PRIMARY, CJK], system: ['Cjk'] });
    for (let round = 0; round < 3; round += 1) {
      for (let code = 0x1_0000; code < 0x1_2000; code += 1) system(String.fromCodePoint(code));
    }
    expect(asked.length).toBe(0x2000);
    expect(sorted.length).toBe(1);
  });

  test('a character that fits in no font does not use up the budget at once', () => {
    const names = Array.from({ length: 60 }, (_, index) => `Wide ${index}`);
    const fonts = [PRIMARY, ...names.map((name) => ({ name, has: 'x', advance: 20 })), { name: 'Good', has: 'y' }];
    const { faceFor, opened } = routerOf({ fonts, system: [...names, 'Good'] });
    expect([faceFor('x'), faceFor('y')]).toEqual(['Wide 0', 'Good']);
    expect(opened.length).toBeLessThan(12);
  });

  test('hostile text opens no more faces than the budget', () => {
    const names = Array.from({ length: 200 }, (_, index) => `Font ${index}`);
    const fonts = [PRIMARY, ...names.map((name, index) => ({ name, has: String.fromCodePoint(0x4e00 + index) }))];
    const { faceFor, opened } = routerOf({ fonts, system: names, limitFontsets: 20 });
    for (let index = 0; index < 200; index += 1) faceFor(String.fromCodePoint(0x4e00 + index), 2);
    expect(opened.filter((name) => name !== 'Primary').length).toBe(20);
  });

  test('closing closes what was opened, and not the primary face', () => {
    const { router, faceFor, closed } = routerOf({ fonts: [PRIMARY, CJK], system: ['Cjk'] });
    faceFor('漢', 2);
    router.close();
    expect(closed).toEqual(['Cjk']);
  });
});
