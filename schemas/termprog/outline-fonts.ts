import { family, resource, resources, value } from './resource-table.ts';
import { boolean, integer, number, pattern } from './resource-types.ts';

/** Largest size in points; a letter of this size fills a screen. */
const FACE_SIZE_MAX = 1_000;

/** Outline fonts of the `vt100` widget and their fallback. @spec termprog#terminal-widget-resources-termvt100 */
export const outlineFontResources = [
  ...resources('vt100', {
    faceName: resource(pattern, {
      class: 'FaceName',
      default: undefined,
      options: [value('pattern', 'fa')],
      doc: 'Primary outline face. It may hold two entries separated by a comma, the second being the first fallback. A `size=` field in the first entry wins over `faceSize`.',
    }),
    faceSize: resource(number({ min: 0.5, max: FACE_SIZE_MAX }), {
      class: 'FaceSize',
      default: '8.0',
      options: [value('size', 'fs')],
      doc: 'Point size of the Default entry under the outline renderer, resolved against the resolution of the screen.',
    }),
  }),
  ...family('faceSize', [1, 7], (slot) =>
    resource(number({ min: 0, max: FACE_SIZE_MAX }), {
      class: `FaceSize${slot}`,
      default: '0.0',
      doc: `Point size of entry ${slot} of the VT Fonts menu under the outline renderer. 0 derives it from the bitmap font \`font${slot}\`.`,
    }),
  ),
  ...resources('vt100', {
    faceNameDoublesize: resource(pattern, {
      class: 'FaceNameDoublesize',
      default: undefined,
      options: [value('pattern', 'fd')],
      doc: 'Face tried first for wide text, and second for emoji when `faceNameEmoji` has no glyph.',
    }),
    faceNameEmoji: resource(pattern, {
      class: 'FaceNameEmoji',
      default: undefined,
      options: [value('pattern', 'fe')],
      doc: 'Face tried first for clusters with emoji presentation.',
    }),
    faceNameEmojiText: resource(pattern, {
      class: 'FaceNameEmojiText',
      default: undefined,
      doc: 'Monochrome face for emoji in text presentation, tried after the ordinary faces and the numbered fallbacks and before unnamed system candidates. It never serves ordinary text, CJK or colour emoji.',
    }),
    faceNameHan: resource(pattern, {
      class: 'FaceNameHan',
      default: undefined,
      doc: 'Face tried first for characters in text presentation whose script is Han.',
    }),
  }),
  ...family('fallbackFace', [1, 16], (position) =>
    resource(pattern, {
      class: `FallbackFace${position}`,
      default: undefined,
      doc: `Fallback face ${position} of 16. They are asked in order, after the faces with a role of their own and before system candidates.`,
    }),
  ),
  ...resources('vt100', {
    systemFallback: resource(boolean, {
      class: 'SystemFallback',
      default: 'true',
      doc: 'Whether system faces that are not named may serve after the named ones. When false, a cluster that no named face can draw is shown as a placeholder box.',
    }),
    fitEmojiText: resource(boolean, {
      class: 'FitEmojiText',
      default: 'true',
      doc: 'Whether a monochrome emoji face may be shrunk evenly, never enlarged, to fit its cells. When false such a face is refused.',
    }),
    limitFontsets: resource(integer({ min: 0 }), {
      class: 'LimitFontsets',
      default: '50',
      doc: 'How many fallback faces may be opened for one font entry and style. 0 turns fallback off.',
    }),
    limitFontHeight: resource(integer({ min: 0, max: 100 }), {
      class: 'LimitFontHeight',
      default: '10',
      doc: 'Percent of tolerance for recognising a face of double height. It has no effect.',
      acceptedOnly: 'double-height rendering is not part of this terminal',
    }),
    limitFontWidth: resource(integer({ min: 0, max: 100 }), {
      class: 'LimitFontWidth',
      default: '10',
      doc: 'By how many percent a fallback glyph may be wider than its cell before the face is rejected for that cluster.',
    }),
  }),
] as const;
