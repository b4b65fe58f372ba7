import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { ATOMS } from '../../harness/selection-peer.ts';
import { base64, startSelectionWriter } from '../../harness/selection-writer.ts';
import { openSelectionScene } from './selection-scene.ts';

const { PRIMARY, STRING } = ATOMS;

test('a drag selects text, and publishes it when the button is released', async ({ desktop }) => {
  verifies(
    'termprog.action.select-start',
    'termprog.action.select-extend',
    'termprog.action.select-end',
    'termprog.translation.without-Meta-Btn1Down',
    'termprog.translation.button-motion',
    'termprog.translation.any-button-release',
  );
  const { peer, pointer, isGiven } = await openSelectionScene(desktop);
  // Motion alone sets the end: it is where the last motion was.
  await pointer.drag([6, 0], [6, 1]);
  await isGiven('line of text\nsecond');
  await waitFor(
    'the cut buffer has it',
    async () => (await peer.readBuffer(0)).data.toString() === 'line of text\nsecond',
  );
  await pointer.drag([11, 3], [0, 3]);
  await isGiven('fourth line');
});

test('an application writes selections and cut buffers, and other programs get the text', async ({
  desktop,
  atoms: { clipboard, utf8String },
  peer,
}) => {
  verifies('termprog.resource.disallowedWindowOps');
  const { write } = await startSelectionWriter(desktop, ['-xrm', '*disallowedWindowOps:']);
  const given = async (selection: number): Promise<string | undefined> =>
    (await peer.convert(selection, utf8String))?.data.toString('utf8');
  write(`\x1b]52;cp07;${base64('Zoë €漢')}\x07`);
  await waitFor('CLIPBOARD is written', async () => (await given(clipboard)) === 'Zoë €漢');
  expect(await given(PRIMARY)).toBe('Zoë €漢');
  expect((await peer.convert(PRIMARY, STRING))?.data.toString('latin1')).toBe('Zoë ??');
  for (const index of [0, 7]) {
    await waitFor(
      'the buffer is written',
      async () => (await peer.readBuffer(index)).data.toString('latin1') === 'Zoë ??',
    );
  }

  write('\x1b]52;c;!\x07');
  await waitFor("CLIPBOARD is nobody's", async () => (await peer.ownerOf(clipboard)) === 0);
  expect(await given(PRIMARY)).toBe('Zoë €漢');
});

test('an application may by default neither write nor read', async ({ desktop, atoms: { utf8String }, peer }) => {
  await peer.own(PRIMARY, () => ({ type: utf8String, format: 8, data: Buffer.from('secret') }));
  await peer.writeBuffer(3, Buffer.from('before'));
  const { write, got } = await startSelectionWriter(desktop, []);
  write(`\x1b]52;p;?\x07\x1b]52;p3;${base64('forced')}\x07\x1b[5n`);
  await waitFor('a later question is answered', () => got() === '\x1b]52;p;\x07\x1b[0n');
  expect(await peer.ownerOf(PRIMARY)).toBe(peer.window);
  expect(peer.asked()).toBe(0);
  expect((await peer.readBuffer(3)).data.toString()).toBe('before');
});
