import type { WriteRefusal } from '../../engine/engine-host.ts';
import type { ShownReason } from '../frame/shown-reason.ts';
import type { FeatureParts } from './feature-parts.ts';

/** During this time keys do not dismiss the reason: an editor copies while its user types. */
const LEAST_MS = 3_000;

/** Reasons shown in the window, where 78 columns are usual, and in the log. They contain no text of the application. */
const WORDS: Readonly<Record<WriteRefusal, { shown: string; logged: string }>> = {
  permission: {
    shown: 'an application may not copy: leave SetSelection out of *disallowedWindowOps',
    logged:
      'an application may not set a selection by OSC 52: the resource vt100.disallowedWindowOps refuses SetSelection; set it without that name to permit it',
  },
  length: {
    shown: 'an application copied too much: *maxStringParse bounds the text',
    logged:
      'an application wanted to set a selection by OSC 52 to a text that is longer than the resource vt100.maxStringParse permits, in bytes of base64; set a larger number to permit it',
  },
};

/**
 * Reports once per window why an application's copy had no effect, and which resource changes that. ours:
 * decision 89
 */
export function createRefusedWrites(
  { diagnostics }: Pick<FeatureParts, 'diagnostics'>,
  reason: Pick<ShownReason, 'show'>,
): (why: WriteRefusal) => void {
  const reported = new Set<WriteRefusal>();
  return (why) => {
    if (reported.has(why)) return;
    reported.add(why);
    diagnostics.warning(WORDS[why].logged);
    reason.show(WORDS[why].shown, { leastMs: LEAST_MS });
  };
}
