import { expect, test } from 'vitest';
import { termprogResources } from '../../../../schemas/termprog/index.ts';
import { createDiagnostics } from '../../../../src/termprog/diagnostics.ts';
import { reportFindings, resolveResources } from '../../../../src/termprog/xresource/resolve-resources.ts';
import { createReader, readSettings, readSeverity } from '../../../../src/termprog/xresource/settings.ts';
import { collectResources } from '../../../../src/termprog/xresource/sources.ts';

const name = { instance: 'term', class: 'Term' };

function resolve(...lines: string[]) {
  const host = {
    environment: {},
    home: '/home/ada',
    hostName: 'tower',
    readFile: () => undefined,
    resourceManager: lines.join('\n'),
    screenResources: undefined,
  };
  return resolveResources(termprogResources, collectResources(host, name, []).database, name);
}
const settings = (...lines: string[]) =>
  readSettings(createReader(resolve(...lines)), { name: 'termprog', isUtf8: true });

test('without resources the window has 80 columns and 24 rows', () => {
  expect(settings().window).toMatchObject({ columns: 80, rows: 24, place: {}, internalBorder: 2, borderWidth: 0 });
});

test('a geometry replaces columns and rows, and a size of zero becomes one', () => {
  expect(settings('*columns: 50', '*vt100.geometry: 0x30-1+2').window).toMatchObject({
    columns: 1,
    rows: 30,
    place: { x: { distance: 1, fromFarEdge: true }, y: { distance: 2, fromFarEdge: false } },
  });
  expect(settings('*columns: 50', '*rows: 7').window).toMatchObject({ columns: 50, rows: 7 });
});

test('the geometry of the application counts where that of the widget is unset', () => {
  expect(settings('term.geometry: 10x10').window).toMatchObject({ columns: 10, rows: 10 });
  expect(settings('term.geometry: 10x10', 'term.vt100.geometry: 20x20').window).toMatchObject({ columns: 20 });
});

test('an empty geometry of the widget is one that leaves every part out', () => {
  expect(settings('term.geometry: 10x11', 'term.vt100.geometry:').window).toMatchObject({ columns: 80, rows: 24 });
});

test('the underline cursor wins over the bar', () => {
  expect(settings('*cursorBar: true').cursor.shape).toBe('bar');
  expect(settings('*cursorBar: true', '*cursorUnderLine: true').cursor.shape).toBe('underline');
});

test('a history has no upper limit', () => {
  expect(settings('*saveLines: 250000000').scrolling.saveLines).toBe(250_000_000);
  expect(settings(`*saveLines: ${'9'.repeat(400)}`).scrolling.saveLines).toBe(Number.MAX_SAFE_INTEGER);
});

for (const [resource, value] of [
  ['vt100.geometry', '80 by 24'],
  ['iconGeometry', 'left'],
] as const) {
  test(`a bad ${resource} is reported in one line with what is accepted`, () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    reportFindings(resolve(`term.${resource}: ${value}`), name, createDiagnostics('info', write));
    expect(lines).toEqual([
      `termprog: warning: resource term.${resource}: "${value}" (from RESOURCE_MANAGER) is not a geometry (WIDTHxHEIGHT+X+Y with any part left out, such as 80x24, +10-0 or 100x30+0+0); it stays unset\n`,
    ]);
  });
}

test('debug counts where logLevel is unset', () => {
  expect(readSeverity(resolve())).toBe('warning');
  expect(readSeverity(resolve('*debug: true'))).toBe('debug');
  expect(readSeverity(resolve('*debug: true', '*logLevel: error'))).toBe('error');
});

test('a value that does not fit leaves the default and is kept for the message', () => {
  const found = resolve('*vt100.columns: many').find(({ row }) => row.name === 'columns');
  expect(found).toMatchObject({ value: '80', refused: { value: 'many', source: 'RESOURCE_MANAGER' } });
});

test('faces by role come from their resources in the order in which they are asked', () => {
  const { patterns } = settings(
    '*faceName: DejaVu Sans Mono:size=11, Noto Sans Mono\\\\,x',
    '*fallbackFace2: Two',
    '*fallbackFace16: xft:Sixteen',
    '*fallbackFace1: One',
    '*boldFont: -misc-fixed-bold-*, xft:Heavy:bold,XFT:Heavier',
    '*wideBoldFont: 9x15bold',
    '*faceNameHan:',
  ).routing;
  expect(patterns.fallback).toEqual([
    { resource: 'faceName', pattern: 'Noto Sans Mono\\,x' },
    { resource: 'fallbackFace1', pattern: 'One' },
    { resource: 'fallbackFace2', pattern: 'Two' },
    { resource: 'fallbackFace16', pattern: 'Sixteen' },
  ]);
  expect(patterns.bold.map(({ pattern }) => pattern)).toEqual(['Heavy:bold', 'Heavier']);
  expect([patterns.wideBold, patterns.han, patterns.emoji]).toEqual([[], [], []]);
});
