import { STATE } from '../keymap.ts';

/** Code of no button, and of any released button. */
export const NO_BUTTON = 3;

/** Added to the code of a motion. */
export const MOTION = 32;

const MODIFIER = { shift: 4, meta: 8, control: 16 } as const;

const WHEEL = { first: 4, last: 7 } as const;

/** Whether the button belongs to a wheel, vertical or horizontal, which is turned and not held. */
export const isWheel = (button: number): boolean => button >= WHEEL.first && button <= WHEEL.last;

/**
 * Returns the code of a button: 0 to 2, then 64 to 67 for the wheel and 128 to 131 for the next four.
 * @param button number in the X server, from 1
 */
export function buttonCode(button: number): number {
  const isOfFirst = button < WHEEL.first;
  const low = isOfFirst ? button - 1 : button & 3;
  return low + (isOfFirst ? 0 : ((button & 4) << 4) + ((button & 8) << 4));
}

/** @param meta bits of the state that mean Meta */
export function modifierCode(state: number, meta: number): number {
  return (
    ((state & STATE.shift) === 0 ? 0 : MODIFIER.shift) +
    ((state & meta) === 0 ? 0 : MODIFIER.meta) +
    ((state & STATE.control) === 0 ? 0 : MODIFIER.control)
  );
}
