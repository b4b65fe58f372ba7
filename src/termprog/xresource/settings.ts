import { REFERENCE_PALETTE } from '../../../schemas/termprog/colors.ts';
import type { Severity } from '../diagnostics.ts';
import { readFontRouting } from './font-routing.ts';
import { readFontSlots } from './font-slots.ts';
import type { Geometry } from './geometry.ts';
import { parseGeometry } from './geometry.ts';
import type { ResolvedResource } from './resolve-resources.ts';
import type { ResourceReader } from './resource-reader.ts';

/** The settings of the program, with one section per part. */
export type Settings = ReturnType<typeof readSettings>;

export function createReader(resolved: readonly ResolvedResource[]): ResourceReader {
  return readerOf(new Map(resolved.map(({ row, value }) => [row.name, value])), bytesByName(resolved));
}

/** Resource name → bytes of its value, for values that are not UTF-8. */
export function bytesByName(resolved: readonly ResolvedResource[]): Map<string, string> {
  return new Map(resolved.flatMap(({ row, bytes }) => (bytes === undefined ? [] : [[row.name, bytes] as const])));
}

/** Creates a reader of values by name, and of bytes that are not UTF-8; it sees later changes. */
export function readerOf(
  values: ReadonlyMap<string, string | undefined>,
  bytes: ReadonlyMap<string, string>,
): ResourceReader {
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
    bytes: (name) => {
      const raw = bytes.get(name);
      return raw === undefined ? Buffer.from(required(name), 'utf8') : Buffer.from(raw, 'latin1');
    },
  };
}

/** Returns the lowest logged severity: `logLevel`, or `debug` when it is unset and the resource `debug` is true. */
export function readSeverity(resolved: readonly ResolvedResource[]): Severity {
  const reader = createReader(resolved);
  const isLevelSet = resolved.some(({ row, origin }) => row.name === 'logLevel' && origin !== undefined);
  return !isLevelSet && reader.boolean('debug') ? 'debug' : (reader.required('logLevel') as Severity);
}

/**
 * Reads the resources that matter only at the start. Changeable ones are read where they take effect.
 * @param program its name, for titles, and whether the locale's encoding is UTF-8
 */
export function readSettings(reader: ResourceReader, { name, isUtf8 }: { name: string; isUtf8: boolean }) {
  return {
    routing: readFontRouting(reader),
    fonts: {
      slots: readFontSlots(reader),
      styles: { bold: reader.text('boldFont'), wideBold: reader.text('wideBoldFont') },
    },
    cursor: { shape: cursorShape(reader) },
    scrolling: { saveLines: Math.min(reader.number('saveLines'), Number.MAX_SAFE_INTEGER) },
    titles: { title: reader.text('title') ?? name, iconName: reader.text('iconName') ?? name, isUtf8 },
    window: {
      internalBorder: reader.number('internalBorder'),
      borderWidth: reader.number('borderWidth'),
      resizesByPixel: reader.boolean('resizeByPixel'),
      iconic: reader.boolean('iconic'),
      iconGeometry: optionalGeometry(reader, 'iconGeometry'),
      ...sizeAndPlace(reader),
    },
    toolkit: {
      selectionTimeoutMs: reader.number('selectionTimeout'),
      isSynchronous: reader.boolean('synchronous'),
    },
    session: {
      termName: reader.required('termName'),
      loginShell: reader.boolean('loginShell'),
      translations: reader.text('translations'),
    },
  };
}

/** Reads the colours in force, by the names and numbers of the resources, before any reversal. */
export function readColors(reader: ResourceReader) {
  return {
    foreground: reader.required('foreground'),
    background: reader.required('background'),
    cursor: reader.required('cursorColor'),
    border: reader.required('borderColor'),
    palette: REFERENCE_PALETTE.map((color, index) => ({ spec: reader.required(`color${index}`), default: color })),
  };
}

function cursorShape(reader: ResourceReader): 'block' | 'underline' | 'bar' {
  const isBar = reader.boolean('cursorBar');
  if (reader.boolean('cursorUnderLine')) return 'underline';
  return isBar ? 'bar' : 'block';
}

/** Cells of the first screen, and the position of the window. */
interface SizeAndPlace {
  columns: number;
  rows: number;
  /** Whether the size comes from a geometry. */
  isSizeGiven: boolean;
  place: Pick<Geometry, 'x' | 'y'>;
}

/** Reads size and position; a size of zero becomes one. */
function sizeAndPlace(reader: ResourceReader): SizeAndPlace {
  const columns = reader.number('columns');
  const rows = reader.number('rows');
  const { width, height, ...place } = optionalGeometry(reader, 'geometry') ?? {};
  const isSizeGiven = width !== undefined || height !== undefined;
  return { columns: Math.max(1, width ?? columns), rows: Math.max(1, height ?? rows), isSizeGiven, place };
}

function optionalGeometry(reader: ResourceReader, name: string): Geometry | undefined {
  const text = reader.text(name);
  return text === undefined ? undefined : parseGeometry(text);
}
