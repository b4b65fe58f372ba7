import type { ControlFunction } from '../control-function.ts';
import type { EngineHost } from '../engine-host.ts';

/**
 * The attributes that are reported, which name only what works: selective erasure, national character sets, technical
 * characters, horizontal scrolling, colours, and editing of rectangles.
 */
const VT420 = [64, 6, 9, 15, 21, 22, 28];

/** The attribute that says that applications may write selections; several terminals share this code. */
const CLIPBOARD = 52;

/**
 * The answer: a VT420, and the version of xterm whose control functions this terminal has. Programs ask for it to know
 * what they may use.
 */
const VT420_OF_XTERM_379 = '\x1b[>41;379;0c';

/** The answer: a terminal without a number, because a real number would identify users. */
const UNIT_ID = '\x1bP!|00000000\x1b\\';

/** Answers to the question which terminal this is. */
export const deviceAttributes: readonly ControlFunction[] = [
  {
    kind: 'csi',
    name: 'DA1, primary device attributes',
    sequences: ['c'],
    run: ({ host }, parameters) => {
      if (parameters.at(0) === 0) replyPrimaryAttributes(host);
    },
  },
  {
    kind: 'escape',
    name: 'DECID, identify terminal',
    sequences: ['Z'],
    run: ({ host }) => replyPrimaryAttributes(host),
  },
  {
    kind: 'csi',
    name: 'DA2, secondary device attributes',
    sequences: ['>c'],
    run: ({ host }, parameters) => {
      if (parameters.at(0) === 0) host.reply(VT420_OF_XTERM_379);
    },
  },
  {
    kind: 'csi',
    name: 'DA3, tertiary device attributes',
    sequences: ['=c'],
    level: 4,
    run: ({ host }, parameters) => {
      if (parameters.at(0) === 0) host.reply(UNIT_ID);
    },
  },
  {
    kind: 'csi',
    name: 'XTVERSION, report terminal name and version',
    sequences: ['>q'],
    run: ({ host, version }, parameters) => {
      if (parameters.at(0) === 0) host.reply(`\x1bP>|termprog(${version})\x1b\\`);
    },
  },
  /** Asks for the answerback text. @spec termprog#terminal-widget-resources-termvt100 answerbackString */
  {
    kind: 'character',
    name: 'ENQ, enquiry',
    codes: [0x05],
    run: ({ host }) => host.reply(host.answerback()),
  },
];

function replyPrimaryAttributes(host: EngineHost): void {
  const attributes = host.permits('SetSelection') ? [...VT420, CLIPBOARD] : VT420;
  host.reply(`\x1b[?${attributes.join(';')}c`);
}
