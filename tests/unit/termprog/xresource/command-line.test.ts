import { expect, test } from 'vitest';
import { termprogResources } from '../../../../schemas/termprog/index.ts';
import { termprogProgramOptions } from '../../../../schemas/termprog/program-options.ts';
import { parseCommandLine } from '../../../../src/termprog/xresource/command-line.ts';
import { createOptionTable } from '../../../../src/termprog/xresource/option-table.ts';

const table = createOptionTable(termprogResources, termprogProgramOptions);
const parse = (...argv: string[]) => parseCommandLine(argv, table);
const settings = (...argv: string[]) =>
  parse(...argv).resources.map((resource) =>
    resource.kind === 'line' ? resource.line : `${resource.row.scope}.${resource.row.name}=${resource.value}`,
  );

/** @spec termprog#command-line-options */
for (const [argv, expected] of [
  ['-geometry 80x30+0-5', 'vt100.geometry=80x30+0-5'],
  ['-rv', 'vt100.reverseVideo=true'],
  ['+rv', 'vt100.reverseVideo=false'],
  ['-r', 'vt100.reverseVideo=true'],
  ['+r', 'vt100.reverseVideo=false'],
  ['-reverse', 'vt100.reverseVideo=true'],
  ['-bg red', 'app.background=red'],
  ['-background red', 'app.background=red'],
  ['-fg red', 'vt100.foreground=red'],
  ['-foreground red', 'vt100.foreground=red'],
  ['-bd red', 'app.borderColor=red'],
  ['-bordercolor red', 'app.borderColor=red'],
  ['-bw 3', 'app.borderWidth=3'],
  ['-borderwidth 3', 'app.borderWidth=3'],
  ['-w 3', 'app.borderWidth=3'],
  ['-fn 9x15', 'vt100.font=9x15'],
  ['-font 9x15', 'vt100.font=9x15'],
  ['-fb 9x15bold', 'vt100.boldFont=9x15bold'],
  ['-fwb 18x18ja', 'vt100.wideBoldFont=18x18ja'],
  ['-fa Mono', 'vt100.faceName=Mono'],
  ['-fd Mono', 'vt100.faceNameDoublesize=Mono'],
  ['-fe Emoji', 'vt100.faceNameEmoji=Emoji'],
  ['-fs 11', 'vt100.faceSize=11'],
  ['-iconic', 'app.iconic=true'],
  ['-title x', 'app.title=x'],
  ['-T x', 'app.title=x'],
  ['-n x', 'app.iconName=x'],
  ['#+1-2', 'app.iconGeometry=+1-2'],
  ['-tn vt220', 'app.termName=vt220'],
  ['-xrm *a:b', '*a:b'],
  ['-b 5', 'vt100.internalBorder=5'],
  ['-ah', 'vt100.alwaysHighlight=true'],
  ['+ah', 'vt100.alwaysHighlight=false'],
  ['-bc', 'vt100.cursorBlink=true'],
  ['+bc', 'vt100.cursorBlink=false'],
  ['-uc', 'vt100.cursorUnderLine=true'],
  ['+uc', 'vt100.cursorUnderLine=false'],
  ['-barc', 'vt100.cursorBar=true'],
  ['+barc', 'vt100.cursorBar=false'],
  ['-bcf 5', 'vt100.cursorOffTime=5'],
  ['-bcn 5', 'vt100.cursorOnTime=5'],
  ['-opacity 0.5', 'vt100.backgroundOpacity=0.5'],
  ['-opacity disabled', 'vt100.backgroundOpacity=disabled'],
  ['-cc 33:48', 'vt100.charClass=33:48'],
  ['-cr red', 'vt100.cursorColor=red'],
  ['-pc', 'vt100.boldColors=true'],
  ['+pc', 'vt100.boldColors=false'],
  ['-ls', 'vt100.loginShell=true'],
  ['+ls', 'vt100.loginShell=false'],
  ['-mc 5', 'vt100.multiClickTime=5'],
  ['-hold', 'app.hold=true'],
  ['+hold', 'app.hold=false'],
  ['-samename', 'app.sameName=true'],
  ['+samename', 'app.sameName=false'],
  ['-sb', 'vt100.scrollBar=true'],
  ['+sb', 'vt100.scrollBar=false'],
  ['-rightbar', 'vt100.rightScrollBar=true'],
  ['-leftbar', 'vt100.rightScrollBar=false'],
  ['-si', 'vt100.scrollTtyOutput=false'],
  ['+si', 'vt100.scrollTtyOutput=true'],
  ['-sk', 'vt100.scrollKey=true'],
  ['+sk', 'vt100.scrollKey=false'],
  ['-sl 5', 'vt100.saveLines=5'],
  ['+fbx', 'vt100.forceBoxChars=true'],
  ['-fbx', 'vt100.forceBoxChars=false'],
  ['-log info', 'app.logLevel=info'],
  ['-debug', 'app.logLevel=debug'],
  ['+debug', 'app.logLevel=warning'],
  ['-report-config', 'app.reportConfig=true'],
  ['-report-font-routing', 'vt100.reportFontRouting=true'],
  ['-selectionTimeout 5', 'app.selectionTimeout=5'],
  ['-synchronous', 'app.synchronous=true'],
  ['+synchronous', 'app.synchronous=false'],
  ['-xnllanguage de_DE', 'app.xnlLanguage=de_DE'],
] as const) {
  test(`${argv} sets ${expected}`, () => expect(settings(...argv.split(' '))).toEqual([expected]));
}

test('an option may be shortened to a prefix that only it has', () => {
  expect(settings('-geom', '1x1', '-foreg', 'red')).toEqual(['vt100.geometry=1x1', 'vt100.foreground=red']);
  expect(parse('-vers').requests).toEqual(['-version']);
  expect(settings('+sam')).toEqual(['app.sameName=false']);
});

test('an exact spelling wins over those it is a prefix of', () => {
  expect(settings('-b', '1', '-fn', 'x', '-r')).toEqual([
    'vt100.internalBorder=1',
    'vt100.font=x',
    'vt100.reverseVideo=true',
  ]);
});

test('a prefix of several options is refused with their names', () => {
  expect(() => parse('-fo')).toThrow('bad command line option "-fo": it may be -font, -foreground');
  expect(() => parse('-s')).toThrow(
    ': it may be -samename, -sb, -selectionTimeout, -self-test, -si, -sk, -sl, -synchronous',
  );
});

for (const bad of ['-fo', '-no-such-option', '-', '--', '--vers', '-leftba -report', 'file', '+fn']) {
  test(`${bad} is refused by name`, () => {
    const word = bad.split(' ').at(-1) ?? '';
    expect(() => parse(...bad.split(' '))).toThrow(`bad command line option "${word}"`);
  });
}

test('an option at the end without its value is refused', () => {
  expect(() => parse('-fn')).toThrow('option "-fn" needs a value: -fn fontname');
  expect(() => parse('-e')).toThrow('option "-e" needs a command: -e command args ...');
});

test('everything behind -e is the command', () => {
  expect(parse('-rv', '-e', 'ls', '-l', '-fn', '--help')).toMatchObject({
    command: ['ls', '-l', '-fn', '--help'],
    requests: [],
  });
});

test('name, class and display stand apart from resources', () => {
  expect(parse('-name', 'work', '-class', 'Work', '-display', ':7')).toMatchObject({
    name: 'work',
    class: 'Work',
    display: ':7',
  });
});

test('a value is itself even where it is a name that objects have in common', () => {
  const values = parse('-fn', 'constructor', '-T', '__proto__').resources.map((resource) =>
    resource.kind === 'row' ? resource.value : resource.line,
  );
  expect(values).toEqual(['constructor', '__proto__']);
});
