import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { OutlineFontsUnavailableError } from '../../../../../src/termprog/errors.ts';
import { loadOutlineFonts } from '../../../../../src/termprog/fonts/outline/outline-fonts.ts';
import { NATIVE_LIBRARIES } from '../../../../../src/termprog/native-libraries.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';
import { openFont, openSource, requestOf } from './open-fonts.ts';

const MONO = 'DejaVu Sans Mono';
const SCREEN = { dpi: 100, subpixelOrder: 0, resources: {} };

describe('libraries', () => {
  test.each(['fontconfig', 'freetype'] as const)('without %s one line says so', (name) => {
    const load = () => loadOutlineFonts({ ...NATIVE_LIBRARIES, [name]: `/nonexistent/lib${name}.so` });
    expect(load).toThrow(OutlineFontsUnavailableError);
    expect(load).toThrow(new RegExp(`^/nonexistent/lib${name}.so can't be loaded: [^\n]+$`));
  });

  test.each(['fontconfig', 'freetype'] as const)('another library under the name of %s is refused', (name) => {
    expect(() => loadOutlineFonts({ ...NATIVE_LIBRARIES, [name]: 'libc.so.6' })).toThrow(OutlineFontsUnavailableError);
  });

  test.each(['/nonexistent/libharfbuzz.so', 'libc.so.6'])(
    'with %s for HarfBuzz everything is drawn but clusters, which are not shaped; one line says so',
    (harfbuzz) => {
      const lines: string[] = [];
      const libraries = loadOutlineFonts({ ...NATIVE_LIBRARIES, harfbuzz }, { warning: (line) => lines.push(line) });
      const source = libraries.openSource(SCREEN);
      const face = openFont(source, MONO);
      expect(face.rasterize(face.glyphOf(0x41))).toMatchObject({ format: 'alpha' });
      expect(face.shape([0x41, 0xfe0f])).toHaveLength(1);
      expect(lines).toEqual([]);
      expect(face.shape([0x78, 0x301])).toBeUndefined();
      expect(face.shape([0x78, 0x301])).toBeUndefined();
      source.close();
      expect(lines).toEqual([
        expect.stringMatching(/^clusters are drawn character by character: .*(harfbuzz|hb_)[^\n]*$/),
      ]);
    },
  );
});

/**
 * Returns the lines of a program that has the fonts of a folder alone; it may use `source`, `requestOf` and Node's
 * `fs`.
 */
async function printedWith(
  { folder, configuration }: { folder: string; configuration?: string },
  program: string,
): Promise<string[]> {
  const file = join(folder, 'fonts.conf');
  writeFileSync(
    file,
    configuration ?? `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
  );
  const script = `
    import * as fs from 'node:fs';
    import { loadOutlineFonts } from '${resolve('src/termprog/fonts/outline/outline-fonts.ts')}';
    const source = loadOutlineFonts().openSource({ dpi: 100, subpixelOrder: 0, resources: {} });
    const request = { pattern: 'DejaVu Sans Mono', size: { points: 11 }, isBold: false, isItalic: false };
    const attempt = (act) => { try { return act(); } catch (error) { return error.name + ': ' + error.message; } };
    ${program}`;
  const env = { ...process.env, FONTCONFIG_FILE: file };
  const args = ['--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 120_000 });
  return stdout.split('\n').filter((line) => line !== '');
}

describe('fonts', () => {
  test.each([
    ['has no fonts', '<fontconfig></fontconfig>'],
    ['names a folder that is not there', '<fontconfig><dir>/nonexistent</dir></fontconfig>'],
  ])('where fontconfig %s, no face is found', async (_, configuration) => {
    await using folder = await tempFolder();
    expect(
      await printedWith(
        { folder: folder.path, configuration },
        'console.log(source.match(request), [...source.candidates(request)].length);',
      ),
    ).toEqual(['undefined 0']);
  });

  test('a file that is gone, cut off or overwritten since it was found is refused by name', async () => {
    await using folder = await tempFolder();
    const font = join(folder.path, 'fonts/mono.ttf');
    mkdirSync(join(folder.path, 'fonts'));
    cpSync(openSource().match(requestOf(MONO))?.file ?? '', font);

    const printed = await printedWith(
      { folder: folder.path },
      `const file = '${font}';
      const candidate = source.match(request);
      const [listed] = source.candidates(request);
      const bytes = fs.readFileSync(file);
      const show = (what) => {
        for (const { open } of [candidate, listed]) {
          const face = attempt(open);
          console.log(what, typeof face === 'string' ? face : face.family);
        }
      };
      show('whole');
      fs.rmSync(file); show('gone');
      fs.writeFileSync(file, 'garbage'); show('garbage');
      fs.writeFileSync(file, bytes.subarray(0, 200)); show('short');
      fs.writeFileSync(file, ''); show('empty');
      fs.rmSync(file); fs.mkdirSync(file); show('folder');`,
    );

    expect(printed.slice(0, 2)).toEqual([`whole ${MONO}`, `whole ${MONO}`]);
    expect(printed).toHaveLength(12);
    for (const line of printed.slice(2)) {
      expect(line).toMatch(
        new RegExp(`^\\w+ FaceUnavailableError: the font file ${font} can't be read \\(FreeType error`),
      );
    }
  });
});
