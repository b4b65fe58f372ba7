import type { XConnection } from '../x11/connection.ts';
import type { WindowAtoms } from './window-atoms.ts';

export interface TitleSettings {
  /** Applications may change them. */
  mayChange: boolean;
  /** A request for the label requested last is skipped. */
  skipRepeated: boolean;
  /** Also write the properties that are UTF-8 by definition. */
  writeUtf8: boolean;
}

/** The window's title and icon name. */
export class Titles {
  readonly #connection: XConnection;
  readonly #window: number;
  readonly #atoms: WindowAtoms;
  readonly #settings: TitleSettings;
  #requested: { title?: string; iconName?: string } = {};

  constructor(connection: XConnection, window: number, atoms: WindowAtoms, settings: TitleSettings) {
    this.#connection = connection;
    this.#window = window;
    this.#atoms = atoms;
    this.#settings = settings;
  }

  /** Sets a label whatever applications may do. */
  set(kind: 'title' | 'iconName', text: string): void {
    this.#requested[kind] = text;
    const printable = text.replace(/\p{Cc}/gu, '');
    const { client } = this.#connection;
    const { wmName, wmIconName, netWmName, netWmIconName, utf8String, string } = this.#atoms;
    const isLatin1 = !/[^\u0020-\u00ff]/.test(printable);
    const label = Buffer.from(printable, isLatin1 ? 'latin1' : 'utf8');
    client.ChangeProperty(
      0,
      this.#window,
      kind === 'title' ? wmName : wmIconName,
      isLatin1 ? string : utf8String,
      8,
      label,
    );
    if (!this.#settings.writeUtf8) return;
    const property = kind === 'title' ? netWmName : netWmIconName;
    client.ChangeProperty(0, this.#window, property, utf8String, 8, Buffer.from(printable, 'utf8'));
  }

  /** An application asks for a label. @spec termprog#terminal-widget-resources-termvt100 allowTitleOps */
  request(kind: 'title' | 'iconName', text: string): void {
    const { mayChange, skipRepeated } = this.#settings;
    if (!mayChange || (skipRepeated && this.#requested[kind] === text)) return;
    this.set(kind, text);
  }
}
