import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { OPCODE, type PacketWriter } from '../../../src/termprog/input-method/packet.ts';
import {
  type AnsweringInputMethod,
  type AnsweringOptions,
  startAnsweringInputMethod,
} from '../../harness/answering-input-method.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { desktop } from '../../harness/fixtures/shared-desktop.ts';
import { type ReportingTerminal, startReportingTerminal } from '../../harness/reporting-terminal.ts';
import { ATOMS } from '../../harness/selection-peer.ts';
import { startTermprog } from '../../harness/start-termprog.ts';

const SERVER = 'answering';

const KEYCODE_Q = 24;

/** Size of a cell, with the border of the window around the cells. */
const CELL = { width: 6, height: 13 };
const BORDER = 2;

/** The last row, and how many cells its label takes. */
const BAR_ROW = 23;
const LABEL = ' Search: '.length;

interface Composing extends AsyncDisposable {
  terminal: ReportingTerminal;
  server: AnsweringInputMethod;
}

/** Whether a line goes through cells, white on the bar. */
const hasLine = (pixels: readonly string[], ink: '#' | '.'): boolean =>
  pixels.some((row) => [...row].every((pixel) => pixel === ink)) &&
  !pixels.every((row) => [...row].every((pixel) => pixel === ink));

/** Bits of a feedback; X Input Method Protocol, 4.8.4. */
const REVERSE = 1;
const UNDERLINE = 2;

/** Puts text with its caret behind it in the place of all that is composed. */
const drawn =
  (text: string, feedback: readonly number[] = []) =>
  (writer: PacketWriter): PacketWriter => {
    const status = feedback.length === 0 ? 2 : 0;
    writer
      .card32(text.length)
      .card32(0)
      .card32(1_000)
      .card32(status)
      .card16(text.length)
      .bytes(Buffer.from(text))
      .pad();
    writer.card16(4 * feedback.length).card16(0);
    return feedback.reduce((sum, value) => sum.card32(value), writer);
  };

const spotAt = (column: number, row: number) => ({
  x: BORDER + column * CELL.width,
  y: BORDER + (row + 1) * CELL.height,
});

test('while a search is open, composed text is shown in its bar behind the typed text, and the server learns the place', async () => {
  await using composing = await startComposing();
  const { terminal, server } = composing;
  await terminal.write('\x1b[2J\x1b[5;11H');
  await terminal.reports('key', 'y');
  expect(server.spot()).toEqual(spotAt(10, 4));
  await desktop.run('xdotool', 'key', 'ctrl+shift+f', 'a', 'b', 'c');
  await waitFor('the place is told', () => server.spot()?.y === spotAt(0, BAR_ROW).y);
  await waitFor('the place follows', () => server.spot()?.x === spotAt(LABEL + 3, BAR_ROW).x);
  const before = await pixelsOf(terminal, 4, 10, 6);
  const composed = (): Promise<string[]> => pixelsOf(terminal, BAR_ROW, LABEL + 3, 4);

  server.send(OPCODE.preeditDraw, drawn('wxyz'));
  await waitFor('it is shown in the bar', async () => hasLine(await composed(), '.'));
  expect(await pixelsOf(terminal, 4, 10, 6)).toEqual(before);

  server.send(OPCODE.preeditDone);
  await waitFor('it is gone', async () => !hasLine(await composed(), '.'));
});

test('the caret of what is composed is shown instead of the cursor', async () => {
  await using composing = await startComposing();
  const { terminal, server } = composing;
  await terminal.write('\x1b[2J\x1b[5;11H');
  const isBlock = async (column: number): Promise<boolean> =>
    (await pixelsOf(terminal, 4, column, 1)).every((row) => row === '######');
  await waitFor('the cursor is there', () => isBlock(10));

  server.send(OPCODE.preeditDraw, drawn('wxyz'));
  await waitFor('the caret is behind the text', () => isBlock(14));
  expect(hasLine(await pixelsOf(terminal, 4, 10, 4), '#')).toBe(true);
  server.send(OPCODE.preeditCaret, (writer) => writer.card32(0).card32(10).card32(0));
  await waitFor('the caret has moved', async () => !(await isBlock(14)));
  server.send(OPCODE.preeditDone);
  await waitFor('the cursor is back', () => isBlock(10));
});

test('composed text looks as the server says: reverse, underlined or plain', async () => {
  await using composing = await startComposing();
  const { terminal, server } = composing;
  await terminal.write('\x1b[2J\x1b[5;11H');
  server.send(OPCODE.preeditDraw, drawn('rup', [REVERSE, UNDERLINE, 0]));
  await waitFor('it is shown', async () => hasLine(await pixelsOf(terminal, 4, 11, 1), '#'));
  const black = async (column: number): Promise<number> =>
    (await pixelsOf(terminal, 4, column, 1)).join('').split('#').length - 1;
  expect(await black(10)).toBeGreaterThan((CELL.width * CELL.height) / 2);
  expect(await black(12)).toBeLessThan((CELL.width * CELL.height) / 2);
  expect(hasLine(await pixelsOf(terminal, 4, 12, 1), '#')).toBe(false);
});

test('keys that a server takes without an answer are taken at once, and it goes on getting keys', async () => {
  await using composing = await startComposing({ isAsynchronous: true });
  const { terminal, server } = composing;
  expect(await terminal.reports('key', 'a', 'b', 'ctrl+c')).toBe('ab\x03');
  server.treatKeys((event) => event.readUInt8(1) === KEYCODE_Q);
  expect(await terminal.reports('key', 'q', 'a', 'q', 'q', 'b')).toBe('ab');
  const text = Buffer.from('\u00e9');
  server.send(OPCODE.commit, (writer) => writer.card16(2).card16(text.length).bytes(text).pad());
  expect(await terminal.reports('key', 'q')).toBe(text.toString('latin1'));
  expect(terminal.output()).not.toContain('has not answered');
});

test('a server that says only behind the first key that it answers none still takes keys at once', async () => {
  await using composing = await startComposing({ isAsynchronous: true, isLate: true });
  const { terminal, server } = composing;
  server.treatKeys((event) => event.readUInt8(1) === KEYCODE_Q);
  expect(await terminal.reports('key', 'q', 'a', 'q', 'q', 'b')).toBe('ab');
  expect(terminal.output()).toBe('');
});

test('keys wait for a server that thinks about each for a while, as on a busy machine', async () => {
  await using composing = await startComposing({ isAsynchronous: true, thinksMs: 300 });
  const { terminal, server } = composing;
  server.treatKeys((event) => event.readUInt8(1) === KEYCODE_Q);
  expect(await terminal.reports('key', 'q', 'a', 'q', 'b')).toBe('ab');
  expect(terminal.output()).toBe('');
});

test('entries in the list of servers that are not servers are skipped', async ({ peer }) => {
  await peer.own(ATOMS.SECONDARY, () => undefined);
  const noAtom = 0x1fff_ffff;
  await using composing = await startComposing({ listedBefore: [ATOMS.SECONDARY, noAtom] }, { XMODIFIERS: undefined });
  expect(await composing.terminal.reports('key', 'y')).toBe('y');
});

/** Starts a server and a terminal, and waits until the server gets the keys. */
async function startComposing(
  options: AnsweringOptions = {},
  environment: Record<string, string | undefined> = { XMODIFIERS: `@im=${SERVER}` },
): Promise<Composing> {
  await using parts = new AsyncDisposableStack();
  const server = parts.use(await startAnsweringInputMethod(desktop.environment, SERVER, options));
  const terminal = parts.use(
    await startReportingTerminal(desktop, startTermprog, {
      args: ['-xrm', '*cursorBlink: false'],
      environment,
    }),
  );
  await waitFor('the server gets keys', async () => {
    await terminal.reports('key', 'x');
    return server.packets.some(({ opcode }) => opcode === OPCODE.forwardEvent);
  });
  const kept = parts.move();
  return { terminal, server, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The rows of pixels of cells, with # for black. */
async function pixelsOf(terminal: ReportingTerminal, row: number, column: number, columns: number): Promise<string[]> {
  const { data, width } = await terminal.screenshot();
  const [left, top] = [BORDER + column * CELL.width, BORDER + row * CELL.height];
  return Array.from({ length: CELL.height }, (_line, y) =>
    Array.from({ length: columns * CELL.width }, (_pixel, x) =>
      (data[4 * ((top + y) * width + left + x)] ?? 0) === 0 ? '#' : '.',
    ).join(''),
  );
}
