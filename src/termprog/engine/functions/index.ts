import type { ControlFunction } from '../control-function.ts';
import { backspace } from './backspace.ts';
import { bell } from './bell.ts';
import { carriageReturn } from './carriage-return.ts';
import { characterProtection } from './character-protection.ts';
import { columnAbsolute } from './column-absolute.ts';
import { columnRelative } from './column-relative.ts';
import { cursorDown } from './cursor-down.ts';
import { cursorLeft } from './cursor-left.ts';
import { cursorNextLine } from './cursor-next-line.ts';
import { cursorPosition } from './cursor-position.ts';
import { cursorPrecedingLine } from './cursor-preceding-line.ts';
import { cursorRight } from './cursor-right.ts';
import { cursorStyle } from './cursor-style.ts';
import { cursorUp } from './cursor-up.ts';
import { deleteCharacters } from './delete-characters.ts';
import { deleteColumns } from './delete-columns.ts';
import { deleteLines } from './delete-lines.ts';
import { designateCharset } from './designate-charset.ts';
import { deviceStatus } from './device-status.ts';
import { enquiry } from './enquiry.ts';
import { eraseCharacters } from './erase-characters.ts';
import { eraseInDisplay } from './erase-in-display.ts';
import { eraseInLine } from './erase-in-line.ts';
import { fullReset } from './full-reset.ts';
import { graphicRendition } from './graphic-rendition.ts';
import { horizontalTab } from './horizontal-tab.ts';
import { hyperlink } from './hyperlink.ts';
import { iconName } from './icon-name.ts';
import { indexDown } from './index-down.ts';
import { insertCharacters } from './insert-characters.ts';
import { insertColumns } from './insert-columns.ts';
import { insertLines } from './insert-lines.ts';
import { keypadApplication } from './keypad-application.ts';
import { keypadNumeric } from './keypad-numeric.ts';
import { lineFeed } from './line-feed.ts';
import { lockShiftThree } from './lock-shift-three.ts';
import { lockShiftTwo } from './lock-shift-two.ts';
import { nextLine } from './next-line.ts';
import { primaryAttributes } from './primary-attributes.ts';
import { privateDeviceStatus } from './private-device-status.ts';
import { repeatCharacter } from './repeat-character.ts';
import { requestMode } from './request-mode.ts';
import { requestPrivateMode } from './request-private-mode.ts';
import { requestSetting } from './request-setting.ts';
import { resetMode } from './reset-mode.ts';
import { resetPrivateMode } from './reset-private-mode.ts';
import { restoreCursor } from './restore-cursor.ts';
import { restoreCursorPosition } from './restore-cursor-position.ts';
import { reverseIndex } from './reverse-index.ts';
import { rowAbsolute } from './row-absolute.ts';
import { rowRelative } from './row-relative.ts';
import { saveCursor } from './save-cursor.ts';
import { saveCursorPosition } from './save-cursor-position.ts';
import { screenAlignment } from './screen-alignment.ts';
import { scrollDown } from './scroll-down.ts';
import { scrollLeft } from './scroll-left.ts';
import { scrollRight } from './scroll-right.ts';
import { scrollUp } from './scroll-up.ts';
import { secondaryAttributes } from './secondary-attributes.ts';
import { selectCodingSystem } from './select-coding-system.ts';
import { selectiveEraseInDisplay } from './selective-erase-in-display.ts';
import { selectiveEraseInLine } from './selective-erase-in-line.ts';
import { setMode } from './set-mode.ts';
import { setPrivateMode } from './set-private-mode.ts';
import { setTopBottomMargins } from './set-top-bottom-margins.ts';
import { shiftIn } from './shift-in.ts';
import { shiftOut } from './shift-out.ts';
import { softReset } from './soft-reset.ts';
import { tabBackward } from './tab-backward.ts';
import { tabClear } from './tab-clear.ts';
import { tabForward } from './tab-forward.ts';
import { tabSet } from './tab-set.ts';
import { title } from './title.ts';
import { titleAndIconName } from './title-and-icon-name.ts';

/** Every control function that the terminal knows. */
export const controlFunctions: readonly ControlFunction[] = [
  backspace,
  bell,
  carriageReturn,
  characterProtection,
  columnAbsolute,
  columnRelative,
  cursorDown,
  cursorLeft,
  cursorNextLine,
  cursorPosition,
  cursorPrecedingLine,
  cursorRight,
  cursorStyle,
  cursorUp,
  deleteCharacters,
  deleteColumns,
  deleteLines,
  ...designateCharset,
  deviceStatus,
  enquiry,
  eraseCharacters,
  eraseInDisplay,
  eraseInLine,
  fullReset,
  graphicRendition,
  horizontalTab,
  hyperlink,
  iconName,
  indexDown,
  insertCharacters,
  insertColumns,
  insertLines,
  keypadApplication,
  keypadNumeric,
  lineFeed,
  lockShiftThree,
  lockShiftTwo,
  nextLine,
  primaryAttributes,
  privateDeviceStatus,
  repeatCharacter,
  requestMode,
  requestPrivateMode,
  requestSetting,
  resetMode,
  resetPrivateMode,
  restoreCursor,
  restoreCursorPosition,
  reverseIndex,
  rowAbsolute,
  rowRelative,
  saveCursor,
  saveCursorPosition,
  screenAlignment,
  scrollDown,
  scrollLeft,
  scrollRight,
  scrollUp,
  secondaryAttributes,
  selectCodingSystem,
  selectiveEraseInDisplay,
  selectiveEraseInLine,
  setMode,
  setPrivateMode,
  setTopBottomMargins,
  shiftIn,
  shiftOut,
  softReset,
  tabBackward,
  tabClear,
  tabForward,
  tabSet,
  title,
  titleAndIconName,
];
