import type { WindowVisual } from '../../../../src/termprog/x11/window-visual.ts';

/** A visual of which only the channels matter. */
export function visualOf(redMask: number, greenMask: number, blueMask: number, alphaMask = 0): WindowVisual {
  return { id: 33, depth: alphaMask === 0 ? 24 : 32, colormap: 1, redMask, greenMask, blueMask, alphaMask };
}
