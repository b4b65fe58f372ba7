import { CLUSTER, CODE_MASK, CONTINUATION, type Extra, WORDS_PER_CELL } from '../../src/termprog/engine/cell.ts';
import type { CursorShape } from '../../src/termprog/engine/cursor.ts';
import type {
  ColorTarget,
  EngineHost,
  HighlightRequest,
  LabelKind,
  Notification,
  Operation,
  SelectionTarget,
  WriteRefusal,
} from '../../src/termprog/engine/engine-host.ts';
import { TerminalEngine } from '../../src/termprog/engine/terminal-engine.ts';

/** One cell as tests look at it. */
export interface SeenCell {
  text: string;
  foreground: number;
  background: number;
  extra: Extra;
  content: number;
}

/** Identity that a terminal in a test reports. */
export const IDENTITY = { version: '0.0.0', termName: 'xterm-256color' };

/** A host that ignores every call and has no answers. */
export const QUIET_HOST: EngineHost = {
  selections: { maxPayload: () => 0, write: () => {}, writeRefused: () => {}, read: () => {} },
  colors: { set: () => {}, reset: () => {}, resetAll: () => {}, report: () => {}, isDark: () => false },
  reply: () => {},
  bell: () => {},
  answerback: () => '',
  bellIsUrgent: () => false,
  alternateScroll: () => true,
  shellMarked: () => {},
  permits: () => true,
  setLabel: () => {},
  label: () => '',
  changeCompleted: () => {},
  highlight: () => {},
  notify: () => {},
  failed: () => {},
  metrics: () => ({
    cell: { width: 1, height: 1 },
    area: { width: 1, height: 1 },
    window: { width: 1, height: 1 },
  }),
};

export interface EngineStart {
  columns?: number;
  rows?: number;
  saveLines?: number;
  graphemeClusters?: boolean;
  cursorShape?: CursorShape;
  takesBlinkRequests?: boolean;
  termName?: string;
  /** Whether applications may do an operation; by default all. */
  permits?(operation: Operation): boolean;
  maxPayload?: number;
}

/** Starts an engine whose host records its calls. Colours are the texts that they were set to. */
export function startEngine(start: EngineStart = {}) {
  const { columns = 80, rows = 24, saveLines = 100, graphemeClusters = false, termName = IDENTITY.termName } = start;
  const { permits = () => true, maxPayload = 600_000, cursorShape = 'block', takesBlinkRequests = true } = start;
  const labels = new Map<LabelKind, string>();
  const told = {
    replies: '',
    titles: [] as string[],
    iconNames: [] as string[],
    bells: 0,
    completedChanges: 0,
    shellMarks: [] as { kind: string; exitStatus?: number }[],
    colors: new Map<ColorTarget, string>(),
    highlights: [] as (HighlightRequest | undefined)[],
    notifications: [] as Notification[],
    refusedWrites: [] as WriteRefusal[],
    selections: [] as { targets: readonly SelectionTarget[]; text: string | undefined }[],
  };
  const reply = (answer: string | Uint8Array): void => {
    told.replies += typeof answer === 'string' ? answer : Buffer.from(answer).toString('latin1');
  };
  const host: EngineHost = {
    selections: {
      maxPayload: () => maxPayload,
      write: (targets, text) =>
        void told.selections.push({ targets, text: text && Buffer.from(text).toString('utf8') }),
      writeRefused: (why) => void told.refusedWrites.push(why),
      read: (targets, answer) => answer(targets.includes('PRIMARY') ? Buffer.from('primary') : undefined),
    },
    colors: {
      set: (target, spec) => void told.colors.set(target, spec),
      reset: (target) => void told.colors.delete(target),
      resetAll: () => told.colors.clear(),
      report: (target, answer) => reply(answer(told.colors.get(target) ?? 'rgb:0000/0000/0000')),
      isDark: () => told.colors.get('background') === 'black',
    },
    reply,
    bell: () => {
      told.bells += 1;
    },
    answerback: () => 'here I am',
    bellIsUrgent: () => false,
    alternateScroll: () => true,
    shellMarked: (mark) => void told.shellMarks.push(mark),
    permits,
    changeCompleted: () => {
      told.completedChanges += 1;
    },
    setLabel: (kind, text) => {
      labels.set(kind, text);
      (kind === 'title' ? told.titles : told.iconNames).push(text);
    },
    label: (kind) => labels.get(kind) ?? '',
    highlight: (request) => void told.highlights.push(request),
    notify: (notification) => void told.notifications.push(notification),
    failed: (name, error) => {
      throw new Error(`${name} failed`, { cause: error });
    },
    metrics: () => ({
      cell: { width: 6, height: 13 },
      area: { width: 6 * columns, height: 13 * rows },
      window: { width: 6 * columns + 4, height: 13 * rows + 4 },
    }),
  };
  const identity = { ...IDENTITY, termName };
  const engine = new TerminalEngine(
    { columns, rows, saveLines, graphemeClusters, cursorShape, takesBlinkRequests, identity },
    host,
  );
  return {
    engine,
    told,
    host,
    write: (text: string | Uint8Array): void =>
      engine.write(typeof text === 'string' ? Buffer.from(text, 'utf8') : text),
    cell: (row: number, column: number): SeenCell => cellAt(engine, row, column),
    text: (row: number): string => textOf(engine, row),
  };
}

function cellAt(engine: TerminalEngine, row: number, column: number): SeenCell {
  const words = engine.line(row)?.words ?? new Uint32Array();
  const [content = 0, foreground = 0, background = 0, extra = 0] = words.subarray(column * WORDS_PER_CELL);
  const number = content & CODE_MASK;
  const text = (content & CLUSTER) === 0 ? String.fromCodePoint(number || 0x20) : engine.clusterText(number);
  return {
    text: (content & CONTINUATION) === 0 ? text : '',
    foreground,
    background,
    extra: engine.extra(extra),
    content,
  };
}

/** A row's characters without the blanks at its end. */
export function textOf(engine: TerminalEngine, row: number): string {
  return Array.from({ length: engine.columns }, (_, column) => cellAt(engine, row, column).text)
    .join('')
    .trimEnd();
}

/** Everything the screen shows, and the history; numbers of clusters and extras are what they stand for. */
export function snapshotOf(engine: TerminalEngine): unknown {
  const lines = Array.from({ length: engine.historyLines + engine.rows }, (_, index) => {
    const row = index - engine.historyLines;
    const cells = Array.from({ length: engine.columns }, (_cell, column) => {
      const { text, foreground, background, extra, content } = cellAt(engine, row, column);
      return [
        text,
        foreground,
        background,
        extra.underlineColor,
        extra.link?.uri,
        content & ~(CODE_MASK | CLUSTER),
      ].join();
    });
    return { cells, isWrapped: engine.line(row)?.isWrapped };
  });
  return { lines, cursor: engine.cursor };
}

/** Number of lines of text in the history, however many rows a resize made of each. */
export function historyTexts(engine: TerminalEngine): number {
  const rows = Array.from({ length: engine.historyLines }, (_, index) => engine.line(-1 - index));
  return rows.filter((line) => line?.isWrapped === false).length;
}
