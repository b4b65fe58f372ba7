import type { ControlFunction } from '../control-function.ts';
import { attributeExtent } from './attribute-extent.ts';
import { backIndex } from './back-index.ts';
import { backspace } from './backspace.ts';
import { bell } from './bell.ts';
import { carriageReturn } from './carriage-return.ts';
import { changeAttributes } from './change-attributes.ts';
import { changeKeyboardFlags } from './change-keyboard-flags.ts';
import { characterProtection } from './character-protection.ts';
import { columnAbsolute } from './column-absolute.ts';
import { columnRelative } from './column-relative.ts';
import { conformanceLevel } from './conformance-level.ts';
import { copyArea } from './copy-area.ts';
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
import { disableKeyModifiers } from './disable-key-modifiers.ts';
import { dynamicColors } from './dynamic-colors.ts';
import { endGuardedArea } from './end-guarded-area.ts';
import { enquiry } from './enquiry.ts';
import { eraseArea } from './erase-area.ts';
import { eraseCharacters } from './erase-characters.ts';
import { eraseInDisplay } from './erase-in-display.ts';
import { eraseInLine } from './erase-in-line.ts';
import { fillArea } from './fill-area.ts';
import { forwardIndex } from './forward-index.ts';
import { fullReset } from './full-reset.ts';
import { graphicRendition } from './graphic-rendition.ts';
import { horizontalTab } from './horizontal-tab.ts';
import { hyperlink } from './hyperlink.ts';
import { iconName } from './icon-name.ts';
import { identify } from './identify.ts';
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
import { notification } from './notification.ts';
import { paletteColors } from './palette-colors.ts';
import { popKeyboardFlags } from './pop-keyboard-flags.ts';
import { primaryAttributes } from './primary-attributes.ts';
import { privateDeviceStatus } from './private-device-status.ts';
import { pushKeyboardFlags } from './push-keyboard-flags.ts';
import { queryKeyFormat } from './query-key-format.ts';
import { queryKeyModifiers } from './query-key-modifiers.ts';
import { repeatCharacter } from './repeat-character.ts';
import { reportKeyboardFlags } from './report-keyboard-flags.ts';
import { requestCapability } from './request-capability.ts';
import { requestChecksum } from './request-checksum.ts';
import { requestMode } from './request-mode.ts';
import { requestPrivateMode } from './request-private-mode.ts';
import { requestSetting } from './request-setting.ts';
import { resetDynamicColors } from './reset-dynamic-colors.ts';
import { resetMode } from './reset-mode.ts';
import { resetPaletteColors } from './reset-palette-colors.ts';
import { resetPrivateMode } from './reset-private-mode.ts';
import { resetTitleModes } from './reset-title-modes.ts';
import { restoreCursor } from './restore-cursor.ts';
import { restoreCursorPosition } from './restore-cursor-position.ts';
import { restoreModes } from './restore-modes.ts';
import { reverseAttributes } from './reverse-attributes.ts';
import { reverseIndex } from './reverse-index.ts';
import { rowAbsolute } from './row-absolute.ts';
import { rowRelative } from './row-relative.ts';
import { saveCursor } from './save-cursor.ts';
import { saveModes } from './save-modes.ts';
import { screenAlignment } from './screen-alignment.ts';
import { scrollDown } from './scroll-down.ts';
import { scrollDownAsMisprinted } from './scroll-down-as-misprinted.ts';
import { scrollLeft } from './scroll-left.ts';
import { scrollRight } from './scroll-right.ts';
import { scrollUp } from './scroll-up.ts';
import { secondaryAttributes } from './secondary-attributes.ts';
import { selectCodingSystem } from './select-coding-system.ts';
import { selectionData } from './selection-data.ts';
import { selectiveEraseArea } from './selective-erase-area.ts';
import { selectiveEraseInDisplay } from './selective-erase-in-display.ts';
import { selectiveEraseInLine } from './selective-erase-in-line.ts';
import { setKeyFormat } from './set-key-format.ts';
import { setKeyModifiers } from './set-key-modifiers.ts';
import { setMode } from './set-mode.ts';
import { setPrivateMode } from './set-private-mode.ts';
import { setTitleModes } from './set-title-modes.ts';
import { setTopBottomMargins } from './set-top-bottom-margins.ts';
import { shellMark } from './shell-mark.ts';
import { shiftIn } from './shift-in.ts';
import { shiftOut } from './shift-out.ts';
import { sideMargins } from './side-margins.ts';
import { softReset } from './soft-reset.ts';
import { startGuardedArea } from './start-guarded-area.ts';
import { tabBackward } from './tab-backward.ts';
import { tabClear } from './tab-clear.ts';
import { tabForward } from './tab-forward.ts';
import { tabSet } from './tab-set.ts';
import { terminalVersion } from './terminal-version.ts';
import { tertiaryAttributes } from './tertiary-attributes.ts';
import { title } from './title.ts';
import { titleAndIconName } from './title-and-icon-name.ts';
import { windowReport } from './window-report.ts';
import { workingDirectory } from './working-directory.ts';

/** Every control function that the terminal knows. */
export const controlFunctions: readonly ControlFunction[] = [
  attributeExtent,
  backIndex,
  backspace,
  bell,
  carriageReturn,
  changeAttributes,
  changeKeyboardFlags,
  characterProtection,
  columnAbsolute,
  columnRelative,
  conformanceLevel,
  copyArea,
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
  disableKeyModifiers,
  dynamicColors,
  endGuardedArea,
  enquiry,
  eraseArea,
  eraseCharacters,
  eraseInDisplay,
  eraseInLine,
  fillArea,
  forwardIndex,
  fullReset,
  graphicRendition,
  horizontalTab,
  hyperlink,
  iconName,
  identify,
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
  notification,
  paletteColors,
  popKeyboardFlags,
  primaryAttributes,
  privateDeviceStatus,
  pushKeyboardFlags,
  queryKeyFormat,
  queryKeyModifiers,
  repeatCharacter,
  reportKeyboardFlags,
  requestCapability,
  requestChecksum,
  requestMode,
  requestPrivateMode,
  requestSetting,
  resetDynamicColors,
  resetMode,
  resetPaletteColors,
  resetPrivateMode,
  resetTitleModes,
  restoreCursorPosition,
  restoreCursor,
  restoreModes,
  reverseAttributes,
  reverseIndex,
  rowAbsolute,
  rowRelative,
  saveCursor,
  saveModes,
  screenAlignment,
  scrollDown,
  scrollDownAsMisprinted,
  scrollLeft,
  scrollRight,
  scrollUp,
  secondaryAttributes,
  selectCodingSystem,
  selectionData,
  selectiveEraseArea,
  selectiveEraseInDisplay,
  selectiveEraseInLine,
  setKeyFormat,
  setKeyModifiers,
  setMode,
  setPrivateMode,
  setTitleModes,
  setTopBottomMargins,
  shellMark,
  shiftIn,
  shiftOut,
  sideMargins,
  softReset,
  startGuardedArea,
  tabBackward,
  tabClear,
  tabForward,
  tabSet,
  terminalVersion,
  tertiaryAttributes,
  titleAndIconName,
  title,
  windowReport,
  workingDirectory,
];
