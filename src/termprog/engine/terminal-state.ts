import type { AttributeExtent } from './area-editing.ts';
import { CLUSTER, CODE_MASK, CONTENT, EXTRA, type Extra, WORDS_PER_CELL } from './cell.ts';
import type { Cluster, ClusterStore } from './cluster-cells.ts';
import type { CursorShape } from './cursor.ts';
import { EditedRows } from './edited-rows.ts';
import type { EngineHost } from './engine-host.ts';
import { InternTable } from './intern-table.ts';
import { KeyboardFlags } from './keyboard-flags.ts';
import { CLUSTERS_MAX_CHARACTERS, LINKS_MAX_CHARACTERS } from './limits.ts';
import { Modes, type ModeTarget } from './modes.ts';
import { ModifiedKeySettings } from './modified-keys.ts';
import { Pen } from './pen.ts';
import { Printer } from './printer.ts';
import type { Screen } from './screen.ts';
import { ShellMarks } from './shell-marks.ts';
import { TitleModes } from './title-modes.ts';
import { TitleStack } from './title-stack.ts';
import { createCharacterProperties, WIDTH_MASK } from './width/character-properties.ts';

const NO_EXTRA: Extra = { underlineColor: 0, link: undefined };

/** The highest conformance level: the terminal is a VT420. */
export const LEVEL_MAX = 4;

/** The terminal's name and version as it reports them. */
export interface TerminalIdentity {
  version: string;
  /** The value of TERM in the child's environment. */
  termName: string;
}

/** The terminal's configuration. */
interface TerminalConfiguration extends TerminalIdentity {
  /** Whether mode 2027 is on in a new terminal. */
  graphemeClusters?: boolean;
  /** The cursor of a new terminal; a block by default. */
  cursorShape?: CursorShape;
  /** Whether applications can, like the configuration, decide if the cursor blinks; true by default. */
  takesBlinkRequests?: boolean;
}

/** Stores everything that control functions read and change. */
export class TerminalState implements ModeTarget, ClusterStore {
  readonly screen: Screen;
  readonly host: EngineHost;
  readonly modes: Modes;
  readonly printer: Printer;
  /** The version of this program, which applications may ask for. */
  readonly version: string;
  readonly termName: string;
  readonly #graphemeClusters: boolean;
  readonly #propertiesOf = createCharacterProperties();
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
  readonly configuredCursorShape: CursorShape;
  cursorShape: CursorShape;
  readonly takesBlinkRequests: boolean;
  /** The conformance level that an application chose: 1 is a VT100, 4 a VT420. */
  level = LEVEL_MAX;
  readonly titleModes = new TitleModes();
  readonly titles = new TitleStack();
  readonly keyboardFlags: KeyboardFlags;
  readonly modifiedKeys = new ModifiedKeySettings();
  readonly shellMarks = new ShellMarks();
  /** The directory that the shell last reported, as the address it sent; OSC 7. */
  directory: string | undefined;
  /** The id of the line that was last erased from its beginning on, below a row full of text. */
  clearedLine: number | undefined;
  /**
   * The id of the line from whose beginning on everything below was last erased: a line editor redraws its text there.
   */
  drawnFrom: number | undefined;
  /** The rows in which a line editor has drawn, as far as bracketed paste is on. */
  readonly editedRows = new EditedRows();
  attributeExtent: AttributeExtent = 'stream';
  /** The character directly before this control function, for REP; 0 if something else came in between. */
  precedingCharacter = 0;

  constructor(
    screen: Screen,
    host: EngineHost,
    {
      version,
      termName,
      graphemeClusters = false,
      cursorShape = 'block',
      takesBlinkRequests = true,
    }: TerminalConfiguration,
  ) {
    this.screen = screen;
    this.host = host;
    this.version = version;
    this.termName = termName;
    this.configuredCursorShape = cursorShape;
    this.cursorShape = cursorShape;
    this.takesBlinkRequests = takesBlinkRequests;
    this.printer = new Printer(screen, this, this.#propertiesOf);
    this.modes = new Modes(this);
    this.#graphemeClusters = graphemeClusters;
    this.#setConfiguredModes();
    this.keyboardFlags = new KeyboardFlags(() => screen.isAlternate);
  }

  /** Returns whether a code point is a character of one cell. */
  isSingleCell(code: number): boolean {
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    return !isControl && (this.#propertiesOf(code) & WIDTH_MASK) === 1;
  }

  extra(number: number): Extra {
    return this.extras.get(number) ?? NO_EXTRA;
  }

  /** Changes the underline colour or the link of the text that is written next. */
  changeExtra(change: Partial<Extra>): void {
    const { pen } = this.screen;
    const next = { ...this.extra(pen.extra), ...change };
    if (next.underlineColor === 0 && next.link === undefined) pen.extra = 0;
    else {
      if (this.extras.isDue) this.sweep();
      pen.extra = this.extras.numberOf(next);
    }
  }

  /** Removes clusters and extras that no cell contains any more. */
  sweep(): void {
    const clusters = new Uint8Array(this.clusters.capacity);
    const extras = new Uint8Array(this.extras.capacity);
    this.screen.forEachPen(({ extra }) => {
      extras[extra] = 1;
    });
    let cells = 0;
    this.screen.forEachLine(({ words, hasNumbers }) => {
      if (!hasNumbers) return;
      cells += words.length / WORDS_PER_CELL;
      for (let at = 0; at < words.length; at += WORDS_PER_CELL) {
        const content = words[at + CONTENT] as number;
        const extra = words[at + EXTRA] as number;
        if ((content & CLUSTER) !== 0) clusters[content & CODE_MASK] = 1;
        extras[extra] = 1;
      }
    });
    this.clusters.sweep(clusters, cells);
    this.extras.sweep(extras, cells);
    this.screen.damage.markRenumbered();
  }

  clearScreen(): void {
    this.screen.clear();
  }

  changeCompleted(): void {
    this.host.changeCompleted();
  }

  restoreCursor(): void {
    const { screen } = this;
    const isOrigin = screen.restoreCursor();
    if (isOrigin === this.modes.get('origin')) return;
    this.#setOriginInPlace(isOrigin);
  }

  /** Runs DECSCL: does a soft reset, then chooses the functions of a level. */
  setLevel(level: number): void {
    this.softReset();
    this.level = level;
  }

  /** Runs DECSTR: makes a screen usable again; it erases no text and changes only the private modes that it names. */
  softReset(): void {
    const { screen, modes } = this;
    modes.set('keyboardLocked', false);
    modes.set('sideMargins', false);
    modes.set('nationalCharsets', false);
    modes.set('cursorVisible', true);
    modes.set('insert', false);
    modes.set('autoWraparound', true);
    modes.set('reverseWraparound', false);
    modes.set('reverseWraparoundExtended', false);
    modes.set('applicationCursorKeys', false);
    modes.set('applicationKeypad', false);
    modes.set('cursorBlink', false);
    this.cursorShape = this.configuredCursorShape;
    this.modifiedKeys.resetModifications();
    screen.resetMargins();
    this.#setOriginInPlace(false);
    screen.pen.take(new Pen());
    screen.charsets.reset();
    screen.forgetSavedCursor();
    screen.sparesGuarded = false;
  }

  /** Runs RIS: makes the terminal like a new one, without history. */
  fullReset(): void {
    this.screen.reset();
    this.level = LEVEL_MAX;
    this.modes.reset();
    this.#setConfiguredModes();
    this.host.colors.resetAll();
    this.titleModes.reset();
    this.keyboardFlags.reset();
    this.modifiedKeys.reset();
    this.shellMarks.clear();
    this.directory = undefined;
    this.attributeExtent = 'stream';
    this.cursorShape = this.configuredCursorShape;
    this.precedingCharacter = 0;
    this.sweep();
  }

  #setConfiguredModes(): void {
    this.modes.set('graphemeClusters', this.#graphemeClusters);
    this.modes.set('urgentBell', this.host.bellIsUrgent());
    this.modes.set('alternateScroll', this.host.alternateScroll());
  }

  /** Sets the mode without moving the cursor, which goes home when an application sets it. */
  #setOriginInPlace(isOrigin: boolean): void {
    const { column, row, isWrapPending } = this.screen;
    this.modes.set('origin', isOrigin);
    Object.assign(this.screen, { column, row, isWrapPending });
  }
}
