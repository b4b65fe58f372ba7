import type { HighlightRequest } from '../../../../../src/termprog/engine/engine-host.ts';
import { HighlightTracking } from '../../../../../src/termprog/input/mouse/highlight-tracking.ts';
import { MouseTracking } from '../../../../../src/termprog/input/mouse/mouse-tracking.ts';
import { encodingIn } from '../../../../../src/termprog/input/mouse/report-encodings.ts';
import type { ActionEvent } from '../../../../../src/termprog/ports/action-event.ts';
import { startEngine } from '../../../../harness/terminal-engine.ts';

/** Bits of an event's state; X11 protocol, KEYBUTMASK. */
export const STATE = { shift: 1, control: 4, meta: 8, button: (button: number) => 1 << (7 + button) } as const;

export const CELL = { width: 6, height: 13 } as const;
const BORDER = 2;

/** Reports of a mouse over a screen whose modes an application sets; the place is that of the second cell of the third row. */
export function startMouse({ columns = 80, rows = 24 } = {}) {
  const { engine, write } = startEngine({ columns, rows });
  const state = { sent: '', isAllowed: true, redraws: 0 };
  const send = (report: Uint8Array): void => {
    state.sent += Buffer.from(report).toString('latin1');
  };
  const highlights = new HighlightTracking({
    columns: () => engine.columns,
    rows: () => engine.rows,
    textEnd: (row) => (row < 10 ? 60 : 0),
    report: (final, places) => send(encodingIn(engine.modes).highlight(final, places)),
    changed: () => {
      state.redraws += 1;
    },
  });
  const tracking = new MouseTracking({
    modes: engine.modes,
    isAllowed: () => state.isAllowed,
    metaBits: () => STATE.meta,
    grid: {
      cellAt: ({ x, y }) => ({
        row: Math.floor((y - BORDER) / CELL.height),
        column: Math.floor((x - BORDER) / CELL.width),
      }),
      textPixelAt: ({ x, y }) => ({ x: x - BORDER, y: y - BORDER }),
      columns: () => engine.columns,
      rows: () => engine.rows,
      area: () => ({ width: engine.columns * CELL.width, height: engine.rows * CELL.height }),
    },
    highlights,
    send,
  });
  const event = (kind: ActionEvent['kind'], fields: Partial<ActionEvent> = {}): ActionEvent => ({
    kind,
    keysym: 0,
    keycode: 0,
    button: kind === 'motion' ? 0 : 1,
    state: 0,
    x: BORDER + CELL.width,
    y: BORDER + 2 * CELL.height,
    time: 0,
    ...fields,
  });
  return {
    state,
    tracking,
    highlights,
    event,
    write,
    /** Offers an event; returns what was sent, or undefined when the event is not the application's. */
    offer: (kind: ActionEvent['kind'], fields: Partial<ActionEvent> = {}): string | undefined => {
      state.sent = '';
      return tracking.offer(event(kind, fields)) ? state.sent : undefined;
    },
    answer: (request: HighlightRequest | undefined): string => {
      state.sent = '';
      highlights.take(request);
      return state.sent;
    },
    /** The middle of a cell, as fields of an event. */
    at: (column: number, row: number) => ({
      x: BORDER + column * CELL.width + 3,
      y: BORDER + row * CELL.height + 6,
    }),
  };
}
