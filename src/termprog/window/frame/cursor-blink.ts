import type { OptionPort } from '../../ports/states.ts';

/**
 * Whether applications may change the blinking; `always` and `never` ignore them.
 * @spec termprog#terminal-widget-resources-termvt100
 */
export function takesBlinkRequests(options: OptionPort): boolean {
  const configured = options.get('cursorBlink');
  return configured === 'true' || configured === 'false';
}

/** Whether the cursor blinks, from the configuration and the application's request by DECSCUSR or mode 12. */
export function cursorBlinks(options: OptionPort, isRequested: boolean): boolean {
  const configured = options.get('cursorBlink');
  if (!takesBlinkRequests(options)) return configured === 'always';
  const isConfigured = configured === 'true';
  return options.get('cursorBlinkXOR') ? isConfigured !== isRequested : isConfigured || isRequested;
}
