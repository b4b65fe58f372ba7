import type { OperatingSystemCommand } from '../control-function.ts';
import type { CutBuffer, EngineHost, SelectionTarget, WriteRefusal } from '../engine-host.ts';
import type { TerminalState } from '../terminal-state.ts';

/** The targets that letters of the first field stand for. */
const TARGETS: Readonly<Record<string, SelectionTarget>> = {
  c: 'CLIPBOARD',
  p: 'PRIMARY',
  q: 'SECONDARY',
  s: 'SELECT',
};

/** The letters that are used if there are none, as in the reference terminal. */
const DEFAULT_LETTERS = 's0';

/** The most letters that are read: each target has one. */
const LETTERS_MAX = 12;

/**
 * Writes or reads selections; it takes letters, a semicolon, and text in base64, or a question mark that asks for the
 * text. @spec termprog#terminal-widget-resources-termvt100 maxStringParse
 */
export const selectionData: OperatingSystemCommand = {
  kind: 'osc',
  name: 'write or read selections and cut buffers',
  numbers: [52],
  maxCharacters: ({ host }) => LETTERS_MAX + 1 + host.selections.maxPayload(),
  drop: ({ host }) => host.selections.writeRefused(refusalOf(host) ?? 'length'),
  run: (state, text, _number, terminator) => {
    const separator = text.indexOf(';');
    if (separator < 0 || separator > LETTERS_MAX) return;
    const letters = text.slice(0, separator) || DEFAULT_LETTERS;
    const payload = text.slice(separator + 1);
    if (payload === '?') read(state, letters, terminator);
    else write(state, letters, payload);
  },
};

function targetsOf(letters: string): SelectionTarget[] {
  const targets = [...letters].map((letter): SelectionTarget | undefined =>
    /^[0-7]$/.test(letter) ? (`CUT_BUFFER${letter}` as CutBuffer) : TARGETS[letter],
  );
  return [...new Set(targets.filter((target) => target !== undefined))];
}

function write({ host }: TerminalState, letters: string, payload: string): void {
  const targets = targetsOf(letters);
  if (targets.length === 0) return;
  const refusal = refusalOf(host) ?? (payload.length > host.selections.maxPayload() ? 'length' : undefined);
  if (refusal === undefined) host.selections.write(targets, bytesOf(payload));
  else host.selections.writeRefused(refusal);
}

function refusalOf(host: EngineHost): WriteRefusal | undefined {
  return host.permits('SetSelection') ? undefined : 'permission';
}

/**
 * Returns the decoded bytes; padding ends the text, and the rest is ignored. Returns undefined if it is not base64,
 * which empties the selection.
 */
function bytesOf(payload: string): Uint8Array | undefined {
  const [digits = ''] = payload.split('=', 1);
  const isBase64 = /^[A-Za-z0-9+/]+$/.test(digits) && digits.length % 4 !== 1;
  return isBase64 ? Buffer.from(digits, 'base64') : undefined;
}

function read({ host }: TerminalState, letters: string, terminator: string): void {
  const targets = targetsOf(letters);
  if (targets.length === 0) return;
  const known = [...letters].filter((letter) => targetsOf(letter).length > 0).join('');
  const answer = (found: Uint8Array | undefined): void => {
    const text = found === undefined ? '' : Buffer.from(found).toString('base64');
    host.reply(`\x1b]52;${known};${text}${terminator}`);
  };
  // An editor would otherwise wait for a refused text, some for ten seconds.
  if (host.permits('GetSelection')) host.selections.read(targets, answer);
  else answer(undefined);
}
