import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { test } from '../../harness/fixtures/selections.ts';
import { desktop } from '../../harness/fixtures/shared-desktop.ts';
import { ATOMS, type SelectionPeer } from '../../harness/selection-peer.ts';
import { base64, startSelectionWriter } from '../../harness/selection-writer.ts';
import { spawnTermprog } from '../../harness/start-termprog.ts';
import { watchIdle } from '../../harness/watch-idle.ts';

const { PRIMARY } = ATOMS;
const PERMITTED = ['-xrm', '*disallowedWindowOps:'];

let clipboard: number;
let utf8String: number;

test.beforeAll(({ atoms }) => {
  ({ clipboard, utf8String } = atoms);
});

/** Returns the text that another program gets from a selection. */
async function giveText(peer: SelectionPeer, selection: number): Promise<string | undefined> {
  return (await peer.convert(selection, utf8String))?.data.toString('utf8');
}

test('without letters PRIMARY and the first cut buffer are written, or CLIPBOARD with selectToClipboard', async ({
  peer,
}) => {
  verifies('termprog.resource.selectToClipboard');
  const { write } = await startSelectionWriter(desktop, PERMITTED);
  write(`\x1b]52;;${base64('symbolic')}\x1b\\`);
  await waitFor('PRIMARY is written', async () => (await giveText(peer, PRIMARY)) === 'symbolic');
  await waitFor('the buffer is written', async () => (await peer.readBuffer(0)).data.toString() === 'symbolic');

  const other = await startSelectionWriter(desktop, [...PERMITTED, '-xrm', '*selectToClipboard: true']);
  other.write(`\x1b]52;s;${base64('chosen')}\x1b\\`);
  await waitFor('CLIPBOARD is written', async () => (await giveText(peer, clipboard)) === 'chosen');
  expect(await giveText(peer, PRIMARY)).toBe('symbolic');
});

test('an application reads what another program selected, and what it wrote itself', async ({ peer }) => {
  const { write, got } = await startSelectionWriter(desktop, PERMITTED);
  await peer.own(PRIMARY, () => ({ type: utf8String, format: 8, data: Buffer.from('þeirs') }));
  write('\x1b]52;p;?\x07');
  await waitFor('it is answered', () => got() === `\x1b]52;p;${base64('þeirs')}\x07`);
  write(`\x1b]52;c;${base64('mine')}\x07\x1b]52;c;?\x07`);
  await waitFor('it is answered', () => got().endsWith(`\x1b]52;c;${base64('mine')}\x07`));
});

test('with -synchronous, too, the text for a cut buffer outlives the terminal', async ({ peer }) => {
  await peer.writeBuffer(5, Buffer.from('before'));

  const process = spawnTermprog(
    [...PERMITTED, '-synchronous', '-e', 'printf', `\\033]52;5;${base64('last')}\\007`],
    desktop.environment,
  );

  expect((await process.ended).exitCode).toBe(0);
  expect((await peer.readBuffer(5)).data.toString()).toBe('last');
});

test('an owner that does not answer is not waited for longer than selectionTimeout says', async ({ peer }) => {
  verifies('termprog.option.selectionTimeout');
  await peer.own(PRIMARY, () => 'later');
  const { write, got } = await startSelectionWriter(desktop, [...PERMITTED, '-selectionTimeout', '400']);
  using waited = watchIdle();
  const startMs = performance.now();
  write('\x1b]52;p;?\x07');
  await waitFor('an empty answer comes', () => got() === '\x1b]52;p;\x07');
  expect(performance.now() - startMs).toBeGreaterThan(395);
  expect(waited.read()).toBeLessThan(4_000);
});

for (const [limit, payloadBytes, isTaken] of [
  ['100', 100, true],
  ['100', 104, false],
  [undefined, 600_000, true],
  [undefined, 600_004, false],
  ['2000000', 2_000_000, true],
] as const) {
  test(`with maxStringParse ${limit ?? 'as it is by default'}, a payload of ${payloadBytes} bytes is ${isTaken ? 'taken' : 'dropped'}`, async ({
    peer,
  }) => {
    verifies('termprog.resource.maxStringParse', 'termprog.limit.maxStringParse');
    const { write } = await startSelectionWriter(desktop, [
      ...PERMITTED,
      ...(limit === undefined ? [] : ['-xrm', `*maxStringParse: ${limit}`]),
    ]);
    const text = 'x'.repeat((payloadBytes / 4) * 3);
    write(`\x1b]52;c;${base64('before')}\x07\x1b]52;c;${base64(text)}\x07\x1b]52;p;${base64('after')}\x07`);
    await waitFor('the text after it is taken', async () => (await giveText(peer, PRIMARY)) === 'after');
    await waitFor(
      'CLIPBOARD is what it should be',
      async () => (await giveText(peer, clipboard)) === (isTaken ? text : 'before'),
    );
  });
}
