import { resource, resources } from './resource-table.ts';
import { boolean, choice } from './resource-types.ts';

/** Resources for the choice of glyphs for clusters. @spec termprog#terminal-widget-resources-termvt100 */
export const glyphResources = [
  ...resources('vt100', {
    emojiPresentation: resource(choice('unicode', 'text', 'emoji'), {
      class: 'EmojiPresentation',
      default: 'unicode',
      doc: 'Presentation of emoji: `unicode` follows the default of each character, `text` and `emoji` force one. The variation selectors 15 and 16 always win.',
    }),
    colorGlyphs: resource(boolean, {
      class: 'ColorGlyphs',
      default: 'true',
      doc: 'Whether colour glyphs may be drawn. When false, a face serves only where it has a real outline.',
    }),
    graphemeWidth: resource(choice('legacy', 'unicode'), {
      class: 'GraphemeWidth',
      default: 'legacy',
      doc: 'State of DEC private mode 2027 at the start. Applications may set and reset the mode afterwards.',
    }),
    reportFontRouting: resource(boolean, {
      class: 'ReportFontRouting',
      default: 'false',
      options: [{ kind: 'toggle', names: ['report-font-routing'], minus: 'true' }],
      doc: 'Collects a bounded record of how clusters were routed to faces, for the `report-font-routing()` action.',
    }),
    forceBoxChars: resource(boolean, {
      class: 'ForceBoxChars',
      default: 'false',
      options: [
        {
          kind: 'toggle',
          names: ['fbx'],
          minus: 'false',
          plus: 'true',
          doc: '`+fbx` draws box lines, blocks, Braille and Powerline symbols from the geometry of the cell, so that lines have no gaps; `-fbx` leaves those to outline faces that have them.',
        },
      ],
      doc: 'Draws box, block, Braille, scan line, triangle, legacy-computing and Powerline symbols from the geometry of the cell. When false, outline faces draw those they have; the bitmap renderer always draws them itself. Note that `+fbx` sets it and `-fbx` clears it. The Procedural Glyphs menu entry and `set-font-linedrawing()` change it.',
      live: true,
    }),
  }),
] as const;
