import { writeFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { listenForBell } from '../../harness/bell-listener.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { desktop } from '../../harness/fixtures/shared-desktop.ts';
import { pointerOver } from '../../harness/pointer.ts';
import { ATOMS } from '../../harness/selection-peer.ts';
import { contentOf, startTermprog } from '../../harness/start-termprog.ts';

const { PRIMARY, STRING } = ATOMS;

/** The answer to DSR: the terminal has parsed what came before, and the program takes input from now on. */
const READY = '\x1b[0n';

let utf8String: number;
let clipboard: number;

test.beforeAll(({ atoms }) => {
  ({ utf8String, clipboard } = atoms);
});

const owning =
  (text: string) =>
  (target: number): { type: number; format: number; data: Buffer } | undefined =>
    target === utf8String ? { type: utf8String, format: 8, data: Buffer.from(text) } : undefined;

test('the second button and Shift Insert paste the selection, or else the first cut buffer', async ({ peer }) => {
  verifies(
    'termprog.action.insert-selection',
    'termprog.translation.without-Ctrl-Meta-Btn2Up',
    'termprog.translation.Shift-KeyPress-Insert',
  );
  const { pointer, isPasted } = await startReader({});
  await peer.own(PRIMARY, owning('Zoë €漢\nline\ttwo\x1b'));
  await pointer.click([1, 1], { button: 2 });
  await isPasted('Zoë €漢\rline\ttwo');
  await pointer.do('key', 'shift+Insert');
  await isPasted('Zoë €漢\rline\ttwoZoë €漢\rline\ttwo');
  await peer.own(PRIMARY, () => undefined);
  await peer.writeBuffer(0, Buffer.from('buffér', 'latin1'));
  await pointer.click([1, 1], { button: 2 });
  await isPasted('Zoë €漢\rline\ttwoZoë €漢\rline\ttwobuffér');
});

test('an application that asked knows what is pasted, and no text ends that', async ({ peer }) => {
  await peer.own(PRIMARY, owning('a\n\x1b[201~b'));
  const { pointer, isPasted } = await startReader({ output: '\\033[?2004h' });
  await pointer.click([1, 1], { button: 2 });
  await isPasted('\x1b[200~a\r[201~b\x1b[201~');
});

test('the first of the named places that has text is pasted, and a silent owner is waited for no longer than it may take', async ({
  peer,
  startPeer,
}) => {
  const silent = await startPeer();
  const translations =
    '#override <Key>F5: insert-selection(NOTHING, CLIPBOARD)\\n<Key>F6: insert-selection(SELECT, CUT_BUFFER3)';
  const args = ['-selectionTimeout', '300', '-xrm', `*vt100.translations: ${translations}`];
  await peer.own(clipboard, () => ({ type: STRING, format: 8, data: Buffer.from('caf\xe9', 'latin1') }));
  await silent.own(PRIMARY, () => 'later');
  await peer.writeBuffer(3, Buffer.from('third'));
  const { pointer, isPasted } = await startReader({ args });
  await pointer.do('key', 'F5');
  await isPasted('café');
  await pointer.do('key', 'F6', 'key', 'x');
  await isPasted('caféxthird');
});

test('pastes beyond those that may wait for a silent owner ring the bell, and keys do not wait', async ({
  startPeer,
}) => {
  const silent = await startPeer();
  await silent.own(PRIMARY, () => 'later');
  const args = [
    '-selectionTimeout',
    '60000',
    '-xrm',
    '*vt100.translations: #override <Key>F6: insert-selection(SELECT)',
  ];
  const { pointer, isPasted } = await startReader({ args });
  await using bell = await listenForBell(desktop);
  await pointer.do(...Array.from({ length: 40 }, () => ['key', 'F6']).flat());
  await bell.rings(() => pointer.do(...Array.from({ length: 40 }, () => ['key', 'F6']).flat()));
  await pointer.do('key', 'x');
  await isPasted('x');
});

test('a text that is longer than what may be typed ahead is pasted whole, as the program reads, before later keys', async ({
  peer,
}) => {
  const text = Array.from({ length: 1_000_000 }, (_, index) => `line ${index} é\n`).join('');
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 200_000) }, (_, index) =>
    bytes.subarray(index * 200_000, (index + 1) * 200_000),
  );
  const taken = await peer.ownPieces(PRIMARY, utf8String, pieces);
  const go = desktop.newFile();
  const { pointer, got, terminal } = await startReader({ before: `while [ ! -e ${go} ]; do sleep 0.05; done` });
  await pointer.click([1, 1], { button: 2 });
  await waitFor('the text is read', () => taken() > pieces.length);
  await pointer.do('key', 'q');
  // The window answers while the paste waits for its reader.
  expect((await terminal.screenshot()).width).toBeGreaterThan(0);
  writeFileSync(go, '');
  const expected = `${text.replaceAll('\n', '\r')}q`;
  await waitFor('all is pasted', () => got().length >= expected.length, { timeoutMs: 60_000 });
  expect(got() === expected).toBe(true);
});

test('text that the terminal itself has selected is pasted', async () => {
  const { pointer, isPasted } = await startReader({ output: 'own words' });
  await pointer.drag([4, 0], [9, 0]);
  await pointer.click([1, 1], { button: 2 });
  await isPasted('words');
});

/** A terminal whose program keeps what it is sent; `output` is written first, as a format of printf(1). */
async function startReader({
  args = [],
  output = '',
  before = ':',
}: {
  args?: string[];
  output?: string;
  before?: string;
}) {
  const file = desktop.newFile();
  const script = `stty raw -echo; printf '${output}\\033[5n'; head -c 4 > ${file}.ready; ${before}; cat > ${file}`;
  const terminal = await startTermprog(desktop, { args: ['-fn', 'fixed', ...args], script });
  onTestFinished(() => terminal[Symbol.asyncDispose]());
  await waitFor('the program is there', () => contentOf(`${file}.ready`) === READY);
  const pointer = pointerOver(desktop, terminal);
  // Keys go to the window under the pointer.
  await pointer.do(pointer.at([1, 1]));
  const isPasted = (text: string): Promise<unknown> =>
    waitFor(`${JSON.stringify(text)} is pasted`, () => contentOf(file) === text);
  return { terminal, pointer, got: () => contentOf(file), isPasted };
}
