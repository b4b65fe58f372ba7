import { queryExtension } from '../../x11/query-extension.ts';
import { type Check, missing, ok } from './check.ts';

/**
 * Returns the check of an extension of the X server.
 * @param use its purpose
 * @param cost the difference without it, after "so that"
 */
function extension(protocolName: string, use: string, cost: string): Check {
  return {
    name: protocolName,
    look: async ({ display }) => {
      const found = await queryExtension(await display, protocolName);
      return found === undefined ? missing('the X server does not have it', cost) : ok(use);
    },
  };
}

/** Extensions that are used, and those whose absence a user might blame. */
export const extensions: readonly Check[] = [
  extension('RENDER', 'blended drawing', 'text is drawn in bitmap fonts alone, and the window is opaque'),
  extension('RANDR', 'changes of the screen are followed', 'a screen that changes its size is not noticed'),
  extension('XKEYBOARD', 'keyboards with several layouts', 'layouts are followed by the core protocol alone'),
  extension('BIG-REQUESTS', 'not needed: requests stay small', 'nothing changes, because requests stay small'),
];
