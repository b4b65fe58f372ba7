import type { Severity } from '../diagnostics.ts';
import type { Geometry } from './geometry.ts';
import { parseGeometry } from './geometry.ts';
import type { ResolvedResource } from './resolve.ts';

/** What the parts of the program are configured by, each its own slice. */
export type Settings = ReturnType<typeof readSettings>;

/** Typed access to resolved resources by name. Tests record the names to find rows that nothing reads. */
export interface ResourceReader {
  text(name: string): string | undefined;
  required(name: string): string;
  boolean(name: string): boolean;
  number(name: string): number;
}

export function createReader(resolved: readonly ResolvedResource[]): ResourceReader {
  const values = new Map(resolved.map(({ row, value }) => [row.name, value]));
  const text = (name: string): string | undefined => {
    if (!values.has(name)) throw new Error(`no row describes the resource ${name}`);
    return values.get(name);
  };
  const required = (name: string): string => {
    const value = text(name);
    if (value === undefined) throw new Error(`the resource ${name} has no default`);
    return value;
  };
  return {
    text,
    required,
    boolean: (name) => required(name) === 'true',
    number: (name) => Number(required(name)),
  };
}

/** Least severe messages to write: `logLevel`, or `debug` where that was left unset. */
export function readSeverity(resolved: readonly ResolvedResource[]): Severity {
  const reader = createReader(resolved);
  const isLevelSet = resolved.some(({ row, origin }) => row.name === 'logLevel' && origin !== undefined);
  return !isLevelSet && reader.boolean('debug') ? 'debug' : (reader.required('logLevel') as Severity);
}

/**
 * Reads every resource that has an effect.
 * @param program its name, for titles, and whether the locale's encoding is UTF-8
 */
export function readSettings(reader: ResourceReader, { name, isUtf8 }: { name: string; isUtf8: boolean }) {
  return {
    fonts: { normal: reader.required('font'), bold: reader.text('boldFont') },
    colors: {
      foreground: reader.required('foreground'),
      background: reader.required('background'),
      cursor: reader.required('cursorColor'),
      border: reader.required('borderColor'),
      palette: Array.from({ length: 16 }, (_, index) => reader.required(`color${index}`)),
      boldIsBright: reader.boolean('boldColors'),
      reverseVideo: reader.boolean('reverseVideo'),
    },
    cursor: {
      shape: cursorShape(reader),
      alwaysHighlight: reader.boolean('alwaysHighlight'),
    },
    scrolling: {
      saveLines: reader.number('saveLines'),
      onOutput: reader.boolean('scrollTtyOutput'),
      onKey: reader.boolean('scrollKey'),
    },
    titles: {
      title: reader.text('title') ?? name,
      iconName: reader.text('iconName') ?? name,
      mayChange: reader.boolean('allowTitleOps') && !reader.boolean('allowSendEvents'),
      skipRepeated: reader.boolean('sameName'),
      writeUtf8: wantsUtf8(reader.required('utf8Title'), isUtf8),
    },
    window: {
      internalBorder: reader.number('internalBorder'),
      borderWidth: reader.number('borderWidth'),
      iconic: reader.boolean('iconic'),
      iconGeometry: optionalGeometry(reader, 'iconGeometry'),
      ...sizeAndPlace(reader),
    },
    session: {
      termName: reader.required('termName'),
      loginShell: reader.boolean('loginShell'),
      hold: reader.boolean('hold'),
      answerback: reader.required('answerbackString'),
      translations: reader.text('translations'),
    },
  };
}

function wantsUtf8(utf8Title: string, isUtf8Locale: boolean): boolean {
  return utf8Title === 'default' ? isUtf8Locale : utf8Title !== 'false';
}

function cursorShape(reader: ResourceReader): 'block' | 'underline' | 'bar' {
  const isBar = reader.boolean('cursorBar');
  if (reader.boolean('cursorUnderLine')) return 'underline';
  return isBar ? 'bar' : 'block';
}

/** Cells of the first screen, and where the window goes. A size of zero becomes one. */
function sizeAndPlace(reader: ResourceReader): { columns: number; rows: number; place: Pick<Geometry, 'x' | 'y'> } {
  const columns = reader.number('columns');
  const rows = reader.number('rows');
  const { width, height, ...place } = optionalGeometry(reader, 'geometry') ?? {};
  return { columns: Math.max(1, width ?? columns), rows: Math.max(1, height ?? rows), place };
}

function optionalGeometry(reader: ResourceReader, name: string): Geometry | undefined {
  const text = reader.text(name);
  return text === undefined ? undefined : parseGeometry(text);
}
