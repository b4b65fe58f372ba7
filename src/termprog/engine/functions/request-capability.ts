import type { DeviceControlString } from '../control-function.ts';
import { CAPABILITY_NAMES, capabilityOf, isWithheld } from '../terminal-capabilities.ts';

/** The most names in one request. */
const NAMES_MAX = 64;

const toHex = (text: string): string => Buffer.from(text, 'utf8').toString('hex').toUpperCase();

/**
 * Reports capabilities; the request has names in hexadecimal digits, with semicolons between them. The answer has the
 * known ones up to the first unknown; it does not repeat the request.
 * @spec termprog#terminal-widget-resources-termvt100 allowTcapOps
 */
export const requestCapability: DeviceControlString = {
  kind: 'dcs',
  name: 'XTGETTCAP, request terminal capability',
  sequence: '+q',
  choices: CAPABILITY_NAMES,
  run: (state, text) => {
    if (!state.host.permits('GetTcap')) return;
    const answers: string[] = [];
    for (const digits of text.split(';', NAMES_MAX)) {
      const name = /^(?:[0-9a-f]{2})+$/i.test(digits) ? Buffer.from(digits, 'hex').toString('latin1') : '';
      const value = capabilityOf(name, state);
      // It gets no answer, not even a refusal. @spec termprog#limits termName
      if (answers.length === 0 && isWithheld(name, state)) return;
      if (value === undefined) break;
      answers.push(`${toHex(name)}=${toHex(value)}`);
    }
    state.host.reply(answers.length === 0 ? '\x1bP0+r\x1b\\' : `\x1bP1+r${answers.join(';')}\x1b\\`);
  },
};
