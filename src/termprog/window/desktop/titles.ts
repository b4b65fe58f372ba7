import type { Client } from 'x11';
import type { LabelKind } from '../../engine/engine-host.ts';
import type { OptionPort } from '../../ports/states.ts';
import { writesUtf8Titles } from './title-port.ts';
import type { WindowAtoms } from './window-atoms.ts';

/** Most characters of a label in a window property. */
const LABEL_MAX_CHARACTERS = 4_096;

export interface TitleParts {
  client: Pick<Client, 'ChangeProperty' | 'DeleteProperty'>;
  window: number;
  atoms: WindowAtoms;
  options: OptionPort;
  /** Whether `utf8Title: default` writes the properties that are UTF-8 by definition. */
  isUtf8Locale: boolean;
  /** Requests a frame, which writes the label. */
  request(): void;
}

/**
 * Owns the window's title and icon name. They are written with frames, so that window managers see few of a flood of
 * titles.
 */
export class Titles {
  readonly #parts: TitleParts;
  readonly #requested: Partial<Record<LabelKind, string>> = {};
  readonly #shown: Partial<Record<LabelKind, string>> = {};
  readonly #waiting = new Map<LabelKind, string>();

  constructor(parts: TitleParts) {
    this.#parts = parts;
    parts.options.watch(['utf8Title'], () => this.#rewrite());
  }

  /** The label that was last requested, without control characters. */
  get(kind: LabelKind): string {
    return cleaned(this.#requested[kind] ?? '');
  }

  /**
   * Sets a label. With `sameName` a repetition of the last request is skipped, even if the property has another value
   * by now.
   * @spec termprog#application-resources-term-or-term sameName
   */
  set(kind: LabelKind, text: string): void {
    if (this.#parts.options.get('sameName') && this.#requested[kind] === text) return;
    this.#requested[kind] = text;
    this.#waiting.set(kind, cleaned(text));
    this.#parts.request();
  }

  /** Whether labels wait for the next frame. */
  get isDue(): boolean {
    return this.#waiting.size > 0;
  }

  /** Writes the waiting labels. */
  flush(): void {
    for (const [kind, label] of this.#waiting) {
      // A label that can't be written must not be tried forever.
      this.#waiting.delete(kind);
      this.#write(kind, label);
    }
  }

  /**
   * After a change of `utf8Title`: deletes a property that is no longer written, because it would keep an old label.
   */
  #rewrite(): void {
    for (const [kind, label] of Object.entries(this.#shown) as [LabelKind, string][]) {
      if (!this.#waiting.has(kind)) this.#waiting.set(kind, label);
      if (!this.#writesUtf8()) this.#parts.client.DeleteProperty(this.#parts.window, this.#propertiesOf(kind).utf8);
    }
    this.#parts.request();
  }

  #write(kind: LabelKind, label: string): void {
    const { client, window, atoms } = this.#parts;
    const { older, utf8 } = this.#propertiesOf(kind);
    const isLatin1 = !/[^\u0020-\u00ff]/.test(label);
    const set = (property: number, type: number, bytes: Buffer): void =>
      client.ChangeProperty(0, window, property, type, 8, bytes);
    set(older, isLatin1 ? atoms.string : atoms.utf8String, Buffer.from(label, isLatin1 ? 'latin1' : 'utf8'));
    if (this.#writesUtf8()) set(utf8, atoms.utf8String, Buffer.from(label, 'utf8'));
    this.#shown[kind] = label;
  }

  #propertiesOf(kind: LabelKind): { older: number; utf8: number } {
    const { wmName, wmIconName, netWmName, netWmIconName } = this.#parts.atoms;
    return kind === 'title' ? { older: wmName, utf8: netWmName } : { older: wmIconName, utf8: netWmIconName };
  }

  #writesUtf8(): boolean {
    return writesUtf8Titles(this.#parts.options, this.#parts.isUtf8Locale);
  }
}

/** A label without control characters: a program that reads it back would take them for keys. */
function cleaned(text: string): string {
  return text.slice(0, LABEL_MAX_CHARACTERS).replace(/\p{Cc}/gu, '');
}
