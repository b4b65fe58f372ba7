import type { TitlePort } from '../../ports/appearance.ts';
import type { OptionPort } from '../../ports/states.ts';

/** Whether titles are also written in UTF-8. @spec termprog#terminal-widget-resources-termvt100 utf8Title */
export function writesUtf8Titles(options: Pick<OptionPort, 'get'>, isUtf8Locale: boolean): boolean {
  const wanted = options.get('utf8Title');
  return wanted === 'default' ? isUtf8Locale : wanted !== 'false';
}

export function createTitlePort(options: OptionPort, isUtf8Locale: boolean): TitlePort {
  return {
    isUtf8Locale,
    get writesUtf8() {
      return writesUtf8Titles(options, isUtf8Locale);
    },
    setWritesUtf8: (isWritten) => options.set('utf8Title', isWritten ? 'true' : 'false'),
  };
}
