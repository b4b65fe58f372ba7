import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { OPCODE, type PacketWriter } from '../../../src/termprog/input-method/packet.ts';
import { type AnsweringInputMethod, startAnsweringInputMethod } from '../../harness/answering-input-method.ts';
import { type ReportingTerminal, startReportingTerminal } from '../../harness/reporting-terminal.ts';
import { startTermprog, startXDesktop, type XDesktop } from '../../harness/start-termprog.ts';

let desktop: XDesktop;

beforeAll(async () => {
  desktop = await startXDesktop();
});

afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
});

const SERVER = 'answering';

/** Of cells, with the border of the window around them. */
const CELL = { width: 6, height: 13 };
const BORDER = 2;

/** The last row, and how many cells its label takes. */
const BAR_ROW = 23;
const LABEL = ' Search: '.length;

interface Composing extends AsyncDisposable {
  terminal: ReportingTerminal;
  server: AnsweringInputMethod;
}

/** Starts a server and a terminal, and waits until the server gets the keys. */
async function startComposing(): Promise<Composing> {
  await using parts = new AsyncDisposableStack();
  const server = parts.use(await startAnsweringInputMethod(desktop.environment, SERVER));
  const terminal = parts.use(
    await startReportingTerminal(desktop, startTermprog, {
      args: ['-xrm', '*cursorBlink: false'],
      environment: { XMODIFIERS: `@im=${SERVER}` },
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

/** Whether a line goes through cells, white on the bar. */
const hasLine = (pixels: readonly string[], ink: '#' | '.'): boolean =>
  pixels.some((row) => [...row].every((pixel) => pixel === ink)) &&
  !pixels.every((row) => [...row].every((pixel) => pixel === ink));

/** Puts text with its caret behind it in the place of all that is composed. */
const drawn =
  (text: string, caret = text.length) =>
  (writer: PacketWriter): PacketWriter =>
    writer.card32(caret).card32(0).card32(1_000).card32(2).card16(text.length).bytes(Buffer.from(text)).pad().card32(0);

const spotAt = (column: number, row: number) => ({
  x: BORDER + column * CELL.width,
  y: BORDER + (row + 1) * CELL.height,
});

test('while a search is open, what is composed is shown in its bar behind what was typed, and the server is told the place', async () => {
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
