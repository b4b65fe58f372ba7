import { askFontName, openFont } from '../../fonts/open-font.ts';
import { unicodeNameOf, wideNameOf } from '../../fonts/xlfd.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import { type CodeOf, codesOf } from './charset-codes.ts';
import { type FontMetrics, fontMetricsOf } from './font-metrics.ts';

/** The toolkit's font if the named one is missing, and the font of every server; XtDefaultFont. */
export const DEFAULT_FONTS = ['-*-*-*-R-*-*-*-120-*-*-*-*-ISO8859-1', 'fixed'] as const;

/** Most characters of a label, limited by one request; X11 protocol, PolyText16. */
const LABEL_MAX_CHARACTERS = 254;

/** The last fields of a full name: the registry and the encoding of its character set. */
const CHARSET = /-([^-]+-[^-]+)$/;

/** A font of the server that draws labels. */
export interface LabelFont extends FontMetrics {
  id: number;
  /** Full name, if the server provides one. */
  xlfd: string | undefined;
  codeOf: CodeOf;
}

/** A part of a label that one font draws. */
export interface LabelRun {
  font: number;
  /** Codes in the font, one per character. */
  codes: string;
  width: number;
}

/** Opens and caches the fonts of labels. */
export class LabelFonts {
  readonly #connection: XConnection;
  readonly #opened = new Map<string, Promise<LabelFont | undefined>>();

  constructor(connection: XConnection) {
    this.#connection = connection;
  }

  /** Opens a font; undefined when the server has no such font. */
  open(name: string): Promise<LabelFont | undefined> {
    const opened = this.#opened.get(name) ?? this.#load(name);
    this.#opened.set(name, opened);
    return opened;
  }

  /** Returns the first font that exists. */
  async first(names: readonly string[]): Promise<LabelFont | undefined> {
    for (const name of names) {
      const font = await this.open(name);
      if (font !== undefined) return font;
    }
    return undefined;
  }

  /**
   * Splits a label into parts by font. A character that the font lacks comes from a font named with it, then from
   * related fonts with more characters, then from any font of their kind.
   */
  async runsOf(text: string, font: LabelFont, others: readonly string[]): Promise<LabelRun[]> {
    const candidates = [font];
    const names = [...others, ...sistersOf(font)];
    const runs: LabelRun[] = [];
    for (const character of [...text].slice(0, LABEL_MAX_CHARACTERS)) {
      const codePoint = character.codePointAt(0) ?? 0;
      const found =
        candidates.find((candidate) => hasCharacter(candidate, codePoint)) ??
        (await this.#openMore(names, candidates, codePoint));
      append(runs, found ?? font, found === undefined ? '?'.charCodeAt(0) : codePoint);
    }
    return runs;
  }

  /** Opens fonts by their names until one has the character. */
  async #openMore(names: string[], candidates: LabelFont[], codePoint: number): Promise<LabelFont | undefined> {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const font = await this.open(name);
      if (font === undefined) continue;
      candidates.push(font);
      if (hasCharacter(font, codePoint)) return font;
    }
    return undefined;
  }

  close(): void {
    for (const opened of this.#opened.values()) {
      void opened.then((font) => font && this.#connection.isOpen && this.#connection.client.CloseFont(font.id));
    }
    this.#opened.clear();
  }

  async #load(name: string): Promise<LabelFont | undefined> {
    if (name === '') return undefined;
    const font = await openFont(this.#connection, name, fontMetricsOf);
    if (font === undefined) return undefined;
    const { id, metrics, fullNameAtom } = font;
    // The requested name determines the character set if the font has no full name.
    const fullName = (fullNameAtom && (await askFontName(this.#connection, fullNameAtom))) || undefined;
    return { ...metrics, id, xlfd: fullName, codeOf: codesOf(CHARSET.exec(fullName ?? name)?.[1] ?? 'iso8859-1') };
  }
}

function hasCharacter(font: LabelFont, codePoint: number): boolean {
  const code = font.codeOf(codePoint);
  return code !== undefined && font.widthOf(code) !== undefined;
}

/** Returns fonts of the same look with more characters, then the servers' fonts for Japanese. */
function sistersOf({ xlfd, ascent, descent }: LabelFont): string[] {
  const height = ascent + descent;
  const names = xlfd === undefined ? [] : [unicodeNameOf(xlfd), wideNameOf(xlfd)];
  const anyUnicode = [
    `-misc-fixed-medium-r-*-*-${height}-*-*-*-c-*-iso10646-1`,
    '-misc-fixed-medium-r-*-ja-13-*-*-*-c-*-iso10646-1',
    '-misc-fixed-medium-r-*-*-13-*-*-*-c-*-iso10646-1',
    '-*-*-medium-r-*-*-*-*-*-*-*-*-iso10646-1',
  ];
  return [...names.filter((name) => name !== undefined), ...anyUnicode];
}

/** Appends a character to the last part, or as a new part. */
function append(runs: LabelRun[], font: LabelFont, codePoint: number): void {
  const code = font.codeOf(codePoint);
  const width = code === undefined ? undefined : font.widthOf(code);
  if (code === undefined || width === undefined) return;
  const last = runs.at(-1);
  if (last?.font === font.id) {
    last.codes += String.fromCharCode(code);
    last.width += width;
  } else runs.push({ font: font.id, codes: String.fromCharCode(code), width });
}
