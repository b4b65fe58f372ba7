import { describe, expect, test } from 'vitest';
import { evaluateModules, nixpkgsLib, ownLib } from '../../harness/nix/nix.ts';

const realLib = await nixpkgsLib();
const APP_DEFAULTS = 'X11/app-defaults/Term';

describe.each(realLib === undefined ? [ownLib] : [ownLib, realLib])('under $name', (lib) => {
  const system = (resources: string) =>
    evaluateModules(
      lib,
      'modules/termprog.nix',
      `programs.termprog = { enable = true; package = pkgs.fake "termprog" { }; resources = { ${resources} }; };`,
    );
  const home = (resources: string) =>
    evaluateModules(
      lib,
      'modules/home/termprog.nix',
      `programs.termprog = { enable = true; package = pkgs.fake "termprog" { }; resources = { ${resources} }; };`,
    );

  test('what is unset stays unwritten', async () => {
    const { etc, installed } = await system('');

    expect(etc[APP_DEFAULTS]).toBe('');
    expect(installed).toEqual(['termprog']);
  });

  test.each([
    ['text', 'vt100.faceName = "DejaVu Sans Mono:size=11"', '*VT100.faceName: DejaVu Sans Mono:size=11\n'],
    ['a boolean', 'vt100.scrollBar = true', '*VT100.scrollBar: true\n'],
    ['an integer', 'vt100.saveLines = 2000', '*VT100.saveLines: 2000\n'],
    ['a number', 'vt100.faceSize = 11.5', '*VT100.faceSize: 11.5\n'],
    ['a boolean where words are allowed too', 'vt100.renderFont = true', '*VT100.renderFont: true\n'],
    ['one of those words', 'vt100.renderFont = "default"', '*VT100.renderFont: default\n'],
    ['a resource of the program', 'app.termName = "xterm"', '*termName: xterm\n'],
    ['an escape sequence', String.raw`vt100.answerbackString = "a\\tb"`, '*VT100.answerbackString: a\\tb\n'],
    ['a line break', String.raw`app.title = "a\nb"`, '*title: a\\n\\\nb\n'],
    ['a line break that is escaped already', String.raw`app.title = "a\\n\\\nb"`, '*title: a\\n\\\nb\n'],
    ['leading blanks', 'app.title = "  a"', '*title: \\  a\n'],
  ])('%s is written as given', async (_what, definition, written) => {
    expect((await system(`${definition};`)).etc[APP_DEFAULTS]).toBe(written);
  });

  test.each([
    ['a resource that does not exist', 'vt100.savelines = 5', /savelines.*does not exist/s],
    ['a negative size', 'vt100.saveLines = -1', /saveLines.*not of type/s],
    ['a word that is no choice', 'vt100.graphemeWidth = "wide"', /graphemeWidth.*not of type/s],
  ])('%s is refused by name', async (_what, definition, message) => {
    await expect(system(`${definition};`)).rejects.toThrow(message);
  });

  test('Home Manager gets resources that survive the C preprocessor', async () => {
    const { xresources, installed } = await home(
      'vt100.saveLines = 2000; app.termName = "linux"; app.title = "https://x /* y";',
    );

    expect(xresources).toEqual({
      'Term*vt100.saveLines': '2000',
      'Term.termName': '\\154inux',
      'Term.title': 'https:\\057\\057x \\057* y',
    });
    expect(installed).toEqual(['termprog']);
  });
});
