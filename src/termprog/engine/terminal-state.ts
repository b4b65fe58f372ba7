import { CLUSTER, CODE_MASK, CONTENT, EXTRA, type Extra, WORDS_PER_CELL } from './cell.ts';
import type { CursorShape } from './cursor.ts';
import { eraseRows } from './editing.ts';
import type { EngineHost } from './engine-host.ts';
import { InternTable } from './intern-table.ts';
import { CLUSTERS_MAX_CHARACTERS, LINKS_MAX_CHARACTERS } from './limits.ts';
import { Modes, type ModeTarget } from './modes.ts';
import { Pen } from './pen.ts';
import { type Cluster, type ClusterStore, Printer, type WidthOf } from './printer.ts';
import type { Screen } from './screen.ts';

const NO_EXTRA: Extra = { underlineColor: 0, link: undefined };

/** All that control functions read and change. */
export class TerminalState implements ModeTarget, ClusterStore {
  readonly screen: Screen;
  readonly host: EngineHost;
  readonly modes: Modes;
  readonly printer: Printer;
  readonly clusters = new InternTable<Cluster>({
    keyOf: ({ text }) => text,
    numberMax: CODE_MASK,
    charactersMax: CLUSTERS_MAX_CHARACTERS,
  });
  readonly extras = new InternTable<Extra>({
    keyOf: ({ underlineColor, link }) =>
      `${underlineColor} ${link?.id.length ?? ''} ${link?.id ?? ''}${link?.uri ?? ''}`,
    numberMax: 0xffff_ffff,
    charactersMax: LINKS_MAX_CHARACTERS,
  });
  /** The application's choice; undefined for the configured one. */
  cursorShape: CursorShape | undefined;
  /** The character right before this control function, for REP; 0 when something else came in between. */
  precedingCharacter = 0;

  constructor(screen: Screen, host: EngineHost, widthOf: WidthOf) {
    this.screen = screen;
    this.host = host;
    this.printer = new Printer(screen, this, widthOf);
    this.modes = new Modes(this);
  }

  extra(number: number): Extra {
    return this.extras.get(number) ?? NO_EXTRA;
  }

  /** Changes the underline colour or the link of what is written next. */
  changeExtra(change: Partial<Extra>): void {
    const { pen } = this.screen;
    const next = { ...this.extra(pen.extra), ...change };
    if (next.underlineColor === 0 && next.link === undefined) pen.extra = 0;
    else {
      if (this.extras.isDue) this.sweep();
      pen.extra = this.extras.numberOf(next);
    }
  }

  /** Forgets clusters and extras that no cell has any more. */
  sweep(): void {
    const clusters = new Uint8Array(this.clusters.capacity);
    const extras = new Uint8Array(this.extras.capacity);
    this.screen.forEachPen(({ extra }) => {
      extras[extra] = 1;
    });
    this.screen.forEachLine(({ words, hasNumbers }) => {
      if (!hasNumbers) return;
      for (let at = 0; at < words.length; at += WORDS_PER_CELL) {
        const content = words[at + CONTENT] as number;
        const extra = words[at + EXTRA] as number;
        if ((content & CLUSTER) !== 0) clusters[content & CODE_MASK] = 1;
        extras[extra] = 1;
      }
    });
    this.clusters.sweep(clusters);
    this.extras.sweep(extras);
    this.screen.damage.markRenumbered();
  }

  clearScreen(): void {
    eraseRows(this.screen, 0, this.screen.rows - 1, false);
  }

  restoreCursor(): void {
    const { screen } = this;
    const isOrigin = screen.restoreCursor();
    if (isOrigin === this.modes.get('origin')) return;
    this.#setOriginInPlace(isOrigin);
  }

  /** DECSTR: what makes a screen usable again; it erases nothing and changes only the private modes that it names. */
  softReset(): void {
    const { screen, modes } = this;
    modes.set('cursorVisible', true);
    modes.set('insert', false);
    modes.set('autoWraparound', true);
    modes.set('reverseWraparound', false);
    modes.set('applicationCursorKeys', false);
    modes.set('applicationKeypad', false);
    screen.resetMargins();
    this.#setOriginInPlace(false);
    screen.pen.take(new Pen());
    screen.charsets.reset();
    screen.forgetSavedCursor();
  }

  /** RIS: as a new terminal, without history. */
  fullReset(): void {
    this.screen.reset();
    this.modes.reset();
    this.cursorShape = undefined;
    this.precedingCharacter = 0;
    this.sweep();
  }

  /** The mode moves the cursor home when an application sets it. */
  #setOriginInPlace(isOrigin: boolean): void {
    const { column, row, isWrapPending } = this.screen;
    this.modes.set('origin', isOrigin);
    Object.assign(this.screen, { column, row, isWrapPending });
  }
}
