import type { ControlFunction } from '../control-function.ts';
import { areas } from './areas.ts';
import { bellAndNotification } from './bell-and-notification.ts';
import { characterSets } from './character-sets.ts';
import { colorCommands } from './color-commands.ts';
import { cursorMovement } from './cursor-movement.ts';
import { cursorStyle } from './cursor-style.ts';
import { deviceAttributes } from './device-attributes.ts';
import { deviceStatus } from './device-status.ts';
import { erasure } from './erasure.ts';
import { graphicRendition } from './graphic-rendition.ts';
import { hyperlink } from './hyperlink.ts';
import { insertionAndDeletion } from './insertion-and-deletion.ts';
import { kittyKeyboard } from './kitty-keyboard.ts';
import { labelCommands } from './label-commands.ts';
import { margins } from './margins.ts';
import { modeFunctions } from './mode-functions.ts';
import { repeatCharacter } from './repeat-character.ts';
import { requestCapability } from './request-capability.ts';
import { requestChecksum } from './request-checksum.ts';
import { requestSetting } from './request-setting.ts';
import { resets } from './resets.ts';
import { selectionData } from './selection-data.ts';
import { shellReports } from './shell-reports.ts';
import { tabulation } from './tabulation.ts';
import { textScrolling } from './text-scrolling.ts';
import { windowReport } from './window-report.ts';
import { xtermKeyboard } from './xterm-keyboard.ts';

/** Every control function that the terminal knows. A family is an array; a long function has a file of its own. */
export const controlFunctions: readonly ControlFunction[] = [
  ...areas,
  ...bellAndNotification,
  ...characterSets,
  ...colorCommands,
  ...cursorMovement,
  cursorStyle,
  ...deviceAttributes,
  ...deviceStatus,
  ...erasure,
  graphicRendition,
  hyperlink,
  ...insertionAndDeletion,
  ...kittyKeyboard,
  ...labelCommands,
  ...margins,
  ...modeFunctions,
  repeatCharacter,
  requestCapability,
  requestChecksum,
  requestSetting,
  ...resets,
  selectionData,
  ...shellReports,
  ...tabulation,
  ...textScrolling,
  windowReport,
  ...xtermKeyboard,
];
