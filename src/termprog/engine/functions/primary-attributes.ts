import type { ControlSequence } from '../control-function.ts';
import type { EngineHost } from '../engine-host.ts';

/**
 * The attributes that are reported, which name only what works: selective erasure, national character sets, technical
 * characters, horizontal scrolling, colours, and editing of rectangles.
 */
const VT420 = [64, 6, 9, 15, 21, 22, 28];

/** The attribute that says that applications may write selections; several terminals share this code. */
const CLIPBOARD = 52;

export const primaryAttributes: ControlSequence = {
  kind: 'csi',
  name: 'DA1, primary device attributes',
  sequences: ['c'],
  run: ({ host }, parameters) => {
    if (parameters.at(0) === 0) replyPrimaryAttributes(host);
  },
};

export function replyPrimaryAttributes(host: EngineHost): void {
  const attributes = host.permits('SetSelection') ? [...VT420, CLIPBOARD] : VT420;
  host.reply(`\x1b[?${attributes.join(';')}c`);
}
