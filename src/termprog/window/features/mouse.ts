import type { HighlightRequest } from '../../engine/engine-host.ts';
import { STATE } from '../../input/keymap.ts';
import { HighlightTracking } from '../../input/mouse/highlight-tracking.ts';
import { HighlightDecorator, textEndOf } from '../../input/mouse/highlighted-line.ts';
import { PROTOCOL_MODES } from '../../input/mouse/mouse-protocols.ts';
import { MouseTracking } from '../../input/mouse/mouse-tracking.ts';
import { encodingIn } from '../../input/mouse/report-encodings.ts';
import { permits } from '../../permissions/permits.ts';
import type { MousePort } from '../../ports/input.ts';
import { POINTER_MOTION_MASK } from '../desktop/event-mask.ts';
import type { InputFilter } from '../input/input-pipeline.ts';
import type { FeatureParts } from './feature-parts.ts';

export interface Mouse {
  port: MousePort;
  /** The application answers a button press; mode 1001. */
  takeHighlight(request: HighlightRequest | undefined): void;
  filter: InputFilter;
}

export type MouseParts = Pick<
  FeatureParts,
  'engine' | 'viewport' | 'grid' | 'lines' | 'options' | 'focus' | 'eventMask' | 'keymap' | 'send' | 'redraw'
>;

/** CSI I and CSI O; mode 1004. */
const FOCUS_REPORT = { in: '\x1b[I', out: '\x1b[O' } as const;

/** Mouse and focus reports to applications. */
export function createMouse(parts: MouseParts): Mouse {
  const { engine, viewport, grid, lines, redraw, send } = parts;
  const { modes } = engine;
  const isAllowed = (): boolean => permits(parts.options, 'MouseReport');
  const highlights = new HighlightTracking({
    columns: () => engine.columns,
    rows: () => engine.rows,
    textEnd: (row) => textEndOf(viewport.line(row)),
    report: (final, places) => send(encodingIn(modes).highlight(final, places)),
    changed: redraw,
  });
  lines.add(new HighlightDecorator(highlights));
  const tracking = new MouseTracking({
    modes,
    isAllowed,
    metaBits: () => metaBitsOf(parts),
    grid: {
      cellAt: (place) => grid.cellAt(place),
      textPixelAt: (place) => grid.textPixelAt(place),
      columns: () => engine.columns,
      rows: () => engine.rows,
      area: () => grid.metrics(undefined).area,
    },
    highlights,
    send,
  });
  followModes(parts, highlights);
  reportFocus(parts, isAllowed);
  parts.focus.watch(() => {
    if (!parts.focus.isHere) tracking.releaseUnseen();
  });
  return {
    port: {
      offer: (event) => tracking.offer(event),
      report: (event) => void tracking.offer(event),
    },
    takeHighlight: (request) => highlights.take(request),
    filter: createMotionFilter(tracking),
  };
}

/** Bits of an event's state for buttons; X11 protocol, KEYBUTMASK. */
const BUTTON_BITS = 0x1f00;

/**
 * Motion with a held button goes to the bindings. Other motion comes only while an application requests it, and goes to
 * the application alone, as in xterm.
 */
function createMotionFilter(tracking: MouseTracking): InputFilter {
  return {
    name: 'the mouse',
    events: ['MotionNotify'],
    filter: ({ buttons: state, x, y, time }) => {
      if ((state & BUTTON_BITS) !== 0) return false;
      return tracking.offer({ kind: 'motion', keysym: 0, keycode: 0, button: 0, state, x, y, time });
    },
  };
}

/** Alt takes Meta's place on a keyboard without Meta, as in xterm. */
function metaBitsOf({ keymap }: Pick<FeatureParts, 'keymap'>): number {
  const { meta, alt } = keymap().modifiers;
  return meta || alt || STATE.mod1;
}

/**
 * Selects pointer motion at the server while an application requests it, and cancels the highlight when its mode ends.
 */
function followModes(
  { engine: { modes }, eventMask }: Pick<FeatureParts, 'engine' | 'eventMask'>,
  highlights: HighlightTracking,
): void {
  modes.watch(PROTOCOL_MODES, () => {
    eventMask.need('mouse', modes.get('mouseMotion') ? POINTER_MOTION_MASK : 0);
    if (!modes.get('mouseHighlight')) highlights.cancel();
  });
}

/** Reports each change of the focus, and its state when the mode is switched on. */
function reportFocus(
  { engine: { modes }, focus, send }: Pick<FeatureParts, 'engine' | 'focus' | 'send'>,
  isAllowed: () => boolean,
): void {
  const report = (): void => {
    if (modes.get('focusEvents') && isAllowed()) send(focus.isHere ? FOCUS_REPORT.in : FOCUS_REPORT.out);
  };
  focus.watch(report);
  modes.watch(['focusEvents'], report);
}
