import type { XResourceRow } from './resource-table.ts';

/** How clusters become glyphs. @spec termprog#terminal-widget-resources-termvt100 */
export const glyphResources = [
  {
    scope: 'vt100',
    name: 'emojiPresentation',
    class: 'EmojiPresentation',
    type: 'string',
    default: 'unicode',
    choices: ['unicode', 'text', 'emoji'],
    doc: 'Presentation of emoji: `unicode` follows the default of each character, `text` and `emoji` force one. The variation selectors 15 and 16 always win.',
    pending: true,
  },
  {
    scope: 'vt100',
    name: 'colorGlyphs',
    class: 'ColorGlyphs',
    type: 'boolean',
    default: 'true',
    doc: 'Whether colour glyphs may be drawn. When false, a face serves only where it has a real outline.',
    pending: true,
  },
  {
    scope: 'vt100',
    name: 'graphemeWidth',
    class: 'GraphemeWidth',
    type: 'string',
    default: 'legacy',
    choices: ['legacy', 'unicode'],
    doc: 'State of DEC private mode 2027 at the start. Applications may set and reset the mode afterwards.',
    pending: true,
  },
  {
    scope: 'vt100',
    name: 'reportFontRouting',
    class: 'ReportFontRouting',
    type: 'boolean',
    default: 'false',
    options: [{ kind: 'toggle', names: ['report-font-routing'], minus: 'true' }],
    doc: 'Collects a bounded record of how clusters were routed to faces, for the `report-font-routing()` action.',
    pending: true,
  },
  {
    scope: 'vt100',
    name: 'forceBoxChars',
    class: 'ForceBoxChars',
    type: 'boolean',
    default: 'false',
    options: [{ kind: 'toggle', names: ['fbx'], minus: 'false', plus: 'true' }],
    doc: 'Draws box, block, Braille, scan line, triangle, legacy-computing and Powerline symbols from the geometry of the cell. When false, outline faces draw those they have; the bitmap renderer always draws them itself. Note that `+fbx` sets it and `-fbx` clears it. The Procedural Glyphs menu entry and `set-font-linedrawing()` change it.',
    pending: true,
  },
] as const satisfies readonly XResourceRow[];
