import type { Action } from '../ports/action.ts';
import { allowColorOps } from './allow-color-ops.ts';
import { allowTitleOps } from './allow-title-ops.ts';
import { hyperlinkStart } from './hyperlink-start.ts';
import { insertEightBit } from './insert-eight-bit.ts';
import { insertSelection } from './insert-selection.ts';
import { insertSevenBit } from './insert-seven-bit.ts';
import { largerVtFont } from './larger-vt-font.ts';
import { mouseMotion } from './mouse-motion.ts';
import { mousePress } from './mouse-press.ts';
import { nextPrompt } from './next-prompt.ts';
import { pipeCommandOutput } from './pipe-command-output.ts';
import { popupMenu } from './popup-menu.ts';
import { previousPrompt } from './previous-prompt.ts';
import { reportFontRouting } from './report-font-routing.ts';
import { scrollBack } from './scroll-back.ts';
import { scrollForw } from './scroll-forw.ts';
import { selectEnd } from './select-end.ts';
import { selectExtend } from './select-extend.ts';
import { selectStart } from './select-start.ts';
import { setFontLinedrawing } from './set-font-linedrawing.ts';
import { setRenderFont } from './set-render-font.ts';
import { setSelect } from './set-select.ts';
import { setUtf8Title } from './set-utf8-title.ts';
import { setVtFont } from './set-vt-font.ts';
import { smallerVtFont } from './smaller-vt-font.ts';
import { startExtend } from './start-extend.ts';
import { startSearch } from './start-search.ts';

/** All actions. @spec termprog#actions-usable-in-a-translations-resource-of-the-vt100-widget */
export const actions: readonly Action[] = [
  scrollBack,
  scrollForw,
  previousPrompt,
  nextPrompt,
  startSearch,
  insertSevenBit,
  insertEightBit,
  largerVtFont,
  smallerVtFont,
  setRenderFont,
  setVtFont,
  reportFontRouting,
  setFontLinedrawing,
  mousePress,
  mouseMotion,
  selectStart,
  selectExtend,
  selectEnd,
  startExtend,
  insertSelection,
  setSelect,
  popupMenu,
  allowTitleOps,
  allowColorOps,
  setUtf8Title,
  hyperlinkStart,
  pipeCommandOutput,
];
